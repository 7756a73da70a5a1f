"""How sure a match is: titles first, then whatever both records state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.extras.fetch.metadata import best_match, judge
from classifier.papers.paper import Paper, Published

LONG = "Keeping a Rye Starter Alive on Four Feedings a Month"


def paper(title: str, *authors: str, year: str = "", abstract: str = "", doi: str = "") -> Paper:
    return Paper(
        title,
        authors=authors,
        published=Published(year),
        abstract=abstract,
        abstract_kind="abstract" if abstract else "none",
        doi=doi,
    )


@pytest.mark.parametrize(
    ("meant", "found", "score", "is_safe", "why"),
    [
        (paper(LONG), paper(LONG.upper()), 1.0, True, "same title"),
        (paper(LONG), paper(f"{LONG}s"), 0.99, True, "titles 99% alike"),
        (paper(LONG), paper(f"{LONG}: A Field Study of Ovens"), 0.83, False, "titles 83% alike"),
        (
            paper(LONG, "Ada Baker"),
            paper(LONG, "Baker, A."),
            1.0,
            True,
            "same title; authors agree",
        ),
        (
            paper(LONG, "Ada Baker"),
            paper(LONG, "Ben Miller"),
            0.7,
            False,
            "same title; other authors",
        ),
        (
            paper(LONG, year="2015"),
            paper(LONG, year="2024-05"),
            0.7,
            False,
            "same title; 2015 and 2024",
        ),
        (paper(LONG, year="2023"), paper(LONG, year="2024-05"), 1.0, True, "same title"),
        (
            paper(f"{LONG} 1"),
            paper(f"{LONG} 2"),
            0.68,
            False,
            "titles 98% alike; numbers or a short title differ",
        ),
        (
            paper("Sourdough"),
            paper("Sourdough"),
            1.0,
            False,
            "same title; others may have so short a title",
        ),
        (
            paper("Sourdough", "Ada Baker"),
            paper("Sourdough", "Ada Baker"),
            1.0,
            True,
            "same title; authors agree",
        ),
    ],
)
def test_judgements(meant: Paper, found: Paper, score: float, is_safe: bool, why: str) -> None:
    match = judge(meant, found, "arxiv")
    assert (match.score, match.is_safe, match.why) == (score, is_safe, why)


def test_another_abstract_is_another_paper() -> None:
    bread = (
        "We bake twenty loaves of rye with a starter that is fed once in each week and weigh "
        "them all before supper."
    )
    bees = (
        "Colonies of bees which live under bridges sleep longer when trains pass only by night "
        "or noon; our cameras counted each swarm."
    )
    match = judge(paper(LONG, abstract=bread), paper(LONG, abstract=bees), "arxiv")
    assert (match.is_safe, match.why) == (False, "same title; another abstract")


def test_an_id_that_leads_to_another_title_is_doubtful() -> None:
    match = judge(paper(LONG), paper("Bees under bridges"), "arxiv", by_id=True)
    assert not match.is_safe
    assert judge(paper("Sourdough"), paper("Sourdough"), "arxiv", by_id=True).is_safe


def test_two_papers_of_one_title_are_doubtful() -> None:
    found = [paper(LONG, "Ada Baker", doi="10.1/a"), paper(LONG, "Ben Miller", doi="10.1/b")]
    match = best_match(paper(LONG), found, "crossref")
    assert match is not None
    assert (match.is_safe, match.why) == snapshot(
        (False, "same title; another paper has this title too")
    )
    versions = [paper(LONG, "Ada Baker", doi="10.1/a"), paper(LONG, "A. Baker", doi="10.1/b")]
    assert best_match(paper(LONG), versions, "crossref").is_safe  # type: ignore[union-attr]


def test_what_is_not_alike_is_not_shown() -> None:
    assert best_match(paper(LONG), [paper("Bees")], "crossref") is None
    assert best_match(paper(LONG), [], "crossref") is None


@given(st.text(min_size=1), st.text(min_size=1), st.lists(st.text()), st.lists(st.text()))
def test_any_texts_are_judged(a: str, b: str, authors: list[str], others: list[str]) -> None:
    match = judge(paper(a, *authors), paper(b, *others), "arxiv")
    assert 0 <= match.score <= 1
    assert match.why
