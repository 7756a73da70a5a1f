"""What papers are to teach a facet model: what people said, else the cues."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, logit

from classifier.labelling.labels import Decision
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Teaching:
    """What people said of n papers, by row."""

    decisions: Mapping[int, Decision]
    exemplars: Mapping[int, str]
    """Papers that are certainly in a category, whatever else they are in."""

    @property
    def decided(self) -> list[int]:
        """The rows with a decision, in order."""
        return sorted(self.decisions)


@dataclass(frozen=True, slots=True)
class Targets:
    """What n papers are to teach: decisions where there are any, seed labels elsewhere."""

    applies: Array
    """(n, k) that a category applies, 0 to 1."""
    filed: Array
    """(n, k) that a paper is filed there, 0 to 1; a row sums to 1 where all of it has one source:
    a decision, an exemplar or the seed labels."""
    weights: Array
    """(n, k) weight of each paper in each category."""
    told: NDArray[np.bool_]
    """(n, k) whether a decision says so; it says nothing of a category that came later."""
    decided: NDArray[np.int64]
    """Rows with a decision."""

    def filed_under(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return (m,) the column under which a decision files each of m rows."""
        return np.asarray(np.where(self.told[rows], self.filed[rows], 0.0).argmax(axis=1))


def teaching_targets(
    facet: Facet, seeds: tuple[Array, Array], teaching: Teaching, seed_weight: float
) -> Targets:
    """Return the targets of n papers.

    seeds: (n, k) seed labels and (n,) weights in [0, 1]; seed_weight: of a paper on which nobody
    decided, beside a decided one's 1. An exemplar is certainly in its category; of the others the
    seed labels speak, as they do of categories that a decision does not know.
    """
    applies = seeds[0].copy()
    weights = np.repeat((seeds[1] * seed_weight)[:, None], applies.shape[1], axis=1)
    filed, told = _softmax(seed_logits(applies)), np.zeros(applies.shape, dtype=bool)
    for row, category_id in teaching.exemplars.items():
        applies[row, facet.ids.index(category_id)] = 1.0
        filed[row] = [category_id == name for name in facet.ids]
        weights[row] = 1.0
    for row, decision in teaching.decisions.items():
        for column, category in enumerate(facet.ids):
            if category not in decision.unknown:
                applies[row, column] = category in decision.values
                filed[row, column] = category == decision.primary
                weights[row, column] = 1.0
                told[row, column] = True
    return Targets(applies, filed, weights, told, np.array(teaching.decided, dtype=np.int64))


def seed_logits(applies: Array) -> Array:
    """Return the log-odds of seed labels, which are never quite sure."""
    return np.asarray(logit(np.clip(applies, 1e-3, 1 - 1e-3)))


def _softmax(values: Array) -> Array:
    return np.asarray(np.exp(log_softmax(values, axis=1))) if len(values) else values
