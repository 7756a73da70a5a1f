"""What the words around a result say of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classifier.text.result import Result, headline
from classifier.text.result_words import (
    has_measure,
    result_kind,
    result_measure,
    saved_resource,
    stated_text,
    unit_of,
)
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("a gain of 22%", "gain unclear"),
        ("a 22% relative gain", "relative gain"),
        ("a gain of 22% relative to others", "gain unclear"),
        ("a gain of 2.2×", "relative gain"),
        ("22% less time", "saving"),
        ("22% faster delivery in steps", "saving"),
    ],
)
def test_a_gain_in_per_cent_is_relative_where_its_clause_says_so(clause: str, kind: str) -> None:
    said = f"Presents a hoe. Results show {clause}."
    (result,) = results_of(roled_sentences(said), lambda _: ())
    assert result_kind(replace(result, kind="relative gain", direction="down")) == kind


@pytest.mark.parametrize(
    ("clause", "is_said"),
    [("Digger reaches an accuracy of 90%", True), ("The loss is 90% in sandy soil", False)],
)
def test_a_bare_share_is_of_nothing_that_is_said(clause: str, is_said: bool) -> None:
    (result,) = results_of(roled_sentences(f"Presents a hoe. We find: {clause}."), lambda _: ())
    assert has_measure(replace(result, kind="level", unit="%")) is is_said


@pytest.mark.parametrize(
    ("clause", "metric"),
    [
        ("Digger reaches an accuracy of 90%", "accuracy"),
        ("the pass rate is low, and most stall at 30% completion", "completion"),
        ("Digger keeps over 95% of accuracy", "share of accuracy"),
        ("Digger reaches 60% of human performance", "share of human performance"),
        ("Digger cuts wrong doses on ward rounds from 81% to 4%", "wrong doses, lower is better"),
        ("Digger lowers flood losses in Ghent from about 4%", "flood losses, lower is better"),
        ("Digger lowers its price from dear to cheap and reaches 4%", ""),
        ("Digger agrees with farmers at a rate of 80%", "agreement"),
        ("Digger and farmers agree, and it reaches 80%", ""),
    ],
)
def test_what_a_level_is_measured_by(clause: str, metric: str) -> None:
    *_, result = results_of(
        roled_sentences(f"Presents a hoe. We find that {clause}."), lambda _: ()
    )
    assert result_measure(replace(result, kind="level", unit="%")) == metric


@pytest.mark.parametrize(
    ("clause", "direction", "saved", "kind"),
    [
        ("about 60% of GPU hours are saved by the hoe", "down", "time", "saving"),
        ("40% of nurses' time was saved", "down", "time", "saving"),
        ("the hoe gives 11% faster delivery in steps", "down", "steps and calls", "saving"),
        ("the hoe gives 11% faster delivery", "up", "speed or efficiency", "relative gain"),
        (
            "the hoe cuts digging time by 62% against Spade and by 78% against Fork",
            "down",
            "time",
            "saving",
        ),
        ("the hoe keeps 96% of the performance of Plough", "", "", "ratio"),
        (
            "the hoe brings a throughput improvement of 1.59",
            "up",
            "speed or efficiency",
            "relative gain",
        ),
    ],
)
def test_savings_and_shares_of_another_level(
    clause: str, direction: str, saved: str, kind: str
) -> None:
    *_, result = results_of(
        roled_sentences(f"Presents a hoe. We find that {clause}."), lambda _: ()
    )
    assert (result.direction, saved_resource(result), result_kind(result)) == (
        direction,
        saved,
        kind,
    )


@pytest.mark.parametrize(
    "clause",
    [
        "Digger is ahead on measures such as bed accuracy (89%)",
        "about 60% of GPU hours are saved by Digger",
    ],
)
def test_an_example_and_a_share_that_is_saved_are_no_headlines(clause: str) -> None:
    results = results_of(roled_sentences(f"Presents a hoe. We find that {clause}."), lambda _: ())
    assert results
    assert headline([replace(each, weight=1.0, whose="own") for each in results]) == ()


def last_result(clause: str, **changes: object) -> Result:
    """Return the last result of a clause, as if the paper reported it of itself."""
    text = f"Presents a hoe. We find that {clause}."
    *_, result = results_of(roled_sentences(text), lambda _: ())
    return replace(result, whose="own", **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("clause", "cell"),
    [
        ("Digger learns from 40 times fewer examples", "40× fewer examples"),
        ("Digger reduces the time to harvest by 35%", "−35 % time"),
        ("Triage with Digger lowers latency by 50%", "−50 % latency"),
        ("pupils solve more exercises with a reduction in reading time of 12%", "−12 % time"),
        ("Digger uses tools 24% less", "−24 % tool use"),
        ("the new pump cuts energy consumption by 18%", "−18 % energy consumption"),
        ("Digger is up to 3 times faster, with runtime improvements of 4×", "4× less runtime"),
        ("patients recover at a cost reduction of more than 2x", "over 2× less cost"),
    ],
)
def test_a_fall_of_a_cost_is_a_saving_and_its_cell_names_the_cost(clause: str, cell: str) -> None:
    result = last_result(clause, kind="relative gain")
    assert (result_kind(result), stated_text(result)) == ("saving", cell)


@pytest.mark.parametrize(
    "clause",
    [
        "Digger reduces weeds at equal cost by 35%",
        "Triage with Digger lowers mortality over time by 50%",
        "Digger lowers the number of wrong doses by 12% on unseen samples",
    ],
)
def test_a_fall_of_something_else_is_no_saving(clause: str) -> None:
    assert result_kind(last_result(clause, kind="relative gain")) == "gain unclear"


@pytest.mark.parametrize(
    ("clause", "cell", "metric"),
    [
        ("Digger scores 37% and is 2.5 times more efficient", "2.5× efficiency", "efficiency"),
        ("the new shears give a 3x acceleration of pruning", "3× speed", "speed"),
        ("the ward reaches a throughput improvement of 1.6×", "1.6× throughput", "throughput"),
    ],
)
def test_a_number_that_is_no_score_of_the_system_says_so(
    clause: str, cell: str, metric: str
) -> None:
    result = last_result(clause)
    assert (stated_text(result), result_measure(result)) == (cell, metric)


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("yields rise (+5.6%)", "gain unclear"),
        ("yields rise by 3% absolute on rye, and by 8% on wheat", "gain unclear"),
        ("yields rise by 3% on rye, and by 8% absolute on wheat", "absolute gain"),
        ("Digger brings absolute gains of 3% for boys and 8% for girls", "absolute gain"),
        ("recall improves by 22% in absolute terms", "absolute gain"),
        ("mean absolute error falls by 8%", "gain unclear"),
        ("recall improves by 3% for nurses and 8% for doctors, both relative", "relative gain"),
        ("recall improves by a relative 3% for nurses and by 8% for doctors", "gain unclear"),
    ],
)
def test_a_gain_is_absolute_or_relative_only_if_the_text_says_so_of_it(
    clause: str, kind: str
) -> None:
    result = last_result(clause, kind="absolute gain", unit="%", direction="up")
    assert result_kind(result) == kind


@pytest.mark.parametrize(
    ("clause", "unit", "metric"),
    [
        ("treatment costs $0.70 per treated patient", "$ per treated patient", ""),
        ("inference runs at $0.70 per million output tokens", "$ per million output tokens", ""),
        ("Digger reaches a Pass@1 of 31.5", "", "pass@1"),
        ("the classifier of leaves reaches an F1 of 0.81", "", "F1"),
        ("Digger reaches a success rate of 31.5%", "%", "success rate"),
    ],
)
def test_a_price_keeps_its_denominator_and_a_measure_is_no_unit(
    clause: str, unit: str, metric: str
) -> None:
    result = last_result(clause)
    assert (unit_of(result), result_measure(result)) == (unit, metric)


@pytest.mark.parametrize(
    ("clause", "is_shown"),
    [
        ("a verifier agrees with human judgment at a rate of 80% using Qwen3", False),
        ("the grader reaches 81% agreement with teachers", False),
        ("Digger, which stops if all votes agree, reaches an accuracy of 81%", True),
        ("both readers agree that Digger reaches an accuracy of 81%", True),
    ],
)
def test_a_rate_of_agreement_is_no_headline(clause: str, is_shown: bool) -> None:
    result = last_result(clause, kind="level", weight=1.0, probability=1.0)
    assert bool(headline([result])) is is_shown
