"""What a facet's model sees of papers, and what it says of them. Needs no scikit-learn."""

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
"""The highest confidence of a label while neither decisions nor a prior check it."""

VOTE_MIDDLE = 2.6
"""The vote that makes a category as likely as not."""


def rounded(probabilities: Array) -> Array:
    """Return probabilities with `DIGITS` digits."""
    return np.asarray(np.round(probabilities, DIGITS))


@dataclass(frozen=True, slots=True)
class FacetView:
    """The features of n papers for a facet's model."""

    rows: sparse.csr_matrix
    """(n, features): TF-IDF, then cue features; None where only the evidence is known."""
    names: Sequence[str]
    """Names of the features."""
    terms: int
    """Number of TF-IDF features."""
    evidence: Evidence
    likeness: Array
    """(n, k) likeness of each paper to each category, in standard deviations."""
    has_abstract: NDArray[np.bool_]
    """(n,)."""

    @property
    def text(self) -> sparse.csr_matrix:
        """The TF-IDF features."""
        return self.rows[:, : self.terms]

    def of(self, rows: Rows) -> FacetView:
        """Return the view of some of the papers."""
        return FacetView(
            self.rows[rows],
            self.names,
            self.terms,
            self.evidence.of(rows),
            self.likeness[rows],
            self.has_abstract[rows],
        )


@dataclass(frozen=True, slots=True)
class Scores:
    """The probabilities that a facet's model gives to n papers."""

    seen: FacetView
    probabilities: Array
    """(n, k) calibrated probability that a category applies; of a single facet they sum to 1."""
    primary: Array
    """(n, k) probability that a paper is filed under the category; rows sum to 1."""


@dataclass(frozen=True, slots=True)
class CrossFit:
    """The model's scores of m decided papers before it learned from their decisions."""

    probabilities: Array
    """(m, k) calibrated probability that a category applies."""
    primary: Array
    """(m, k) probability that a paper is filed under the category, of those its decision knows."""
    confidence: Array
    """(m,) probability that the filed category is right."""
    applies: Array
    """(m, k) truth in {0, 1}; nan where the decision does not know the category."""
    filed: Array
    """(m, k) truth in {0, 1}, one 1 a row."""
    paper_ids: tuple[str, ...]
    sure: NDArray[np.bool_]
    """(m,) whether the filed category is confident."""
