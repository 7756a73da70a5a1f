"""Logistic regressions of many categories on the same papers, all at once.

Newton's method, each step found by conjugate gradients and shortened if it goes too far (Nocedal &
Wright, "Numerical Optimization", 2nd ed., algorithm 7.1), as scikit-learn's
LogisticRegression(solver="newton-cg") has it. That takes one category a call, and a soft target as
two rows; here one product serves all categories that are still on their way.

The weights of an L2-penalised linear model are a sum of the rows that it learned from (the
representer theorem; Zhu & Hastie, "Kernel logistic regression and the import vector machine", JCGS
14(1), 2005). So what is looked for is how much of each row is in that sum, and of the rows nothing
is needed but their scalar products. Every category is learned until rounding is all that is left:
stopping earlier is as good, but then processors, which add in another order, stop elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows: TypeAlias = Array | sparse.csr_matrix
"""(n, r) what regressions see of n papers, dense or sparse."""
Products: TypeAlias = Callable[[Array], Array]
"""Turns (n, k) parts of n rows into the (n, k) scalar products of their sum with each row."""

Two: TypeAlias = tuple[Array, Array]
"""Losses and slopes of k categories, or one of them at two places: (k,) each."""


class Point(NamedTuple):
    """The weights of k categories, or a direction in which they go."""

    parts: Array
    """(n + 1, k) how much of each row is in the weights; the last line is the intercept."""
    logits: Array
    """(n, k) what these weights give, so that they need not be multiplied with the rows again."""


_CLOSE = 0.1
"""A step that moves no logit by more is taken in full: so near the optimum none goes too far."""
_STILL = 1e-7
"""A category is learned once a full step moves no logit by more: the next would by under 1e-10."""
_MOST_STEPS, _MOST_INNER_STEPS, _MOST_TRIALS = 200, 400, 30
_SUFFICIENT, _STEEP = 1e-4, 0.9  # parts of the slope at the start, in Wolfe's conditions
_ROUNDING = 16 * np.finfo(np.float64).eps


def fit_logistic(rows: Rows, positive: Array, negative: Array, regularisation: float) -> Array:
    """Return (k, r + 1) weights and intercepts of k regressions on (n, r) rows.

    The rest as of `fit_parts`.
    """
    fitted = fit_parts(products_of(rows), positive, negative, regularisation)
    return np.hstack([np.asarray(fitted[:, :-1] @ rows), fitted[:, -1:]])


def products_of(rows: Rows) -> Products:
    """Return the products of (n, r) rows; no (n, n) matrix is made."""
    return lambda parts: np.asarray(rows @ np.asarray(rows.T @ parts))


def fit_parts(products: Products, positive: Array, negative: Array, regularisation: float) -> Array:
    """Return (k, n + 1) parts of n rows whose sum are the weights, and intercepts.

    positive, negative: (n, k) weights with which a row says yes and no, both in every column; a
    soft target has both. regularisation: inverse strength C of the L2 penalty, from which the
    intercept is free. What the weights of one category are does not depend on the others, but for
    the last digits.
    """
    n, k = positive.shape
    total = (positive + negative).sum(axis=0)
    penalty = 1 / (regularisation * total)
    losses = _Losses(products, positive / total, (positive + negative) / total, penalty)
    parts = np.zeros((n + 1, k))
    left, previous = np.arange(k), np.full(k, np.inf)
    for _ in range(_MOST_STEPS):
        if not len(left):
            break
        at = Point(parts[:, left], losses.logits(parts[:, left]))
        step = losses.newton_direction(at)
        reach = np.abs(step.logits).max(axis=0, initial=0.0)
        size, previous[left] = losses.step_size(at, step, previous[left], reach > _CLOSE)
        parts[:, left] += size * step.parts
        far = reach > _STILL
        left, losses = left[far], losses.of(far)
    return parts.T


@dataclass(frozen=True, slots=True)
class _Losses:
    """The penalised mean losses of k categories."""

    products: Products
    positive: Array
    """(n, k) share of each row's yes in all the weight of a category."""
    mass: Array
    """(n, k) the same of yes and no."""
    penalty: Array
    """(k,) twice what a squared weight costs."""

    def of(self, columns: Flags) -> _Losses:
        """Return those of some categories."""
        if columns.all():
            return self
        positive, mass = self.positive[:, columns], self.mass[:, columns]
        return _Losses(self.products, positive, mass, self.penalty[columns])

    def logits(self, parts: Array) -> Array:
        """Return (n, k)."""
        return np.asarray(self.products(parts[:-1]) + parts[-1])

    def gradient(self, at: Point) -> Array:
        """Return (n + 1, k) parts whose sum is the gradient in the weights and the intercept."""
        return self._sloped(self.mass * expit(at.logits) - self.positive, at.parts)

    def bent(self, curvature: Array, direction: Point) -> Array:
        """Return (n + 1, k) parts of the Hessian times a direction; curvature: (n, k)."""
        return self._sloped(curvature * direction.logits, direction.parts)

    def _sloped(self, of_rows: Array, parts: Array) -> Array:
        """Return parts: what rows give by (n, k), and what the penalty does."""
        return np.vstack([of_rows + self.penalty * parts[:-1], of_rows.sum(axis=0)])

    def along(self, at: Point, step: Point, size: Array) -> Two:
        """Return the (k,) losses, and their slopes, `size` steps from `at`."""
        there = _moved(at, size, step)
        losses = _dot(self.mass, np.logaddexp(0.0, there.logits))
        losses -= _dot(self.positive, there.logits)
        slopes = _dot(self.mass * expit(there.logits) - self.positive, step.logits)
        return (
            losses + 0.5 * self.penalty * _length(there),
            slopes + self.penalty * _dot(there.parts[:-1], step.logits - step.parts[-1]),
        )

    def newton_direction(self, at: Point) -> Point:
        """Return the direction in which the gradient vanishes to second order.

        Inexactly: as near as the distance to the optimum is worth (Dembo, Eisenstat & Steihaug,
        "Inexact Newton methods", SIAM Journal on Numerical Analysis 19, 1982).
        """
        probabilities = expit(at.logits)
        curvature = self.mass * probabilities * (1 - probabilities)
        return _conjugate_gradients(self, curvature, self.gradient(at))

    def step_size(self, at: Point, step: Point, previous: Array, long: Flags) -> Two:
        """Return the (k,) length of the step, 1 where that is no worse, and the losses before it.

        As long as the losses fall by a part of what the slope promises, and do not rise steeply
        where the step ends (Wolfe's conditions). The first trial gains at this slope what the last
        step gained, but never is over 1. previous: losses before the last step, inf for none; long:
        (k,) which steps may go too far; the others are taken in full.
        """
        if not long.any():
            return np.ones(len(previous)), previous
        before, slope = self.along(at, step, np.zeros(len(previous)))
        trial = 2.02 * (before - previous) / np.minimum(slope, -_ROUNDING)
        size = np.where(long & (trial > 0) & (trial < 1), trial, 1.0)
        for _ in range(_MOST_TRIALS):
            after, end_slope = self.along(at, step, size)
            limit = before + _SUFFICIENT * size * slope + _ROUNDING * np.abs(before)
            wrong = long & ((after > limit) | (end_slope > -_STEEP * slope))
            if not wrong.any():
                break
            size = np.where(wrong, shortened(size, (before, after), (slope, end_slope)), size)
        return size, before


