"""What the words around a result say of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classifier.text.result_words import kind_of, metric_of, says_of_what
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
    assert says_of_what(replace(result, kind="level", unit="%")) is is_said


@pytest.mark.parametrize(
    ("clause", "metric"),
    [
        ("Digger reaches an accuracy of 90%", "accuracy"),
        ("the pass rate is low, and most stall at 30% completion", "completion"),
        ("Digger keeps over 95% of accuracy", "share of accuracy"),
        ("Digger reaches 60% of human performance", "share of human performance"),
    ],
)
def test_what_a_level_is_measured_by(clause: str, metric: str) -> None:
    (result,) = results_of(roled_sentences(f"Presents a hoe. We find that {clause}."), lambda _: ())
    assert metric_of(replace(result, kind="level", unit="%")) == metric
