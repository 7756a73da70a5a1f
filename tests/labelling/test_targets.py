"""What papers teach: a decision, else an exemplar, else the prior, else the cues."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit

from classifier.labelling.labels import Decision
from classifier.labelling.prior import LinearModel, PriorScores
from classifier.labelling.targets import Targets, Teaching, teaching_targets
from classifier.taxonomy.model import Facet, Taxonomy

NOTHING = Teaching({}, {})
SEEDS = np.array([[0.9, 0.2, 0.1, 0.0], [0.3, 0.6, 0.1, 0.1]]), np.array([0.9, 0.5])
"""Of two papers in dough, ovens, taste, other: what the cues say, and how sure they are."""
LOGITS = np.array([[-2.0, 2.0, np.nan, 0.0], [1.0, -1.0, np.nan, 0.0]])
DECIDED = Decision(("ovens", "taste"), "taste")
SEED_WEIGHT = 0.25


@pytest.fixture
def facet(taxonomy: Taxonomy) -> Facet:
    return taxonomy.first


def scores() -> PriorScores:
    """A prior that does not know the third category."""
    model = LinearModel((), np.zeros((1, 3, 0)), np.zeros((1, 3)), np.zeros((1, 3)))
    columns, versions = np.array([0, 1, -1, 2]), np.array([0, 0])
    empty = sparse.csr_matrix((2, 0))
    return PriorScores(LOGITS, LOGITS, LOGITS, columns, model, empty, versions)


def targets(
    facet: Facet, teaching: Teaching = NOTHING, prior: PriorScores | None = None
) -> Targets:
    return teaching_targets(facet, SEEDS, prior, teaching, SEED_WEIGHT)


def test_where_nobody_said_anything_the_cues_teach_as_far_as_they_are_sure(facet: Facet) -> None:
    taught = targets(facet)
    assert np.array_equal(taught.applies, SEEDS[0])
    assert taught.filed.sum(axis=1) == pytest.approx(1)
    assert taught.filed.argmax(axis=1).tolist() == [0, 1]
    assert taught.weights.tolist() == [SEED_WEIGHT * 0.9, SEED_WEIGHT * 0.5]
    assert taught.decided.tolist() == []


def test_where_a_prior_knows_a_category_it_speaks_in_place_of_the_cues(facet: Facet) -> None:
    taught = targets(facet, prior=scores())
    assert np.allclose(taught.applies[:, [0, 1, 3]], expit(LOGITS[:, [0, 1, 3]]))
    assert np.array_equal(taught.applies[:, 2], SEEDS[0][:, 2])
    assert taught.weights.tolist() == [SEED_WEIGHT, SEED_WEIGHT]


def test_a_decision_is_certain_in_every_category(facet: Facet) -> None:
    taught = targets(facet, Teaching({1: DECIDED}, {}), scores())
    assert taught.applies[1].tolist() == [0, 1, 1, 0]
    assert taught.filed[1].tolist() == [0, 0, 1, 0]
    assert taught.weights.tolist() == [SEED_WEIGHT, 1]
    assert taught.decided.tolist() == [1]


def test_an_exemplar_is_certain_in_its_own_alone(facet: Facet) -> None:
    taught = targets(facet, Teaching({}, {0: "ovens"}))
    assert taught.applies[0].tolist() == [0.9, 1, 0.1, 0]
    assert taught.filed[0].tolist() == [0, 1, 0, 0]
    assert taught.weights[0] == 1
    assert taught.decided.tolist() == []


def test_papers_that_the_prior_was_learned_from_have_had_their_say(facet: Facet) -> None:
    """Their decisions stay: calibration and thresholds are learned from them."""
    teaching = Teaching({1: DECIDED}, {0: "ovens"}, known=frozenset({0, 1}))
    taught = targets(facet, teaching, scores())
    assert taught.weights.tolist() == [0, 0]
    assert taught.applies[1].tolist() == [0, 1, 1, 0]
    assert taught.decided.tolist() == [1]


def test_news_is_what_the_prior_has_not_heard() -> None:
    teaching = Teaching({1: DECIDED}, {0: "ovens"})
    assert teaching.has_news
    assert replace(teaching, known=frozenset({0})).has_news
    assert not replace(teaching, known=frozenset({0, 1, 2})).has_news
    assert not NOTHING.has_news


def test_what_is_given_is_not_changed(facet: Facet) -> None:
    before = SEEDS[0].copy(), SEEDS[1].copy()
    targets(facet, Teaching({1: DECIDED}, {0: "ovens"}), scores())
    assert np.array_equal(SEEDS[0], before[0])
    assert np.array_equal(SEEDS[1], before[1])
