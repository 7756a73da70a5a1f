"""The regressions of a facet: linear models of its categories, and scores into probabilities.

They learn from labels that need not be certain; probabilities, from few labels: a pooled slope,
shrunk offsets per category.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit, logit
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
            f"estimator: found {estimator!r}; expected a linear classifier of scikit-learn "
            "whose fit takes sample_weight and which has coef_, such as LinearSVC()."
        ) from error


DIGITS = 4
"""Decimal digits of a probability, wherever it is shown, compared or learned from: what is left of
a sum's last digits differs between processors, and never decides anything."""
_MIN_SLOPE = 0.05
_OFFSET_PENALTY = 1e-3
"""How much the offset is drawn to 0: next to nothing, but where all are right it has an end."""


@dataclass(kw_only=True)
class PooledPlatt:
    """Platt scaling with one slope for all categories, and an offset each, shrunk.

    p = sigmoid(slope * logit + offset + shift[category]). L2 penalties draw slope and offset to
    where they start and the shifts to 0. A calibrator a category would have 6 to 60 positives to
    learn from; pooling is what makes it hold (Platt, "Probabilistic outputs for SVMs", 1999, with
    partial pooling).

    Parameters
    ----------
    trust : float, default 1.0
        How strongly the slope is drawn to its start, in units of an observation's information.
    shrinkage : float, default 8.0
        The same for the shift of each category, to 0.
    slope, offset : float, default 1 and 0
        Where they start.

    Learned by `fit`: `slope_`, `offset_`, `shifts_` (k,).
    """

    trust: float = 1.0
    shrinkage: float = 8.0
    slope: float = 1.0
    offset: float = 0.0

    def fit(self, logits: Array, truth: Array) -> PooledPlatt:
        """Learn from (n, k) logits and truth in {0, 1}; nan is masked. Of none nothing is moved."""
        known = ~np.isnan(truth)
        z, y, columns = logits[known], truth[known], np.nonzero(known)[1]
        k = logits.shape[1]
        begin = np.array([self.slope, self.offset, *[0.0] * k])
        penalty = np.array([self.trust, _OFFSET_PENALTY, *[self.shrinkage] * k])

        def loss(theta: Array) -> tuple[float, Array]:
            shifted = theta[0] * z + theta[1] + theta[2:][columns]
            away = theta - begin
            value = (np.logaddexp(0, shifted) - y * shifted).sum() + 0.5 * (penalty * away**2).sum()
            error = expit(shifted) - y
            shifts = np.bincount(columns, error, minlength=k)
            return float(value), penalty * away + np.array([error @ z, error.sum(), *shifts])

        bounds = [(_MIN_SLOPE, None), *[(None, None)] * (k + 1)]
        found = minimize(
            loss, begin, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-12}
        ).x
        self.slope_, self.offset_ = float(found[0]), float(found[1])
        self.shifts_: Array = found[2:]
        return self

    def logits(self, logits: Array) -> Array:
        """Return (n, k) calibrated logits of (n, k) logits."""
        return np.asarray(self.slope_ * logits + self.offset_ + self.shifts_)

    def transform(self, logits: Array) -> Array:
        """Return (n, k) calibrated probabilities of (n, k) logits."""
        return np.asarray(expit(self.logits(logits)))


def rounded(probabilities: Array) -> Array:
    """Return probabilities with `DIGITS` digits."""
    return np.asarray(np.round(probabilities, DIGITS))


def shares(values: Array) -> Array:
    """Return (n, k) rows scaled to sum to 1."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12))


def among(primary: Array, said: NDArray[np.bool_]) -> Array:
    """Return (m, k) shares among the categories that a decision knows."""
    whole = said.all(axis=1, keepdims=True)
    return np.where(whole, primary, rounded(shares(np.where(said, primary, 0.0))))


def top_logit(primary: Array) -> Array:
    """Return (n, 1) log-odds of the likeliest category."""
    top = primary.max(axis=1, initial=0.0)
    return np.asarray(logit(np.clip(top, 1e-4, 1 - 1e-4)))[:, None]
