"""From probabilities to labels: thresholds, the filed category, abstention."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.bulk_labels import NONE, children_of
from classifier.labelling.evidence import Evidence
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]
Columns = NDArray[np.int64]

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
    # Of papers that are equally sure all are in, or none.
    is_last = np.append(confidence[order][1:] < confidence[order][:-1], True)
    good = np.flatnonzero((accuracy >= target) & is_last)
    return float(confidence[order][good[-1]]) if len(good) else 1.0


def chosen_columns(
    facet: Facet, probabilities: Array, thresholds: Array, primary: Columns
) -> NDArray[np.int32]:
    """Return (n, m) columns of the categories that apply: the primary first, then by probability.

    probabilities: (n, k); thresholds: (k,); primary: (n,) columns. `NONE` stands behind the last.
    Nothing else is there where the facet may be unstated and nothing reaches its threshold.
    """
    n, k = probabilities.shape
    applies = probabilities >= thresholds
    most = 1 if facet.kind == "single" else min(facet.at_most or k, k)
    if facet.may_be_unstated:
        return _ordered(np.where(applies, -probabilities, np.inf), applies.sum(axis=1), most)
    rows, alone = np.arange(n), out_of_scope_columns(facet)
    applies[:, alone] = False
    applies[rows, primary] = True
    order = np.where(applies, -probabilities, np.inf)
    order[rows, primary] = -np.inf
    counts = np.where(np.isin(primary, alone), 1, applies.sum(axis=1))
    return _ordered(order, counts, most)


def _ordered(keys: Array, counts: NDArray[np.int64], most: int) -> NDArray[np.int32]:
    """Return (n, most) columns by rising (n, k) keys, the first of equal ones first.

    counts: (n,) how many of a row are meant; `NONE` stands behind them.
    """
    order = np.argsort(keys, axis=1, kind="stable")[:, :most]
    return np.where(np.arange(most) < counts[:, None], order, NONE).astype(np.int32)


def out_of_scope_columns(facet: Facet) -> list[int]:
    """Return the columns of the categories that stand alone: at most one."""
    return [column for column, name in enumerate(facet.ids) if is_out_of_scope(facet, name)]


def is_out_of_scope(facet: Facet, category_id: str) -> bool:
    """Say whether the category is the one that stands alone."""
    return facet.out_of_scope is not None and facet.out_of_scope.id == category_id


def child_columns(facet: Facet, evidence: Evidence) -> NDArray[np.int32]:
    """Return (n, k): which child of each category has the loudest cues, in the order of all its
    children; `NONE` where none speaks loud enough. The first of equally loud ones is meant.
    """
    found = np.full((len(evidence.counts), len(facet.ids)), NONE, dtype=np.int32)
    for column, name in enumerate(facet.ids):
        children = children_of(facet, name)
        used = [place for place, child in enumerate(children) if child in evidence.category_ids]
        if not used:
            continue
        votes = evidence.votes([children[place] for place in used])
        loud = np.flatnonzero(votes.max(axis=1) >= CHILD_VOTE)
        found[loud, column] = np.array(used)[votes[loud].argmax(axis=1)]
    return found


def evidence_votes(evidence: Evidence, row: int, category_ids: Sequence[str]) -> Array:
    """Return the seed votes of one paper for some categories."""
    return np.asarray(evidence.of(np.array([row])).votes(category_ids)[0])
