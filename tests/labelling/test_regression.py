from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from classifier.labelling.regression import Settings, fit_categories
from classifier.labelling.span import RowSpan

LINE = np.linspace(-2, 2, 41)[:, None]
PAPERS, EVERY = RowSpan(LINE), np.arange(41)

SETTINGS = Settings(4.0, 0.25, 5, 0.9, 0.5)


def probabilities(targets: np.ndarray, balance: float = 0.5) -> np.ndarray:
    weights = fit_categories(
        PAPERS, EVERY, targets, np.ones(targets.shape), replace(SETTINGS, balance=balance)
    )
    assert weights.shape == (targets.shape[1], 2)
    return np.asarray(expit(PAPERS.logits(EVERY, weights)))


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


@pytest.mark.parametrize("balance", [0.0, 0.5, 1.0])
def test_a_category_of_all_is_likely_in_any_balance(balance: float) -> None:
    assert probabilities(np.ones((41, 1)), balance).min() > 0.99


def test_a_pair_of_weight_nothing_teaches_nothing() -> None:
    """Half of the rows are masked in the first category; what they say there does not matter."""
    up = (LINE > 0).astype(float)
    weights = np.ones((41, 2))
    weights[::2, 0] = 0
    lies = up.copy()
    lies[::2] = 1 - lies[::2]
    told = fit_categories(PAPERS, EVERY, np.hstack([lies, up]), weights, SETTINGS)
    half = fit_categories(PAPERS, EVERY[1::2], up[1::2], np.ones((20, 1)), SETTINGS)
    whole = fit_categories(PAPERS, EVERY, up, np.ones((41, 1)), SETTINGS)
    assert np.allclose(told, np.vstack([half, whole]))
