"""The evaluation measures, as pure functions of arrays, with bootstrap intervals.

Every weighted measure takes `weights`, (b, n) float64: how often each of n papers counts in each of
b samples. Row 0 of `resample_weights` counts each paper once, the other rows are bootstrap
samples, so that one call returns the value and its interval. The results equal those of
scikit-learn's measures, which take twenty to ninety times as long when called per sample. An
undefined value is nan.
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
    """One measured value with its 95 % bootstrap interval."""

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
        """(b, k): share of the assigned papers that have the category; nan if none was assigned."""
        return ratio(self.hits, self.given)

    @property
    def recall(self) -> Array:
        """(b, k): share of the papers with the category that were assigned it; nan without any."""
        return ratio(self.hits, self.positives)

    @property
    def f1(self) -> Array:
        """(b, k): harmonic mean of precision and recall; nan if no paper has the category.

        F1 = 2 hits / (given + positives) (van Rijsbergen, "Information Retrieval", 1979).
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
    """Return the value in row 0 of (b,) samples with the percentile interval of the other rows."""
    defined = samples[1:][np.isfinite(samples[1:])]
    if not len(defined):
        return Estimate(float(samples[0]), math.nan, math.nan, samples)
    low, high = np.percentile(defined, [2.5, 97.5])
    return Estimate(float(samples[0]), float(low), float(high), samples)


def tally(truth: Flags, given: Flags, weights: Array) -> Tally:
    """Count (n, k) truth and (n, k) given labels in each of (b, n) weighted samples."""
    return Tally(
        weights @ (truth & given).astype(float),
        weights @ given.astype(float),
        weights @ truth.astype(float),
    )


def macro_f1(counts: Tally, columns: Sequence[int]) -> Array:
    """Return (b,): mean F1 over the `columns` that have a positive."""
    return defined_mean(counts.f1[:, list(columns)], axis=1)


def micro_f1(counts: Tally, columns: Sequence[int]) -> Array:
    """Return (b,): F1 of all pairs of a paper and one of `columns`, pooled."""
    chosen = list(columns)
    hits, given, positives = (
        part[:, chosen].sum(axis=1) for part in (counts.hits, counts.given, counts.positives)
    )
    return np.where(positives > 0, ratio(2 * hits, given + positives), np.nan)


def share(right: Flags, weights: Array) -> Array:
    """Return (b,): the weighted share of (n,) flags that are set; nan if all weights are 0."""
    return ratio(weights @ right.astype(float), weights.sum(axis=1))


def average_precision(truth: Flags, scores: Array, weights: Array) -> Array:
    """Return (b,): average precision of (n,) scores; papers with equal scores count together.

    AP = sum over thresholds of (recall - previous recall) * precision, not interpolated (Manning,
    Raghavan & Schütze, "Introduction to Information Retrieval", 2008, section 8.4). nan without a
    positive.
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
    known: Flags | None = None,
) -> Array:
    """Return (b,): mean average precision over the `columns` of (n, k) that have a positive.

    known: (n, k) pairs that count; None: all.
    """
    rows = np.ones(truth.shape, dtype=bool) if known is None else known
    if not columns:
        return np.full(len(weights), np.nan)
    each = [
        average_precision(truth[rows[:, c], c], scores[rows[:, c], c], weights[:, rows[:, c]])
        for c in columns
    ]
    return defined_mean(np.stack(each), axis=0)


def expected_calibration_error(
    truth: Flags,
    probabilities: Array,
    weights: Array,
    known: Flags | None = None,
    *,
    bins: int = CALIBRATION_BINS,
) -> Array:
    """Return (b,): the expected calibration error of (n, k) probabilities in equal-width bins.

    ECE = sum over bins of size / n * |mean probability - share of positives|, 0 to 1 (Naeini,
    Cooper & Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI
    2015), over all pairs of (n, k), or those that are `known`. Bins with few pairs increase
    it, and a bootstrap sample has fewer distinct pairs, so its interval is too high. nan if
    no pair counts.
    """
    n, k = probabilities.shape
    excess = np.zeros((n, bins))
    rows = np.repeat(np.arange(n), k)
    counted = np.ones(truth.shape, dtype=bool) if known is None else known
    errors = np.where(counted, probabilities - truth, 0.0)
    number = np.minimum((probabilities.ravel() * bins).astype(np.int64), bins - 1)
    np.add.at(excess, (rows, number), errors.ravel())
    return ratio(np.abs(weights @ excess).sum(axis=1), weights @ counted.sum(axis=1))


def brier_score(
    truth: Flags, probabilities: Array, weights: Array, known: Flags | None = None
) -> Array:
    """Return (b,): the mean squared error of (n, k) probabilities, 0 to 1; nan if no pair counts.

    known: (n, k) pairs that count; None: all.

    Brier, "Verification of forecasts expressed in terms of probability", 1950, halved as is usual
    for two outcomes.
    """
    counted = np.ones(truth.shape, dtype=bool) if known is None else known
    errors = np.where(counted, (probabilities - truth) ** 2, 0.0).sum(axis=1)
    return ratio(weights @ errors, weights @ counted.sum(axis=1))


def defined_mean(values: Array, axis: int) -> Array:
    """Return the mean along `axis` without nan; nan if all values are nan."""
    defined = np.isfinite(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=axis), defined.sum(axis=axis))


def ratio(part: Array, whole: Array | NDArray[np.int64]) -> Array:
    """Return part / whole, arrays of one shape; nan where `whole` is 0."""
    divided = np.full(np.shape(part), np.nan)
    return np.asarray(np.divide(part, whole, out=divided, where=np.asarray(whole) > 0))


Answers = NDArray[np.int64]
"""Answers as numbers from 0; -1 for a question that a rater did not answer."""


def cohen_kappa(one: Answers, other: Answers, weights: Array) -> Array:
    """Return (b,): Cohen's kappa of two raters' (n, m) answers to m questions on each of n papers.

    kappa = (observed - chance) / (1 - chance), where chance is how often two raters with these
    shares would agree (Cohen, "A coefficient of agreement for nominal scales", Educational and
    Psychological Measurement 20, 1960). nan if both gave the same answer everywhere.
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
