"""Scores into probabilities, from few labels: one pooled slope, shrunk offsets per category."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logit


class PooledPlatt:
    """Platt scaling with one slope for all categories and an offset each, shrunk to a common one.

    p = sigmoid(slope * logit + offset + shift[category]), with an L2 penalty on the shifts. A
    calibrator a category would have 6 to 60 positives to learn from; pooling is what makes it
    hold (Platt, "Probabilistic outputs for SVMs", 1999, with partial pooling).

    Learned by `fit`: `slope_`, `offset_`, `shifts_` (k,).
    """

    def __init__(self, *, shrinkage: float = 8.0) -> None:
        self.shrinkage = shrinkage

    def fit(self, logits: NDArray[np.float64], truth: NDArray[np.float64]) -> PooledPlatt:
        """Learn from (n, k) cross-fitted logits and (n, k) truth in {0, 1}; nan truth is masked."""
        known = ~np.isnan(truth)
        y = np.where(known, truth, 0.0)
        k = logits.shape[1]

        def loss(theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            slope, offset, shifts = theta[0], theta[1], theta[2:]
            z = slope * logits + offset + shifts
            error = np.where(known, expit(z) - y, 0.0)
            value = np.where(known, np.logaddexp(0, z) - y * z, 0.0).sum()
            value += 0.5 * self.shrinkage * (shifts**2).sum() + 0.5 * (slope - 1) ** 2
            gradient = np.concatenate(
                [
                    [(error * logits).sum() + slope - 1, error.sum()],
                    error.sum(axis=0) + self.shrinkage * shifts,
                ]
            )
            return float(value), gradient

        start = np.concatenate([[1.0, 0.0], np.zeros(k)])
        theta = minimize(loss, start, jac=True, method="L-BFGS-B").x
        self.slope_, self.offset_ = float(max(theta[0], 0.05)), float(theta[1])
        self.shifts_: NDArray[np.float64] = theta[2:]
        return self

    def transform(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, k) calibrated probabilities of (n, k) logits."""
        return np.asarray(expit(self.slope_ * logits + self.offset_ + self.shifts_))

    def inverse(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the (n, k) logits that are calibrated to (n, k) probabilities, both exclusive."""
        return np.asarray((logit(probabilities) - self.offset_ - self.shifts_) / self.slope_)
