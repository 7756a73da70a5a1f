"""Linear models on what a facet sees of a paper, in the form in which papers are scored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WideWeights:
    """k linear models on t terms and c cue columns.

    A paper has weight in some hundred of ten thousand columns, so its sparse row times these is a
    fraction of what its products with the papers learned from cost. The weights of one column lie
    beside each other, as the product reads them. What it gives for a paper depends on no other
    paper: a sparse product adds each row's terms up by itself, in the order of its columns.
    """

    terms: Array
    """(t, k)."""
    cues: Array
    """(c, k)."""
    intercepts: Array
    """(k,)."""

    def logits(self, text: sparse.csr_matrix, cues: sparse.csr_matrix) -> Array:
        """Return (n, k) logits of n papers, of (n, t) TF-IDF rows and (n, c) cue columns."""
        return np.asarray(text @ self.terms + cues @ self.cues + self.intercepts)

    def column(self, category: int) -> Array:
        """Return the (t + c,) weights of one category, terms first."""
        return np.concatenate([self.terms[:, category], self.cues[:, category]])


def wide_weights(weights: Array, intercepts: Array, terms: int) -> WideWeights:
    """Return the models of (k, t + c) weights, of which the first `terms` are of terms."""
    return WideWeights(
        np.ascontiguousarray(weights[:, :terms].T),
        np.ascontiguousarray(weights[:, terms:].T),
        np.array(intercepts),
    )
