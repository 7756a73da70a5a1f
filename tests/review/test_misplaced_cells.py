"""Filled cells outside the columns for answers are reported."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.files.table import Row
from classifier.review.edits import intended_column, renamed_columns, unplaced_cells
from classifier.review.sheet_file import SheetFile
from tests.review.bakery import BAKERY, CLAY, apply_sheet, cells, decided, sheet


def faults(file: SheetFile) -> list[str]:
    return [str(each) for each in unplaced_cells(file, BAKERY)]


def test_an_unchanged_sheet_has_no_unplaced_cells() -> None:
    assert faults(sheet(cells(), cells(verdict="ok", reviewer="ada"))) == []


def test_an_added_column_is_reported_once() -> None:
    assert faults(sheet(cells(prio="1"), cells(prio="2"))) == snapshot(
        [
            "out/labels.csv: column 'prio': found 2 filled cells; expected a column of the sheet. Move them to note, or run `fieldguide build --ignore-sheet`: it keeps this file in sheets/."
        ]
    )
    assert faults(sheet(cells(prio=""))) == []


def test_a_cell_after_the_last_column_is_reported() -> None:
    row = Row(2, cells(), ("mine",), 2)
    (line,) = faults(SheetFile(sheet().path, "out/labels.csv", tuple(row.cells), (row,)))
    assert line.startswith("out/labels.csv: row 2, a column without a name: found 'mine'; expected")


@pytest.mark.parametrize(
    ("column", "meant"),
    {
        "review_topic": "review_topics",
        "review topics": "review_topics",
        "verdikt": "verdict",
        "remarks": "remark",
        "review_colour": "",
        "prio": "",
        "note": "",
        "title": "",
    }.items(),
)
def test_a_misspelt_column_is_recognised(column: str, meant: str) -> None:
    assert intended_column(column, BAKERY) == meant


def test_the_rows_of_a_misspelt_column_are_not_applied() -> None:
    rows = cells(review_topic="taste", verdict="ok"), cells(CLAY, review_topic="", verdict="ok")
    for row in rows:
        del row["review_topics"]
    applied = apply_sheet(sheet(*rows))
    assert [str(each) for each in applied.refused] == snapshot(
        [
            "out/labels.csv: column 'review_topic': found 1 filled cell; expected a column of the sheet. Did you mean 'review_topics'? Rename it; until then no filled row is applied."
        ]
    )
    assert (decided(applied), bool(decided(applied, CLAY))) == ({}, True)


def test_a_second_column_for_the_same_answers_is_refused() -> None:
    """As `note 1`, which Google Sheets makes of a copied column."""
    (fault,) = apply_sheet(sheet(cells(**{"note 1": "see page 7"}))).refused
    assert fault.hint == "Move them to 'note', which the sheet has, and delete this column."


def renamed(old: str, new: str) -> SheetFile:
    row = cells(note="see page 7", verdict="ok")
    return sheet({new if name == old else name: cell for name, cell in row.items()})


def test_a_renamed_column_can_be_renamed_back() -> None:
    (line,) = faults(renamed("note", "Notiz"))
    assert line.endswith("in sheets/. If the column was renamed, rename it back: note.")
    (line,) = faults(renamed("why", "warum"))
    assert line.endswith("in sheets/. If the column was renamed, rename it back: why.")


def test_answers_in_a_column_without_a_name_are_reported_in_any_sheet() -> None:
    row = cells(note="see page 7")
    del row["verdict"]
    file = SheetFile(sheet().path, "ada.csv", tuple(row), (Row(2, row, ("ok",), 2),))
    assert [str(each) for each in renamed_columns(file, BAKERY)] == snapshot(
        [
            "ada.csv: row 2, a column without a name: found 'ok'; expected no cell. They are not applied. If the column was renamed, rename it back: verdict."
        ]
    )


def test_a_removed_typed_column_is_not_an_added_column() -> None:
    assert faults(sheet(cells(dose="5 mg", col_dose=""))) == []
