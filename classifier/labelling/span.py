"""The papers that regressions learn from: as their scalar products, or as rows."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifier.labelling.logistic import Rows, fit_logistic, fit_parts

Array = NDArray[np.float64]
Positions = NDArray[np.int64]

MOST_MULTIPLIED = 2000
"""Rows up to which all their scalar products are at hand; memory grows with their square."""


class Span(Protocol):
    """n papers that k linear models with an L2 penalty learn from; what weights are is its own."""

    @property
    def width(self) -> int:
        """How many weights a model has, the intercept aside."""

    def learn(
        self, rows: Positions, positive: Array, negative: Array, regularisation: float
    ) -> Array:
        """Return (k, width + 1) weights and intercepts from m of the papers.

        positive, negative: (m, k) as of `fit_logistic`.
        """

    def logits(self, rows: Positions, weights: Array) -> Array:
        """Return the (m, k) logits of m of the papers."""

    def wide(self, weights: Array) -> Array:
        """Return the (k, features) weights on features, intercepts left out."""


def fit_span(rows: sparse.csr_matrix) -> Span:
    """Return the span of (n, features) rows, with products up to MOST_MULTIPLIED of them."""
    return ProductSpan(rows) if rows.shape[0] <= MOST_MULTIPLIED else RowSpan(rows)


class ProductSpan:
    """Papers as their scalar products with each other: weights are parts of the papers' rows.

    A hundred regressions on the same papers share the products, which are far fewer numbers than
    the rows, and one multiplication by them takes the place of two by the rows.
    """

    def __init__(self, rows: sparse.csr_matrix) -> None:
        self.rows = rows
        self.products: Array = (rows @ rows.T).toarray()
        """(n, n)."""

    @property
    def width(self) -> int:
        """One part a paper."""
        return len(self.products)

    def learn(
        self, rows: Positions, positive: Array, negative: Array, regularisation: float
    ) -> Array:
        """Return parts, those of the papers that are not learned from 0."""
        among = self.products[np.ix_(rows, rows)]
        fitted = fit_parts(among.__matmul__, positive, negative, regularisation)
        weights = np.zeros((len(fitted), self.width + 1))
        weights[:, rows], weights[:, -1] = fitted[:, :-1], fitted[:, -1]
        return weights

    def logits(self, rows: Positions, weights: Array) -> Array:
        """Return the logits of papers."""
        return np.asarray(self.products[rows] @ weights[:, :-1].T + weights[:, -1])

    def wide(self, weights: Array) -> Array:
        """Return the sums of rows that parts stand for."""
        return np.asarray(weights[:, :-1] @ self.rows)


class RowSpan:
    """Rows left as they are: no (n, n) matrix, and time and memory linear in n."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    @property
    def width(self) -> int:
        """One weight a feature."""
        return int(self.rows.shape[1])

    def learn(
        self, rows: Positions, positive: Array, negative: Array, regularisation: float
    ) -> Array:
        """Return weights on features."""
        return fit_logistic(self.rows[rows], positive, negative, regularisation)

    def logits(self, rows: Positions, weights: Array) -> Array:
        """Return the logits of papers."""
        return np.asarray(self.rows[rows] @ weights[:, :-1].T + weights[:, -1])

    def wide(self, weights: Array) -> Array:
        """Return the weights without the intercepts."""
        return weights[:, :-1]
