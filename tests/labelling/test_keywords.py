"""Keywords and subject headings are text beside title and abstract; they are never labels."""

from __future__ import annotations

import pytest

from classifier import Decision, Paper, TaxonomyClassifier
from classifier.taxonomy.model import Taxonomy

CATEGORIES = [
    {"id": "dough", "name": "Dough", "cues": {"anywhere": ["wild yeast"]}},
    {"id": "ovens", "name": "Ovens", "cues": {"anywhere": ["baking stone~"]}},
]


def taxonomy(**settings: object) -> Taxonomy:
    facets = {"topic": {"kind": "single", "categories": CATEGORIES}}
    return Taxonomy.model_validate({"survey": {"title": "Bread", **settings}, "facets": facets})


def paper(*keywords: str) -> Paper:
    return Paper("A Study", "p-1", "We report on bread.", "abstract", keywords=keywords)


def fired(paper: Paper, taxonomy: Taxonomy) -> list[str]:
    (hits,) = TaxonomyClassifier(taxonomy).fit([]).evidence([paper])["topic"].hits
    return [hit.cue for hit in hits]


def test_a_cue_matches_a_keyword_but_never_runs_across_two() -> None:
    assert fired(paper("Baking Stones", "Heat"), taxonomy()) == ["baking stone~"]
    assert fired(paper("Baking", "Stones"), taxonomy()) == []


def test_keywords_are_not_read_where_the_taxonomy_says_so() -> None:
    assert fired(paper("Baking Stones"), taxonomy(use_keywords=False)) == []


@pytest.mark.parametrize("spelling", ["dough", "DOUGH"])
def test_a_keyword_that_names_a_category_is_a_label_and_is_not_read(spelling: str) -> None:
    classifier = TaxonomyClassifier(taxonomy()).fit([])
    found, without = classifier.label([paper(spelling), paper()], explain="nothing")
    assert found == without


def test_words_of_keywords_are_learned() -> None:
    words = ("rye", "wheat", "spelt", "barley", "oats", "millet")
    papers = [
        Paper(f"On {word}", f"p-{place}{word}", f"Notes on {word}.", "abstract", keywords=(place,))
        for place in ("hearth", "trough")
        for word in words
    ]
    place_of = {"hearth": "ovens", "trough": "dough"}
    decisions = {}
    for each in papers[::2]:
        category = place_of[each.keywords[0]]
        decisions[each.id] = {"topic": Decision((category,), category)}
    labels = TaxonomyClassifier(taxonomy()).fit(papers, decisions).label(papers[1::2])
    found = [each.facets["topic"].primary for each in labels]
    assert found == [place_of[each.keywords[0]] for each in papers[1::2]]
