"""What the words around a result say of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classifier.text.result import headline
from classifier.text.result_words import has_measure, kind_of, metric_of, saved_resource
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("a gain of 22%", "gain unclear"),
        ("a 22% relative gain", "relative gain"),
        ("a gain of 22% relative to others", "gain unclear"),
        ("a gain of 2.2×", "relative gain"),
        ("22% less time", "relative gain"),
        ("22% faster delivery in steps", "relative gain"),
    ],
)
def test_a_gain_in_per_cent_is_relative_where_its_clause_says_so(clause: str, kind: str) -> None:
    said = f"Presents a hoe. Results show {clause}."
    (result,) = results_of(roled_sentences(said), lambda _: ())
    assert kind_of(replace(result, kind="relative gain", direction="down")) == kind


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
    assert metric_of(replace(result, kind="level", unit="%")) == metric


@pytest.mark.parametrize(
    ("clause", "direction", "saved", "kind"),
    [
        ("about 60% of GPU hours are saved by the hoe", "down", "time", "relative gain"),
        ("40% of nurses' time was saved", "down", "time", "relative gain"),
        ("the hoe gives 11% faster delivery in steps", "down", "steps and calls", "relative gain"),
        ("the hoe gives 11% faster delivery", "up", "speed or efficiency", "relative gain"),
        (
            "the hoe cuts digging time by 62% against Spade and by 78% against Fork",
            "down",
            "time",
            "relative gain",
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
    assert (result.direction, saved_resource(result), kind_of(result)) == (direction, saved, kind)


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
