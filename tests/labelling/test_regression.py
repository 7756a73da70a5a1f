from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from classifier.labelling.regression import Settings, fit_categories, logits

LINE = np.linspace(-2, 2, 41)[:, None]
EQUAL = np.ones(41)
SETTINGS = Settings(4.0, 0.25, 5, 0.9, 0.5)


def probabilities(targets: np.ndarray, balance: float = 0.5) -> np.ndarray:
    settings, nothing = replace(SETTINGS, balance=balance), np.zeros_like(targets)
    weights = fit_categories(LINE, nothing, targets, EQUAL, settings)
    return np.asarray(expit(logits(LINE, nothing, weights)))


def test_each_category_is_learned_by_itself() -> None:
    up, down = (LINE > 0).astype(float), (LINE < 1).astype(float)
    both = probabilities(np.hstack([up, down]))
    assert both.shape == (41, 2)
    assert np.allclose(both[:, :1], probabilities(up))
    assert np.allclose(both[:, 1:], probabilities(down))


def test_a_soft_target_is_met_between_its_neighbours() -> None:
    """Targets that a logistic curve fits are given back, but for the penalty."""
    target = expit(1.5 * LINE)
    assert np.abs(probabilities(target) - target).max() < 0.02


def test_balance_raises_a_rare_category() -> None:
    rare = (LINE > 1.5).astype(float)
    plain, equal = (probabilities(rare, balance).ravel() for balance in (0.0, 1.0))
    assert plain[LINE.ravel() > 1.5].mean() < equal[LINE.ravel() > 1.5].mean()
    assert (plain >= 0.5).sum() < (equal >= 0.5).sum()


@pytest.mark.parametrize(("share", "given"), [(0.0, 0.001), (1.0, 0.999)])
def test_a_category_of_none_or_all_is_a_constant(share: float, given: float) -> None:
    assert np.allclose(probabilities(np.full((41, 1), share)), given)


def test_a_category_that_hardly_ever_applies_is_learned_without_fault() -> None:
    assert probabilities(np.full((41, 1), 5e-5), balance=0.0).max() < 0.01


HINTS = np.linspace(-3, 3, 41)[:, None]
KNOWN = np.array([True])


def beside_a_prior(rows: np.ndarray, hints: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the (r + 2) weights of one category of which a prior knows."""
    weights = fit_categories(rows, hints, target, np.ones(len(rows)), SETTINGS, KNOWN)
    return np.asarray(weights[0])


def test_a_hint_that_nobody_gave_has_no_weight() -> None:
    weights = fit_categories(LINE, np.zeros((41, 1)), expit(LINE), EQUAL, SETTINGS)
    assert weights.shape == (1, 3)
    assert weights[0, 1] == 0


def test_without_papers_a_priors_log_odds_are_the_answer() -> None:
    nothing = np.zeros((0, 1))
    _, hint, intercept = beside_a_prior(nothing, nothing, nothing)
    assert hint == pytest.approx(1, abs=0.02)
    assert intercept == pytest.approx(0, abs=0.02)


def test_papers_that_are_as_the_prior_says_leave_it_as_it_is() -> None:
    row, hint, intercept = beside_a_prior(LINE[::-1], HINTS, expit(HINTS))
    assert row == pytest.approx(0, abs=0.02)
    assert hint == pytest.approx(1, abs=0.05)
    assert intercept == pytest.approx(0, abs=0.05)


def test_decisions_against_the_hint_lead_away_the_further_the_more_there_are() -> None:
    """Papers of one kind (row 1), which the prior holds for unlikely, all have the category."""

    def probability(papers: int) -> float:
        one = np.ones((papers, 1))
        weights = beside_a_prior(one, -2 * one, one)
        return float(expit(logits(np.ones((1, 1)), np.array([[-2.0]]), weights[None]))[0, 0])

    held = [probability(papers) for papers in (0, 5, 50, 500)]
    assert held == sorted(held)
    assert held[0] == pytest.approx(expit(-2), abs=0.01)
    assert held[1] < 0.5 < held[-1]


@pytest.mark.parametrize("balance", [0.0, 0.5, 1.0])
def test_of_a_known_category_classes_are_not_balanced(balance: float) -> None:
    """Calibrated log-odds know how frequent it is."""
    rare = (LINE > 1.5).astype(float)
    settings = replace(SETTINGS, balance=balance)
    weights = fit_categories(LINE, HINTS, rare, EQUAL, settings, KNOWN)
    assert np.array_equal(weights[0], beside_a_prior(LINE, HINTS, rare))


@pytest.mark.parametrize("balance", [0.0, 0.5, 1.0])
def test_a_category_of_all_is_likely_in_any_balance(balance: float) -> None:
    assert probabilities(np.ones((41, 1)), balance).min() > 0.99
