"""Which papers are learned from: all that people spoke of, and of the others a few."""

from __future__ import annotations

import random

import numpy as np
import pytest

from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.labels import Decision
from classifier.labelling.sample import papers_to_learn_from
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

Decided = dict[str, dict[str, Decision]]

DOUGH = {"topic": Decision(("dough",), "dough")}


def papers(count: int) -> list[Paper]:
    return [Paper(f"Loaf {n}", f"p-{n:03d}", "We bake.") for n in range(count)]


def ids(taxonomy: Taxonomy, among: list[Paper], decided: Decided, most: int) -> list[str]:
    return [paper.id for paper in papers_to_learn_from(among, decided, taxonomy, most)]


def test_up_to_the_bound_all_papers_are_learned_from(taxonomy: Taxonomy) -> None:
    assert ids(taxonomy, papers(30)[::-1], {}, 30) == [paper.id for paper in papers(30)]


def test_decided_papers_and_exemplars_always_are(taxonomy: Taxonomy) -> None:
    exemplar = next(
        title
        for facet in taxonomy.facets.values()
        for category in facet.categories
        for title in category.exemplars
    )
    among = [*papers(30), Paper(exemplar.upper(), "p-ex", "")]
    decided = {f"p-{n:03d}": DOUGH for n in range(5)}
    assert set(ids(taxonomy, among, decided, 8)) >= {*decided, "p-ex"}
    assert len(ids(taxonomy, among, decided, 8)) == 8
    assert ids(taxonomy, among, decided, 2) == [*sorted(decided), "p-ex"]


def test_the_order_of_papers_does_not_matter(taxonomy: Taxonomy) -> None:
    among = papers(50)
    first = ids(taxonomy, among, {}, 20)
    random.Random(1).shuffle(among)
    assert ids(taxonomy, among, {}, 20) == first


def test_a_new_paper_or_decision_changes_the_sample_by_one_other_at_most(
    taxonomy: Taxonomy,
) -> None:
    among = papers(60)
    before = set(ids(taxonomy, among, {}, 20))
    for paper in papers(80)[60:]:
        assert len(before - set(ids(taxonomy, [*among, paper], {}, 20))) <= 1
    for paper in among:
        assert len(before - set(ids(taxonomy, among, {paper.id: DOUGH}, 20))) <= 1


def test_what_was_not_drawn_is_labelled_and_teaches_nothing(
    taxonomy: Taxonomy, many_papers: list[Paper], decisions: Decided
) -> None:
    drawn = papers_to_learn_from(many_papers, decisions, taxonomy, 60)
    bounded = TaxonomyClassifier(taxonomy, most_papers=60).fit(many_papers, decisions)
    alone = TaxonomyClassifier(taxonomy).fit(drawn, decisions)
    assert len(drawn) == 60
    assert bounded.predict(many_papers) == alone.predict(many_papers)


def test_more_decided_papers_than_are_multiplied_are_learned_from_as_they_are(
    taxonomy: Taxonomy,
    many_papers: list[Paper],
    decisions: Decided,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows and their products have one optimum, and both come there."""
    short = TaxonomyClassifier(taxonomy).fit(many_papers, decisions).predict_proba(many_papers)
    monkeypatch.setattr("classifier.labelling.span.MOST_MULTIPLIED", 50)
    wide = TaxonomyClassifier(taxonomy).fit(many_papers, decisions).predict_proba(many_papers)
    for facet_id in short:
        assert np.allclose(short[facet_id], wide[facet_id], rtol=0, atol=1e-4)
