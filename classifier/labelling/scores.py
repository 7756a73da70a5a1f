"""The input and the output of a facet's model.

This module does not need scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_index import Evidence

if TYPE_CHECKING:  # slow to import
    from scipy import sparse

Array = NDArray[np.float64]
Rows = NDArray[np.int64]

DIGITS = 4
"""Decimal digits of a probability, wherever it is printed, compared or learned from: the last
digits of a sum differ between processors, and never decide anything."""

INTERCEPT_SCALE = 0.3
"""The value of the column whose weight is the intercept: it is penalised like other weights."""
MAX_UNCHECKED = 0.9
"""Maximum confidence of a label that neither decisions nor a prior check."""

VOTE_MIDDLE = 2.6
"""The vote that makes a category as likely as not."""


def round_probabilities(probabilities: Array) -> Array:
    """Return probabilities rounded to `DIGITS` decimals."""
    return np.asarray(np.round(probabilities, DIGITS))


@dataclass(frozen=True, slots=True)
class FacetInput:
    """The input of a facet's model: features of n papers."""

    rows: sparse.csr_matrix
    """(n, features): TF-IDF, then cue features; None where only the evidence is known."""
    names: Sequence[str]
    """Names of the features."""
    terms: int
    """Number of TF-IDF features."""
    evidence: Evidence
    """Cue matches of the papers."""
    likeness: Array
    """(n, k) likeness of each paper to each category, in standard deviations."""
    has_abstract: NDArray[np.bool_]
    """(n,) whether the paper has an abstract."""

    @property
    def text(self) -> sparse.csr_matrix:
        """The TF-IDF features."""
        return self.rows[:, : self.terms]

    def of(self, rows: Rows) -> FacetInput:
        """Return the features of the papers at `rows`."""
        return FacetInput(
            self.rows[rows],
            self.names,
            self.terms,
            self.evidence.of(rows),
            self.likeness[rows],
            self.has_abstract[rows],
        )


@dataclass(frozen=True, slots=True)
class Scores:
    """The probabilities that a facet's model predicts for n papers."""

    inputs: FacetInput
    """The input of the model."""
    probabilities: Array
    """(n, k) calibrated probability that a category applies; rows of a single-valued facet sum to
    1."""
    primary: Array
    """(n, k) probability that the category is the primary; rows sum to 1."""


@dataclass(frozen=True, slots=True)
class CrossFit:
    """Predictions for m decided papers, by models that did not learn from the decisions on them."""

    probabilities: Array
    """(m, k) calibrated probability that a category applies."""
    primary: Array
    """(m, k) probability that the category is the primary, among those that existed at the
    decision."""
    confidence: Array
    """(m,) probability that the predicted primary is right."""
    applies: Array
    """(m, k) truth in {0, 1}; nan if the category did not exist at the decision."""
    filed: Array
    """(m, k) truth in {0, 1} with one 1 per row: the decided primary."""
    paper_ids: tuple[str, ...]
    """Ids of the m papers."""
    sure: NDArray[np.bool_]
    """(m,) whether the label would be `confident`."""
