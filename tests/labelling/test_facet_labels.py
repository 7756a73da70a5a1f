"""Labels as columns: which facet is asked of which paper, and what a row then holds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from classifier.labelling.bulk_labels import NONE, BulkFacetLabels, bulk_labels_of
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.facet_labels import asked_papers
from classifier.labelling.labels import Decision
from classifier.labelling.prior import Prior
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy

Decided = dict[str, dict[str, Decision]]


@pytest.fixture(scope="module")
def fitted(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> TaxonomyClassifier:
    return TaxonomyClassifier(taxonomy, prior=prior).fit(papers, decisions)


@pytest.mark.parametrize(
    "applies_to", [["ovens"], ["dough/rye"], ["dough/rye", "taste"], ["other", "dough"], ["gone"]]
)
def test_a_facet_is_asked_where_a_label_is_one_that_it_applies_to(
    applies_to: list[str], fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    rye = [Paper(f"Rye and sourdough {n}", f"r-{n}", abstract="We knead.") for n in range(3)]
    topics = fitted.predict_bulk([*papers, *rye]).facets["topic"]
    facet = Facet.model_validate(
        {"id": "any", "kind": "multi", "applies_to": applies_to, "categories": [{"id": "one"}]}
    )
    wanted = [facet.is_asked_of(labels) for labels in topics.categories()]
    assert asked_papers(facet, topics, {}).tolist() == wanted
    assert any(wanted) == (applies_to != ["gone"])
    said = asked_papers(facet, topics, {0: tuple(applies_to), 1: ("nothing",)})
    assert said.tolist() == [True, False, *wanted[2:]]


def test_columns_say_what_objects_say(fitted: TaxonomyClassifier, papers: list[Paper]) -> None:
    bulk = fitted.predict_bulk(papers)
    again = bulk_labels_of(fitted.taxonomy.facets, bulk.paper_labels())
    for facet_id, labels in bulk.facets.items():
        other = again.facets[facet_id]
        for field in ("asked", "confidence", "confident", "probabilities", "candidates"):
            assert np.array_equal(getattr(labels, field), getattr(other, field)), field
        asked = labels.asked
        assert np.array_equal(labels.children[asked], other.children[asked])
        width = labels.chosen.shape[1]
        assert np.array_equal(labels.chosen, other.chosen[:, :width])
        assert (other.chosen[:, width:] == NONE).all()


def test_a_row_of_columns_reads_as_its_object(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    bulk = fitted.predict_bulk(papers)
    for facet_id, labels in bulk.facets.items():
        said = [each.facets.get(facet_id) for each in bulk.paper_labels()]
        assert labels.categories() == [each.categories if each else () for each in said]
        assert labels.primary == [each.primary if each else "" for each in said]


@pytest.mark.parametrize("size", [1, 7, 100])
def test_no_digit_of_a_label_depends_on_the_papers_beside_it(
    size: int, fitted: TaxonomyClassifier, many_papers: list[Paper]
) -> None:
    """So papers may be labelled in pieces of any size, in any order, by any number of workers."""
    whole = {labels.paper_id: labels for labels in fitted.predict(many_papers)}
    shuffled = random.Random(size).sample(many_papers, len(many_papers))
    for start in range(0, len(shuffled), size):
        for labels in fitted.predict(shuffled[start : start + size]):
            assert labels == whole[labels.paper_id]


def test_children_are_counted_among_all_children_of_a_category() -> None:
    """Also where a category, and a child, were replaced by others and are no longer given."""
    taxonomy = Taxonomy.model_validate({
        "survey": {"title": "Bread"},
        "facets": {"topic": {"kind": "multi", "categories": [
            {"id": "crust", "replaced_by": "dough"},
            {"id": "dough", "children": [
                {"id": "dough/oats", "replaced_by": "dough/rye"},
                {"id": "dough/rye", "cues": {"title": ["rye"]}},
            ]},
        ]}},
    })  # fmt: skip
    (labels,) = TaxonomyClassifier(taxonomy).fit([]).predict([Paper("Rye", "p-1")])
    assert labels.facets["topic"].categories == ("dough", "dough/rye")


def test_a_facet_that_is_asked_of_nobody_is_a_table_of_nothing(
    fitted: TaxonomyClassifier,
) -> None:
    fuel: BulkFacetLabels = fitted.predict_bulk([Paper("Market price", "p-1")]).facets["fuel"]
    assert fuel.categories() == [()]
    assert fuel.primary == [""]
    assert fuel.labels(0) is None
