"""What to review next: slips, decisions overtaken, and then doubt, spread over the field."""

from __future__ import annotations

import numpy as np
import pytest

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision, FacetLabels, PaperLabels
from classifier.review.queue import (
    Draw,
    doubt_text,
    review_queue,
    review_worth,
    uncertainty,
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
        ({"topic": {"dough": 0.5, "ovens": 0.4}}, "unsure between dough and ovens"),
        ({"topic": {"dough": 0.5, "ovens": 0.1}}, "little speaks for dough"),
        ({"topic": {"dough": 0.99}, "kind": {"trial": 0.5, "guide": 0.5}},
         "kind: unsure between guide and trial"),
        ({"topic": {"dough": 0.8}, "kind": {"trial": 0.5, "guide": 0.5}},
         "little speaks for dough"),
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


def queue(classifier: TaxonomyClassifier, **options: object) -> list[Draw]:
    said = classifier.predict(PAPERS)
    return review_queue(classifier, said, DECISIONS, **options)  # type: ignore[arg-type]


def test_slips_come_first_then_what_a_new_category_overtook(classifier: TaxonomyClassifier) -> None:
    again = [("p-0000000001", "new category crumb: does it belong?"), ("gone", "no such paper")]
    draws = queue(classifier, most=8, again=again)
    assert draws[:2] == [
        Draw(SLIP, "the classifier disagrees with Ada: dough, not ovens"),
        Draw("p-0000000001", "new category crumb: does it belong?"),
    ]
    assert len(draws) == 8
    assert all(draw.paper_id not in DECISIONS for draw in draws[2:])
    assert all(
        draw.why.startswith(("unsure", "little speaks", "kind: ", "fuel: ")) for draw in draws[2:]
    )


def test_second_looks_take_a_quarter_of_a_draw_each(classifier: TaxonomyClassifier) -> None:
    again = [(f"p-{number:010}", "again") for number in range(20, 30)]
    draws = queue(classifier, most=8, again=again)
    assert [draw.why for draw in draws].count("again") == 2


def test_no_paper_is_drawn_twice_and_second_looks_fill_a_draw_at_the_end(
    classifier: TaxonomyClassifier,
) -> None:
    undecided = next(paper.id for paper in PAPERS if paper.id not in DECISIONS)
    decided = sorted(DECISIONS)[:6]
    again = [(paper_id, "again") for paper_id in (undecided, *decided)]
    drawn = [draw.paper_id for draw in queue(classifier, most=len(PAPERS), again=again)]
    assert len(drawn) == len(set(drawn))
    assert {undecided, *decided} <= set(drawn)


def test_a_slip_that_was_confirmed_is_not_drawn(classifier: TaxonomyClassifier) -> None:
    draws = queue(classifier, most=8, confirmed={(SLIP, "topic")})
    assert SLIP not in {draw.paper_id for draw in draws}


def test_all_papers_without_a_decision_are_in_the_whole_queue(
    classifier: TaxonomyClassifier,
) -> None:
    drawn = [draw.paper_id for draw in queue(classifier)]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) - {SLIP} == {paper.id for paper in PAPERS} - DECISIONS.keys()


def test_the_order_of_papers_does_not_matter(classifier: TaxonomyClassifier) -> None:
    said = classifier.predict(PAPERS[::-1])
    assert review_queue(classifier, said, DECISIONS) == queue(classifier)
