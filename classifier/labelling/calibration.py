"""Scores into probabilities, from few labels: pooled slopes, shrunk offsets per category."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

Array = NDArray[np.float64]


class PooledPlatt:
    """Platt scaling with one slope a source for all categories, and an offset each, shrunk.

    p = sigmoid(sum of slope * logit over the sources + offset + shift[category]). L2 penalties draw
    the slopes to where they start and the shifts to 0. A calibrator a category would have 6 to 60
    positives to learn from; pooling is what makes it hold (Platt, "Probabilistic outputs for
    SVMs", 1999, with partial pooling). With two sources it weighs them (stacking; Wolpert, "Stacked
    generalization", 1992).

    Learned by `fit`: `slopes_` (s,), `offset_`, `shifts_` (k,).
    """

    def __init__(
        self, *, slopes: Sequence[float] = (1.0,), shrinkage: float = 8.0, trust: float = 1.0
    ) -> None:
        self.slopes = tuple(slopes)
        self.shrinkage = shrinkage
        self.trust = trust

    def fit(self, logits: Array, truth: Array) -> PooledPlatt:
        """Learn from (s, n, k) logits of s sources and (n, k) truth in {0, 1}; nan is masked."""
        known = ~np.isnan(truth)
        y = np.where(known, truth, 0.0)
        sources, _, k = logits.shape
        begin = np.array(self.slopes)

        def loss(theta: Array) -> tuple[float, Array]:
            slopes, offset, shifts = theta[:sources], theta[sources], theta[sources + 1 :]
            z = np.tensordot(slopes, logits, axes=1) + offset + shifts
            error = np.where(known, expit(z) - y, 0.0)
            value = np.where(known, np.logaddexp(0, z) - y * z, 0.0).sum()
            value += 0.5 * self.shrinkage * (shifts**2).sum()
            value += 0.5 * self.trust * ((slopes - begin) ** 2).sum()
            gradient = np.concatenate(
                [
                    (error * logits).sum(axis=(1, 2)) + self.trust * (slopes - begin),
                    [error.sum()],
                    error.sum(axis=0) + self.shrinkage * shifts,
                ]
            )
            return float(value), gradient

        start = np.concatenate([begin, np.zeros(k + 1)])
        least = 0.05 if sources == 1 else 0.0
        bounds = [(least, None)] * sources + [(None, None)] * (k + 1)
        theta = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
        self.slopes_: Array = theta[:sources]
        self.offset_ = float(theta[sources])
        self.shifts_: Array = theta[sources + 1 :]
        return self

    def transform(self, logits: Array) -> Array:
        """Return (n, k) calibrated probabilities of (s, n, k) logits."""
        # Added up by hand: the last digit of a matrix product depends on how many papers there are.
        z = sum(slope * source for slope, source in zip(self.slopes_, logits, strict=True))
        return np.asarray(expit(z + self.offset_ + self.shifts_))
