"""What papers teach: a decision, else an exemplar, else the cues."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from classifier.labelling.labels import Decision
from classifier.labelling.targets import Targets, Teaching, teaching_targets
from classifier.taxonomy.model import Facet, Taxonomy

NOTHING = Teaching({}, {})
SEEDS = np.array([[0.9, 0.2, 0.1, 0.0], [0.3, 0.6, 0.1, 0.1]]), np.array([0.9, 0.5])
"""Of two papers in dough, ovens, taste, other: what the cues say, and how sure they are."""
DECIDED = Decision(("ovens", "taste"), "taste")
SEED_WEIGHT = 0.25


@pytest.fixture
def facet(taxonomy: Taxonomy) -> Facet:
    return taxonomy.first


def targets(facet: Facet, teaching: Teaching = NOTHING) -> Targets:
    return teaching_targets(facet, SEEDS, teaching, SEED_WEIGHT)


def test_where_nobody_said_anything_the_cues_teach_as_far_as_they_are_sure(facet: Facet) -> None:
    taught = targets(facet)
    assert np.array_equal(taught.applies, SEEDS[0])
    assert taught.filed.sum(axis=1) == pytest.approx(1)
    assert taught.filed.argmax(axis=1).tolist() == [0, 1]
    assert taught.weights.tolist() == [[SEED_WEIGHT * 0.9] * 4, [SEED_WEIGHT * 0.5] * 4]
    assert taught.decided.tolist() == []
    assert not taught.told.any()


def test_a_decision_is_certain_in_every_category(facet: Facet) -> None:
    taught = targets(facet, Teaching({1: DECIDED}, {}))
    assert taught.applies[1].tolist() == [0, 1, 1, 0]
    assert taught.filed[1].tolist() == [0, 0, 1, 0]
    assert taught.weights.tolist() == [[SEED_WEIGHT * 0.9] * 4, [1] * 4]
    assert taught.decided.tolist() == [1]
    assert taught.told.tolist() == [[False] * 4, [True] * 4]


def test_of_a_category_that_a_decision_does_not_know_the_cues_teach(facet: Facet) -> None:
    late = replace(DECIDED, unknown=("dough",))
    taught, seeds = targets(facet, Teaching({1: late}, {})), targets(facet)
    assert taught.applies[1].tolist() == [SEEDS[0][1, 0], 1, 1, 0]
    assert taught.filed[1].tolist() == [seeds.filed[1, 0], 0, 1, 0]
    assert taught.weights[1].tolist() == [SEED_WEIGHT * 0.5, 1, 1, 1]
    assert taught.told[1].tolist() == [False, True, True, True]
    assert taught.filed_under(np.array([1])).tolist() == [facet.ids.index("taste")]


def test_an_exemplar_of_a_category_that_its_decision_does_not_know_is_in_both(
    facet: Facet,
) -> None:
    late = replace(DECIDED, unknown=("dough",))
    taught = targets(facet, Teaching({1: late}, {1: "dough"}))
    assert taught.applies[1].tolist() == [1, 1, 1, 0]
    assert taught.weights[1].tolist() == [1, 1, 1, 1]
    assert taught.filed_under(np.array([1])).tolist() == [facet.ids.index("taste")]


def test_an_exemplar_is_certain_in_its_own_alone(facet: Facet) -> None:
    taught = targets(facet, Teaching({}, {0: "ovens"}))
    assert taught.applies[0].tolist() == [0.9, 1, 0.1, 0]
    assert taught.filed[0].tolist() == [0, 1, 0, 0]
    assert taught.weights[0].tolist() == [1] * 4
    assert taught.decided.tolist() == []


def test_a_decision_counts_where_a_paper_is_an_exemplar_too(facet: Facet) -> None:
    taught = targets(facet, Teaching({0: DECIDED}, {0: "dough"}))
    assert taught.applies[0].tolist() == [0, 1, 1, 0]
    assert taught.filed[0].tolist() == [0, 0, 1, 0]


def test_of_no_papers_there_are_no_targets(facet: Facet) -> None:
    taught = teaching_targets(facet, (np.zeros((0, 4)), np.zeros(0)), NOTHING, SEED_WEIGHT)
    assert taught.applies.shape == taught.filed.shape == (0, 4)


def test_what_is_given_is_not_changed(facet: Facet) -> None:
    before = SEEDS[0].copy(), SEEDS[1].copy()
    targets(facet, Teaching({1: DECIDED}, {0: "ovens"}))
    assert np.array_equal(SEEDS[0], before[0])
    assert np.array_equal(SEEDS[1], before[1])
