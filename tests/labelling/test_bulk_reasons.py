"""The reasons of many papers are those of each, to the last digit and the same order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from classifier.labelling.bulk_contributions import contribution_names
from classifier.labelling.bulk_reasons import bulk_reasons
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.explain import reasons
from classifier.labelling.labels import Decision, Reason
from classifier.labelling.prior import Prior
from classifier.labelling.reason_sources import reason_sources
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

Decided = dict[str, dict[str, Decision]]

# Words of the papers of `conftest.py`, cues (of one paper for and against), and odd ones.
WORDS = (
    "gluten flour oven steam tasting panel price market sourdough sour-dough knead we measure "
    "dough cake cakes rye rye flour step by step wood gas bake at 250 . . . We Ω “” () http://x.y"
).split()
TEXTS = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


@pytest.fixture(scope="module")
def everywhere(taxonomy: Taxonomy) -> Taxonomy:
    """Bread, where everything is asked of all papers that have a topic at all."""
    tree = taxonomy.model_dump()
    tree["facets"]["fuel"]["applies_to"] = ["dough", "ovens", "taste", "other"]
    tree["facets"]["topic"]["at_most"] = None
    return Taxonomy.model_validate(tree)


@pytest.fixture(scope="module")
def classifiers(
    everywhere: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> list[TaxonomyClassifier]:
    """Learned from terms and cues, with a prior and without; and with nothing but votes."""
    return [
        TaxonomyClassifier(everywhere).fit(papers, decisions),
        TaxonomyClassifier(everywhere, prior=prior).fit(papers, decisions),
        TaxonomyClassifier(everywhere, features="terms").fit(papers, decisions),
        TaxonomyClassifier(everywhere, prior=prior).fit([]),
    ]


def one_by_one(
    classifier: TaxonomyClassifier, papers: list[Paper], facet_id: str
) -> list[tuple[Reason, ...]]:
    """The reasons of each paper, found by the definition of what reasons are."""
    model = classifier.models_[facet_id]
    scores = classifier.facet_scores(papers)[facet_id]
    found: list[tuple[Reason, ...]] = []
    for row, labels in enumerate(classifier.predict(papers)):
        told: list[Reason] = []
        facet = labels.facets.get(facet_id)
        for name in facet.top_categories if facet else ():
            parts = model.contributions(scores, row, model.ids.index(name))
            told += reasons(name, parts.names, parts.values, scores.seen.evidence.hits[row])
        found.append(tuple(told))
    return found


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6))
@hypothesis_settings(max_examples=25)
def test_many_papers_have_the_reasons_of_each(
    classifiers: list[TaxonomyClassifier], texts: list[tuple[str, str]]
) -> None:
    papers = [Paper(title, f"p-{n}", abstract=text) for n, (title, text) in enumerate(texts)]
    for classifier in classifiers:
        for facet_id, labels in classifier.predict_bulk(papers).facets.items():
            assert list(labels.why) == one_by_one(classifier, papers, facet_id)


def test_what_cues_that_cancel_out_contribute_is_of_all_of_them(
    classifiers: list[TaxonomyClassifier],
) -> None:
    """A cue for dough and one against it, and a column that says something all the same."""
    classifier = classifiers[0]
    scores = classifier.facet_scores([Paper("Of bread", "p-1", abstract="We knead a cake.")])
    topic, model = scores["topic"], classifier.models_["topic"]
    cues = topic.seen.cues
    values = np.where(np.array(cues.names) == "vote:dough", 1.0, cues.values)
    topic = replace(topic, seen=replace(topic.seen, cues=replace(cues, values=values)))
    sources = reason_sources(model.facet, contribution_names(model, None))
    found = bulk_reasons(model, topic, sources, np.array([[0]], dtype=np.int32))
    parts = model.contributions(topic, 0, 0)
    assert found[0] == reasons("dough", parts.names, parts.values, topic.seen.evidence.hits[0])
    assert "its cues" in [reason.text for reason in found[0]]


def test_reasons_are_made_paper_by_paper_or_all_at_once(
    classifiers: list[TaxonomyClassifier], papers: list[Paper]
) -> None:
    why = classifiers[0].predict_bulk(papers).facets["topic"].why
    assert list(why) == [why[row] for row in range(len(why))] == why[:]
    assert why[-1] == why[len(papers) - 1]
    assert why[2:5] == [why[2], why[3], why[4]]
    with pytest.raises(IndexError):
        why[len(papers)]


def test_what_is_not_asked_for_is_not_explained(
    classifiers: list[TaxonomyClassifier], papers: list[Paper]
) -> None:
    whole = classifiers[0].predict_bulk(papers)
    primary = classifiers[0].predict_bulk(papers, explain="primary")
    nothing = classifiers[0].predict_bulk(papers, explain="nothing")
    for row, filed in enumerate(whole.facets["topic"].primary):
        own = tuple(each for each in whole.facets["topic"].why[row] if each.category == filed)
        assert primary.facets["topic"].why[row] == own
    assert not any(primary.facets["kind"].why)
    assert not any(any(facet.why) for facet in nothing.facets.values())
    assert set(nothing.cue_digests) == {""}
    for other in (primary, nothing):
        for facet_id, labels in whole.facets.items():
            assert labels.categories() == other.facets[facet_id].categories()


def test_of_no_paper_there_are_none(classifiers: list[TaxonomyClassifier]) -> None:
    for classifier in classifiers:
        labels = classifier.predict_bulk([])
        assert labels.paper_labels() == []
        assert list(labels.facets["topic"].why) == []
