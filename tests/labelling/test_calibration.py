from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from classifier.evaluation.metrics import expected_calibration_error
from classifier.labelling.calibration import PooledPlatt


def overconfident(n: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Logits of one source, three times too large, and truth drawn as the right ones say.

    (1, n, 2) and (n, 2).
    """
    generator = np.random.default_rng(seed)
    right = generator.normal(-1, 1.5, size=(n, 2))
    truth = (generator.random((n, 2)) < expit(right)).astype(float)
    return 3 * right[None], truth


def error_of(truth: np.ndarray, probabilities: np.ndarray) -> float:
    once = np.ones((1, len(truth)))
    return float(expected_calibration_error(truth > 0.5, probabilities, once)[0])


def test_overconfident_scores_are_taken_back() -> None:
    platt = PooledPlatt().fit(*overconfident(400))
    assert platt.slopes_ == pytest.approx([1 / 3], abs=0.07)
    logits, truth = overconfident(400, seed=4)
    before, after = error_of(truth, expit(logits[0])), error_of(truth, platt.transform(logits))
    assert before > 0.1
    assert after < before / 2


def test_without_data_probabilities_are_the_plain_ones() -> None:
    platt = PooledPlatt().fit(np.zeros((1, 0, 3)), np.zeros((0, 3)))
    logits = np.array([[[-2.0, 0.0, 3.0]]])
    assert np.allclose(platt.transform(logits), expit(logits[0]))


def test_the_order_of_rows_does_not_matter() -> None:
    logits, truth = overconfident(100)
    there = PooledPlatt().fit(logits, truth)
    back = PooledPlatt().fit(logits[:, ::-1], truth[::-1])
    assert np.allclose(there.transform(logits), back.transform(logits), atol=1e-4)


def test_masked_truth_is_as_if_it_were_not_there() -> None:
    logits, truth = overconfident(100)
    masked = truth.copy()
    masked[50:] = np.nan
    assert np.allclose(
        PooledPlatt().fit(logits, masked).transform(logits),
        PooledPlatt().fit(logits[:, :50], truth[:50]).transform(logits),
        atol=1e-4,
    )


def test_few_labels_move_a_category_less_than_many() -> None:
    def shift(n: int) -> float:
        logits = np.zeros((1, n, 2))
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
    ladder = np.linspace(-5, 5, 21)[None, :, None].repeat(2, axis=2)
    assert (np.diff(platt.transform(ladder), axis=0) > 0).all()


@pytest.mark.parametrize("slopes", [(1.0,), (0.5, 0.5), (0.0, 1.0)])
def test_nothing_is_left_but_rounding(slopes: tuple[float, ...]) -> None:
    """Where the loss is least it does not fall in any direction, but where a slope may not go."""
    logits, truth = told_and_guessed(60)
    logits, truth[::3, 0] = logits[: len(slopes)], np.nan
    platt = PooledPlatt(slopes=slopes, shrinkage=3.0, trust=7.0).fit(logits, truth)
    surplus = np.nan_to_num(platt.transform(logits) - truth)
    falls = 7.0 * (platt.slopes_ - slopes) + (logits * surplus).sum(axis=(1, 2))
    assert np.abs(np.where((platt.slopes_ == 0) & (falls > 0), 0, falls)).max() < 1e-9
    assert surplus.sum() + 1e-3 * platt.offset_ == pytest.approx(0, abs=1e-9)
    assert surplus.sum(axis=0) + 3.0 * platt.shifts_ == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("scale", [1, 30, 1000])
def test_so_is_it_where_a_full_step_goes_too_far(scale: int) -> None:
    """Logits that are much too sure, and wrong now and then."""
    logits, truth = told_and_guessed(60)
    truth[::9] = 1 - truth[::9]
    platt = PooledPlatt(slopes=(0.5, 0.5), trust=1e-3).fit(scale * logits, truth)
    surplus = platt.transform(scale * logits) - truth
    falls = 1e-3 * (platt.slopes_ - 0.5) + (scale * logits * surplus).sum(axis=(1, 2))
    assert falls[platt.slopes_ > 0] == pytest.approx(0, abs=1e-6)
    assert surplus.sum(axis=0) + 8.0 * platt.shifts_ == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("scale", "steps"), [(1, 6), (30, 11), (1000, 23)])
def test_steps_are_few(monkeypatch: pytest.MonkeyPatch, scale: int, steps: int) -> None:
    """Worse steps lead to the same optimum, later."""
    solved = []
    solve = np.linalg.solve

    def counted(hessian: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        solved.append(len(gradient))
        return solve(hessian, gradient)

    monkeypatch.setattr("numpy.linalg.solve", counted)
    logits, truth = told_and_guessed(60)
    truth[::9] = 1 - truth[::9]
    PooledPlatt(slopes=(0.5, 0.5), trust=1e-3).fit(scale * logits, truth)
    assert len(solved) <= steps


def test_of_one_source_a_twentieth_is_left_where_it_is_always_wrong() -> None:
    logits, truth = told_and_guessed(200)
    assert PooledPlatt().fit(-logits[:1], truth).slopes_.tolist() == [0.05]


# --- two sources -------------------------------------------------------------


def told_and_guessed(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits of a source that is right and of one that guesses, (2, n, 2), and truth (n, 2)."""
    generator = np.random.default_rng(5)
    right, guess = generator.normal(0, 2, size=(2, n, 2))
    truth = (generator.random((n, 2)) < expit(right)).astype(float)
    return np.stack([right, guess]), truth


def test_without_data_each_source_weighs_as_it_is_told_to() -> None:
    platt = PooledPlatt(slopes=(0.25, 0.75)).fit(np.zeros((2, 0, 3)), np.zeros((0, 3)))
    assert platt.slopes_.tolist() == [0.25, 0.75]
    logits = np.array([[[-2.0, 0.0, 4.0]], [[2.0, 0.0, 0.0]]])
    assert np.allclose(platt.transform(logits), expit([[1.0, 0.0, 1.0]]))


@pytest.mark.parametrize("first", [0, 1])
def test_the_source_that_is_right_gets_the_larger_slope(first: int) -> None:
    logits, truth = told_and_guessed(200)
    order = [first, 1 - first]
    platt = PooledPlatt(slopes=(0.5, 0.5)).fit(logits[order], truth)
    assert platt.slopes_[order] == pytest.approx([1, 0], abs=0.2)


def test_few_decisions_move_the_slopes_less_than_many() -> None:
    def lead(n: int) -> float:
        logits, truth = told_and_guessed(n)
        right, guess = PooledPlatt(slopes=(0.5, 0.5), trust=20.0).fit(logits, truth).slopes_
        return float(right - guess)

    assert 0 < lead(10) < lead(50) < lead(500)


def test_the_more_a_start_is_trusted_the_less_it_moves() -> None:
    def lead(trust: float) -> float:
        logits, truth = told_and_guessed(50)
        right, guess = PooledPlatt(slopes=(0.5, 0.5), trust=trust).fit(logits, truth).slopes_
        return float(right - guess)

    assert 0 < lead(1e4) < 0.05 < lead(20.0) < lead(1.0)


def test_who_is_always_wrong_is_not_heard_but_never_turned_round() -> None:
    """What the second source says means the contrary, and would help if it were believed."""
    generator = np.random.default_rng(5)
    right, wrong = generator.normal(0, 2, size=(2, 200, 2))
    truth = (generator.random((200, 2)) < expit(right - wrong)).astype(float)
    for sources, heard, unheard in (([right, wrong], 0, 1), ([wrong, right], 1, 0)):
        platt = PooledPlatt(slopes=(0.5, 0.5)).fit(np.stack(sources), truth)
        assert platt.slopes_[unheard] == 0
        assert platt.slopes_[heard] > 0.3


def test_of_one_source_something_is_always_left() -> None:
    logits, truth = told_and_guessed(200)
    assert PooledPlatt().fit(-logits[:1], truth).slopes_[0] > 0
