"""One paper in two forms is one paper, and nothing of it is left to learn from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from classifier.evaluation.held_out import (
    HeldOut,
    TrainingMaterial,
    group_same_papers,
    without_exemplars,
)
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key

SOIL = {"topic": Decision(("soil",), "soil")}
FIRST = np.array([0])


def test_the_same_title_id_or_arxiv_id_is_the_same_paper(paper: Callable[..., Paper]) -> None:
    groups = group_same_papers(
        [
            paper("p-1", "Deep Beds"),
            paper("p-2", "deep-beds!"),
            paper("p-3", "Rain in Pots", arxiv_id="2401.00001"),
            paper("p-4", "Rain in Pots and Elsewhere", arxiv_id="2401.00001"),
            paper("p-5", "Spades"),
        ]
    )
    assert groups[0] == groups[1]
    assert groups[2] == groups[3]
    assert len(set(groups.tolist())) == 3


def test_links_are_followed_through_a_third_paper(paper: Callable[..., Paper]) -> None:
    groups = group_same_papers(
        [
            paper("p-1", "Deep Beds"),
            paper("arxiv:2401.00001", "Beds, Revised", arxiv_id="2401.00001"),
            paper("p-2", "Deep beds", arxiv_id="2401.00001"),
        ]
    )
    assert len(set(groups.tolist())) == 1


def test_no_papers_have_no_groups() -> None:
    assert group_same_papers([]).tolist() == []


def test_a_scored_paper_leaves_in_every_form(paper: Callable[..., Paper]) -> None:
    scored = [paper("p-1", "Deep Beds")]
    pool = [paper("arxiv:2401.00001", "Deep beds"), paper("p-3", "Spades")]
    train = TrainingMaterial(
        (paper("p-4", "DEEP BEDS"), paper("p-5", "Rain in Pots")), {"p-4": SOIL, "p-5": SOIL}
    )
    left = HeldOut(scored, pool, train).without_papers(FIRST)
    assert [kept.id for kept in left.papers] == ["p-5", "p-3"]
    assert left.decisions == {"p-5": SOIL}


def test_a_paper_of_the_pool_that_is_decided_is_learned_from_once(
    paper: Callable[..., Paper],
) -> None:
    train = TrainingMaterial((paper("p-4", "Rain in Pots"),), {"p-4": SOIL})
    pool = [paper("p-9", "Rain in pots"), paper("p-3", "Spades")]
    material = HeldOut([paper("p-1", "Deep Beds")], pool, train).material
    assert [kept.id for kept in material.papers] == ["p-4", "p-3"]


def test_decisions_on_papers_that_are_not_there_are_dropped(paper: Callable[..., Paper]) -> None:
    train = TrainingMaterial((paper("p-4", "Rain in Pots"),), {"p-1": SOIL})
    held_out = HeldOut([paper("p-1", "Deep Beds")], [], train)
    assert held_out.without_papers(FIRST).decisions == {}
    assert not held_out.needs_folds


def test_folds_are_needed_where_a_scored_paper_is_decided(paper: Callable[..., Paper]) -> None:
    scored = [paper("p-1", "Deep Beds")]
    forms = (paper("p-4", "Deep beds"),)
    assert HeldOut(scored, [], TrainingMaterial(forms, {"p-4": SOIL})).needs_folds
    assert not HeldOut(scored, forms, TrainingMaterial()).needs_folds


def test_every_title_that_a_scored_paper_goes_by_is_known(paper: Callable[..., Paper]) -> None:
    scored = [paper("p-1", "Deep Beds", arxiv_id="2401.00001")]
    pool = [paper("p-2", "Beds, Revised", arxiv_id="2401.00001"), paper("p-3", "Spades")]
    keys = HeldOut(scored, pool, TrainingMaterial()).title_keys(FIRST)
    assert keys == {"deepbeds", "bedsrevised"}


def test_exemplars_go_by_title_key_those_of_children_too(taxonomy: Taxonomy) -> None:
    keys = {title_key("compost in ten weeks!"), title_key("worms at work")}
    soil = without_exemplars(taxonomy, keys).first.categories[0]
    assert soil.exemplars == ()
    assert soil.children[0].exemplars == ()


def test_what_was_looked_up_before_does_not_survive(taxonomy: Taxonomy) -> None:
    assert taxonomy.first.get("soil") is not None
    soil = without_exemplars(taxonomy, {title_key("Compost in Ten Weeks")}).first.get("soil")
    assert soil is not None
    assert soil.exemplars == ()


def test_nothing_else_changes(taxonomy: Taxonomy) -> None:
    same = without_exemplars(taxonomy, {"unknowntitle"})
    assert same == taxonomy
    assert same.digest == taxonomy.digest
    assert taxonomy.first.categories[0].exemplars == ("Compost in Ten Weeks",)
