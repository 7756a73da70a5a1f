"""Linear models of a facet's categories, learned from labels that need not be certain."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit
from sklearn.base import BaseEstimator, clone

from classifier.errors import UsageError

Array = NDArray[np.float64]


def learned(
    estimator: BaseEstimator,
    rows: sparse.csr_matrix,
    truth: Array,
    weights: Array,
    widths: Sequence[int],
    *,
    balanced: bool = False,
) -> tuple[Array, float]:
    """Return (features,) weights and the intercept: the mean of fits on the first `widths` columns.

    truth: (m,) 0 to 1; what is neither stands twice, as a yes and as a no. balanced: half-way to
    classes of equal weight. Raises UsageError for an estimator that is no weighted linear one.
    """
    yes, no = weights * truth, weights * (1 - truth)
    if balanced:
        yes, no = (
            side * np.sqrt(0.5 * weights.sum() / max(side.sum(), 1e-3)) for side in (yes, no)
        )
    chosen = np.concatenate([np.flatnonzero(yes > 0), np.flatnonzero(no > 0)])
    labels = np.concatenate([np.ones((yes > 0).sum()), np.zeros((no > 0).sum())])
    each = np.concatenate([yes[yes > 0], no[no > 0]])
    coefficients, intercept = np.zeros(rows.shape[1]), 0.0
    if len(set(labels.tolist())) < 2:
        return coefficients, float(logit((yes.sum() + 0.5) / (weights.sum() + 1)))
    taken = rows[chosen]
    held = np.flatnonzero(np.bincount(taken.indices))  # other columns weigh nothing
    for width in widths:
        some = held[held < width] if (held < width).any() else np.zeros(1, dtype=int)
        fitted = _fitted(estimator, taken[:, some], labels, each)
        coefficients[some] += fitted[0] / len(widths)
        intercept += fitted[1] / len(widths)
    return coefficients, intercept


def _fitted(
    estimator: BaseEstimator, rows: sparse.csr_matrix, labels: Array, weights: Array
) -> tuple[Array, float]:
    """Return the weights and the intercept that the estimator learns."""
    try:
        fit = clone(estimator).fit(rows, labels, sample_weight=weights)
        return np.ravel(fit.coef_), float(np.ravel(fit.intercept_)[0])
    except (TypeError, AttributeError) as error:
        raise UsageError(
            f"estimator: found {estimator!r}; wanted a linear classifier of scikit-learn "
            "whose fit takes sample_weight and which has coef_, such as LinearSVC()."
        ) from error
