"""How far reviewers agree on a small taxonomy, with figures done by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from sklearn.metrics import cohen_kappa_score

from classifier.evaluation.agreement import (
    Agreement,
    FacetAgreement,
    QuestionAgreement,
    agreement_json,
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
    assert figures.same is not None
    return figures.same.value


def f1_of(figures: QuestionAgreement) -> float:
    assert figures.f1 is not None
    return figures.f1.value


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
    assert agreement.groups == ()


def test_a_category_that_came_later_is_a_gap_not_a_no(bread: Taxonomy) -> None:
    early = {
        paper_id: {"topic": replace(facets["topic"], unknown=("taste",))}
        for paper_id, facets in topics("dough", "dough", "ovens").items()
    }
    late = topics("dough taste", "dough", "ovens taste")
    (pair,) = measure_agreement(bread, {"ada": early, "bo": late}).pairs
    assert pair.questions["all that applies"].coefficient.value == 1.0
    assert pair.categories["taste"].n == 0


def test_the_primary(bread: Taxonomy) -> None:
    (pair,) = of_two(bread).pairs
    # ada: d d o t o, bo: d d o d o. Observed 4/5; chance 2/5·3/5 + 2/5·2/5 + 1/5·0 = 2/5.
    assert same_of(pair.questions["primary"]) == pytest.approx(0.8)
    assert pair.questions["primary"].coefficient.value == pytest.approx((0.8 - 0.4) / 0.6)
    assert (
        pair.questions["primary"].coefficient.low
        < pair.questions["primary"].coefficient.value
        < pair.questions["primary"].coefficient.high
    )
    assert pair.questions["primary"].f1 is None


def test_all_that_applies(bread: Taxonomy) -> None:
    (pair,) = of_two(bread).pairs
    # Lists: dt/d, d/d, o/o, t/dt, do/do: three of five are equal; of 7 + 7 given, 6 are shared
    assert same_of(pair.questions["all that applies"]) == pytest.approx(3 / 5)
    assert pair.questions["all that applies"].given == (7, 7)
    assert f1_of(pair.questions["all that applies"]) == pytest.approx(2 * 6 / 14)
    one = [1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0]
    other = [1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0]
    assert pair.questions["all that applies"].coefficient.value == pytest.approx(
        cohen_kappa_score(one, other)
    )


def test_each_category(bread: Taxonomy) -> None:
    (pair,) = of_two(bread).pairs
    assert list(pair.categories) == ["dough", "ovens", "taste"]
    taste = pair.categories["taste"]
    assert (taste.n, taste.given) == (5, (2, 1))
    assert taste.coefficient.value == pytest.approx(
        cohen_kappa_score([1, 0, 0, 1, 0], [0, 0, 0, 1, 0])
    )
    assert f1_of(taste) == pytest.approx(2 / 3)
    assert pair.categories["ovens"].coefficient.value == 1


def test_naming_no_child_denies_none(bread: Taxonomy) -> None:
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
    assert math.isnan(grain.categories["wheat"].coefficient.value)


def fuel(*lists: str) -> dict[str, dict[str, Decision]]:
    """Decisions on papers p0, p1, … in the facet fuel, where `none` is an answer."""
    values = [() if told == "none" else tuple(told.split()) for told in lists]
    return {f"p{n}": {"fuel": Decision(each, "".join(each[:1]))} for n, each in enumerate(values)}


@pytest.mark.parametrize("kind", ["multi", "single"])
def test_that_nothing_is_stated_is_an_answer(bread: Taxonomy, kind: str) -> None:
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
    assert figures.coefficient.value == pytest.approx(cohen_kappa_score(one, other))
    (group,) = measure_agreement(ovens, {"ada": ada, "bo": bo, "cy": fuel()}).groups
    if kind == "single":
        # Ten answers: gas 4, none 4, wood 2. Two of five pairs differ: 2 · 2 / 1 answers apart.
        alpha = group.questions["value"].coefficient.value
        assert alpha == pytest.approx(1 - 9 * 4 / (10**2 - 4**2 - 4**2 - 2**2))


CY = topics("dough", "dough", "-", "dough taste", "-", "taste", "-")


def of_three(bread: Taxonomy) -> tuple[Agreement, FacetAgreement]:
    agreement = measure_agreement(bread, {"ada": ADA, "bo": BO, "cy": CY})
    (group,) = agreement.groups
    return agreement, group


def test_alpha_is_of_more_than_two(bread: Taxonomy) -> None:
    agreement, group = of_three(bread)
    assert len(agreement.pairs) == 3
    assert (group.facet, group.n) == ("topic", 6)  # p6 has one reviewer
    # ddd ddd oo tdd oo tt: only p3 differs, 2 · (2 · 1) / 2 = 2; of 15 answers d 8, o 4, t 3.
    expected = (15**2 - 8**2 - 4**2 - 3**2) / 14
    assert group.questions["primary"].coefficient.value == pytest.approx(1 - 2 / expected)
    assert list(group.questions) == ["primary", "all that applies"]
    assert list(group.categories) == ["dough", "ovens", "taste"]
    assert group.categories["ovens"].coefficient.value == 1


def test_one_reviewer_is_told_how_to_begin(bread: Taxonomy) -> None:
    assert lines_of(measure_agreement(bread, {"ada": ADA})) == [
        "Decided papers: ada 6.",
        "Agreement needs two reviewers. Draw papers with `fieldguide review next 30`,",
        "give a copy of the sheet to each reviewer, and take up one after the other, as in",
        "`fieldguide review apply ada.csv --reviewer ada`.",
    ]
    assert lines_of(measure_agreement(bread, {}))[0] == "Nobody has decided a paper yet."


def test_two_without_a_common_paper_are_told_how_to_begin(bread: Taxonomy) -> None:
    apart = measure_agreement(bread, {"ada": topics("dough"), "bo": topics("-", "dough")})
    assert apart.pairs == ()
    assert lines_of(apart)[1].startswith("Agreement needs a paper that two reviewers")


def test_three_without_a_common_paper_have_no_alpha(bread: Taxonomy) -> None:
    ratings = {"ada": topics("dough"), "bo": topics("-", "dough"), "cy": topics("-", "-", "taste")}
    assert measure_agreement(bread, ratings).groups == ()


def test_the_report_of_two(bread: Taxonomy) -> None:
    assert (
        lines_of(of_two(bread))
        == """\
