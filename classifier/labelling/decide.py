"""Convert probabilities to labels: thresholds, abstention, subcategories, candidates."""

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
"""Initial threshold of the probability that a category applies."""
USUAL_CUT = 0.75
"""Initial confidence cut-off when a prior is made."""
NO_CUT = 2.0
"""Confidence cut-off above every confidence: no label is confident."""
MIN_CHECKED = 30
"""Minimum number of decided papers for checking the confidence without a prior."""
_Z = 0.8416
"""Standard deviations of the one-sided 80 % lower bound. On labelled fields of medicine, toxicology
and astronomy, a higher bound gives fewer confident labels that are not more often right."""


class Clarity(NamedTuple):
    """Minimum votes for cues that clearly indicate one category."""

    min_vote: float
    min_lead: float
    """Minimum difference to the vote of the next category."""


CLEAR = Clarity(4.0, 2.0)
"""One match in the title, or several in the text, and a lead of one match in the abstract. Clear
cues give a subcategory of any assigned category, and make a paper without an abstract confident."""
LIKELY = Clarity(2.0, 1.0)
"""One match in a contribution, or two in the text. This is enough for a subcategory of the primary
category, because one of its subcategories probably applies."""
COVERAGE = 0.9
"""Minimum share of papers whose candidates include the right primary."""
# Weight of the initial threshold in the learned one, as a number of positives.
_THRESHOLD_PRIOR = 100.0
_GRID = np.round(np.arange(0.2, 0.71, 0.02), 2)


def best_thresholds(probabilities: Array, truth: Array, initial: Array) -> Array:
    """Return the (k,) thresholds with the highest F1, shrunk towards the initial thresholds.

    probabilities: (m, k) cross-fitted. truth: (m, k) in {0, 1}; nan is masked. initial: (k,)
    initial thresholds.

    For calibrated probabilities, the best threshold is half of the F1 that it reaches (Lipton,
    Elkan & Naryanaswamy, "Optimal thresholding of classifiers to maximize F1 measure", 2014), so it
    is about DEFAULT_THRESHOLD. The threshold of a category with few positives stays near its
    initial value.
    """
    if not len(truth):
        return initial
    known = ~np.isnan(truth)
    own = []
    for column in range(probabilities.shape[1]):
        is_positive = truth[:, column] > 0.5
        predictions = [known[:, column] & (probabilities[:, column] >= t) for t in _GRID]
        curve = np.array([_f1(predicted, is_positive) for predicted in predictions])
        own.append(_GRID[_smoothed_best(curve)])
    positives = (truth > 0.5).sum(axis=0)
    share = positives / (positives + _THRESHOLD_PRIOR)
    return np.asarray(share * np.array(own) + (1 - share) * initial)


def _smoothed_best(curve: Array) -> int:
    """Return the index of the maximum of a three-point moving mean; a single peak may be chance."""
    padded = np.pad(curve, 1, mode="edge")
    return int(np.argmax((padded[:-2] + padded[1:-1] + padded[2:]) / 3))


