"""The review queue: waiting papers with second looks among them, then an audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision, FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.queue import (
    AUDIT_REASON,
    QueuedPaper,
    alternate_categories,
    audit_key,
    is_waiting,
    review_queue,
    total_uncertainty,
    uncertainty,
    uncertainty_text,
    waiting_papers,
)
from tests.labelling.conftest import bread_decisions, bread_papers, bread_taxonomy

TAXONOMY = bread_taxonomy()


def labels(paper_id: str = "p-1", **facets: dict[str, float]) -> PaperLabels:
    return PaperLabels(
        paper_id,
        {
            facet_id: FacetLabels((top := max(p, key=p.__getitem__),), top, 0.5, "provisional", p)
            for facet_id, p in facets.items()
        },
    )


def test_uncertainty_counts_most_in_categories_with_few_decisions() -> None:
    probabilities = np.array([[0.5, 0.0], [0.0, 0.5], [0.9, 0.1], [1.0, 0.0]])
    found = uncertainty(probabilities, counts=np.array([0.0, 3.0]))
    assert found == pytest.approx([1.0, 0.5, 0.36 + 0.18, 0.0])


def test_a_decided_facet_does_not_count_and_a_further_one_counts_little() -> None:
    both = labels(topic={"dough": 0.5}, kind={"trial": 0.5, "guide": 0.5})
    undecided = total_uncertainty(TAXONOMY, [both], {}, TAXONOMY.facets)
    assert undecided == pytest.approx([1.0 + 0.25 * 2])
    decided = {"p-1": {"topic": Decision(("ovens",), "ovens")}}
    assert total_uncertainty(TAXONOMY, [both], decided, TAXONOMY.facets) == pytest.approx(
        [0.25 * 2]
    )


@pytest.mark.parametrize(
    ("facets", "text"),
    [
        ({"topic": {"dough": 0.5, "ovens": 0.4}}, "unsure between Dough and Ovens"),
        ({"topic": {"dough": 0.5, "ovens": 0.1}}, "little evidence for Dough"),
        ({"topic": {"dough": 0.99}, "kind": {"trial": 0.5, "guide": 0.5}},
         "Kind: unsure between Guide and Trial"),
        ({"topic": {"dough": 0.8}, "kind": {"trial": 0.5, "guide": 0.5}},
         "little evidence for Dough"),
    ],
)  # fmt: skip
def test_the_text_of_an_uncertainty(facets: dict[str, dict[str, float]], text: str) -> None:
    assert uncertainty_text(TAXONOMY, labels(**facets)) == text


PAPERS = bread_papers()
# The decisions of a reviewer, and a wrong one: a paper on dough under ovens.
WRONG = "p-0000000004"
DECISIONS = {
    **bread_decisions(PAPERS),
    WRONG: {"topic": Decision(("ovens",), "ovens", "Ada"), "kind": Decision(("guide",), "guide")},
}


@pytest.fixture(scope="module")
def classifier() -> TaxonomyClassifier:
    return TaxonomyClassifier(TAXONOMY).fit(PAPERS, DECISIONS)


def predicted(classifier: TaxonomyClassifier, papers: Sequence[Paper]) -> list[PaperLabels]:
    """Return labels; every second one is provisional."""
    found = []
    for label in classifier.label(papers):
        is_even = int(label.paper_id[-1]) % 2 == 0
        topic = replace(label.facets["topic"], status="provisional" if is_even else "confident")
        found.append(replace(label, facets={**label.facets, "topic": topic}))
    return found


def queue(classifier: TaxonomyClassifier, **options: object) -> list[QueuedPaper]:
    labels = predicted(classifier, PAPERS)
    return review_queue(classifier, PAPERS, labels, DECISIONS, **options)  # type: ignore[arg-type]


def is_provisional(classifier: TaxonomyClassifier) -> dict[str, bool]:
    """Return paper id -> whether it waits for a review."""
    labels = predicted(classifier, PAPERS)
    return {label.paper_id: is_waiting(TAXONOMY, label, DECISIONS) for label in labels}


def test_papers_that_wait_come_before_confident_ones(classifier: TaxonomyClassifier) -> None:
    waits = is_provisional(classifier)
    order = [waits[each.paper_id] for each in queue(classifier) if each.paper_id != WRONG]
    assert order == sorted(order, reverse=True)
    assert 0 < sum(order) < len(order)


def test_confident_papers_are_an_audit_in_random_order(classifier: TaxonomyClassifier) -> None:
    waits = is_provisional(classifier)
    audited = [each.paper_id for each in queue(classifier) if each.reason == AUDIT_REASON]
    undecided = {paper_id for paper_id, wait in waits.items() if not wait} - DECISIONS.keys()
    assert audited == sorted(undecided, key=audit_key)


def test_a_category_is_not_repeated_while_a_paper_of_another_waits() -> None:
    categories = ["dough", "dough", "dough", "ovens", "dough"]
    assert list(alternate_categories(categories)) == [0, 3, 1, 2, 4]


def test_of_two_equally_uncertain_papers_the_one_with_more_similar_papers_comes_first() -> None:
    different = Paper("Zinc plating of anvils", id="p-a", abstract="Anvils rust.")
    similar = [
        Paper(f"Rye bread {n}", id=f"p-{n}", abstract="Rye bread and rye dough.") for n in "bcde"
    ]
    papers = [different, *similar]
    fitted = TaxonomyClassifier(TAXONOMY).fit(papers)
    even = [labels(paper.id, topic={"dough": 0.5}) for paper in papers]
    assert waiting_papers(fitted, papers, even, {})[-1].paper_id == "p-a"


def test_second_looks_come_before_every_three_waiting_papers(
    classifier: TaxonomyClassifier,
) -> None:
    outdated = [("p-0000000001", "new category crumb"), ("p-removed", "no such paper")]
    found = queue(classifier, outdated=outdated)
    waits = is_provisional(classifier)
    assert found[0] == QueuedPaper(WRONG, "the classifier disagrees with Ada: Dough, not Ovens")
    looks = [n for n, each in enumerate(found) if each.paper_id in (WRONG, "p-0000000001")]
    assert looks[0] == 0
    assert looks[1] <= 4
    assert all(waits[each.paper_id] for each in found[1 : looks[1]])


def test_a_longer_queue_starts_with_the_shorter_one(classifier: TaxonomyClassifier) -> None:
    outdated = [(f"p-{number:010}", "again") for number in range(20, 30)]
    assert queue(classifier, limit=8, outdated=outdated) == queue(classifier, outdated=outdated)[:8]


def test_a_paper_is_in_the_queue_once(classifier: TaxonomyClassifier) -> None:
    undecided = next(paper.id for paper in PAPERS if paper.id not in DECISIONS)
    decided = sorted(DECISIONS)[:6]
    outdated = [(paper_id, "again") for paper_id in (undecided, *decided)]
    found = [each.paper_id for each in queue(classifier, limit=len(PAPERS), outdated=outdated)]
    assert len(found) == len(set(found))
    assert {undecided, *decided} <= set(found)


def test_a_confirmed_decision_is_not_a_second_look(classifier: TaxonomyClassifier) -> None:
    found = queue(classifier, limit=8, confirmed={(WRONG, "topic")})
    assert WRONG not in {each.paper_id for each in found}


def test_all_papers_without_a_decision_are_in_the_whole_queue(
    classifier: TaxonomyClassifier,
) -> None:
    found = [each.paper_id for each in queue(classifier)]
    assert len(found) == len(set(found))
    assert set(found) - {WRONG} == {paper.id for paper in PAPERS} - DECISIONS.keys()


def test_the_order_of_papers_does_not_matter(classifier: TaxonomyClassifier) -> None:
    labels = predicted(classifier, PAPERS[::-1])
    assert review_queue(classifier, PAPERS, labels, DECISIONS) == queue(classifier)
