"""Which categories a paper may be filed under, so that the right one is among them nine in ten.

Split-conformal prediction with the score 1 - p(true): Sadinle, Lei & Wasserman, "Least ambiguous
set-valued classifiers with bounded error levels", JASA 114(525), 2019. Of all sets with that
coverage these are the smallest on average. Adaptive sets (APS: Romano, Sesia & Candès,
"Classification with valid and adaptive coverage", NeurIPS 2020) cover hard papers better, and are
longer for every paper: a reviewer reads them to choose, so short ones are worth more.

Coverage holds on average over papers like the reviewed ones, not for each category. The scores are
cross-fitted, as in cross-conformal prediction (Vovk, "Cross-conformal predictors", Annals of
Mathematics and Artificial Intelligence 74, 2015); calibration has seen them, with two weights and
one a category.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.bulk_labels import NONE

Array = NDArray[np.float64]

COVERAGE = 0.9
"""The share of papers whose right category is to be in the set."""
LEAST_DECIDED = 30


def least_probability(
    primary: Array, filed: NDArray[np.int64], coverage: float = COVERAGE
) -> float | None:
    """Return the probability from which a category is in the set of a paper.

    primary: (m, k) cross-fitted probabilities that a paper is filed under a category; filed: (m,)
    columns of the right ones. None under `LEAST_DECIDED` papers: too few to promise anything.
    """
    m = len(filed)
    if m < LEAST_DECIDED:
        return None
    hits = np.sort(primary[np.arange(m), filed])[::-1]
    # The quantile of m + 1 scores, the new paper's among them: that is what makes it hold.
    rank = min(math.ceil((m + 1) * coverage), m)
    return float(hits[rank - 1])


def candidate_columns(primary: Array, least: float | None) -> NDArray[np.int32]:
    """Return (n, k) columns of each paper's set, likeliest first; `NONE` behind the last.

    primary: (n, k). The likeliest category is always in, since an empty set helps nobody; but where
    nothing can be promised no set has any.
    """
    n, k = primary.shape
    if least is None:
        return np.full((n, k), NONE, dtype=np.int32)
    order = np.argsort(-primary, axis=1, kind="stable")
    sizes = np.maximum((primary >= least).sum(axis=1), 1)
    return np.where(np.arange(k) < sizes[:, None], order, NONE).astype(np.int32)
