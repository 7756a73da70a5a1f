"""Many regressions at once say what scikit-learn says of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from classifier.labelling.logistic import fit_logistic, fit_parts, products_of, shortened

REGULARISATION = 4.0


def scikit_learn(rows: np.ndarray, yes: np.ndarray, no: np.ndarray, tolerance: float) -> np.ndarray:
    """Return (k, r + 1) weights, one category a fit and a soft target as two rows."""
    n, found = len(rows), []
    for sample in np.vstack([yes, no]).T:
        used = sample > 0
        model = LogisticRegression(
            C=REGULARISATION, solver="newton-cg", max_iter=1000, tol=tolerance
        )
        truth = np.repeat([1, 0], n)
        model.fit(np.vstack([rows, rows])[used], truth[used], sample_weight=sample[used])
        found.append(np.append(model.coef_[0], model.intercept_[0]))
    return np.stack(found)


def task(seed: int, n: int, width: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (n, width) rows and the weights of (n, k) soft targets, some of them nothing."""
    generator = np.random.default_rng(seed)
    rows = generator.standard_normal((n, width)) * generator.uniform(0.1, 2, width)
    targets = expit(rows @ generator.standard_normal((width, k)))
    weights = generator.choice([0.0, 0.25, 1.0], (n, k))
    weights[:2], targets[0], targets[1] = 1.0, 0.9, 0.1  # so that every category has both sides
    return rows, weights * targets, weights * (1 - targets)


