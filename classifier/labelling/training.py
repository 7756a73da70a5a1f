"""Which papers the regressions of a facet learn from: all of them, and all but those of each fold.

A training that leaves papers out is one in which they have no weight. So all trainings are columns
of one: a matrix of scalar products that is read from memory for many columns takes hardly longer
than for few, and whatever calibration asks for comes with the model that is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.regression import Settings, fit_categories
from classifier.labelling.span import Positions, Span
from classifier.labelling.targets import Targets

Array = NDArray[np.float64]

# Where a paper is filed is a matter of the codebook more than of words: up to this many decisions
# seed labels fade out, and from there on add nothing.
_ENOUGH_DECISIONS = 120
# Papers times columns that are learned at once, at 8 bytes each and a dozen such arrays.
_MOST_NUMBERS = 2_000_000


class Trained(NamedTuple):
    """The (k, width + 1) weights and intercepts of one training."""

    applies: Array
    """Of "the category applies"; of a single facet 0."""
    filed: Array
    """Of "the paper is filed there"."""


def train_without(
    span: Span,
    targets: Targets,
    left_out: Sequence[Positions],
    settings: Settings,
    *,
    single: bool,
) -> Iterator[Trained]:
    """Yield a training for each choice of rows that are left out of it.

    single: whether a facet has but one set of regressions, those of "is filed there".
    """
    n, k = targets.weights.shape
    at_once = max(1, _MOST_NUMBERS // max(1, n * k))
    for start in range(0, len(left_out), at_once):
        seen = _seen(n, left_out[start : start + at_once])
        weights = targets.weights[:, None] * seen
        told = targets.told[:, None] & seen
        # They fade out: at a border twenty more decisions would move one label in seven.
        fading = np.maximum(0.0, 1 - told.sum(axis=0) / _ENOUGH_DECISIONS)
        filed_weights = np.where(told, weights, weights * fading)
        filed = _fit(span, targets.filed, filed_weights, settings)
        applies = np.zeros_like(filed) if single else _fit(span, targets.applies, weights, settings)
        yield from map(Trained, applies, filed)


def _seen(n: int, left_out: Sequence[Positions]) -> NDArray[np.bool_]:
    """Return (n, t, 1) whether each of t trainings sees a row."""
    seen = np.ones((n, len(left_out), 1), dtype=bool)
    for training, rows in enumerate(left_out):
        seen[rows, training] = False
    return seen


def _fit(span: Span, targets: Array, weights: Array, settings: Settings) -> Array:
    """Return (t, k, width + 1) weights learned from (n, k) targets under (n, t, k) weights."""
    trainings, k = weights.shape[1:]
    rows = np.flatnonzero((weights > 0).any(axis=(1, 2)))
    fitted = fit_categories(
        span,
        rows,
        np.tile(targets[rows], trainings),
        weights[rows].reshape(len(rows), trainings * k),
        settings,
    )
    return fitted.reshape(trainings, k, span.width + 1)
