"""A small field of our own, bread: its taxonomy, sixty papers, and what a baker says of them."""

from __future__ import annotations

import pytest

from classifier.labelling.labels import Decision
from classifier.labelling.prior import Prior
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from tools.prior import learn_prior

WORDS = {
    "dough": ("Kneading", "gluten", "flour", "hydration", "starter"),
    "ovens": ("Heating", "temperature", "steam", "stone", "chamber"),
    "taste": ("Chewing", "flavour", "panel", "aroma", "crust"),
    "other": ("Trading", "price", "market", "harvest", "transport"),
}
"""What papers of a topic speak of; no cue among them."""
CUES = {"dough": "sourdough", "ovens": "an oven", "taste": "tasting"}


def bread_taxonomy() -> Taxonomy:
    """Topics (one with a child, one out of scope), a single facet, and one for ovens alone."""
    return Taxonomy.model_validate(
        {
            "survey": {"title": "Bread"},
            "facets": {
                "topic": {
                    "kind": "multi",
                    "at_most": 2,
                    "categories": [
                        {
                            "id": "dough",
                            "cues": {
                                "title": ["sour-dough~"],
                                "contribution": ["knead~"],
                                "anywhere": ["dough~"],
                                "against": ["cake~"],
                            },
                            "exemplars": ["Wild Yeast in Twelve Jars"],
                            "children": [
                                {
                                    "id": "dough/rye",
                                    "cues": {"title": ["rye"], "anywhere": ["rye flour"]},
                                }
                            ],
                        },
                        {"id": "ovens", "cues": {"title": ["oven~"], "anywhere": ["bake at _"]}},
                        {"id": "taste", "cues": {"title": ["tasting"]}},
                        {"id": "other", "out_of_scope": True},
                    ],
                },
                "kind": {
                    "kind": "single",
                    "categories": [
                        {"id": "trial", "cues": {"anywhere": ["we measure"]}},
                        {"id": "guide", "cues": {"anywhere": ["step by step"]}},
                    ],
                },
                "fuel": {
                    "kind": "multi",
                    "applies_to": ["ovens"],
                    "categories": [
                        {
                            "id": "wood",
                            "cues": {"contribution": ["wood fire~"], "anywhere": ["by wood"]},
                        },
                        {"id": "gas", "cues": {"anywhere": ["gas"]}},
                    ],
                },
            },
        }
    )


def topic_of(paper_id: str) -> str:
    """The topic that a paper of `papers` was written for."""
    return list(WORDS)[int(paper_id[2:]) % len(WORDS)]


def _paper(number: int) -> Paper:
    topic = topic_of(f"p-{number}")
    verb, *nouns = WORDS[topic]
    one, two = nouns[number % 4], nouns[number // 4 % 4]
    cue = f" with {CUES[topic]}" if topic in CUES and number % 3 else ""
    kind = "We measure" if number % 2 else "Step by step we describe"
    fuel = "wood" if number % 5 else "gas"
    return Paper(
        title=f"{verb} {one} and {two}{cue}, part {number}",
        id=f"p-{number:010d}",
        abstract=(
            f"Bakers know little of {one}. {kind} how {one} and {two} change overnight. "
            f"The {two} of bread grows by {number} percent over {fuel}."
        ),
        abstract_kind="abstract",
    )


def bread_papers(count: int = 60) -> list[Paper]:
    """Sixty papers, fifteen a topic; two of three name their topic by a cue."""
    return [_paper(number) for number in range(count)]


def bread_decisions(papers: list[Paper]) -> dict[str, dict[str, Decision]]:
    """What a baker decided on the first forty."""
    return {
        paper.id: {
            "topic": Decision((topic_of(paper.id),), topic_of(paper.id), "Ada", "2025-03-01"),
            "kind": Decision((kind := "trial" if number % 2 else "guide",), kind, "Ada"),
        }
        for number, paper in enumerate(papers[:40])
    }


@pytest.fixture(scope="session")
def taxonomy() -> Taxonomy:
    return bread_taxonomy()


@pytest.fixture(scope="session")
def papers() -> list[Paper]:
    return bread_papers()


@pytest.fixture(scope="session")
def many_papers() -> list[Paper]:
    """Of so many papers regressions are learned without any decision."""
    return bread_papers(100)


@pytest.fixture(scope="session")
def decisions(papers: list[Paper]) -> dict[str, dict[str, Decision]]:
    return bread_decisions(papers)


@pytest.fixture(scope="session")
def prior(
    taxonomy: Taxonomy, papers: list[Paper], decisions: dict[str, dict[str, Decision]]
) -> Prior:
    """Learned from the baker's forty; the other twenty are its background."""
    return learn_prior(taxonomy, papers, decisions, papers[40:], provenance={"made_by": "a baker"})
