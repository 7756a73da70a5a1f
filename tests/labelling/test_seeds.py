"""What cues alone make of a paper."""

from __future__ import annotations

import numpy as np
import pytest

from classifier.labelling.seeds import seed_labels, seed_probabilities


@pytest.mark.parametrize(
    ("votes", "likely"),
    [
        pytest.param([3, 0, 0], [True, False, False], id="a title cue is more likely right"),
        pytest.param([1, 0, 0], [False, False, False], id="a cue in passing is not"),
        pytest.param([9, 3, 0], [True, False, False], id="a third of the strongest is too little"),
        pytest.param([9, 7, 0], [True, True, False], id="two of a kind"),
        pytest.param([-2, 0, 0], [False, False, False], id="evidence against"),
    ],
)
def test_votes_as_probabilities(votes: list[float], likely: list[bool]) -> None:
    given = seed_probabilities(np.array([votes], dtype=float))[0]
    assert (given > 0.5).tolist() == likely


def sigmoid(z: float) -> float:
    return float(1 / (1 + np.exp(-z)))


@pytest.mark.parametrize(
    ("votes", "likely"),
    [
        pytest.param([2.6, 0], sigmoid(0) * sigmoid(8 * 0.55), id="enough, one in two"),
        pytest.param([5.2, 9], sigmoid(1.2 * 2.6) * sigmoid(8 * (5.2 / 9 - 0.45)), id="a share"),
        pytest.param([0.5, 0], sigmoid(1.2 * -2.1) * sigmoid(8 * 0.05), id="of less than 1"),
    ],
)
def test_a_vote_is_enough_and_a_fair_share(votes: list[float], likely: float) -> None:
    """Two sigmoids: of the vote, and of its part in the strongest, which is 1 at least."""
    assert seed_probabilities(np.array([votes]))[0, 0] == pytest.approx(likely)


def test_a_paper_says_as_much_as_its_likeliest_category_is_likely() -> None:
    """A twentieth at least, and half where there is any evidence."""
    _, weights = seed_labels(np.array([[5.2, 0.0], [0.51, 0.0], [0.5, 0.0]]), out_of_scope=[])
    likely = sigmoid(1.2 * 2.6) * sigmoid(8 * 0.55)
    assert weights.tolist() == pytest.approx([0.05 + 0.95 * likely, 0.05 + 0.95 * 0.5, 0.05])


def test_a_paper_with_any_evidence_belongs_somewhere() -> None:
    applies, _ = seed_labels(np.array([[1.0, 0.0, 0.0]]), out_of_scope=[2])
    assert applies[0, 0] == 0.5
    assert applies[0, 2] < 0.05


def test_a_paper_without_evidence_may_be_out_of_scope_and_weighs_little() -> None:
    applies, weights = seed_labels(np.array([[0.0, 0.0, 0.0], [6.0, 0.0, 0.0]]), out_of_scope=[2])
    assert applies[0].tolist() == pytest.approx([0.0, 0.0, 0.5], abs=0.01)
    assert weights.tolist() == pytest.approx([0.05, 0.99], abs=0.02)


def test_cues_of_the_out_of_scope_category_count_where_nothing_else_speaks() -> None:
    applies, _ = seed_labels(np.array([[0.0, 0.0, 6.0], [6.0, 0.0, 6.0]]), out_of_scope=[2])
    assert applies[0, 2] > 0.9
    assert applies[1, 2] < 0.1


def test_without_such_a_category_all_is_in_scope() -> None:
    applies, weights = seed_labels(np.zeros((1, 2)), out_of_scope=[])
    assert applies[0].max() < 0.05
    assert weights.tolist() == pytest.approx([0.05])


def test_with_nothing_in_scope_votes_stand_as_they_are() -> None:
    applies, weights = seed_labels(np.array([[2.6], [0.0]]), out_of_scope=[0])
    assert applies.tolist() == seed_probabilities(np.array([[2.6], [0.0]])).tolist()
    assert weights.tolist() == [1, 1]
