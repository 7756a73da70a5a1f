"""Logistic regressions of many categories on the same rows, all at once.

The method of scikit-learn's LogisticRegression(solver="newton-cg"), step for step: Newton's, each
found by conjugate gradients and shortened if it goes too far (Nocedal & Wright, "Numerical
Optimization", 2nd ed., algorithm 7.1). It takes one category a call, and a soft target as two rows.
Here a matrix product serves all categories that are still on their way, and a soft target is one
row with two weights, which is four to five times faster (tests/benchmarks/regressions.py). Tests
hold it against scikit-learn's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

Array = NDArray[np.float64]
Rows: TypeAlias = Array | sparse.csr_matrix
"""(n, r) what regressions see of n papers, dense or sparse."""

Pair: TypeAlias = tuple[Array, Array]
"""Weights and the logits that they give; or losses and slopes; or such at two places."""

_TOLERANCE = 1e-4
"""A category is learned once no component of its mean gradient is larger."""
_MOST_STEPS, _MOST_INNER_STEPS, _MOST_TRIALS = 200, 200, 30
_SUFFICIENT, _STEEP = 1e-4, 0.9  # parts of the slope at the start, in Wolfe's conditions
_ROUNDING = 16 * np.finfo(np.float64).eps


def fit_logistic(rows: Rows, positive: Array, negative: Array, regularisation: float) -> Array:
    """Return (k, r + 1) weights and intercepts of k regressions on (n, r) rows.

    positive, negative: (n, k) weights with which a row says yes and no, both in every column; a
    soft target has both. regularisation: inverse strength C of the L2 penalty, from which the
    intercept is free. What the weights of one category are does not depend on the others, but for
    the last digits.
    """
    rows = _with_ones(rows)
    width, k = rows.shape[1], positive.shape[1]
    total = (positive + negative).sum(axis=0)
    penalty = 1 / (regularisation * total)
    losses = _Losses(rows, positive / total, (positive + negative) / total, penalty)
    weights, logits = np.zeros((width, k)), np.zeros(positive.shape)
    left, previous = np.arange(k), np.full(k, np.inf)
    for _ in range(_MOST_STEPS):
        gradient = losses.gradient(weights[:, left], logits[:, left])
        far = np.abs(gradient).max(axis=0) > _TOLERANCE
        if not far.any():
            break
        left, losses, gradient = left[far], losses.of(far), gradient[:, far]
        at = weights[:, left], logits[:, left]
        direction = losses.newton_direction(at[1], gradient)
        step = direction, np.asarray(rows @ direction)
        size, previous[left] = losses.step_size(at, step, previous[left])
        weights[:, left] += size * step[0]
        logits[:, left] += size * step[1]
    return weights.T


@dataclass(frozen=True, slots=True)
class _Losses:
    """The penalised mean losses of k categories; weights are (width, k), logits (n, k)."""

    rows: Rows
    """(n, width), the last column ones."""
    positive: Array
    """(n, k) share of each row's yes in all the weight of a category."""
    mass: Array
    """(n, k) the same of yes and no."""
    penalty: Array
    """(k,) twice what a squared weight costs, all but the last, the intercept."""

    def of(self, columns: NDArray[np.bool_]) -> _Losses:
        """Return those of some categories."""
        if columns.all():
            return self
        positive, mass = self.positive[:, columns], self.mass[:, columns]
        return _Losses(self.rows, positive, mass, self.penalty[columns])

    def gradient(self, weights: Array, logits: Array) -> Array:
        """Return (width, k)."""
        surprise = self.mass * expit(logits) - self.positive
        return _penalised(self.rows.T @ surprise, self.penalty, weights)

    def along(self, at: Pair, step: Pair, size: Array) -> Pair:
        """Return the (k,) losses, and their slopes, `size` steps from `at`."""
        weights, logits = at[0] + size * step[0], at[1] + size * step[1]
        losses = _dot(self.mass, np.logaddexp(0.0, logits)) - _dot(self.positive, logits)
        slopes = _dot(self.mass * expit(logits) - self.positive, step[1])
        return (
            losses + 0.5 * self.penalty * _dot(weights[:-1], weights[:-1]),
            slopes + self.penalty * _dot(weights[:-1], step[0][:-1]),
        )

    def newton_direction(self, logits: Array, gradient: Array) -> Array:
        """Return (width, k) in which the gradient vanishes to second order, by its negative sum.

        Inexactly: as near as the distance to the optimum is worth (Dembo, Eisenstat & Steihaug,
        "Inexact Newton methods", SIAM Journal on Numerical Analysis 19, 1982).
        """
        probabilities = expit(logits)
        curvature = self.mass * probabilities * (1 - probabilities)
        size = np.abs(gradient).sum(axis=0)
        enough = np.minimum(0.5, np.sqrt(size)) * size
        return _conjugate_gradients(self.rows, curvature, self.penalty, gradient, enough)

    def step_size(self, at: Pair, step: Pair, previous: Array) -> Pair:
        """Return the (k,) length of the step, 1 where that is no worse, and the losses before it.

        As long as the losses fall by a part of what the slope promises, and do not rise steeply
        where the step ends (Wolfe's conditions). The first trial gains at this slope what the last
        step gained, but never is over 1. previous: losses before the last step, inf for none.
        """
        before, slope = self.along(at, step, np.zeros(len(previous)))
        trial = 2.02 * (before - previous) / np.minimum(slope, -_ROUNDING)
        size = np.where((trial > 0) & (trial < 1), trial, 1.0)
        for _ in range(_MOST_TRIALS):
            after, end_slope = self.along(at, step, size)
            limit = before + _SUFFICIENT * size * slope + _ROUNDING * np.abs(before)
            wrong = (after > limit) | (end_slope > -_STEEP * slope)
            if not wrong.any():
                break
            size = np.where(wrong, _shortened(size, (before, after), (slope, end_slope)), size)
        return size, before


