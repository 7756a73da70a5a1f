"""Scores into probabilities, from few labels: a pooled slope, shrunk offsets per category."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logit

Array = NDArray[np.float64]

DIGITS = 4
"""Decimal digits of a probability, wherever it is shown, compared or learned from: what is left of
a sum's last digits differs between processors, and never decides anything."""
_MIN_SLOPE = 0.05
_OFFSET_PENALTY = 1e-3
"""How much the offset is drawn to 0: next to nothing, but where all are right it has an end."""


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

    def __init__(
        self,
        *,
        trust: float = 1.0,
        shrinkage: float = 8.0,
        slope: float = 1.0,
        offset: float = 0.0,
    ) -> None:
        self.slope = slope
        self.offset = offset
        self.trust = trust
        self.shrinkage = shrinkage

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
