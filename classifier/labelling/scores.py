"""What a facet model is given of papers, and what it says of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifier.labelling.evidence import Evidence
from classifier.labelling.features import CueColumns
from classifier.labelling.prior_scores import PriorScores

Array = NDArray[np.float64]

DIGITS = 4
"""Decimal digits that a probability has, wherever it is shown, compared or learned from."""


def rounded(probabilities: Array) -> Array:
    """Return probabilities with `DIGITS` digits.

    What is left of a sum's last digits differs between processors and libraries; so that it never
    decides anything, it is cut off before anything is decided.
    """
    return np.asarray(np.round(probabilities, DIGITS))


@dataclass(frozen=True, slots=True)
class FacetView:
    """What a facet model sees of n papers."""

    text: sparse.csr_matrix
    """(n, features) TF-IDF rows."""
    evidence: Evidence
    """Of the facet's own cues."""
    cues: CueColumns
    prior: PriorScores | None = None
    """What the prior says, where there is one."""


@dataclass(frozen=True, slots=True)
class Contributions:
    """The sum that makes a calibrated logit."""

    names: tuple[str, ...]
    """Of the features; a name may stand twice."""
    values: Array
    """(features,) weight times value."""
    intercept: float
    in_votes: bool = False
    """Whether the columns `votes:CATEGORY:VIEW` hold votes; the intercept then turns them into
    log-odds."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What a facet model says of n papers."""

    seen: FacetView
    probabilities: Array
    """(n, k) calibrated probability that a category applies; of a single facet they sum to 1."""
    primary: Array
    """(n, k) probability that a paper is filed under the category; rows sum to 1."""


@dataclass(frozen=True, slots=True)
class CrossFit:
    """What the model said of decided papers before it had seen their decision."""

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
    """The m papers."""
    sure: NDArray[np.bool_]
    """(m,) whether the model stands by the filed category, given that there is an abstract."""
