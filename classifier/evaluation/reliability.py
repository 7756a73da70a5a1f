"""What a stated probability is worth: the share of statements of its size that are true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classifier.evaluation.metrics import Array, Flags, bin_of, ratio

BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The statements whose probability lies in one tenth of the range."""

    low: float
    """Least probability of the bin, 0 to 0.9."""
    n: int
    """Pairs of a paper and a category; with repeats, those of every repeat."""
    mean_probability: float
    """nan in an empty bin."""
    share_true: float
    """Share of the pairs of which the category is true; nan in an empty bin."""


def reliability(truth: Flags, probabilities: Array) -> tuple[ReliabilityBin, ...]:
    """Return the ten bins of a reliability diagram, from truth and probabilities of one shape.

    DeGroot & Fienberg, "The comparison and evaluation of forecasters", The Statistician 32, 1983.
    """
    number = bin_of(probabilities.ravel(), BINS)
    each_bin = number == np.arange(BINS)[:, None]
    n = each_bin.sum(axis=1, dtype=np.float64)
    means = ratio(each_bin @ probabilities.ravel(), n)
    shares = ratio(each_bin @ truth.ravel().astype(np.float64), n)
    return tuple(
        ReliabilityBin(index / BINS, int(n[index]), float(means[index]), float(shares[index]))
        for index in range(BINS)
    )
