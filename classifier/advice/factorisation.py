"""Groups of papers beside known ones: a matrix factorisation in which memberships are given."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning

Array = NDArray[np.float64]

_ROUNDS = 30
_START_ROUNDS = 40
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Factors:
    """What m groups add to the known ones, over n papers and d terms."""

    strengths: Array
    """(n, m) how much of a group is in a paper, 0 and more, in the unit of the rows."""
    terms: Array
    """(m, d) what a group speaks of; rows of length one."""


def factorise_beside(rows: Array, known: Array, groups: int) -> Factors:
    """Return `groups` non-negative factors of (n, d) `rows` beside (n, k) `known` memberships.

    Non-negative matrix factorisation, rows ≈ [known, strengths] · [own terms; terms], by the
    multiplicative updates of Lee & Seung ("Algorithms for non-negative matrix factorization",
    2001), with `known` held fixed: so a group gets what the known ones leave unexplained, and a
    paper may be in both. It starts from a factorisation of the residual.
    """
    own = _least_squares(rows, known)
    strengths, terms = _start(np.maximum(rows - known @ own, 0), groups)
    for _ in range(_ROUNDS):
        memberships, parts = np.hstack([known, strengths]), np.vstack([own, terms])
        parts *= (memberships.T @ rows) / np.maximum(memberships.T @ memberships @ parts, _TINY)
        own, terms = parts[: known.shape[1]], parts[known.shape[1] :]
        terms, strengths = _unit_terms(terms, strengths)
        fitted = known @ own + strengths @ terms
        strengths = strengths * (rows @ terms.T) / np.maximum(fitted @ terms.T, _TINY)
    # Rounded, so that the last digits of a sum decide nothing.
    return Factors(np.round(strengths, 9), terms)


def residual(rows: Array, known: Array) -> Array:
    """Return (n, d) what a least-squares fit of `rows` on (n, k) `known` leaves."""
    return np.asarray(rows - known @ np.linalg.solve(_gram(known), known.T @ rows))


def _least_squares(rows: Array, known: Array) -> Array:
    return np.asarray(np.maximum(np.linalg.solve(_gram(known), known.T @ rows), _TINY))


def _gram(known: Array) -> Array:
    """Return the Gram matrix with a little ridge: a category may have no paper at all."""
    return np.asarray(known.T @ known + 1e-3 * np.eye(known.shape[1]))


def _start(rows: Array, groups: int) -> tuple[Array, Array]:
    model = NMF(groups, init="nndsvda", max_iter=_START_ROUNDS, random_state=0)
    with warnings.catch_warnings():  # a start need not have converged
        warnings.simplefilter("ignore", ConvergenceWarning)
        strengths = model.fit_transform(rows)
    return np.maximum(strengths, 1e-6), np.maximum(model.components_, 1e-6)


def _unit_terms(terms: Array, strengths: Array) -> tuple[Array, Array]:
    length = np.maximum(np.linalg.norm(terms, axis=1), _TINY)
    return terms / length[:, None], strengths * length