def logits(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.asarray(rows @ weights[:, :-1].T + weights[:, -1])


@given(st.integers(0, 10**6), st.integers(8, 60), st.integers(1, 80), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_as_scikit_learn(seed: int, n: int, width: int, k: int) -> None:
    rows, yes, no = task(seed, n, width, k)
    ours = fit_logistic(rows, yes, no, REGULARISATION)
    theirs = scikit_learn(rows, yes, no, 1e-10)
    assert np.abs(logits(rows, ours) - logits(rows, theirs)).max() < 1e-5


def one_large_feature(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A rare category told by one large feature: Newton's full steps overshoot."""
    rows = np.random.default_rng(seed).exponential(1, (40, 6)) * [3, 1, 1, 0.3, 0.3, 0.3]
    yes = np.where(rows[:, [0]] > 9, 1.0, 0.015)
    return rows, yes, 1 - yes


@pytest.mark.parametrize("seed", [2, 5, 7, 8, 11, 12, 13, 14])
def test_as_scikit_learn_where_steps_have_to_be_shortened(seed: int) -> None:
    rows, yes, no = one_large_feature(seed)
    ours = fit_logistic(rows, yes, no, REGULARISATION)
    assert np.allclose(ours, scikit_learn(rows, yes, no, 1e-10), rtol=0, atol=1e-5)


@given(st.integers(0, 10**6), st.integers(8, 60), st.integers(1, 80), st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_rounding_is_all_that_is_left(seed: int, n: int, width: int, k: int) -> None:
    """At the optimum the gradient is 0; a weight is off by what is left of it over the penalty."""
    rows, yes, no = task(seed, n, width, k)
    weights = fit_logistic(rows, yes, no, REGULARISATION)
    surprise = (yes + no) * expit(logits(rows, weights)) - yes
    slopes = REGULARISATION * surprise.T @ rows + weights[:, :-1]
    assert np.abs(slopes).max() < 1e-9
    assert np.abs(surprise.sum(axis=0)).max() < 1e-9


def test_papers_in_another_order_have_the_same_weights() -> None:
    """So do sums in another order, as on another processor."""
    rows, yes, no = task(11, 60, 30, 4)
    there = fit_logistic(rows, yes, no, REGULARISATION)
    back = fit_logistic(rows[::-1], yes[::-1], no[::-1], REGULARISATION)
    assert np.abs(there - back).max() < 1e-11


def test_sparse_rows_say_the_same_as_dense_ones() -> None:
    rows, yes, no = task(3, 50, 30, 4)
    rows[np.abs(rows) < 0.5] = 0.0
    dense = fit_logistic(rows, yes, no, REGULARISATION)
    wide = fit_logistic(sparse.csr_matrix(rows), yes, no, REGULARISATION)
    assert np.allclose(dense, wide, rtol=0, atol=1e-8)


def test_a_category_is_learned_the_same_alone_and_beside_others() -> None:
    rows, yes, no = task(5, 40, 20, 6)
    together = fit_logistic(rows, yes, no, REGULARISATION)
    alone = [fit_logistic(rows, yes[:, [k]], no[:, [k]], REGULARISATION)[0] for k in range(6)]
    assert np.allclose(together, np.stack(alone), rtol=0, atol=1e-8)


def far_rows(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A few far rows with much weight: Newton's full steps raise the loss."""
    generator = np.random.default_rng(seed)
    rows = generator.standard_normal((6, 2)) * generator.choice([0.5, 5, 50], (6, 1))
    yes, no = generator.choice([0.001, 1, 100], (2, 6, 1))
    return rows, yes, no


@pytest.mark.parametrize("seed", [8, 10, 25, 43])
def test_a_step_that_goes_too_far_is_shortened(seed: int) -> None:
    rows, yes, no = far_rows(seed)
    ours = fit_logistic(rows, yes, no, REGULARISATION)
    assert np.allclose(ours, scikit_learn(rows, yes, no, 1e-8), rtol=0, atol=0.01)


def work(rows: np.ndarray, yes: np.ndarray, no: np.ndarray) -> int:
    """How many columns are multiplied with the rows until all is learned."""
    products, columns = products_of(rows), 0

    def counted(parts: np.ndarray) -> np.ndarray:
        nonlocal columns
        columns += parts.shape[1]
        return products(parts)

    fit_parts(counted, yes, no, REGULARISATION)
    return columns


def test_steps_are_few() -> None:
    """Worse steps lead to the same weights, later: time is all that they cost.

    The bounds are a tenth above what is measured: another processor may need some steps more.
    """
    assert sum(work(*task(seed, 60, 30, 4)) for seed in range(6)) < 2850
    assert sum(work(*one_large_feature(seed)) for seed in range(2, 15)) < 990
    assert sum(work(*far_rows(seed)) for seed in range(2, 20)) < 1470


def step(loss: np.polynomial.Polynomial, size: float) -> float:
    """The next trial along a line after one of `size`."""
    ends = np.array([0.0, size])
    (before, after), (slope, end_slope) = loss(ends)[:, None], loss.deriv()(ends)[:, None]
    return float(shortened(np.array([size]), (before, after), (slope, end_slope))[0])


@pytest.mark.parametrize("size", [2.0, 2.5, 3.0, 4.0, 8.0])
def test_the_lowest_point_of_a_parabola_is_found_at_once(size: float) -> None:
    assert step(np.polynomial.Polynomial([3.0, -2.0, 0.625]), size) == pytest.approx(1.6)


@pytest.mark.parametrize(
    ("bend", "size"),
    [
        pytest.param(-0.1, 1.2, id="lower there, and rising: the cubic or the secant"),
        pytest.param(1.0, 1.1, id="lower there, and rising"),
        pytest.param(1.0, 2.0, id="higher there: the cubic, or half way to the parabola"),
        pytest.param(-0.1, 2.0, id="higher there"),
        pytest.param(0.2, 3.0, id="higher there by far"),
    ],
)
def test_the_next_trial_is_that_of_more_and_thuente(bend: float, size: float) -> None:
    loss = np.polynomial.Polynomial([1.0, -2.0, 1.5, bend])
    turns = [turn.real for turn in loss.deriv().roots() if loss.deriv(2)(turn.real) > 0]
    (lowest,) = turns
    gain, slope, end_slope = loss(size) - loss(0), loss.deriv()(0), loss.deriv()(size)
    parabola = -slope * size**2 / (gain - slope * size) / 2
    secant = size * slope / (slope - end_slope)
    if gain > 0:
        wanted = lowest if lowest < parabola else (lowest + parabola) / 2
    else:
        wanted = min(lowest, secant)
    assert step(loss, size) == pytest.approx(wanted)


def test_a_step_is_cut_to_a_hundredth_at_most_and_by_a_tenth_at_least() -> None:
    steep = np.polynomial.Polynomial([0.0, -1.0, 5000.0])
    assert step(steep, 1.0) == pytest.approx(0.01)
    flat = np.polynomial.Polynomial([0.0, -1.0, 0.01])
    assert step(flat, 1.0) == pytest.approx(0.9)


def test_no_category_and_no_feature() -> None:
    assert fit_logistic(np.ones((4, 3)), np.ones((4, 0)), np.ones((4, 0)), 1.0).shape == (0, 4)
    alone = fit_logistic(np.zeros((4, 0)), np.full((4, 1), 0.75), np.full((4, 1), 0.25), 1.0)
    assert expit(alone[0, 0]) == pytest.approx(0.75, abs=1e-3)
