"""Labels of five papers against their truth, every figure worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from classifier.evaluation.outcome import Evaluation, Setup
from classifier.evaluation.scoring import compute_scores
from classifier.labelling.labels import Decision, FacetLabels, PaperLabels, Status
from classifier.taxonomy.model import Taxonomy

IDS = ["a", "b", "c", "d", "e"]
SETUP = Setup(n=5, folds=1, repeats=1, trained_on=0, unlabelled=3)


def truly(*topics: str, kind: str = "") -> dict[str, Decision]:
    decisions = {"topic": Decision(tuple(sorted(topics)), topics[0])}
    return {**decisions, "kind": Decision((kind,), kind)} if kind else decisions


def labelled(
    paper_id: str, *topics: str, sure: float = 0.9, status: Status = "confident", kind: str = ""
) -> PaperLabels:
    probabilities = dict.fromkeys(("soil", "water", "tools", "other"), 0.0)
    probabilities |= {topic.partition("/")[0]: 1.0 for topic in topics}
    facets = {"topic": FacetLabels(topics, topics[0], sure, status, probabilities)}
    if kind:
        facets["kind"] = FacetLabels((kind,), kind, 1.0, status, {kind: 1.0})
    return PaperLabels(paper_id, facets)


TRUTH = {
    "a": truly("soil", "soil/worms", kind="trial"),
    "b": truly("soil", "water", kind="guide"),
    "c": truly("water", kind="guide"),
    "d": truly("water"),
    "e": truly("other"),
}
LABELS = [
    labelled("a", "soil", "soil/worms", sure=0.9, kind="trial"),
    labelled("b", "water", "soil", sure=0.8, kind="trial"),
    labelled("c", "water", sure=0.7),
    labelled("d", "tools", sure=0.3, status="provisional"),
    labelled("e", "other", sure=0.6, status="provisional"),
]


def scored(taxonomy: Taxonomy, *rounds: Sequence[PaperLabels], setup: Setup = SETUP) -> Evaluation:
    return compute_scores(taxonomy, IDS, TRUTH, rounds or [LABELS], setup)


def test_categories(taxonomy: Taxonomy) -> None:
    categories = scored(taxonomy).categories
    assert list(categories) == ["soil", "water", "tools", "other"]
    soil, water, tools, other = categories.values()
    assert (soil.precision, soil.recall, soil.f1.value, soil.support) == (1, 1, 1, 2)
    assert (water.precision, water.support) == (1, 3)
    assert water.recall == pytest.approx(2 / 3)
    assert water.f1.value == pytest.approx(0.8)
    assert (tools.precision, tools.support) == (0, 0)
    assert math.isnan(tools.f1.value)
    assert (soil.core, tools.core, tools.out_of_scope, other.out_of_scope) == (
        True, False, False, True,
    )  # fmt: skip


def test_means(taxonomy: Taxonomy) -> None:
    evaluation = scored(taxonomy)
    assert evaluation.core_f1.value == pytest.approx(0.9)
    assert evaluation.mean_f1.value == pytest.approx(0.9)
    assert evaluation.categories_without_papers == ("tools",)
    # 4 hits of 5 given and 5 true, the out-of-scope category apart.
    assert evaluation.micro_f1.value == pytest.approx(0.8)
    # soil: both first; water: 2 of 2, then the third among three of score 0.
    assert evaluation.mean_average_precision.value == pytest.approx((1 + (2 + 3 / 5) / 3) / 2)


def test_the_filed_category(taxonomy: Taxonomy) -> None:
    evaluation = scored(taxonomy)
    assert evaluation.precision_at_1.value == 0.8
    assert evaluation.primary_accuracy.value == pytest.approx(0.6)
    assert evaluation.confusion == {
        "soil": {"soil": 1, "water": 1},
        "water": {"water": 1, "tools": 1},
        "other": {"other": 1},
    }


def test_probabilities(taxonomy: Taxonomy) -> None:
    evaluation = scored(taxonomy)
    # Of 5 papers and 3 categories in scope two statements are wrong: tools of d, water of d.
    assert evaluation.brier.value == pytest.approx(2 / 15)
    assert evaluation.ece.value == pytest.approx(2 / 15)


def test_a_further_facet_is_scored_where_it_has_truth(taxonomy: Taxonomy) -> None:
    kind = scored(taxonomy).facets["kind"]
    # One right, one wrong, one without an answer, which is wrong too.
    assert (kind.measure, kind.n) == ("accuracy", 3)
    assert kind.estimate.value == pytest.approx(1 / 3)


def test_a_column_that_people_alone_answer_is_not_scored(taxonomy: Taxonomy) -> None:
    kind = taxonomy.facet("kind")
    bare = [{"id": category.id} for category in kind.categories]
    by_hand = type(kind).model_validate(
        {"id": "kind", "kind": "single", "applies_to": ["soil"], "categories": bare}
    )
    column = taxonomy.model_copy(update={"facets": {"topic": taxonomy.first, "kind": by_hand}})
    assert scored(column).facets == {}


def test_a_further_facet_of_several_values_has_a_micro_f1(taxonomy: Taxonomy) -> None:
    kind = taxonomy.facet("kind").model_copy(update={"kind": "multi"})
    several = taxonomy.model_copy(update={"facets": {"topic": taxonomy.first, "kind": kind}})
    kind_score = scored(several).facets["kind"]
    assert (kind_score.measure, kind_score.estimate.value) == ("micro F1", pytest.approx(2 / 5))


def test_abstention(taxonomy: Taxonomy) -> None:
    evaluation = scored(taxonomy)
    assert evaluation.confident.value == pytest.approx(0.6)
    assert evaluation.confident_accuracy.value == pytest.approx(2 / 3)


def test_with_repeats_each_figure_is_the_mean(taxonomy: Taxonomy) -> None:
    perfect = [*LABELS[:3], labelled("d", "water"), LABELS[4]]
    evaluation = scored(taxonomy, LABELS, perfect)
    assert evaluation.categories["water"].f1.value == pytest.approx(0.9)
    assert evaluation.primary_accuracy.value == pytest.approx(0.7)
    assert evaluation.confident.value == pytest.approx(0.7)
    assert evaluation.confusion["water"] == {"water": 1, "tools": 1}


def test_a_repeat_that_says_the_same_changes_nothing(taxonomy: Taxonomy) -> None:
    once, twice = (scored(taxonomy, *rounds) for rounds in ([LABELS], [LABELS] * 2))
    assert repr(twice) == repr(once)


def test_every_interval_holds_its_value(taxonomy: Taxonomy) -> None:
    evaluation = scored(taxonomy)
    means = (evaluation.core_f1, evaluation.micro_f1, evaluation.primary_accuracy)
    means = (*means, evaluation.precision_at_1, evaluation.mean_average_precision)
    for mean in (*means, evaluation.brier):
        assert mean.low <= mean.value <= mean.high
        assert mean.low < mean.high


def test_without_truth_in_the_first_facet_the_others_are_scored(taxonomy: Taxonomy) -> None:
    truth = {name: {"kind": Decision(("trial",), "trial")} for name in IDS}
    evaluation = compute_scores(taxonomy, IDS, truth, [LABELS], SETUP)
    assert math.isnan(evaluation.mean_f1.value)
    assert math.isnan(evaluation.primary_accuracy.value)
    assert math.isnan(evaluation.ece.value)
    assert evaluation.facets["kind"].estimate.value == pytest.approx(0.4)


def test_what_the_truth_does_not_know_is_not_counted(taxonomy: Taxonomy) -> None:
    """`tools` came later than all truth: d was given it, and nobody can say whether rightly."""
    truth = {
        name: {**facets, "topic": replace(facets["topic"], unknown=("tools",))}
        for name, facets in TRUTH.items()
    }
    evaluation = compute_scores(taxonomy, IDS, truth, [LABELS], SETUP)
    # Of 5 papers and 2 categories one statement is wrong: water of d.
    assert evaluation.brier.value == evaluation.ece.value == pytest.approx(1 / 10)
    assert evaluation.micro_f1.value == pytest.approx(8 / 9)
    # d is filed under what its truth does not know: 3 of the other 4 are right.
    assert evaluation.primary_accuracy.value == 0.75
    assert evaluation.precision_at_1.value == 1
    assert evaluation.confusion["water"] == {"water": 1}
    assert evaluation.categories["water"] == scored(taxonomy).categories["water"]
