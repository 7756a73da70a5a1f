"""Agreement beyond chance, against sums done by hand, scikit-learn and krippendorff."""

from __future__ import annotations

import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, f1_score

from classifier.evaluation.metrics import (
    Answers,
    cohen_kappa,
    krippendorff_alpha,
    resample_weights,
    shared_f1,
)

NONE = -1


def column(*answers: int) -> Answers:
    """One question, an answer a paper."""
    return np.array(answers, dtype=np.int64)[:, None]


def once(answers: Answers) -> np.ndarray:
    """Weights of the papers as they are."""
    return np.ones((1, len(answers)))


def kappa(one: Answers, other: Answers) -> float:
    return float(cohen_kappa(one, other, once(one))[0])


def test_kappa_is_not_defined_where_all_answers_are_the_same() -> None:
    assert np.isnan(kappa(column(3, 3, 3), column(3, 3, 3)))
    assert np.isnan(kappa(column(), column()))


def test_what_was_not_answered_does_not_count() -> None:
    one, other = column(0, 1, 1, 0, NONE), column(0, 1, 0, NONE, 1)
    assert kappa(one, other) == pytest.approx(kappa(one[:3], other[:3]))


def test_several_questions_a_paper_are_pooled() -> None:
    one, other = np.array([[1, 0, 0], [0, 1, 1]]), np.array([[1, 0, 1], [0, 1, 0]])
    assert kappa(one, other) == pytest.approx(kappa(one.reshape(-1, 1), other.reshape(-1, 1)))


PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


@given(PAIRS)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    one, other = (np.array(each) for each in zip(*pairs, strict=True))
    found = kappa(one[:, None], other[:, None])
    if len({*one, *other}) == 1:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(cohen_kappa_score(one, other))


def test_a_weight_counts_a_paper_so_often() -> None:
    one, other = column(0, 1, 2, 1), column(0, 1, 1, 2)
    times = np.array([3, 1, 2, 0])
    weighted = cohen_kappa(one, other, times[None, :].astype(float))[0]
    assert weighted == pytest.approx(kappa(one.repeat(times, axis=0), other.repeat(times, axis=0)))


def alpha(answers: Answers, size: int) -> float:
    return float(krippendorff_alpha(answers, size, once(answers))[0])


def of_raters(text: str) -> Answers:
    """Read answers from a line a rater: digits from 1, `*` for none."""
    lines = [line.split() for line in text.strip().splitlines()]
    numbers = [[NONE if cell == "*" else int(cell) - 1 for cell in line] for line in lines]
    return np.array(numbers, dtype=np.int64).T[:, None, :]


def test_alpha_of_krippendorffs_published_example() -> None:
    """Krippendorff, "Computing Krippendorff's alpha-reliability", 2011, section C: 0.743."""
    published = of_raters(
        """
        1 2 3 3 2 1 4 1 2 * * *
        1 2 3 3 2 2 4 1 2 5 * 3
        * 3 3 3 2 3 4 2 2 5 1 *
        1 2 3 3 2 4 4 1 2 5 1 *
        """
    )
    assert round(alpha(published, 5), 3) == 0.743


def test_alpha_is_not_defined_where_all_answers_are_the_same() -> None:
    assert np.isnan(alpha(np.zeros((4, 1, 3), dtype=np.int64), 2))
    assert np.isnan(alpha(np.full((4, 1, 3), NONE), 2))


RATINGS = st.lists(st.lists(st.integers(-1, 3), min_size=3, max_size=3), min_size=2, max_size=20)


@given(RATINGS)
def test_alpha_is_that_of_the_package_krippendorff(rows: list[list[int]]) -> None:
    answers = np.array(rows, dtype=np.int64)
    found = alpha(answers[:, None, :], 4)
    pairable = [[x for x in row if x >= 0] for row in rows if sum(x >= 0 for x in row) > 1]
    if len({x for row in pairable for x in row}) < 2:
        assert np.isnan(found)
        return
    data = np.where(answers < 0, np.nan, answers).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = krippendorff.alpha(data, level_of_measurement="nominal")
    assert found == pytest.approx(theirs)


def test_alpha_of_resamples_counts_each_paper_so_often() -> None:
    answers = np.random.default_rng(1).integers(0, 3, size=(12, 2, 3))
    weights = resample_weights(12, resamples=5)
    each = krippendorff_alpha(answers, 3, weights)
    drawn = [answers.repeat(row.astype(int), axis=0) for row in weights]
    assert each == pytest.approx([alpha(papers, 3) for papers in drawn])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=20))
def test_f1_is_that_of_scikit_learn(pairs: list[tuple[bool, bool]]) -> None:
    one, other = (np.array(each, dtype=np.int64) for each in zip(*pairs, strict=True))
    found = shared_f1(one[:, None], other[:, None], once(one))[0]
    if one.any() or other.any():
        assert found == pytest.approx(f1_score(one, other))
        assert found == shared_f1(other[:, None], one[:, None], once(one))[0]
    else:
        assert np.isnan(found)
