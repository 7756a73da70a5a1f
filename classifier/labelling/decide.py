"""From probabilities to labels: thresholds, the filed category, abstention."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.evidence import Evidence
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]

DEFAULT_THRESHOLD = 0.4
DEFAULT_CUT = 0.7
LEAST_CHECKED = 30
"""Decided papers from which on a confidence can be held against what people decided."""
# A threshold is drawn towards the default as if that had been seen on this many positives.
_THRESHOLD_PRIOR = 100.0
_GRID = np.round(np.arange(0.2, 0.71, 0.02), 2)
CHILD_VOTE = 2.0
"""The vote from which a child stands beside its parent: more than one cue in passing."""


def best_thresholds(probabilities: Array, truth: Array) -> Array:
    """Return (k,) thresholds: those that maximise F1 on (m, k) cross-fitted scores, shrunk.

    truth: (m, k) in {0, 1}; nan is masked.

    Of calibrated probabilities the best threshold is half the F1 that is reached (Lipton, Elkan &
    Naryanaswamy, "Optimal thresholding of classifiers to maximize F1 measure", 2014), so about
    DEFAULT_THRESHOLD, and towards that it is drawn: few positives say little about their own.
    """
    k = probabilities.shape[1]
    if not len(truth):
        return np.full(k, DEFAULT_THRESHOLD)
    known = ~np.isnan(truth)
    f1 = np.array(
        [
            [_f1(known[:, c] & (probabilities[:, c] >= t), truth[:, c] > 0.5) for t in _GRID]
            for c in range(k)
        ]
    )
    positives = (truth > 0.5).sum(axis=0)
    own = np.array([_GRID[_smoothed_best(row)] for row in f1])
    share = positives / (positives + _THRESHOLD_PRIOR)
    return np.asarray(share * own + (1 - share) * DEFAULT_THRESHOLD)


def _smoothed_best(curve: Array) -> int:
    """Index of the best value after a three-point mean: a lone spike is chance."""
    padded = np.pad(curve, 1, mode="edge")
    return int(np.argmax((padded[:-2] + padded[1:-1] + padded[2:]) / 3))


def _f1(predicted: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    hits = float((predicted & truth).sum())
    total = float(predicted.sum() + truth.sum())
    return 2 * hits / total if total else 0.0


def confidence_cut(confidence: Array, right: NDArray[np.bool_], target: float) -> float:
    """Return the lowest confidence from which papers are right as often as `target` asks.

    Read off the risk-coverage curve of cross-fitted papers (Geifman & El-Yaniv, "Selective
    classification for deep neural networks", 2017); DEFAULT_CUT where there are under
    LEAST_CHECKED of them.
    """
    if len(right) < LEAST_CHECKED:
        return DEFAULT_CUT
    order = np.argsort(-confidence, kind="stable")
    accuracy = np.cumsum(right[order]) / np.arange(1, len(right) + 1)
    good = np.flatnonzero(accuracy >= target)
    return float(confidence[order][good[-1]]) if len(good) else 1.0


def choose_categories(
    facet: Facet, probabilities: Array, thresholds: Array, primary: int
) -> list[int]:
    """Return the columns of the categories that apply: the primary first, then by probability.

    None where the facet may be unstated and nothing reaches its threshold.
    """
    if facet.may_be_unstated:
        order = np.argsort(-probabilities, kind="stable").tolist()
        stated = [k for k in order if probabilities[k] >= thresholds[k]]
        return stated[: 1 if facet.kind == "single" else facet.at_most]
    if facet.kind == "single" or is_out_of_scope(facet, facet.ids[primary]):
        return [primary]
    others = [
        k
        for k in np.argsort(-probabilities, kind="stable")
        if k != primary
        and probabilities[k] >= thresholds[k]
        and not is_out_of_scope(facet, facet.ids[k])
    ]
    return [primary, *(int(k) for k in others)][: facet.at_most or len(facet.ids)]


def is_out_of_scope(facet: Facet, category_id: str) -> bool:
    """Say whether the category is the one that stands alone."""
    return facet.out_of_scope is not None and facet.out_of_scope.id == category_id


def child_of(facet: Facet, category_id: str, evidence: Evidence, row: int) -> str | None:
    """Return the child whose cues speak loudest for paper `row`, or None where none does."""
    category = facet.get(category_id)
    if category is None or not category.children:
        return None
    ids = [child.id for child in category.children]
    votes = evidence_votes(evidence, row, ids)
    best = int(np.argmax(votes))
    return ids[best] if votes[best] >= CHILD_VOTE else None


def evidence_votes(evidence: Evidence, row: int, category_ids: Sequence[str]) -> Array:
    """Return the seed votes of one paper for some categories."""
    one = Evidence(evidence.category_ids, evidence.counts[row : row + 1], ())
    return np.asarray(one.votes(category_ids)[0])
