"""What is typed where no answer goes is named, so that a build that refuses can be helped."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.files.table import Row
from classifier.review.sheet_check import Built, meant_column, misplaced_cells
from classifier.review.sheet_file import SheetFile
from tests.review.bakery import BAKERY, CLAY, RYE, cells, decided, sheet, take

BUILT: Built = {
    RYE: {name: cell for name, cell in cells().items() if cell and name not in ("id", "why")}
}


def told(file: SheetFile) -> list[str]:
    return [str(each) for each in misplaced_cells(file, BAKERY, BUILT, (), frozenset())]


def test_a_sheet_as_it_was_written_holds_none() -> None:
    assert told(sheet(cells(), cells(verdict="ok", reviewer="ada"))) == []


def test_a_column_of_ones_own_is_told_once() -> None:
    assert told(sheet(cells(prio="1"), cells(prio="2"))) == snapshot(
        [
            "out/labels.csv: column 'prio': found 2 cells that are no answer; expected a column of the "
            "sheet. They stay in this file, but a new sheet would drop them: move them to note, or "
            "keep a copy and build with --ignore-sheet."
        ]
    )
    assert told(sheet(cells(prio=""))) == []


@pytest.mark.parametrize(
    ("column", "cell", "wrote"),
    [("title", "Rye", "Rye at Rest"), ("confidence", "0.99", "0.81"), ("status", "x", "confident")],
)
def test_a_cell_typed_over_is_told_with_what_stood_there(
    column: str, cell: str, wrote: str
) -> None:
    assert told(sheet(cells(**{column: cell}))) == [
        f"out/labels.csv: row 2, {column}: found '{cell}'; expected '{wrote}', which Fieldguide "
        "wrote. Put it back, or keep a copy and build with --ignore-sheet."
    ]


def test_of_the_labels_of_a_row_that_was_refused_all_is_said() -> None:
    """Not of its other cells."""
    found = misplaced_cells(
        sheet(cells(topics="taste", why="mine")), BAKERY, BUILT, (), frozenset({2})
    )
    assert [each.column for each in found] == ["why"]


def test_a_reason_typed_over_is_told() -> None:
    (line,) = told(sheet(cells(why="my own view")))
    assert "row 2, why: found 'my own view'; expected what Fieldguide wrote." in line


def test_a_cell_behind_the_last_column_is_told() -> None:
    row = Row(2, cells(), ("mine",), 2)
    (line,) = told(SheetFile(sheet().path, "out/labels.csv", tuple(row.cells), (row,)))
    assert line.startswith("out/labels.csv: row 2, behind the last column: found 'mine'; expected")


@pytest.mark.parametrize(
    ("column", "meant"),
    {
        "review_topic": "review_topics",
        "verdikt": "verdict",
        "remarks": "remark",
        "review_colour": "",
        "prio": "",
        "note": "",
        "title": "",
    }.items(),
)
def test_a_misspelt_column_is_known(column: str, meant: str) -> None:
    assert meant_column(column, BAKERY) == meant


def test_the_rows_of_a_misspelt_column_wait() -> None:
    taken_up = take(
        sheet(cells(review_topic="taste", verdict="ok"), cells(CLAY, review_topic="", verdict="ok"))
    )
    assert [str(each) for each in taken_up.refused] == snapshot(
        [
            "out/labels.csv: column 'review_topic': found 1 cell that is no answer; expected a column of "
            "the sheet. Did you mean 'review_topics'? Rename it; until then its rows are left as they "
            "are."
        ]
    )
    assert (decided(taken_up), bool(decided(taken_up, CLAY))) == ({}, True)
