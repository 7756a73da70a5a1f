"""The evaluation measures, as pure functions of arrays, with bootstrap intervals.

Every weighted measure takes `weights`, (b, n) float64: how often each of n papers counts in each of
b samples. In `resample_weights`, row 0 counts each paper once, and the other rows are bootstrap
samples, so that one call returns the value and its interval. The results equal those of
scikit-learn, whose functions take twenty to ninety times as long when they are called per sample.
Undefined values are nan. A result of shape (b,) has one value per sample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

RESAMPLES = 1000
SEED = 0
CALIBRATION_BINS = 15
METHOD = {"interval": "95 % percentile bootstrap over papers", "resamples": RESAMPLES, "seed": SEED}
"""The method of the intervals, for files with figures."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value with its 95 % bootstrap interval."""

    value: float
    """0 to 1; nan if the measure is undefined."""
    low: float
    """2.5th percentile of the samples; nan if the measure is undefined in all of them."""
    high: float
    """97.5th percentile."""
    samples: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    """(b,): the value, then the values of the bootstrap samples."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Weighted counts of b samples over k categories, each (b, k)."""

    hits: Array
    """Papers that have the category and were assigned it (true positives)."""
    given: Array
    """Papers that were assigned the category (predicted positives)."""
    positives: Array
    """Papers that have the category (actual positives)."""

    @property
    def precision(self) -> Array:
        """Share of the assigned papers that have the category, shape (b, k); nan if none."""
        return ratio(self.hits, self.given)

    @property
    def recall(self) -> Array:
        """Share of the category's papers to which it was assigned, shape (b, k); nan if none."""
        return ratio(self.hits, self.positives)

    @property
    def f1(self) -> Array:
        """Harmonic mean of precision and recall, shape (b, k); nan if no paper has the category.

        F1 = 2 hits / (assigned + positives) (van Rijsbergen, "Information Retrieval", 1979).
        """
        f1 = ratio(2 * self.hits, self.given + self.positives)
        return np.where(self.positives > 0, f1, np.nan)


def resample_weights(n: int, *, resamples: int = RESAMPLES) -> Array:
    """Return (1 + resamples, n) weights: ones in row 0, then samples of papers with replacement.

    Efron & Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13 (percentiles).
    """
    if n == 0:
        return np.ones((1 + resamples, 0))
    counts = np.random.default_rng(SEED).multinomial(n, np.full(n, 1 / n), size=resamples)
    return np.vstack([np.ones(n), counts])


def estimate(samples: Array) -> Estimate:
    """Return the value in row 0 of the samples, with the percentile interval of the other rows."""
    defined = samples[1:][np.isfinite(samples[1:])]
    if not len(defined):
        return Estimate(float(samples[0]), math.nan, math.nan, samples)
    low, high = np.percentile(defined, [2.5, 97.5])
    return Estimate(float(samples[0]), float(low), float(high), samples)


def tally(truth: Flags, assigned: Flags, weights: Array) -> Tally:
    """Count true and assigned labels, both of shape (n, k), in each of (b, n) weighted samples."""
    return Tally(
        weights @ (truth & assigned).astype(float),
        weights @ assigned.astype(float),
        weights @ truth.astype(float),
    )


def macro_f1(counts: Tally, columns: Sequence[int]) -> Array:
    """Return the mean F1 per sample, over the `columns` with at least one positive."""
    return mean_without_nan(counts.f1[:, list(columns)], axis=1)


def micro_f1(counts: Tally, columns: Sequence[int]) -> Array:
    """Return the F1 per sample of all pairs of a paper and one of `columns`, pooled."""
    chosen = list(columns)
    hits, given, positives = (
        part[:, chosen].sum(axis=1) for part in (counts.hits, counts.given, counts.positives)
    )
    return np.where(positives > 0, ratio(2 * hits, given + positives), np.nan)


def weighted_share(flags: Flags, weights: Array) -> Array:
    """Return the weighted share of (n,) flags that are set, per sample; nan without weights."""
    return ratio(weights @ flags.astype(float), weights.sum(axis=1))


def average_precision(truth: Flags, scores: Array, weights: Array) -> Array:
    """Return the average precision of (n,) scores, per sample.

    Papers with equal scores count together. AP = sum over thresholds of (recall - previous recall)
    * precision, not interpolated (Manning, Raghavan & Schütze, "Introduction to Information
    Retrieval", 2008, section 8.4). The result is nan without a positive.
    """
    if not len(scores):
        return np.full(len(weights), np.nan)
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    hits = np.cumsum(weights[:, order] * truth[order], axis=1)[:, ends]
    ranked_papers = np.cumsum(weights[:, order], axis=1)[:, ends]
    precision = np.nan_to_num(ratio(hits, ranked_papers))
    gained = np.diff(hits, axis=1, prepend=0.0)
    return ratio((gained * precision).sum(axis=1), hits[:, -1])


