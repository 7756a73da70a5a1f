"""What is typed where no answer goes is named, so that a build that refuses can be helped."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.files.table import Row
from classifier.review.edits import intended_column, unplaced_cells
from classifier.review.sheet_file import SheetFile
from tests.review.bakery import BAKERY, CLAY, cells, decided, sheet, take


def told(file: SheetFile) -> list[str]:
    return [str(each) for each in unplaced_cells(file, BAKERY)]


def test_a_sheet_as_it_was_written_holds_none() -> None:
    assert told(sheet(cells(), cells(verdict="ok", reviewer="ada"))) == []


def test_a_column_of_ones_own_is_told_once() -> None:
    assert told(sheet(cells(prio="1"), cells(prio="2"))) == snapshot(
        [
            "out/labels.csv: column 'prio': found 2 filled cells; expected a column of the sheet. Move them to note, or run `fieldguide build --ignore-sheet`: it keeps this file in sheets/."
        ]
    )
    assert told(sheet(cells(prio=""))) == []


def test_a_cell_behind_the_last_column_is_told() -> None:
    row = Row(2, cells(), ("mine",), 2)
    (line,) = told(SheetFile(sheet().path, "out/labels.csv", tuple(row.cells), (row,)))
    assert line.startswith("out/labels.csv: row 2, after the last column: found 'mine'; expected")


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
    assert intended_column(column, BAKERY) == meant


def test_the_rows_of_a_misspelt_column_wait() -> None:
    taken_up = take(
        sheet(cells(review_topic="taste", verdict="ok"), cells(CLAY, review_topic="", verdict="ok"))
    )
    assert [str(each) for each in taken_up.refused] == snapshot(
        [
            "out/labels.csv: column 'review_topic': found 1 filled cell; expected a column of the sheet. Did you mean 'review_topics'? Rename it; until then no filled row is applied."
        ]
    )
    assert (decided(taken_up), bool(decided(taken_up, CLAY))) == ({}, True)
