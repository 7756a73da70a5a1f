"""The order of reviews: waiting papers with second looks among them, then an audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision, FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.queue import (
    AUDIT,
    Draw,
    alternated,
    audit_place,
    doubt_text,
    is_waiting,
    review_queue,
    review_worth,
    uncertainty,
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


def test_doubt_counts_most_in_categories_with_few_decisions() -> None:
    probabilities = np.array([[0.5, 0.0], [0.0, 0.5], [0.9, 0.1], [1.0, 0.0]])
    worth = uncertainty(probabilities, counts=np.array([0.0, 3.0]))
    assert worth == pytest.approx([1.0, 0.5, 0.36 + 0.18, 0.0])


def test_a_facet_that_is_decided_is_worth_nothing_and_a_further_one_little() -> None:
    both = labels(topic={"dough": 0.5}, kind={"trial": 0.5, "guide": 0.5})
    undecided = review_worth(TAXONOMY, [both], {})
    assert undecided == pytest.approx([1.0 + 0.25 * 2])
    decided = {"p-1": {"topic": Decision(("ovens",), "ovens")}}
    assert review_worth(TAXONOMY, [both], decided) == pytest.approx([0.25 * 2])


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
def test_the_doubt_is_told_in_words(facets: dict[str, dict[str, float]], text: str) -> None:
    assert doubt_text(TAXONOMY, labels(**facets)) == text


PAPERS = bread_papers()
# The baker's decisions, and one that slipped: a paper on dough under ovens.
SLIP = "p-0000000004"
DECISIONS = {
    **bread_decisions(PAPERS),
    SLIP: {"topic": Decision(("ovens",), "ovens", "Ada"), "kind": Decision(("guide",), "guide")},
}


@pytest.fixture(scope="module")
def classifier() -> TaxonomyClassifier:
    return TaxonomyClassifier(TAXONOMY).fit(PAPERS, DECISIONS)


def predicted(classifier: TaxonomyClassifier, papers: Sequence[Paper]) -> list[PaperLabels]:
    """Return labels of which every other one is provisional."""
    found = []
    for label in classifier.label(papers):
        is_even = int(label.paper_id[-1]) % 2 == 0
        topic = replace(label.facets["topic"], status="provisional" if is_even else "confident")
        found.append(replace(label, facets={**label.facets, "topic": topic}))
    return found


def queue(classifier: TaxonomyClassifier, **options: object) -> list[Draw]:
    labels = predicted(classifier, PAPERS)
    return review_queue(classifier, PAPERS, labels, DECISIONS, **options)  # type: ignore[arg-type]


def is_provisional(classifier: TaxonomyClassifier) -> dict[str, bool]:
    """Return paper id -> whether it waits for a review."""
    labels = predicted(classifier, PAPERS)
    return {label.paper_id: is_waiting(TAXONOMY, label, DECISIONS) for label in labels}


def test_papers_that_wait_come_before_confident_ones(classifier: TaxonomyClassifier) -> None:
    waits = is_provisional(classifier)
    drawn = [waits[draw.paper_id] for draw in queue(classifier) if draw.paper_id != SLIP]
    assert drawn == sorted(drawn, reverse=True)
    assert 0 < sum(drawn) < len(drawn)


def test_confident_papers_are_an_audit_in_random_order(classifier: TaxonomyClassifier) -> None:
    waits = is_provisional(classifier)
    audited = [draw.paper_id for draw in queue(classifier) if draw.why == AUDIT]
    undecided = {paper_id for paper_id, wait in waits.items() if not wait} - DECISIONS.keys()
    assert audited == sorted(undecided, key=audit_place)


def test_no_category_is_asked_twice_in_a_row_while_another_waits() -> None:
    ranked = [(0, "dough"), (1, "dough"), (2, "dough"), (3, "ovens"), (4, "dough")]
    assert list(alternated(ranked)) == [0, 3, 1, 2, 4]


def test_of_two_equal_doubts_the_one_with_more_similar_papers_comes_first() -> None:
    lone = Paper("Zinc plating of anvils", id="p-a", abstract="Anvils rust.")
    alike = [
        Paper(f"Rye bread {n}", id=f"p-{n}", abstract="Rye bread and rye dough.") for n in "bcde"
    ]
    papers = [lone, *alike]
    fitted = TaxonomyClassifier(TAXONOMY).fit(papers)
    even = [labels(paper.id, topic={"dough": 0.5}) for paper in papers]
    draws = waiting_papers(fitted, papers, even, {})
    assert draws[-1].paper_id == "p-a"


def test_second_looks_come_before_every_three_waiting_papers(
    classifier: TaxonomyClassifier,
) -> None:
    again = [("p-0000000001", "new category crumb: does it belong?"), ("gone", "no such paper")]
    draws = queue(classifier, again=again)
    waits = is_provisional(classifier)
    assert draws[0] == Draw(SLIP, "the classifier disagrees with Ada: Dough, not Ovens")
    looks = [at for at, draw in enumerate(draws) if draw.paper_id in (SLIP, "p-0000000001")]
    assert looks[0] == 0
    assert looks[1] <= 4
    assert all(waits[draw.paper_id] for draw in draws[1 : looks[1]])


def test_a_longer_draw_begins_with_the_shorter_one(classifier: TaxonomyClassifier) -> None:
    again = [(f"p-{number:010}", "again") for number in range(20, 30)]
    assert queue(classifier, limit=8, again=again) == queue(classifier, again=again)[:8]


def test_no_paper_is_drawn_twice(
    classifier: TaxonomyClassifier,
) -> None:
    undecided = next(paper.id for paper in PAPERS if paper.id not in DECISIONS)
    decided = sorted(DECISIONS)[:6]
    again = [(paper_id, "again") for paper_id in (undecided, *decided)]
    drawn = [draw.paper_id for draw in queue(classifier, limit=len(PAPERS), again=again)]
    assert len(drawn) == len(set(drawn))
    assert {undecided, *decided} <= set(drawn)


def test_a_slip_that_was_confirmed_is_not_drawn(classifier: TaxonomyClassifier) -> None:
    draws = queue(classifier, limit=8, confirmed={(SLIP, "topic")})
    assert SLIP not in {draw.paper_id for draw in draws}


def test_all_papers_without_a_decision_are_in_the_whole_queue(
    classifier: TaxonomyClassifier,
) -> None:
    drawn = [draw.paper_id for draw in queue(classifier)]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) - {SLIP} == {paper.id for paper in PAPERS} - DECISIONS.keys()


def test_the_order_of_papers_does_not_matter(classifier: TaxonomyClassifier) -> None:
    labels = predicted(classifier, PAPERS[::-1])
    assert review_queue(classifier, PAPERS, labels, DECISIONS) == queue(classifier)