def shortened(size: Array, losses: Two, slopes: Two) -> Array:
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


def _conjugate_gradients(losses: _Losses, curvature: Array, gradient: Array) -> Point:
    """Return solutions d of Hessian d = -gradient, one a category.

    curvature: (n, k), of each row's loss; gradient: (n + 1, k) parts. Lengths and angles are those
    of the sums of rows, so that the steps are those on the rows themselves.
    """
    left = np.arange(gradient.shape[1])
    rest = Point(gradient, losses.logits(gradient))
    solved, found = _zeros_like(rest), _zeros_like(rest)
    direction = Point(-rest.parts, -rest.logits)
    squares = _scalar(rest, rest.parts)
    enough = squares * np.minimum(0.25, np.sqrt(squares))
    for _ in range(_MOST_INNER_STEPS):
        bent = losses.bent(curvature, direction)
        bend = _scalar(direction, bent)
        length = np.where(bend > 0, squares / np.where(bend > 0, bend, 1.0), 0.0)
        found = _moved(found, length, direction)
        rest = _moved(rest, length, Point(bent, losses.logits(bent)))
        before, squares = squares, _scalar(rest, rest.parts)
        going = (squares > enough) & (bend > 0)
        if not going.any():
            break
        turn = squares / before
        direction = Point(
            turn * direction.parts - rest.parts, turn * direction.logits - rest.logits
        )
        if not going.all():
            _put(solved, left[~going], _of(found, ~going))
            left, enough, squares = left[going], enough[going], squares[going]
            curvature, losses = curvature[:, going], losses.of(going)
            rest, direction, found = _of(rest, going), _of(direction, going), _of(found, going)
    _put(solved, left, found)
    return solved


def _moved(point: Point, length: Array, direction: Point) -> Point:
    """Return where one comes from a point, (k,) lengths in a direction."""
    return Point(point.parts + length * direction.parts, point.logits + length * direction.logits)


def _zeros_like(point: Point) -> Point:
    return Point(np.zeros_like(point.parts), np.zeros_like(point.logits))


def _of(point: Point, columns: Flags) -> Point:
    """Return some categories of a point."""
    return Point(point.parts[:, columns], point.logits[:, columns])


def _put(whole: Point, columns: NDArray[np.int64], part: Point) -> None:
    """Put some categories into a point of all, in its place."""
    whole.parts[:, columns], whole.logits[:, columns] = part


def _scalar(one: Point, parts: Array) -> Array:
    """Return the (k,) scalar products of a point's weights and intercept with those of `parts`."""
    return np.asarray(_dot(parts[:-1], one.logits - one.parts[-1]) + one.parts[-1] * parts[-1])


def _length(point: Point) -> Array:
    """Return the (k,) squared lengths of a point's weights, the intercept left out."""
    return _dot(point.parts[:-1], point.logits - point.parts[-1])


def _dot(one: Array, other: Array) -> Array:
    """Return the (k,) inner products of columns."""
    return np.asarray(np.einsum("wk,wk->k", one, other))
