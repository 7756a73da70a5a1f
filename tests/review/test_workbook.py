"""The workbook for reviewers: drop-down lists, cells as text, and reading every tab."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.cell import Cell
from openpyxl.comments import Comment
from openpyxl.worksheet.worksheet import Worksheet

from classifier.errors import InputError
from classifier.review.sheet_file import read_sheet, read_tabs, sheet_file_bytes
from classifier.taxonomy.model import Taxonomy
from tests.review.bakery import BAKERY

ROWS = (
    {"id": "arxiv:2401.10230", "title": "=Rye", "year": "2024", "confidence": "0.70", "note": "@x"},
    {"id": "p-1", "title": "'-Steam", "why": "a\nb", "review_topics": "a; b; c; d"},
)


def saved(rows: Iterable[Iterable[object]]) -> bytes:
    """Return a workbook as another program saves it."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    return bytes_of(book)


def bytes_of(book: Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def path_of(folder: Path, data: bytes) -> Path:
    path = folder / "labels.xlsx"
    path.write_bytes(data)
    return path


def column_of(sheet: Worksheet, name: str) -> list[Cell]:
    """Return the cells below the header of a column."""
    (place,) = (place for place, cell in enumerate(sheet[1]) if cell.value == name)
    return [row[place] for row in sheet.iter_rows(min_row=2)]


def test_the_tab_of_labels(taxonomy: Taxonomy) -> None:
    book = load_workbook(io.BytesIO(sheet_file_bytes(taxonomy, ROWS, "xlsx")))
    assert book.sheetnames == ["Labels", "Definitions", "How to"]
    sheet = book["Labels"]
    assert sheet.freeze_panes == "C2"
    lists = [column_of(sheet, f"review_topics{part}")[1].value for part in ("", " 2", " 3")]
    assert lists == ["a", "b", "c; d"]
    title, year, sure, note = (
        column_of(sheet, name)[0] for name in ("title", "year", "confidence", "note")
    )
    assert (title.value, title.data_type) == ("=Rye", "s")
    assert (year.value, sure.value, sure.number_format) == (2024, 0.7, "0.00")
    assert note.number_format == "@"  # or `-safety` becomes a formula


def test_only_lists_have_several_columns() -> None:
    """A list has as many columns as `at_most`, or three without it."""
    book = load_workbook(io.BytesIO(sheet_file_bytes(BAKERY, [], "xlsx")))
    names = [str(cell.value) for cell in book["Labels"][1] if "review_" in str(cell.value)]
    assert names == [
        *("review_primary", "review_topics", "review_topics 2", "review_kind"),
        *("review_flour", "review_flour 2", "review_flour 3"),
    ]


def test_every_cell_for_a_category_has_a_drop_down_list(taxonomy: Taxonomy) -> None:
    book = load_workbook(io.BytesIO(sheet_file_bytes(taxonomy, ROWS, "xlsx")))
    sheet = book["Labels"]
    lists = {
        sheet[f"{str(rule.sqref).rstrip('0123456789:').split('2')[0]}1"].value: rule.formula1
        for rule in sheet.data_validations.dataValidation
    }
    topics = dict.fromkeys(
        ("review_primary", "review_topics", "review_topics 2", "review_topics 3"),
        "Definitions!$B$2:$B$5",
    )
    assert lists == {
        "verdict": '"ok,ok; key,key,not key"', **topics, "review_kind": "Definitions!$B$6:$B$7",
    }  # fmt: skip
    rows = list(book["Definitions"].iter_rows(values_only=True))
    assert rows[0] == ("facet", "id", "name", "definition", "includes", "excludes")
    assert [row[1] for row in rows[1:]] == [
        *("dough", "dough/rye", "ovens", "taste", "trial", "guide"),
    ]


def test_the_same_rows_are_read(tmp_path: Path, taxonomy: Taxonomy) -> None:
    book = path_of(tmp_path, sheet_file_bytes(taxonomy, ROWS, "xlsx"))
    table = tmp_path / "labels.csv"
    table.write_bytes(sheet_file_bytes(taxonomy, ROWS))
    found = [dict(row.cells) for row in read_sheet(book).rows]
    expected = [dict(row.cells) for row in read_sheet(table).rows]
    assert found == [expected[0] | {"confidence": "0.7"}, expected[1]]


def test_a_workbook_without_papers_is_read(tmp_path: Path, taxonomy: Taxonomy) -> None:
    assert read_sheet(path_of(tmp_path, sheet_file_bytes(taxonomy, [], "xlsx"))).rows == ()


def test_the_same_input_gives_the_same_bytes(taxonomy: Taxonomy) -> None:
    data = sheet_file_bytes(taxonomy, ROWS, "xlsx")
    assert sheet_file_bytes(taxonomy, ROWS, "xlsx") == data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_every_tab_with_the_columns_of_a_sheet_is_read(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """The workbook has a copy as its first tab, a tab per reviewer, hidden rows, another name."""
    book = load_workbook(io.BytesIO(sheet_file_bytes(taxonomy, ROWS, "xlsx")))
    copy = book.copy_worksheet(book["Labels"])
    copy.title = "bo"
    book.move_sheet(copy, -3)
    book["Labels"].row_dimensions[2].hidden = True
    sheets, unread = read_tabs(path_of(tmp_path, bytes_of(book)), "a.xlsx", taxonomy)
    assert [sheet.file for sheet in sheets] == ["a.xlsx [bo]", "a.xlsx [Labels]"]
    assert [len(sheet.rows) for sheet in sheets] == [2, 2]
    assert unread == []


def test_skipped_tabs_and_comments_are_reported(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """The workbook has a tab of notes, a changed definition and a comment."""
    book = load_workbook(io.BytesIO(sheet_file_bytes(taxonomy, ROWS, "xlsx")))
    book.create_sheet("Notes").append(["ask Bo"])
    book["Definitions"]["D3"].value = "What does this mean?"
    book["Labels"]["B3"].comment = Comment("Wrong!", "ada")
    (sheet,), unread = read_tabs(path_of(tmp_path, bytes_of(book)), "a.xlsx", taxonomy)
    assert sheet.file == "a.xlsx"
    assert unread == [
        "a.xlsx [Labels]: 1 comment skipped (B3). To keep them in the ledger, copy "
        "them into the column note or remark.",
        "a.xlsx [Definitions]: skipped, since it has no column id or title.",
        "a.xlsx [Notes]: skipped, since it has no column id or title.",
    ]


def test_a_workbook_with_the_ending_csv_is_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(saved([("id", "title"), ("p-1", "Rye")]))
    assert [row.cells for row in read_sheet(path).rows] == [{"id": "p-1", "title": "Rye"}]


def test_an_answer_in_merged_cells_counts_for_each_row(tmp_path: Path) -> None:
    papers = [("id", "title", "verdict"), ("p-1", "Rye", "ok"), ("p-2", "Salt"), ("p-3", "Ovens")]
    book = load_workbook(io.BytesIO(saved(papers)))
    book.worksheets[0].merge_cells("C2:C3")
    sheet = read_sheet(path_of(tmp_path, bytes_of(book)))
    assert [row.cells["verdict"] for row in sheet.rows] == ["ok", "ok", ""]


FAULTS = {
    "cut off": (saved([("id", "title")])[:1000], "found a damaged workbook or another ZIP archive"),
    "encrypted": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "found an Excel file of the old format or with a password; expected a sheet as CSV or .xlsx",
    ),
    "another table": (
        saved([("jar", "text"), (1, "Rye")]),
        "found no tab with the columns of a review sheet",
    ),
}


@pytest.mark.parametrize(("data", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_faults(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_sheet(path_of(tmp_path, data), "labels.xlsx")
    assert f"labels.xlsx: error: {message}" in str(caught.value)
