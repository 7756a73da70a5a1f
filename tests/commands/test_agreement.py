"""Agreement of reviewers on a small taxonomy, with figures computed by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from inline_snapshot import snapshot
from sklearn.metrics import cohen_kappa_score

from classifier.commands.agree import (
    Agreement,
    QuestionAgreement,
    agreement_report,
    measure_agreement,
)
from classifier.evaluation.report import text_lines
from classifier.labelling.labels import Decision
from classifier.taxonomy.model import Taxonomy


def lines_of(*told: Any, **options: Any) -> list[str]:
    return text_lines(agreement_report(*told, **options))


@pytest.fixture(scope="module")
def bread() -> Taxonomy:
    topics = [{"id": "dough", "children": [{"id": "dough/rye"}]}, {"id": "ovens"}, {"id": "taste"}]
    return Taxonomy.model_validate(
        {
            "survey": {"title": "Bread"},
            "facets": {
                "topic": {"kind": "multi", "categories": topics},
                "kind": {"kind": "single", "categories": [{"id": "trial"}, {"id": "guide"}]},
                "grain": {"kind": "multi", "categories": [{"id": "spelt"}, {"id": "wheat"}]},
            },
        }
    )


def same_of(figures: QuestionAgreement) -> float:
    return figures.same.value


def topics(*lists: str) -> dict[str, dict[str, Decision]]:
    """Decisions on papers p0, p1, … in the facet topic; the first is the primary, `-` is none."""
    return {
        f"p{number}": {"topic": Decision(tuple(sorted(values.split())), values.split()[0])}
        for number, values in enumerate(lists)
        if values != "-"
    }


ADA = topics("dough taste", "dough", "ovens", "taste", "ovens dough", "-", "dough")
BO = topics("dough", "dough", "ovens", "dough taste", "ovens dough", "taste", "-")


def of_two(bread: Taxonomy) -> Agreement:
    return measure_agreement(bread, {"bo": BO, "ada": ADA})


def test_only_papers_that_both_decided_are_compared(bread: Taxonomy) -> None:
    agreement = of_two(bread)
    assert agreement.papers == {"ada": 6, "bo": 6}
    (pair,) = agreement.pairs
    assert (pair.reviewers, pair.facet, pair.n) == (("ada", "bo"), "topic", 5)


def test_a_category_added_later_is_a_missing_answer(bread: Taxonomy) -> None:
    early = {
        paper_id: {"topic": replace(facets["topic"], unknown=("taste",))}
        for paper_id, facets in topics("dough", "dough", "ovens").items()
    }
    late = topics("dough taste", "dough", "ovens taste")
    (pair,) = measure_agreement(bread, {"ada": early, "bo": late}).pairs
    assert pair.questions["all that applies"].kappa.value == 1.0
    assert pair.categories["taste"].n == 0


def test_the_primary(bread: Taxonomy) -> None:
    (pair,) = of_two(bread).pairs
    # ada: d d o t o, bo: d d o d o. Observed 4/5; chance 2/5·3/5 + 2/5·2/5 + 1/5·0 = 2/5.
    assert same_of(pair.questions["primary"]) == pytest.approx(0.8)
    assert pair.questions["primary"].kappa.value == pytest.approx((0.8 - 0.4) / 0.6)
    assert (
        pair.questions["primary"].kappa.low
        < pair.questions["primary"].kappa.value
        < pair.questions["primary"].kappa.high
    )


def test_all_that_applies(bread: Taxonomy) -> None:
    (pair,) = of_two(bread).pairs
    # Lists: dt/d, d/d, o/o, t/dt, do/do: three of five are equal; of 7 + 7 given, 6 are shared
    assert same_of(pair.questions["all that applies"]) == pytest.approx(3 / 5)
    assert pair.questions["all that applies"].n_given == (7, 7)
    one = [1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0]
    other = [1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0]
    assert pair.questions["all that applies"].kappa.value == pytest.approx(
        cohen_kappa_score(one, other)
    )


def test_each_category(bread: Taxonomy) -> None:
    (pair,) = of_two(bread).pairs
    assert list(pair.categories) == ["dough", "ovens", "taste"]
    taste = pair.categories["taste"]
    assert (taste.n, taste.n_given) == (5, (2, 1))
    assert taste.kappa.value == pytest.approx(cohen_kappa_score([1, 0, 0, 1, 0], [0, 0, 0, 1, 0]))
    assert pair.categories["ovens"].kappa.value == 1


def test_an_answer_without_a_subcategory_does_not_reject_one(bread: Taxonomy) -> None:
    fine = {"p0": {"topic": Decision(("dough", "dough/rye"), "dough")}}
    (pair,) = measure_agreement(bread, {"ada": topics("dough"), "bo": fine}).pairs
    assert same_of(pair.questions["all that applies"]) == 1


def test_the_value_of_a_single_facet_and_a_further_list(bread: Taxonomy) -> None:
    ada = {"p0": {"kind": Decision(("trial",), "trial"), "grain": Decision(("spelt",), "spelt")}}
    bo = {"p0": {"kind": Decision(("guide",), "guide"), "grain": Decision(("spelt",), "spelt")}}
    kind, grain = measure_agreement(bread, {"ada": ada, "bo": bo}).pairs
    assert (same_of(kind.questions["value"]), list(kind.questions), kind.categories) == (
        0,
        ["value"],
        {},
    )
    assert list(grain.questions) == ["all that applies"]  # a further facet has no primary
    assert math.isnan(grain.categories["wheat"].kappa.value)


def fuel(*lists: str) -> dict[str, dict[str, Decision]]:
    """Decisions on papers p0, p1, … in the facet fuel, where `none` is an answer."""
    values = [() if told == "none" else tuple(told.split()) for told in lists]
    return {f"p{n}": {"fuel": Decision(each, "".join(each[:1]))} for n, each in enumerate(values)}


@pytest.mark.parametrize("kind", ["multi", "single"])
def test_none_is_an_answer(bread: Taxonomy, kind: str) -> None:
    """Where some papers alone are asked, to say so or to name a category is to differ."""
    asked = {"kind": kind, "applies_to": ["ovens"], "categories": [{"id": "gas"}, {"id": "wood"}]}
    tree = bread.model_dump() | {"facets": {"topic": bread.facets["topic"], "fuel": asked}}
    ovens = Taxonomy.model_validate(tree)
    ada = fuel("gas", "none", "gas", "wood", "none")
    bo = fuel("gas", "none", "none", "wood", "gas")
    (pair,) = measure_agreement(ovens, {"ada": ada, "bo": bo}).pairs
    (figures,) = pair.questions.values()
    assert (figures.n, same_of(figures)) == (5, pytest.approx(3 / 5))
    if kind == "single":
        one, other = [0, 2, 0, 1, 2], [0, 2, 2, 1, 0]
    else:
        one, other = [1, 0, 0, 0, 1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 1, 1, 0]
    assert figures.kappa.value == pytest.approx(cohen_kappa_score(one, other))


def test_one_reviewer_gets_a_hint(bread: Taxonomy) -> None:
    assert lines_of(measure_agreement(bread, {"ada": ADA})) == snapshot(
        [
            "Decided papers: ada 6.",
            "Agreement needs two reviewers. Select papers with `fieldguide review next 30`,",
            "give a copy of the sheet to each reviewer, and apply each copy, as in",
            "`fieldguide review apply ada.csv --reviewer ada`.",
        ]
    )
    assert lines_of(measure_agreement(bread, {}))[0] == snapshot(
        "No reviewer has decided anything yet."
    )


def test_two_reviewers_without_a_common_paper_get_a_hint(bread: Taxonomy) -> None:
    apart = measure_agreement(bread, {"ada": topics("dough"), "bo": topics("-", "dough")})
    assert apart.pairs == ()
    assert lines_of(apart)[1].startswith("Agreement needs a paper that two reviewers")


def test_the_report_of_two_reviewers(bread: Taxonomy) -> None:
    assert (
        lines_of(of_two(bread))
        == """\
Decided papers: ada 6, bo 6.

                                   papers  same  kappa       95 %
ada – bo: topic, primary                5  0.80   0.67  0.00–1.00
ada – bo: topic, all that applies       5  0.60   0.73  0.46–1.00

topic by category: papers per reviewer, and agreement
       ada  bo  papers  same  kappa       95 %
dough    3   4       5  0.80   0.55  0.00–1.00
ovens    2   2       5  1.00   1.00
taste    2   1       5  0.80   0.55  0.00–1.00

same: share of papers with the same answer. kappa: 1 is full agreement, 0 is agreement by
chance. 95 %: bootstrap over papers.
Fewer than 10 papers, too few for reliable figures: ada – bo: topic.
No interval: no answers differ, or there are too few papers.""".splitlines()
    )


def test_an_undefined_kappa_is_a_dash_with_a_note(bread: Taxonomy) -> None:
    same = topics(*["dough"] * 12)
    lines = lines_of(measure_agreement(bread, {"ada": same, "bo": same}))
    assert lines[3].split()[-3:] == ["12", "1.00", "–"]
    assert "–: not defined, because both gave the same answer to every paper." in lines