Decided papers: ada 6, bo 6.

                                   papers  same  kappa       95 %    F1
ada – bo: topic, primary                5  0.80   0.67  0.00–1.00
ada – bo: topic, all that applies       5  0.60   0.73  0.46–1.00  0.86

topic by category: how many papers each gave it, and agreement
       ada  bo  papers  same  kappa       95 %    F1
dough    3   4       5  0.80   0.55  0.00–1.00  0.86
ovens    2   2       5  1.00   1.00             1.00
taste    2   1       5  0.80   0.55  0.00–1.00  0.67

same: share of papers with the same answer. kappa, alpha: 1 is full agreement, 0 is what chance \
gives.
F1: of the categories that both give. 95 %: bootstrap over papers.
Fewer than 10 papers, too few to go by: ada – bo: topic.
No interval: no paper differs, or too few to resample.""".splitlines()
    )


def test_the_report_of_three(bread: Taxonomy) -> None:
    agreement, _ = of_three(bread)
    lines = lines_of(agreement)
    start = lines.index("topic, all reviewers (6 papers of two or more): Krippendorff's alpha")
    assert [line.split()[0] for line in lines[start + 2 : start + 7]] == [
        "primary", "all", "dough", "ovens", "taste"
    ]  # fmt: skip
    assert lines[-1] == "Kappas of each pair by category: --json FILE."


def test_an_undefined_kappa_is_a_dash_and_explained(bread: Taxonomy) -> None:
    same = topics(*["dough"] * 12)
    lines = lines_of(measure_agreement(bread, {"ada": same, "bo": same}))
    assert lines[3].split()[-3:] == ["12", "1.00", "–"]
    assert "–: not defined; both gave one and the same answer to every paper." in lines


def test_json_rounds_and_knows_no_nan(bread: Taxonomy) -> None:
    same = topics("dough")
    (pair,) = agreement_json(measure_agreement(bread, {"ada": same, "bo": same}))["pairs"]  # type: ignore[misc]
    assert pair["questions"]["primary"]["kappa"] == {"value": None, "interval": [None, None]}
    assert pair["categories"]["dough"]["given"] == [1, 1]
    told = agreement_json(of_two(bread))
    assert told["reviewers"] == {"ada": 6, "bo": 6}
    assert told["pairs"][0]["questions"]["primary"]["kappa"]["value"] == 0.6667  # type: ignore[index]
    assert told["alpha"] == []
