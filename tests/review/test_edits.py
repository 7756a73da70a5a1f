"""Edits of a sheet that the ledger does not have: answers, overwritten labels, added columns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classifier.review.apply import LedgerEditor, pending_edits
from classifier.review.edits import filled_rows
from classifier.review.ledger import Ledger
from classifier.review.sheet_file import SheetFile
from classifier.taxonomy.versions import Versions
from tests.review.bakery import (
    ALIASES,
    BAKERY,
    CLAY,
    PENDING_READER,
    RYE,
    apply_sheet,
    cells,
    sheet,
)

NONE = Ledger()


def edits(found: SheetFile, ledger: Ledger = NONE) -> list[str]:
    """Return `row column` of each edit."""
    editor = LedgerEditor(ledger, BAKERY, Versions(), ALIASES, "")
    return [
        f"{fault.line} {fault.column}" for fault in pending_edits(found, PENDING_READER, editor)
    ]


def test_an_unchanged_sheet_has_no_edits() -> None:
    assert edits(sheet(cells(RYE), cells(CLAY))) == []
    assert edits(sheet(cells(CLAY, reviewer="ada", note="  "), cells(RYE))) == []


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Rye ? Rest"},
        {"why": "‘rye’ in the t?tle +2.0 [{checksum}]"},
        {"abstract": "Gluten ? and water."},
        {"year": "1.1.2024"},
        {"confidence": "0,8"},
        {"status": "done"},
        {"url": ""},
        {"id": "ARXIV:2401.10230"},
        {"id": "2.40E+03"},
        {"id": "01.01.2024"},
        {"id": ""},
    ],
)
def test_changes_of_other_cells_by_a_program_are_not_edits(change: dict[str, str]) -> None:
    row = cells(RYE)
    digits = row["why"].rpartition("[")[2].rstrip("]")
    change = {name: cell.replace("{checksum}", digits) for name, cell in change.items()}
    if "title" in change or "id" in change:  # one of the two finds the paper
        assert edits(sheet(row | change, cells(CLAY))) == []
    assert edits(sheet(row | change, cells(CLAY))) == []


@pytest.mark.parametrize("change", [{"primary": "taste"}, {"kind": "guide"}, {"topics": ""}])
def test_overwritten_labels_are_an_edit(change: dict[str, str]) -> None:
    assert edits(sheet(cells(RYE), cells(CLAY) | change)) == ["3 primary to flour"]


@pytest.mark.parametrize(
    "filled", [{"verdict": "ok"}, {"note": "0"}, {"remark": "Good."}, {"review_topics": "dough"}]
)
def test_an_answer_is_an_edit_until_the_ledger_has_it(filled: dict[str, str]) -> None:
    found = sheet(cells(RYE, **filled), cells(CLAY))
    assert edits(found)
    assert edits(found, apply_sheet(found, reviewer="ada").ledger) == []


def test_an_answer_of_another_reviewer_does_not_count() -> None:
    ledger = apply_sheet(sheet(cells(RYE, verdict="ok")), reviewer="ada").ledger
    assert edits(sheet(cells(RYE, verdict="ok", reviewer="bo")), ledger) == ["2 topic"]


def test_an_answer_that_was_replaced_later_is_not_an_edit() -> None:
    old = sheet(cells(RYE, review_topics="taste"))
    ledger = apply_sheet(old, today="2025-06-10").ledger
    later = sheet(cells(RYE, review_topics="ovens"))
    assert edits(old, apply_sheet(later, ledger=ledger, today="2025-06-11").ledger) == []


def test_a_row_without_a_paper_and_added_columns_are_edits() -> None:
    assert edits(sheet(cells(RYE), {**cells(CLAY), "id": "", "title": "Mine", "why": ""})) == [
        "3 title"
    ]
    assert edits(sheet(cells(RYE) | {"mine": "x"})) == ["None column 'mine'"]
    found = sheet(cells(RYE))
    stray = replace(found, rows=(replace(found.rows[0], extra=("x",)),))
    assert edits(stray) == ["2 a column without a name"]


def test_checksums_of_an_unknown_taxonomy_prove_no_change() -> None:
    row = cells(RYE)
    assert edits(sheet(row | {"why": "rye [000000]"}, {**cells(CLAY), "why": "x [000001]"})) == []


def test_filled_rows_of_a_sheet() -> None:
    rows = filled_rows(sheet(cells(RYE, reviewer="ada"), cells(CLAY, note="x")), BAKERY)
    assert [row.row for row in rows] == [3]