def mean_average_precision(
    truth: Flags,
    scores: Array,
    weights: Array,
    columns: Sequence[int],
    known_mask: Flags | None = None,
) -> Array:
    """Return the mean average precision per sample, over the `columns` with at least one positive.

    known_mask: (n, k) mask of the pairs to count; None counts all pairs.
    """
    rows = np.ones(truth.shape, dtype=bool) if known_mask is None else known_mask
    if not columns:
        return np.full(len(weights), np.nan)
    each = [
        average_precision(truth[rows[:, c], c], scores[rows[:, c], c], weights[:, rows[:, c]])
        for c in columns
    ]
    return mean_without_nan(np.stack(each), axis=0)


def expected_calibration_error(
    truth: Flags,
    probabilities: Array,
    weights: Array,
    known_mask: Flags | None = None,
    *,
    bins: int = CALIBRATION_BINS,
) -> Array:
    """Return the expected calibration error of (n, k) probabilities, per sample.

    ECE = sum over bins of equal width of size / n * |mean probability - share of positives|, 0 to 1
    (Naeini, Cooper & Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning",
    AAAI 2015). Bins with few pairs increase it, and a bootstrap sample has fewer distinct pairs, so
    its interval is too high. The result is nan if no pair counts. known_mask: (n, k) mask of the
    pairs to count; None counts all pairs.
    """
    n, k = probabilities.shape
    excess = np.zeros((n, bins))
    rows = np.repeat(np.arange(n), k)
    counted = np.ones(truth.shape, dtype=bool) if known_mask is None else known_mask
    errors = np.where(counted, probabilities - truth, 0.0)
    number = np.minimum((probabilities.ravel() * bins).astype(np.int64), bins - 1)
    np.add.at(excess, (rows, number), errors.ravel())
    return ratio(np.abs(weights @ excess).sum(axis=1), weights @ counted.sum(axis=1))


def brier_score(
    truth: Flags, probabilities: Array, weights: Array, known_mask: Flags | None = None
) -> Array:
    """Return the mean squared error of (n, k) probabilities, 0 to 1, per sample.

    known_mask: (n, k) mask of the pairs to count; None counts all pairs. The result is nan if no
    pair counts.

    Brier, "Verification of forecasts expressed in terms of probability", 1950, halved as is usual
    for two outcomes.
    """
    counted = np.ones(truth.shape, dtype=bool) if known_mask is None else known_mask
    errors = np.where(counted, (probabilities - truth) ** 2, 0.0).sum(axis=1)
    return ratio(weights @ errors, weights @ counted.sum(axis=1))


def mean_without_nan(values: Array, axis: int) -> Array:
    """Return the mean along `axis`, ignoring nan; nan if all values are nan."""
    defined = np.isfinite(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=axis), defined.sum(axis=axis))


def ratio(part: Array, whole: Array | NDArray[np.int64]) -> Array:
    """Divide two arrays of the same shape; the result is nan where `whole` is 0."""
    divided = np.full(np.shape(part), np.nan)
    return np.asarray(np.divide(part, whole, out=divided, where=np.asarray(whole) > 0))


Answers = NDArray[np.int64]
"""Answers as numbers from 0; -1 for a question that a rater did not answer."""


def cohen_kappa(first_answers: Answers, second_answers: Answers, weights: Array) -> Array:
    """Return Cohen's kappa per sample of two raters' (n, m) answers to m questions on n papers.

    kappa = (observed - chance) / (1 - chance), where chance is how often two raters with these
    shares would agree (Cohen, "A coefficient of agreement for nominal scales", Educational and
    Psychological Measurement 20, 1960). The result is nan if both raters gave the same answer
    everywhere.
    """
    known = (first_answers >= 0) & (second_answers >= 0)
    total = weights @ known.sum(axis=1)
    observed = ratio(weights @ (known & (first_answers == second_answers)).sum(axis=1), total)
    chance = np.zeros(len(weights))
    for answer in np.unique(np.concatenate([first_answers[known], second_answers[known]])):
        shares = (
            weights @ (known & (each == answer)).sum(axis=1)
            for each in (first_answers, second_answers)
        )
        first, second = (ratio(share, total) for share in shares)
        chance += first * second
    return ratio(observed - chance, 1 - chance)
