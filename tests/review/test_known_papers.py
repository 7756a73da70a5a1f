"""The paper of a row is found by its id, an older id, or its title."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.review.ledger import Entry, Ledger
from classifier.review.read_rows import KnownPapers, MatchedPaper
from tests.review.bakery import (
    ALIASES,
    CLAY,
    RYE,
    TASTES,
    TITLES,
    apply_sheet,
    cells,
    decided,
    sheet,
)

GONE = "arxiv:1901.00001"
KNOWN = KnownPapers(TITLES, ALIASES, {GONE: "Bread of Long Ago"})


@pytest.mark.parametrize(
    ("identifier", "title", "paper"),
    [
        (RYE, "Rye at Rest", RYE),
        (RYE, "", RYE),
        (RYE, "rye at  REST", RYE),
        (RYE, "A title that was improved since", RYE),
        ("ARXIV:2401.10230 ", "", RYE),
        ("2401.10230", "", RYE),
        ("https://arxiv.org/abs/2401.10230v2", "", RYE),
        ("10.9999/bread.1", "", TASTES),
        ("p-aaaaaaaaaa", "", CLAY),
        ("", "an oven of clay", CLAY),
        ("p-ffffffffff", "An Oven of Clay", CLAY),
        (GONE, "Bread of Long Ago", GONE),
        (GONE, "", GONE),
    ],
)
def test_a_row_is_matched_to_its_paper(identifier: str, title: str, paper: str) -> None:
    found = KNOWN.find(identifier, title)
    assert isinstance(found, MatchedPaper)
    assert found.paper_id == paper


@pytest.mark.parametrize(
    ("identifier", "title", "message"),
    [
        (
            "p-ffffffffff",
            "",
            "id: found 'p-ffffffffff'; expected the id, or the title, of a paper in the corpus or "
            "the ledger. Restore the id that Fieldguide wrote, or delete the row.",
        ),
        (
            "",
            "Nothing of the sort",
            "title: found 'Nothing of the sort'; expected the id, or the title, of a paper in the "
            "corpus or the ledger. Restore the id that Fieldguide wrote, or delete the row.",
        ),
        (
            RYE,
            "An Oven of Clay",
            "title: found 'An Oven of Clay'; expected 'Rye at Rest', the title of arxiv:2401.10230. "
            "It is the title of p-0123456789; the rows may be shifted.",
        ),
        (
            GONE,
            "An Oven of Clay",
            "title: found 'An Oven of Clay'; expected 'Bread of Long Ago', the title of "
            "arxiv:1901.00001. It is the title of p-0123456789; the rows may be shifted.",
        ),
    ],
)
def test_a_row_without_a_paper_is_refused(identifier: str, title: str, message: str) -> None:
    found = KNOWN.find(identifier, title)
    assert isinstance(found, Fault)
    assert str(found) == message


def test_a_title_of_two_papers_is_a_fault() -> None:
    known = KnownPapers({"p-1": "Bread", "p-2": "bread"}, {}, {})
    assert isinstance(known.find("p-1", "Bread"), MatchedPaper)
    assert str(known.find("", "Bread")) == (
        snapshot(
            "title: found 'Bread'; expected the title of one paper, not of p-1, p-2. Enter the id of the paper in the column 'id'."
        )
    )


def test_a_paper_removed_from_the_corpus_can_still_be_reviewed() -> None:
    entry = Entry(
        GONE, "Bread of Long Ago", "kind", "trial", False, "bo", "2025-01-01", "audit", "", ""
    )
    row = cells(GONE, review_kind="guide")
    applied = apply_sheet(sheet(row), ledger=Ledger((entry,)))
    assert decided(applied, GONE) == {"kind": "guide; trial"}
    assert {e.title for e in applied.ledger.entries} == {"Bread of Long Ago"}


def test_a_row_with_a_valid_checksum_may_be_of_an_unknown_paper() -> None:
    row = cells("arxiv:2501.00001", verdict="ok") | {"title": "Of Another Archive"}
    applied = apply_sheet(sheet(row))
    assert decided(applied, "arxiv:2501.00001")["kind"] == "trial"
    (refused,) = apply_sheet(sheet(row | {"id": "arxiv:2501.00002"})).refused
    assert refused.column == "id"


def test_a_paper_whose_id_and_capitals_changed_is_found_by_its_title() -> None:
    """As after a DOI was added and the title corrected: a second apply must find the same paper."""
    old = cells("doi:10.9999/preprint", verdict="ok")
    assert "topic" in decided(apply_sheet(sheet(old | {"title": "Rye at REST"})), RYE)