def _f1(predictions: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    """Return the F1 of predictions; masked truth does not count."""
    hits = float((predictions & truth).sum())
    total = float(predictions.sum() + truth.sum())
    return 2 * hits / total if total else 0.0


def confidence_cut(
    confidence: Array, is_right: NDArray[np.bool_], target: float, prior_cut: float | None
) -> float:
    """Return the confidence from which a label is `confident`; NO_CUT if there is none.

    confidence, right: (m,) confidence of cross-fitted papers, and whether their label is right.
    target: minimum share of right papers. prior_cut: the cut-off of a prior, or None.

    The cut-off is the lowest confidence above which the share of right papers is at least `target`,
    according to the risk-coverage curve (Geifman & El-Yaniv, "Selective classification for deep
    neural networks", 2017). Without a prior, the lower bound of the share must reach `target`, so
    that a few lucky papers are not enough. The cut-off of a prior has the weight of MIN_CHECKED
    papers. Only papers above it can raise it, because difficult papers below it say nothing about
    easier papers.
    """
    if not len(is_right):
        return NO_CUT if prior_cut is None else prior_cut
    order = np.argsort(-confidence, kind="stable")
    hits = np.cumsum(is_right[order], dtype=np.int64)
    counts = np.arange(1, len(is_right) + 1)
    shares = _lower_bounds(hits, counts) if prior_cut is None else hits / counts
    # Papers of equal confidence are on the same side of the cut-off.
    is_last = np.append(confidence[order][1:] < confidence[order][:-1], True)
    good = np.flatnonzero((shares >= target) & is_last)
    own = float(confidence[order][good[-1]]) if len(good) else None
    if prior_cut is None:
        return NO_CUT if own is None else own
    if own is None:
        own = 1.0
    n_papers = len(is_right) if own <= prior_cut else int((confidence >= prior_cut).sum())
    return (MIN_CHECKED * prior_cut + n_papers * own) / (MIN_CHECKED + n_papers)


def _lower_bounds(hits: NDArray[np.int64], counts: NDArray[np.int64]) -> Array:
    """Return one-sided lower bounds of shares (Wilson, "Probable inference", JASA 22, 1927)."""
    square = _Z**2
    shares = hits / counts
    half_width = np.sqrt(shares * (1 - shares) / counts + square / (4 * counts**2))
    middle = shares + square / (2 * counts)
    return np.asarray((middle - _Z * half_width) / (1 + square / counts))


def assign_columns(
    facet: Facet, probabilities: Array, thresholds: Array, primary_columns: Sequence[int]
) -> list[list[int]]:
    """Return the assigned columns of each paper: the primary first, then by probability.

    probabilities: (n, k). thresholds: (k,). primary_columns: n columns. In a facet that papers may
    leave unstated, no column is assigned if no category reaches its threshold.
    """
    k = probabilities.shape[1]
    max_columns = 1 if facet.kind == "single" else min(facet.at_most or k, k)
    out_of_scope = out_of_scope_columns(facet)
    assigned = []
    for row, first in zip(probabilities, primary_columns, strict=True):
        likeliest = np.argsort(-row, kind="stable")
        columns = likeliest[row[likeliest] >= thresholds[likeliest]].tolist()
        if first in out_of_scope and not facet.may_be_unstated:
            columns = [first]
        elif not facet.may_be_unstated:
            others = [c for c in columns if c != first and c not in out_of_scope]
            columns = [first, *others]
        assigned.append(columns[:max_columns])
    return assigned


def out_of_scope_columns(facet: Facet) -> list[int]:
    """Return the column of the out-of-scope category, as a list of at most one item."""
    return [column for column, name in enumerate(facet.ids) if is_out_of_scope(facet, name)]


def is_out_of_scope(facet: Facet, category_id: str) -> bool:
    """Return whether the category is the out-of-scope category."""
    return facet.out_of_scope is not None and facet.out_of_scope.id == category_id


def find_children(
    facet: Facet, evidence: Evidence, clarity: Clarity = CLEAR
) -> list[dict[str, str]]:
    """Return for each paper the child that its cues indicate, by top category."""
    found: list[dict[str, str]] = [{} for _ in evidence.hits]
    for top in facet.tops:
        names = [child.id for child in top.children if child.id in evidence.category_ids]
        if not names:
            continue
        votes = evidence.votes(names)
        for row, column in np.argwhere(has_clear_cues(votes, clarity)).tolist():
            found[row][top.id] = names[column]
    return found


def has_clear_cues(votes: Array, clarity: Clarity = CLEAR) -> NDArray[np.bool_]:
    """Return (n, k) whether the cues clearly indicate this category and no other.

    votes: (n, k).
    """
    # With a single category, the next vote is 0.
    ranked = np.sort(np.pad(votes, ((0, 0), (1, 0))), axis=1)
    has_votes = ranked[:, -1] >= clarity.min_vote
    is_ahead = ranked[:, -1] - ranked[:, -2] >= clarity.min_lead
    return np.asarray((votes == ranked[:, -1:]) & (has_votes & is_ahead)[:, None])


def candidate_threshold(primary_probabilities: Array, true_columns: Columns) -> float | None:
    """Return the probability from which a category is a candidate; None for fewer than 9 papers.

    primary_probabilities: (m, k) cross-fitted probabilities that a category is the primary.
    true_columns: (m,) columns of the true primaries. Split-conformal prediction with the score 1 -
    p(true): among all sets that include the true category for COVERAGE of the papers, these are the
    smallest on average (Sadinle, Lei & Wasserman, "Least ambiguous set-valued classifiers with
    bounded error levels", JASA 114(525), 2019).
    """
    m = len(true_columns)
    # The guarantee needs the quantile of m + 1 scores, the new paper included, so at least 9
    # papers.
    rank = math.ceil((m + 1) * COVERAGE)
    if rank > m:
        return None
    descending = np.sort(primary_probabilities[np.arange(m), true_columns])[::-1]
    return float(descending[rank - 1])


def candidate_columns(
    primary_probabilities: Array, min_probability: float | None
) -> list[list[int]]:
    """Return the candidate columns of each paper, the most likely first.

    primary_probabilities: (n, k) probabilities that a category is the primary. min_probability: the
    result of `candidate_threshold`; if it is None, no paper has candidates.
    """
    if min_probability is None:
        return [[] for _ in primary_probabilities]
    ranked = np.argsort(-primary_probabilities, axis=1, kind="stable").tolist()
    columns = []
    for row, (likeliest, *others) in zip(primary_probabilities, ranked, strict=True):
        columns.append([likeliest, *(c for c in others if row[c] >= min_probability)])
    return columns
