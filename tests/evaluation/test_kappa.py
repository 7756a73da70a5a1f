"""Agreement beyond chance, against sums done by hand and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from classifier.evaluation.metrics import Answers, cohen_kappa

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
