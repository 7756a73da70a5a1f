"""A cue that decisions contradict no longer counts."""

from __future__ import annotations

import pytest

from classifier import Decision, Paper, TaxonomyClassifier
from classifier.labelling.faded_cues import is_contradicted
from classifier.taxonomy.model import Taxonomy

WORDS = "salt water flour yeast heat steam crust crumb".split()


def taxonomy() -> Taxonomy:
    categories = [
        {"id": "dough", "cues": {"anywhere": ["knead~", "stone~"]}},
        {"id": "ovens", "cues": {"anywhere": ["oven~"]}},
    ]
    facets = {"topic": {"kind": "single", "categories": categories}}
    return Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": facets})


def papers() -> list[Paper]:
    """Papers with "stone", which are about ovens although it is a cue of dough, and others."""
    stone = [Paper(f"A stone and {word}", f"p-s{word}", "Baked.", "abstract") for word in WORDS]
    knead = [Paper(f"Kneading {word}", f"p-k{word}", "Mixed.", "abstract") for word in WORDS]
    return stone + knead


def decided(count: int) -> dict[str, dict[str, Decision]]:
    """Return decisions on the first `count` papers of each kind."""
    ovens, dough = Decision(("ovens",), "ovens"), Decision(("dough",), "dough")
    found = papers()
    stones, kneads = found[:count], found[len(WORDS) :][:count]
    return {
        **{each.id: {"topic": ovens} for each in stones},
        **{each.id: {"topic": dough} for each in kneads},
    }


@pytest.mark.parametrize(("count", "fires"), [(0, True), (3, True), (6, False)])
def test_a_cue_fades_once_enough_decisions_contradict_it(count: int, fires: bool) -> None:
    classifier = TaxonomyClassifier(taxonomy()).fit(papers(), decided(count))
    stone, *_, knead = classifier.evidence(papers())["topic"].hits
    assert bool(stone) == fires
    assert [hit.cue for hit in knead] == ["knead~"]  # Decisions agree with this one.


def test_a_faded_cue_gives_no_reason() -> None:
    classifier = TaxonomyClassifier(taxonomy()).fit(papers(), decided(6))
    (labels,) = classifier.label([Paper("A stone and rye", "p-new", "Baked.", "abstract")])
    assert labels.facets["topic"].primary == "ovens"
    assert not any(reason.text == "stone~" for reason in labels.facets["topic"].why)


@pytest.mark.parametrize(
    ("right", "decided", "base", "contradicted"),
    [
        (0, 3, 0.1, False),  # too few decisions
        (0, 4, 0.1, True),
        (5, 10, 0.1, False),  # not surely below a half
        (2, 20, 0.1, True),
        (12, 20, 0.9, True),  # worse than chance
    ],
)
def test_contradicted_means_surely_wrong(
    right: int, decided: int, base: float, contradicted: bool
) -> None:
    assert is_contradicted(right, decided, base) == contradicted
