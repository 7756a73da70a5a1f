from __future__ import annotations

import math

import numpy as np
import pytest

from classifier.evaluation.metrics import reliability


def test_the_bins_by_hand() -> None:
    probabilities = np.array([[0.0, 0.05], [0.55, 0.59], [1.0, 0.94]])
    truth = np.array([[False, True], [True, False], [True, True]])
    bins = reliability(truth, probabilities)
    assert [one.low for one in bins] == pytest.approx(np.arange(10) / 10)
    assert [one.n for one in bins] == [2, 0, 0, 0, 0, 2, 0, 0, 0, 2]
    assert bins[0].mean_probability == pytest.approx(0.025)
    assert bins[0].share_true == bins[5].share_true == 0.5
    assert bins[9].mean_probability == pytest.approx(0.97)
    assert bins[9].share_true == 1


def test_an_empty_bin_states_nothing() -> None:
    bins = reliability(np.zeros((0, 3), dtype=bool), np.zeros((0, 3)))
    assert len(bins) == 10
    assert all(one.n == 0 and math.isnan(one.share_true) for one in bins)