def _shortened(size: Array, losses: Pair, slopes: Pair) -> Array:
    """Return (k,) where the lowest point is to be expected between 0 and `size`.

    losses, slopes: at 0 and at `size`. By the cubic through all four, held against a parabola as
    Moré & Thuente do ("Line search algorithms with guaranteed sufficient decrease", ACM
    Transactions on Mathematical Software 20, 1994, cases 1 and 2).
    """
    fall = (losses[0] - losses[1]) / size
    middle = slopes[0] + slopes[1] + 3 * fall
    root = np.sqrt(np.maximum(middle**2 - slopes[0] * slopes[1], 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):  # where nothing is to be shortened
        cubic = 1 - (slopes[1] + root - middle) / (slopes[1] - slopes[0] + 2 * root)
        parabola = slopes[0] / (fall + slopes[0]) / 2
        secant = slopes[0] / (slopes[0] - slopes[1])
    higher = np.where(cubic < parabola, cubic, (cubic + parabola) / 2)
    share = np.where(losses[1] > losses[0], higher, np.minimum(cubic, secant))
    return np.asarray(size * np.clip(np.nan_to_num(share, nan=0.5), 0.01, 0.9))


def _conjugate_gradients(
    rows: Rows, curvature: Array, penalty: Array, gradient: Array, enough: Array
) -> Array:
    """Return (width, k) solutions d of Hessian d = -gradient, one a category.

    curvature: (n, k), of each row's loss; enough: (k,) sum of absolute residuals at which a
    category is done.
    """
    solved = np.zeros_like(gradient)
    left = np.arange(gradient.shape[1])
    found, residual, direction = np.zeros_like(gradient), gradient.copy(), -gradient
    squares = _dot(residual, residual)
    for _ in range(_MOST_INNER_STEPS):
        bent = _penalised(rows.T @ (curvature * (rows @ direction)), penalty, direction)
        bend = _dot(direction, bent)
        length = np.where(bend > 0, squares / np.where(bend > 0, bend, 1.0), 0.0)
        found += length * direction
        residual += length * bent
        before, squares = squares, _dot(residual, residual)
        direction *= squares / before
        direction -= residual
        going = (np.abs(residual).sum(axis=0) > enough) & (bend > 0)
        if not going.any():
            break
        if not going.all():
            solved[:, left[~going]] = found[:, ~going]
            left, enough, squares = left[going], enough[going], squares[going]
            curvature, penalty = curvature[:, going], penalty[going]
            found, residual, direction = found[:, going], residual[:, going], direction[:, going]
    solved[:, left] = found
    return solved


def _penalised(slopes: Array, penalty: Array, weights: Array) -> Array:
    """Return (width, k) slopes of mean losses, those of the penalty added in place."""
    slopes[:-1] += penalty * weights[:-1]
    return slopes


def _dot(one: Array, other: Array) -> Array:
    """Return the (k,) inner products of columns."""
    return np.asarray(np.einsum("wk,wk->k", one, other))


def _with_ones(rows: Rows) -> Rows:
    """Return rows with a last column of ones, whose weight is the intercept."""
    ones = np.ones((rows.shape[0], 1))
    if sparse.issparse(rows):
        return sparse.hstack([rows, sparse.csr_matrix(ones)], format="csr")
    return np.hstack([rows, ones])
