"""Every measure against a value worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.metrics import average_precision_score, f1_score

from classifier.evaluation.metrics import (
    average_precision,
    brier_score,
    estimate,
    expected_calibration_error,
    macro_f1,
    mean_average_precision,
    micro_f1,
    resample_weights,
    tally,
    weighted_share,
)

# Four papers, three categories. Column 0: 2 of 3 found, nothing else given. Column 1: one found,
# one given wrongly. Column 2: no paper has it, one was given it.
TRUTH = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
GIVEN = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]], dtype=bool)
ONCE = np.ones((1, 4))

FLAGS = arrays.arrays(bool, st.tuples(st.integers(1, 30), st.just(3)))


def test_a_category_without_a_positive_has_no_recall_and_no_f1() -> None:
    counts = tally(TRUTH, GIVEN, ONCE)
    assert math.isnan(counts.recall[0, 2])
    assert math.isnan(counts.f1[0, 2])


def test_means_over_no_column_are_undefined() -> None:
    counts = tally(TRUTH, GIVEN, ONCE)
    assert math.isnan(macro_f1(counts, [])[0])
    assert math.isnan(micro_f1(counts, [])[0])
    assert math.isnan(mean_average_precision(TRUTH, GIVEN.astype(float), ONCE, [])[0])


def test_average_precision_does_not_reward_the_order_of_equal_scores() -> None:
    scores = np.zeros(4)
    for truth in ([1, 0, 0, 0], [0, 0, 0, 1]):
        assert average_precision(np.array(truth, dtype=bool), scores, ONCE)[0] == 0.25


def test_average_precision_is_undefined_without_a_positive_or_a_paper() -> None:
    assert math.isnan(average_precision(np.zeros(4, dtype=bool), np.ones(4), ONCE)[0])
    assert math.isnan(average_precision(np.zeros(0, dtype=bool), np.ones(0), np.ones((1, 0)))[0])


TWO_PAPERS = np.ones((1, 2))


def test_calibration_error_by_hand() -> None:
    # Two bins of two: stated 0.2 and observed 0.5; stated 0.9 and observed 1.
    probabilities = np.array([[0.2, 0.2], [0.9, 0.9]])
    truth = np.array([[True, False], [True, True]])
    assert expected_calibration_error(truth, probabilities, TWO_PAPERS, bins=2) == pytest.approx(
        [0.2]
    )
    # The second paper drawn twice, the first not at all; then the other way round.
    drawn = np.array([[0.0, 2.0], [2.0, 0.0]])
    errors = expected_calibration_error(truth, probabilities, drawn, bins=2)
    assert errors == pytest.approx([0.1, 0.3])


def test_certainty_that_is_right_is_calibrated() -> None:
    truth = np.array([[True], [False]])
    assert expected_calibration_error(truth, truth.astype(float), TWO_PAPERS) == 0
    assert brier_score(truth, truth.astype(float), TWO_PAPERS) == 0


def test_brier_score_by_hand() -> None:
    truth, probabilities = np.array([[True], [False]]), np.array([[0.8], [0.4]])
    assert brier_score(truth, probabilities, TWO_PAPERS) == pytest.approx([0.1])
    drawn = np.array([[0.0, 2.0], [3.0, 1.0]])
    assert brier_score(truth, probabilities, drawn) == pytest.approx([0.16, 0.07])


def test_scores_of_nothing_are_undefined() -> None:
    nothing, weights = np.zeros((0, 3)), resample_weights(0)
    assert np.isnan(expected_calibration_error(nothing.astype(bool), nothing, weights)).all()
    assert np.isnan(brier_score(nothing.astype(bool), nothing, weights)).all()


def test_resamples_begin_with_the_papers_as_they_are() -> None:
    weights = resample_weights(7, resamples=5)
    assert weights.shape == (6, 7)
    assert weights[0].tolist() == [1] * 7
    assert (weights.sum(axis=1) == 7).all()


def test_resamples_are_the_same_every_time() -> None:
    assert (resample_weights(9) == resample_weights(9)).all()


def test_an_interval_is_cut_at_the_percentiles_of_the_resamples() -> None:
    samples = np.concatenate([[50.0], np.arange(101.0)])
    assert (estimate(samples).value, estimate(samples).low, estimate(samples).high) == (
        50,
        2.5,
        97.5,
    )


def test_an_interval_passes_over_undefined_resamples() -> None:
    assert estimate(np.array([0.5, 0.4, np.nan, 0.4])).low == 0.4
    assert math.isnan(estimate(np.array([0.5, np.nan])).low)


def test_a_share_of_half_has_the_interval_of_the_binomial() -> None:
    right = np.arange(100) < 50
    found = estimate(weighted_share(right, resample_weights(100)))
    assert (found.low, found.high) == pytest.approx((0.40, 0.60), abs=0.015)


@given(FLAGS, st.integers(0, 2**32 - 1))
def test_f1_is_symmetric_bounded_and_the_same_in_any_order(truth: np.ndarray, seed: int) -> None:
    given_labels = np.random.default_rng(seed).random(truth.shape) < 0.5
    order = np.random.default_rng(seed).permutation(len(truth))
    once = np.ones((1, len(truth)))
    forth, back = tally(truth, given_labels, once), tally(given_labels, truth, once)
    shuffled = tally(truth[order], given_labels[order], once)
    both = (forth.positives > 0) & (back.positives > 0)
    assert (forth.f1[both] == back.f1[both]).all()
    assert ((forth.f1[both] >= 0) & (forth.f1[both] <= 1)).all()
    assert np.array_equal(forth.f1, shuffled.f1, equal_nan=True)


@given(FLAGS, st.integers(0, 2**32 - 1))
def test_macro_f1_is_scikit_learns_over_the_categories_with_a_positive(
    truth: np.ndarray, seed: int
) -> None:
    given_labels = np.random.default_rng(seed).random(truth.shape) < 0.5
    labels = np.flatnonzero(truth.any(axis=0))
    found = macro_f1(tally(truth, given_labels, np.ones((1, len(truth)))), range(3))[0]
    if len(labels):
        expected = f1_score(truth, given_labels, labels=labels, average="macro", zero_division=0)
        assert found == pytest.approx(expected)
    else:
        assert math.isnan(found)


@given(FLAGS, st.integers(0, 2**32 - 1))
def test_average_precision_is_scikit_learns_with_ties_and_weights(
    truth: np.ndarray, seed: int
) -> None:
    random = np.random.default_rng(seed)
    scores = random.integers(0, 5, len(truth)) / 4
    weights = random.integers(0, 3, len(truth)).astype(float)
    positive = truth[:, 0]
    if (weights * positive).sum() > 0:
        found = average_precision(positive, scores, weights[None, :])[0]
        assert found == pytest.approx(
            average_precision_score(positive, scores, sample_weight=weights)
        )


@given(FLAGS, st.integers(0, 2**32 - 1))
def test_the_interval_of_a_share_and_of_f1_contains_the_value(truth: np.ndarray, seed: int) -> None:
    given_labels = np.random.default_rng(seed).random(truth.shape) < 0.5
    weights = resample_weights(len(truth), resamples=200)
    counts = tally(truth, given_labels, weights)
    for samples in (weighted_share(truth[:, 0], weights), *counts.f1.T):
        found = estimate(samples)
        if not math.isnan(found.value):
            assert found.low - 1e-12 <= found.value <= found.high + 1e-12
