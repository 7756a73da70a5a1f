"""Logistic regressions of many categories on the same rows, all at once.

The method of scikit-learn's LogisticRegression(solver="newton-cg"), with its tolerance: Newton's
steps, each found by conjugate gradients and shortened if it goes too far (Nocedal & Wright,
"Numerical Optimization", 2nd ed., algorithm 7.1). It takes one category a call, and a soft target
as two rows. Here a matrix product serves all categories that are still on their way, and a soft
target is one row with two weights, which is four to six times faster on 364 to 2,000 papers and
gives the same weights up to that tolerance (tests/labelling/test_logistic.py).
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

_TOLERANCE = 1e-4
"""A category is learned once no component of its mean gradient is larger."""
_MOST_STEPS, _MOST_INNER_STEPS, _MOST_HALVINGS = 200, 200, 30
_SUFFICIENT = 1e-4  # of the decrease that the slope promises (Armijo's condition)
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
    left = np.arange(k)
    for _ in range(_MOST_STEPS):
        gradient = losses.gradient(weights[:, left], logits[:, left])
        far = np.abs(gradient).max(axis=0) > _TOLERANCE
        if not far.any():
            break
        left, losses, gradient = left[far], losses.of(far), gradient[:, far]
        at = weights[:, left], logits[:, left]
        direction = losses.newton_direction(at[1], gradient)
        moved = np.asarray(rows @ direction)
        size = losses.step_size(at, gradient, (direction, moved))
        weights[:, left] += size * direction
        logits[:, left] += size * moved
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

    def values(self, weights: Array, logits: Array) -> Array:
        """Return the (k,) losses."""
        data = self.mass * np.logaddexp(0.0, logits) - self.positive * logits
        return np.asarray(data.sum(axis=0) + 0.5 * self.penalty * _dot(weights[:-1], weights[:-1]))

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

    def step_size(
        self, at: tuple[Array, Array], gradient: Array, step: tuple[Array, Array]
    ) -> Array:
        """Return (k,) 1, or halved as often as the losses need to fall.

        at: weights and logits; step: what is added to them.
        """
        before = self.values(*at)
        promised = _dot(gradient, step[0])
        size = np.ones(len(before))
        for _ in range(_MOST_HALVINGS):
            after = self.values(at[0] + size * step[0], at[1] + size * step[1])
            limit = before + _SUFFICIENT * size * promised + _ROUNDING * np.abs(before)
            if (after <= limit).all():
                break
            size[after > limit] /= 2
        return size


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
