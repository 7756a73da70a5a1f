from __future__ import annotations

import doctest
from collections.abc import Callable

import pytest

from classifier.survey import wording
from classifier.survey.entry import SurveyPaper
from classifier.survey.wording import (
    citation_links,
    count_in_words,
    count_or_none,
    count_with_noun,
    date_in_words,
    join_words,
    name_in_prose,
    verb_for_count,
    with_article,
)

# n -> number | counted | number_or_none | verb
COUNTS = {
    0: "no | no studies | none | grows",
    1: "one | one study | one | grows",
    2: "two | two studies | two | grow",
    9: "nine | nine studies | nine | grow",
    10: "10 | 10 studies | 10 | grow",
    1204: "1,204 | 1,204 studies | 1,204 | grow",
}


def test_the_examples_in_the_docstrings_are_correct() -> None:
    results = doctest.testmod(wording)
    assert results.attempted >= 7
    assert results.failed == 0


@pytest.mark.parametrize(("n", "expected"), COUNTS.items())
def test_counts(n: int, expected: str) -> None:
    forms = (
        count_in_words(n),
        count_with_noun(n, "study", "studies"),
        count_or_none(n),
        verb_for_count(n, "grows", "grow"),
    )
    assert " | ".join(forms) == expected


@pytest.mark.parametrize(
    "expected",
    [
        "a method",
        "an analysis",
        "an essay",
        "an idea",
        "an overview",
        "a user study",
        "a European registry",
        "an umbrella review",
        "a one-off",
        "an hour-long observation",
        "an RCT",
        "a WHO report",
    ],
)
def test_articles(expected: str) -> None:
    assert with_article(expected.partition(" ")[2]) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Case Study", "case study"),
        ("Übersicht", "übersicht"),
        ("RCT", "RCT"),
        ("Cluster-RCT", "cluster-RCT"),
        ("COVID-19 report", "COVID-19 report"),
        ("Use of GPT4", "use of GPT4"),
    ],
)
def test_a_name_within_a_sentence_keeps_initials(name: str, expected: str) -> None:
    assert name_in_prose(name) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [("", ""), ("a", "a"), ("ab", "a and b"), ("abcd", "a, b, c and d")],
)
def test_lists(parts: str, expected: str) -> None:
    assert join_words(list(parts)) == expected


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2025-01-09", "9 January 2025"),
        ("2025-12", "December 2025"),
        ("2025", "2025"),
        ("", ""),
    ],
)
def test_dates(date: str, expected: str) -> None:
    assert date_in_words(date) == expected


def test_citations_are_sorted_and_a_long_list_is_counted(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    entries = [make_entry(n) for n in (3, 1, 2)]
    assert citation_links(entries[:1]) == r"\[[3](#ref-3)\]"
    assert citation_links(entries) == r"\[[1](#ref-1), [2](#ref-2), [3](#ref-3)\]"
