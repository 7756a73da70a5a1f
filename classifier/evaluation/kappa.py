"""Agreement beyond chance: Cohen's kappa of two raters, Krippendorff's alpha of any number.

As in `metrics`, `weights` (b, n) says how often each of n papers counts in each of b samples, so
that one pass yields the value and its bootstrap. An undefined value is nan.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from classifier.evaluation.metrics import Array, ratio

Answers = NDArray[np.int64]
"""Answers as numbers from 0; a question that a rater did not answer is -1."""


def cohen_kappa(one: Answers, other: Answers, weights: Array) -> Array:
    """Return (b,): Cohen's kappa of two raters' (n, m) answers to m questions on each of n papers.

    kappa = (observed - chance) / (1 - chance), where chance is how often two raters with these
    shares would meet (Cohen, "A coefficient of agreement for nominal scales", Educational and
    Psychological Measurement 20, 1960). nan where both gave one and the same answer throughout.
    """
    known = (one >= 0) & (other >= 0)
    total = weights @ known.sum(axis=1)
    observed = ratio(weights @ (known & (one == other)).sum(axis=1), total)
    chance = np.zeros(len(weights))
    for answer in np.unique(np.concatenate([one[known], other[known]])):
        shares = (weights @ (known & (each == answer)).sum(axis=1) for each in (one, other))
        first, second = (ratio(share, total) for share in shares)
        chance += first * second
    return ratio(observed - chance, 1 - chance)


def krippendorff_alpha(answers: Answers, distance: Array, weights: Array) -> Array:
    """Return (b,): Krippendorff's alpha of r raters' (n, m, r) answers to m questions on n papers.

    distance: (v, v) from 0 (the same) between the answers 0 to v - 1. alpha = 1 - observed /
    expected disagreement over all pairs of answers to one question, each question weighing as many
    as answered it (Krippendorff, "Content Analysis", 3rd edition, 2013, chapter 12). A question
    with a single answer counts nothing. nan where all answers are the same.
    """
    counts = (answers[..., None] == np.arange(len(distance))).sum(axis=2)
    raters = counts.sum(axis=2)
    counts = counts * (raters >= 2)[..., None]
    apart = ((counts @ distance) * counts).sum(axis=2) / np.maximum(raters - 1, 1)
    given = weights @ counts.sum(axis=1)
    expected = ((given @ distance) * given).sum(axis=1)
    pairs = given.sum(axis=1) - 1
    return 1 - ratio(pairs * (weights @ apart.sum(axis=1)), expected)


def nominal_distance(size: int) -> Array:
    """Return (size, size): 0 between equal answers, 1 between others."""
    return 1 - np.eye(size)


def masi_distance(sets: Sequence[Set[str]]) -> Array:
    """Return (v, v) distances between v sets, 0 to 1; an empty one is equal to itself alone.

    1 - Jaccard * monotonicity, which is 1 for equal sets, 2/3 where one holds the other, 1/3 where
    they overlap, else 0 (Passonneau, "Measuring agreement on set-valued items (MASI) for semantic
    and pragmatic annotation", LREC 2006).
    """
    apart = [1 - _jaccard(one, other) * _monotonicity(one, other) for one in sets for other in sets]
    return np.array(apart, dtype=float).reshape(len(sets), len(sets))


def _jaccard(one: Set[str], other: Set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def _monotonicity(one: Set[str], other: Set[str]) -> float:
    if one == other:
        return 1.0
    if one <= other or other <= one:
        return 2 / 3
    return 1 / 3 if one & other else 0.0


def shared_f1(one: Answers, other: Answers, weights: Array) -> Array:
    """Return (b,): F1 of one rater's yes (1) against the other's, in either direction the same.

    (n, m) answers. 2 * both / (one + other) (Dice 1945); chance agreement on "no" does not raise
    it (Hripcsak & Rothschild, "Agreement, the F-measure, and reliability in information
    retrieval", JAMIA 12(3), 2005). nan where neither says yes.
    """
    known = (one >= 0) & (other >= 0)
    first, second = known & (one == 1), known & (other == 1)
    both = 2.0 * (weights @ (first & second).sum(axis=1))
    return ratio(both, weights @ (first.sum(axis=1) + second.sum(axis=1)))
