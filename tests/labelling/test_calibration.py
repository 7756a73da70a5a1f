from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from classifier.evaluation.metrics import expected_calibration_error
from classifier.labelling.calibration import PooledPlatt


def overconfident(n: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Logits three times too large, and truth drawn as the right ones say; (n, 2) each."""
    generator = np.random.default_rng(seed)
    right = generator.normal(-1, 1.5, size=(n, 2))
    truth = (generator.random((n, 2)) < expit(right)).astype(float)
    return 3 * right, truth


def error_of(truth: np.ndarray, probabilities: np.ndarray) -> float:
    once = np.ones((1, len(truth)))
    return float(expected_calibration_error(truth > 0.5, probabilities, once)[0])


def test_overconfident_scores_are_taken_back() -> None:
    platt = PooledPlatt().fit(*overconfident(400))
    assert platt.slope_ == pytest.approx(1 / 3, abs=0.07)
    logits, truth = overconfident(400, seed=4)
    before, after = error_of(truth, expit(logits)), error_of(truth, platt.transform(logits))
    assert before > 0.1
    assert after < before / 2


def test_without_data_probabilities_are_the_plain_ones() -> None:
    platt = PooledPlatt().fit(np.zeros((0, 3)), np.zeros((0, 3)))
    logits = np.array([[-2.0, 0.0, 3.0]])
    assert np.allclose(platt.transform(logits), expit(logits))


def test_the_order_of_rows_does_not_matter() -> None:
    logits, truth = overconfident(100)
    there = PooledPlatt().fit(logits, truth)
    back = PooledPlatt().fit(logits[::-1], truth[::-1])
    assert np.allclose(there.transform(logits), back.transform(logits), atol=1e-4)


def test_masked_truth_is_as_if_it_were_not_there() -> None:
    logits, truth = overconfident(100)
    masked = truth.copy()
    masked[50:] = np.nan
    assert np.allclose(
        PooledPlatt().fit(logits, masked).transform(logits),
        PooledPlatt().fit(logits[:50], truth[:50]).transform(logits),
        atol=1e-4,
    )


def test_few_labels_move_a_category_less_than_many() -> None:
    def shift(n: int) -> float:
        logits = np.zeros((n, 2))
        truth = np.tile([1.0, 0.0], (n, 1))
        return float(PooledPlatt().fit(logits, truth).shifts_[0])

    assert 0 < shift(5) < shift(50)


def test_the_shifts_are_those_that_the_penalty_asks_for() -> None:
    """Where the loss is least, a category's surplus of probability is what its shift costs."""
    logits, truth = overconfident(200)
    truth[:, 0] = 1.0
    platt = PooledPlatt(shrinkage=8.0).fit(logits, truth)
    surplus = (platt.transform(logits) - truth).sum(axis=0)
    assert surplus == pytest.approx(-8.0 * platt.shifts_, abs=0.05)
    assert surplus.sum() == pytest.approx(0, abs=0.05)


def test_probabilities_keep_the_order_of_logits() -> None:
    logits, truth = overconfident(50)
    platt = PooledPlatt().fit(logits, 1 - truth)
    ladder = np.linspace(-5, 5, 21)[:, None].repeat(2, axis=1)
    assert (np.diff(platt.transform(ladder), axis=0) > 0).all()


def test_the_inverse_leads_back_to_the_logits() -> None:
    platt = PooledPlatt().fit(*overconfident(100))
    ladder = np.linspace(-9, 9, 19)[:, None].repeat(2, axis=1)
    assert np.allclose(platt.inverse(platt.transform(ladder)), ladder)
