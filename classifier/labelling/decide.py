"""From probabilities to labels: thresholds, the filed category, abstention, candidates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_index import Evidence
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]
Columns = NDArray[np.int64]

DEFAULT_THRESHOLD = 0.4
USUAL_CUT = 0.75
"""The border of `confident` from which that of a prior is learned."""
NO_CUT = 2.0
"""The border of `confident` where no label is confident: above every confidence."""
MIN_CHECKED = 30
"""Minimum number of decided papers that can check how sure the classifier may be."""
_CERTAINTY = 0.8416
"""Standard deviations of a lower bound that holds in four of five samples. On labelled fields of
medicine, toxicology and astronomy a higher bound leaves fewer labels, and no more of them right."""


class Clarity(NamedTuple):
    """What the votes of cues need in order to point clearly to one category."""

    min_vote: float
    min_lead: float
    """Minimum lead of the vote over that of the next category."""


CLEAR = Clarity(4.0, 2.0)
"""One cue in the title, or several in the text; ahead by one cue in the abstract. From here on a
child is given next to its parent, and a title alone can be confident."""
LIKELY = Clarity(2.0, 1.0)
"""One cue in a contribution, or two in the text. This is enough for a child of the category that a
paper is filed under, since one of the children probably fits."""
COVERAGE = 0.9
"""Minimum share of papers whose candidates include the right primary."""
# A threshold is drawn towards its start as if the start came from this many positives.
_THRESHOLD_PRIOR = 100.0
_GRID = np.round(np.arange(0.2, 0.71, 0.02), 2)


def best_thresholds(probabilities: Array, truth: Array, start: Array) -> Array:
    """Return the (k,) thresholds with the highest F1 on (m, k) cross-fitted scores, shrunk.

    truth: (m, k) in {0, 1}; nan is masked. start: (k,) thresholds before any decision.

    For calibrated probabilities the best threshold is half of the F1 that it reaches (Lipton, Elkan
    & Naryanaswamy, "Optimal thresholding of classifiers to maximize F1 measure", 2014), so about
    DEFAULT_THRESHOLD. Few positives are not enough for a threshold of their own.
    """
    if not len(truth):
        return start
    known = ~np.isnan(truth)
    f1 = np.array(
        [
            [_f1(known[:, c] & (probabilities[:, c] >= t), truth[:, c] > 0.5) for t in _GRID]
            for c in range(probabilities.shape[1])
        ]
    )
    positives = (truth > 0.5).sum(axis=0)
    own = np.array([_GRID[_smoothed_best(row)] for row in f1])
    share = positives / (positives + _THRESHOLD_PRIOR)
    return np.asarray(share * own + (1 - share) * start)


def _smoothed_best(curve: Array) -> int:
    """Return the index of the best value after a three-point mean: a lone spike is chance."""
    padded = np.pad(curve, 1, mode="edge")
    return int(np.argmax((padded[:-2] + padded[1:-1] + padded[2:]) / 3))


def _f1(predicted: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    hits = float((predicted & truth).sum())
    total = float(predicted.sum() + truth.sum())
    return 2 * hits / total if total else 0.0


def confidence_cut(
    confidence: Array, right: NDArray[np.bool_], target: float, start: float | None
) -> float:
    """Return the confidence from which a label is `confident`; NO_CUT if there is none.

    confidence, right: (m,) of cross-fitted papers; start: the border of a prior, None without one.

    The border is the lowest confidence from which the share of right papers is at least `target`,
    read off the risk-coverage curve (Geifman & El-Yaniv, "Selective classification for deep neural
    networks", 2017). Without a prior the lower bound of the share must reach `target`, so that a
    few lucky papers make no promise. A prior's border counts like MIN_CHECKED papers. Only papers
    from it on raise it: hard papers below it say nothing about those above.
    """
    if not len(right):
        return NO_CUT if start is None else start
    order = np.argsort(-confidence, kind="stable")
    hits = np.cumsum(right[order], dtype=np.int64)
    counts = np.arange(1, len(right) + 1)
    shares = _lower_bounds(hits, counts) if start is None else hits / counts
    # Papers of equal confidence are on the same side of the border.
    is_last = np.append(confidence[order][1:] < confidence[order][:-1], True)
    good = np.flatnonzero((shares >= target) & is_last)
    if start is None:
        return float(confidence[order][good[-1]]) if len(good) else NO_CUT
    own = float(confidence[order][good[-1]]) if len(good) else 1.0
    papers = len(right) if own <= start else int((confidence >= start).sum())
    return (MIN_CHECKED * start + papers * own) / (MIN_CHECKED + papers)


def _lower_bounds(hits: NDArray[np.int64], counts: NDArray[np.int64]) -> Array:
    """Return the one-sided lower limits of shares (Wilson, "Probable inference", JASA 22, 1927)."""
    square = _CERTAINTY**2
    shares = hits / counts
    spread = np.sqrt(shares * (1 - shares) / counts + square / (4 * counts**2))
    middle = shares + square / (2 * counts)
    return np.asarray((middle - _CERTAINTY * spread) / (1 + square / counts))


def chosen(
    facet: Facet, probabilities: Array, thresholds: Array, primary: Sequence[int]
) -> list[list[int]]:
    """Return for each of n papers the columns that apply: the primary first, then by probability.

    probabilities: (n, k); thresholds: (k,); primary: n columns. In a facet that may be unstated,
    nothing applies if no category reaches its threshold.
    """
    k = probabilities.shape[1]
    most = 1 if facet.kind == "single" else min(facet.at_most or k, k)
    alone = out_of_scope_columns(facet)
    found = []
    for row, first in zip(probabilities, primary, strict=True):
        likeliest = np.argsort(-row, kind="stable")
        over = likeliest[row[likeliest] >= thresholds[likeliest]].tolist()
        if not facet.may_be_unstated:
            over = [first, *(c for c in over if c != first and c not in alone)]
            over = over[:1] if first in alone else over
        found.append(over[:most])
    return found


def out_of_scope_columns(facet: Facet) -> list[int]:
    """Return the columns of the categories for papers out of scope: at most one."""
    return [column for column, name in enumerate(facet.ids) if is_out_of_scope(facet, name)]


def is_out_of_scope(facet: Facet, category_id: str) -> bool:
    """Return whether the category is the one for papers out of scope."""
    return facet.out_of_scope is not None and facet.out_of_scope.id == category_id


def children(facet: Facet, evidence: Evidence, clarity: Clarity = CLEAR) -> list[dict[str, str]]:
    """Return for each paper: top category -> the child to which its cues point."""
    found: list[dict[str, str]] = [{} for _ in evidence.hits]
    for top in facet.tops:
        names = [child.id for child in top.children if child.id in evidence.category_ids]
        if not names:
            continue
        votes = evidence.votes(names)
        for row, column in np.argwhere(are_clear(votes, clarity)).tolist():
            found[row][top.id] = names[column]
    return found


def are_clear(votes: Array, clarity: Clarity = CLEAR) -> NDArray[np.bool_]:
    """Return (n, k) whether the cues point clearly to a category, and to no other one.

    votes: (n, k).
    """
    # A vote of nothing is the next one of an only category.
    ranked = np.sort(np.pad(votes, ((0, 0), (1, 0))), axis=1)
    has_votes = ranked[:, -1] >= clarity.min_vote
    is_ahead = ranked[:, -1] - ranked[:, -2] >= clarity.min_lead
    return np.asarray((votes == ranked[:, -1:]) & (has_votes & is_ahead)[:, None])


def least_probability(primary: Array, filed: Columns) -> float | None:
    """Return the probability from which a category is a candidate; None under nine papers.

    primary: (m, k) cross-fitted probabilities that a paper is filed under a category; filed: (m,)
    columns of the right ones. Split-conformal with the score 1 - p(true): of all sets that include
    the right category in COVERAGE of the papers, these are the smallest on average (Sadinle, Lei &
    Wasserman, "Least ambiguous set-valued classifiers with bounded error levels", JASA 114(525),
    2019).
    """
    m = len(filed)
    # The quantile of m + 1 scores includes that of the new paper. The guarantee rests on this, and
    # it needs nine papers.
    rank = math.ceil((m + 1) * COVERAGE)
    if rank > m:
        return None
    right = np.sort(primary[np.arange(m), filed])[::-1]
    return float(right[rank - 1])


def candidates(primary: Array, least: float | None) -> list[list[int]]:
    """Return for each of n papers the columns of which one is right, likeliest first.

    primary: (n, k) shares. Empty if there are too few decisions.
    """
    if least is None:
        return [[] for _ in primary]
    ranked = np.argsort(-primary, axis=1, kind="stable").tolist()
    return [
        [c for at, c in enumerate(order) if row[c] >= least or not at]
        for row, order in zip(primary, ranked, strict=True)
    ]
