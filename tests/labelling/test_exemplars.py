"""Which category a title is an exemplar of."""

from __future__ import annotations

from typing import Any

from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.exemplars import exemplar_categories
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy


def facet(*categories: dict[str, Any]) -> Facet:
    return Facet.model_validate({"id": "topic", "kind": "multi", "categories": list(categories)})


def test_titles_are_known_by_their_letters() -> None:
    dough = {"id": "dough", "exemplars": ["Wild Yeast in Twelve Jars", "Rye, Again"]}
    assert exemplar_categories(facet(dough, {"id": "ovens"})) == {
        "wildyeastintwelvejars": "dough",
        "ryeagain": "dough",
    }


def test_those_of_a_merged_category_go_where_it_went() -> None:
    spelt = {"id": "spelt", "exemplars": ["Old Grain"], "replaced_by": "rye"}
    rye = {"id": "rye", "replaced_by": "dough/grains"}
    dough = {"id": "dough", "children": [{"id": "dough/grains"}]}
    assert exemplar_categories(facet(spelt, rye, dough)) == {"oldgrain": "dough"}


def test_what_is_in_a_child_is_in_its_parent() -> None:
    """As where a person decides for the child."""
    rye = {"id": "dough/rye", "exemplars": ["Black Bread"]}
    assert exemplar_categories(facet({"id": "dough", "children": [rye]})) == {"blackbread": "dough"}


def test_a_merged_category_with_an_exemplar_among_the_papers_is_learned_with() -> None:
    spelt = {"id": "spelt", "exemplars": ["Old Grain"], "replaced_by": "dough"}
    dough = {"id": "dough", "cues": {"anywhere": ["dough"]}}
    topic = {"kind": "multi", "categories": [spelt, dough, {"id": "ovens"}]}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": {"topic": topic}})
    papers = [Paper(f"Loaf {n}", f"p-{n:03}", "Dough rises.") for n in range(90)]
    exemplar = Paper("Old grain", "p-old", "Husks.")
    classifier = TaxonomyClassifier(taxonomy).fit([*papers, exemplar])
    assert classifier.predict([exemplar])[0].facets["topic"].primary == "dough"
