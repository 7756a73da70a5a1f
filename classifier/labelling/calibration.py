"""Scores into probabilities, from few labels: pooled slopes, shrunk offsets per category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Array = NDArray[np.float64]

_LEAST_DRAW = 1e-3
"""How much the offset is drawn to 0: next to nothing, but where all are right it has an end."""
_CLOSE = 0.1
"""A step that moves no parameter by more is taken in full: the optimum is near."""
_STILL = 1e-8
"""Parameters are learned once a full step moves none by more; the next is lost in rounding."""
_MOST_STEPS = 100


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
        sources, n, k = logits.shape
        columns = np.concatenate([logits, np.ones((1, n, k))])
        losses = _Losses(
            columns[:, known],
            np.nonzero(known)[1],
            truth[known],
            np.array([*self.slopes, *[0.0] * (k + 1)]),
            np.array([*[self.trust] * sources, _LEAST_DRAW, *[self.shrinkage] * k]),
        )
        least = 0.05 if sources == 1 else 0.0
        theta = _least(losses, np.array([*[least] * sources, *[-np.inf] * (k + 1)]))
        self.slopes_: Array = theta[:sources]
        self.offset_ = float(theta[sources])
        self.shifts_: Array = theta[sources + 1 :]
        return self

    def transform(self, logits: Array) -> Array:
        """Return (n, k) calibrated probabilities of (s, n, k) logits."""
        # Added up by hand: the last digit of a matrix product depends on how many papers there are.
        z = sum(slope * source for slope, source in zip(self.slopes_, logits, strict=True))
        return np.asarray(expit(z + self.offset_ + self.shifts_))


@dataclass(frozen=True, slots=True)
class _Losses:
    """The penalised loss of m known pairs of paper and category in s slopes, offset, k shifts."""

    columns: Array
    """(s + 1, m) the logits, and ones."""
    categories: NDArray[np.int64]
    """(m,) whose shift a pair has."""
    truth: Array
    """(m,) in {0, 1}."""
    begin: Array
    """(s + 1 + k,) where no penalty is."""
    penalty: Array
    """(s + 1 + k,) how much each parameter is drawn there."""

    def logits(self, theta: Array) -> Array:
        """Return (m,)."""
        shared = len(self.columns)
        return np.asarray(theta[:shared] @ self.columns + theta[shared:][self.categories])

    def value(self, theta: Array) -> float:
        """Return the loss."""
        z, away = self.logits(theta), theta - self.begin
        fit = (np.logaddexp(0, z) - self.truth * z).sum()
        return float(fit + 0.5 * (self.penalty * away**2).sum())

    def slopes(self, theta: Array) -> tuple[Array, Array]:
        """Return the gradient and the Hessian."""
        shared, width = len(self.columns), len(theta)
        p = expit(self.logits(theta))
        curvature = p * (1 - p)
        gradient = self.penalty * (theta - self.begin)
        gradient[:shared] += self.columns @ (p - self.truth)
        gradient[shared:] += self._by_category(p - self.truth)
        hessian = np.diag(self.penalty)
        hessian[:shared, :shared] += (self.columns * curvature) @ self.columns.T
        mixed = np.stack([self._by_category(row * curvature) for row in self.columns])
        hessian[:shared, shared:] += mixed
        hessian[shared:, :shared] += mixed.T
        shifts = np.arange(shared, width)
        hessian[shifts, shifts] += self._by_category(curvature)
        return gradient, hessian

    def _by_category(self, values: Array) -> Array:
        """Return the (k,) sums of (m,) values."""
        k = len(self.begin) - len(self.columns)
        return np.bincount(self.categories, values, minlength=k).astype(np.float64)


def _least(losses: _Losses, bounds: Array) -> Array:
    """Return the parameters, none under its bound, at which the loss is least.

    By Newton's method on those that no bound holds (Bertsekas, "Projected Newton methods for
    optimization problems with simple constraints", SIAM Journal on Control and Optimization 20,
    1982), until rounding is all that is left.
    """
    theta = np.maximum(losses.begin, bounds)
    for _ in range(_MOST_STEPS):
        gradient, hessian = losses.slopes(theta)
        free = ~((theta <= bounds) & (gradient >= 0))
        step = np.zeros_like(theta)
        step[free] = -np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        size, before = 1.0, losses.value(theta)
        reach = np.abs(step).max()
        while reach * size > _CLOSE:
            if losses.value(np.maximum(theta + size * step, bounds)) < before:
                break
            size /= 2
        theta = np.maximum(theta + size * step, bounds)
        if reach <= _STILL:
            break
    return theta
