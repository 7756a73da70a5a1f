"""The sheet as a workbook: lists to choose from, text that stays text, read as it was typed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from datetime import date, datetime, time
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from classifier.errors import InputError
from classifier.review import workbook
from classifier.review.sheet import human_columns
from classifier.review.sheet_file import read_sheet, sheet_file_bytes
from classifier.taxonomy.model import Taxonomy
from tests.review.bakery import BAKERY

ROWS = (
    {"id": "arxiv:2401.10230", "title": "=Rye", "year": "2024", "confidence": "0.70", "note": "@x"},
    {"id": "p-1", "title": "'-Steam _x0041_\x07", "why": "a\r\nb", "review_topics": "a; b; c; d"},
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


def cells_of(folder: Path, data: bytes) -> list[dict[str, str]]:
    path = folder / "labels.xlsx"
    path.write_bytes(data)
    return [dict(row.cells) for row in read_sheet(path, "labels.xlsx").rows]


def column_of(sheet: Worksheet, name: str) -> list[Cell]:
    """Return the cells below the header of a column."""
    (place,) = (place for place, cell in enumerate(sheet[1]) if cell.value == name)
    return [row[place] for row in sheet.iter_rows(min_row=2)]


def header_of(data: bytes) -> list[str]:
    return [str(cell.value) for cell in load_workbook(io.BytesIO(data))["Labels"][1]]


def test_the_sheet_of_labels(taxonomy: Taxonomy) -> None:
    book = load_workbook(io.BytesIO(sheet_file_bytes(taxonomy, ROWS, "xlsx")))
    assert book.sheetnames == ["Labels", "Definitions", "How to"]
    sheet = book["Labels"]
    assert sheet.freeze_panes == "C2"
    assert sheet.auto_filter.ref == sheet.dimensions
    lists = [column_of(sheet, f"review_topics{part}")[1].value for part in ("", " 2", " 3")]
    assert lists == ["a", "b", "c; d"]
    title, year, sure = (column_of(sheet, name)[0] for name in ("title", "year", "confidence"))
    assert (title.value, title.data_type, title.quotePrefix) == ("=Rye", "s", True)
    assert (year.value, sure.value, sure.number_format) == (2024, 0.7, "0.00")


def test_every_list_is_spread_over_columns_and_nothing_else() -> None:
    """As many as a facet admits; three where it sets no bound."""
    names = [name for name in header_of(sheet_file_bytes(BAKERY, [], "xlsx")) if "review_" in name]
    assert names == [
        *("review_primary", "review_topics", "review_topics 2", "review_kind"),
        *("review_flour", "review_flour 2", "review_flour 3"),
    ]


def test_the_columns_of_people_are_tinted(taxonomy: Taxonomy) -> None:
    sheet = load_workbook(io.BytesIO(sheet_file_bytes(taxonomy, ROWS, "xlsx")))["Labels"]
    tinted = {
        str(cell.value).partition(" ")[0]
        for cell in sheet[1]
        if sheet.column_dimensions[cell.column_letter].fill.fill_type == "solid"
    }
    assert tinted == set(human_columns(taxonomy))


def test_every_cell_that_takes_a_category_has_a_list(taxonomy: Taxonomy) -> None:
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


def test_the_same_rows_come_back(tmp_path: Path, taxonomy: Taxonomy) -> None:
    data = sheet_file_bytes(taxonomy, ROWS, "xlsx")
    book = cells_of(tmp_path, data)
    (tmp_path / "labels.csv").write_bytes(
        sheet_file_bytes(taxonomy, [{**row, "why": row.get("why", "")} for row in ROWS])
    )
    table = [dict(row.cells) for row in read_sheet(tmp_path / "labels.csv").rows]
    table[1]["why"] = "a\r\nb"  # CSV knows one newline
    assert book == table


def test_the_abstract_stands_in_the_row(taxonomy: Taxonomy) -> None:
    rows = [ROWS[0], {**ROWS[1], "abstract": "Steam\x07 helps."}]
    sheet = load_workbook(io.BytesIO(sheet_file_bytes(taxonomy, rows, "xlsx")))["Labels"]
    assert column_of(sheet, "abstract")[1].value == "Steam_x0007_ helps."


def test_a_workbook_of_no_paper_can_be_opened(tmp_path: Path, taxonomy: Taxonomy) -> None:
    assert cells_of(tmp_path, sheet_file_bytes(taxonomy, [], "xlsx")) == []


def test_the_same_input_gives_the_same_bytes_at_any_time(
    taxonomy: Taxonomy, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sheet_file_bytes(taxonomy, ROWS, "xlsx")
    late = (2031, 5, 6, 7, 8, 10, 0, 126, 0)
    monkeypatch.setattr("time.localtime", lambda *_: __import__("time").struct_time(late))

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> Later:
            return cls(2031, 5, 6)

    monkeypatch.setattr("openpyxl.writer.excel.datetime.datetime", Later)
    assert sheet_file_bytes(taxonomy, ROWS, "xlsx") == first
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.namelist()[0] == "[Content_Types].xml"
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_cells_are_read_as_they_were_typed(tmp_path: Path) -> None:
    data = saved(
        [
            ("ID ", "Title", "year", None, "note"),
            ("p-1", 1984, 2024.0, None, 0.7),
            ("p-2", date(2024, 5, 1), True, "mine", "=SUM(1,2)"),
            (None, None, None, None, None),
            ("p-3", datetime(2024, 5, 1, 12, 30), 1e20, None, -0.5, "behind"),
            ("p-4", time(12, 30), False, None, ""),
        ]
    )
    path = tmp_path / "labels.xlsx"
    path.write_bytes(data)
    sheet = read_sheet(path)
    assert (sheet.kind, sheet.columns) == ("xlsx", ("id", "title", "year", "note"))
    assert [(row.row, *row.cells.values(), *row.extra) for row in sheet.rows] == [
        (2, "p-1", "1984", "2024", "0.7"),
        (3, "p-2", "2024-05-01", "TRUE", "=SUM(1,2)", "mine"),
        (5, "p-3", "2024-05-01 12:30:00", "1e+20", "-0.5", "behind"),
        (6, "p-4", "12:30:00", "FALSE", ""),
    ]


@pytest.mark.parametrize(
    ("number", "shape", "text"),
    [
        (0.7, "0.00", "0.70"),
        (0.7, "General", "0.7"),
        (0.705, "0.00", "0.705"),
        (2024.0, "General", "2024"),
        (999_999_999_999_999.0, "General", "999999999999999"),
        (-1e20, "General", "-1e+20"),
    ],
)
def test_numbers_are_read_as_short_as_they_were_typed(
    tmp_path: Path, number: float, shape: str, text: str
) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["id", "title"])
    sheet.append(["p-1", number])
    sheet["B2"].number_format = shape
    assert [row["title"] for row in cells_of(tmp_path, bytes_of(book))] == [text]


def test_cells_are_edited_and_all_else_stays(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """A list that is spread over columns is emptied as a whole."""
    rows = [ROWS[0], {**ROWS[1], "verdict": "ok"}, {"id": "p-2", "title": "Oats", "verdict": "ok"}]
    data = sheet_file_bytes(taxonomy, rows, "xlsx")
    changes = {3: {"review_topics": "", "verdict": "", "note": "taken up"}}
    edited = workbook.edited_workbook(data, "labels.xlsx", changes)
    before, after = cells_of(tmp_path, data), cells_of(tmp_path, edited)
    assert before[1]["review_topics"] == "a; b; c; d"
    assert after == [
        before[0],
        {**before[1], "review_topics": "", "verdict": "", "note": "taken up"},
        before[2],
    ]
    assert workbook.edited_workbook(data, "labels.xlsx", changes) == edited


def test_rows_that_are_hidden_and_sheets_in_another_order_are_read(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    book = load_workbook(io.BytesIO(sheet_file_bytes(taxonomy, ROWS, "xlsx")))
    book["Labels"].row_dimensions[2].hidden = True
    book.move_sheet("Labels", 2)
    book["Labels"].title = "Mine"
    assert [row["id"] for row in cells_of(tmp_path, bytes_of(book))] == [row["id"] for row in ROWS]


def test_a_workbook_under_the_name_of_a_csv_is_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(saved([("id", "title"), ("p-1", "Rye")]))
    assert [row.cells for row in read_sheet(path).rows] == [{"id": "p-1", "title": "Rye"}]


def archive(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in files.items():
            written.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return buffer.getvalue()


WANTED = "expected a sheet as .xlsx or CSV."
AGAIN = "Save it again, or as CSV UTF-8."
OTHER = "Save it as .xlsx or as CSV UTF-8."
FAULTS = {
    "cut off": (
        saved([("id", "title")])[:1000],
        f"found a broken workbook (BadZipFile: File is not a zip file); {WANTED} {AGAIN}",
    ),
    "OpenDocument": (
        archive(content_xml=b"<x/>"),
        f"found an OpenDocument file; {WANTED} {OTHER}",
    ),
    "other archive": (
        archive(notes=b"x"),
        f"found a ZIP archive, no workbook; {WANTED} {OTHER}",
    ),
    "encrypted": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "found an Excel file of the old format or with a password; expected a sheet as CSV or .xlsx. "
        "Save it as CSV UTF-8 or as a workbook (.xlsx) without a password.",
    ),
    "another table": (
        saved([("jar", "text"), (1, "Rye")]),
        "1: error: found no column id or title in 'jar, text'; expected the sheet's header. The "
        "header is as Fieldguide wrote it: id,title,…",
    ),
}


@pytest.mark.parametrize(("data", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_faults(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        cells_of(tmp_path, data)
    place = "labels.xlsx:" if message[0] == "1" else "labels.xlsx: error: "
    assert str(caught.value) == f"{place}{message}"


def test_a_workbook_without_sense_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found a broken workbook"):
        cells_of(tmp_path, archive(xl__workbook_xml=b"<nonsense"))


def test_a_workbook_that_unfolds_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook, "MOST_BYTES", 1_000_000)
    with pytest.raises(InputError) as caught:
        cells_of(tmp_path, archive(xl__workbook_xml=b" " * 3_000_000))
    assert str(caught.value) == (
        f"labels.xlsx: error: found a workbook that unfolds to 3 MB; {WANTED} Delete what is not "
        "the sheet, or save it as CSV UTF-8."
    )


def test_a_sheet_that_reaches_to_the_end_of_the_world_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("classifier.files.table.MOST_ROWS", 1000)
    row = b'<row r="99999999999"><c r="A99999999999"/></row>'
    data = saved([("id", "title"), ("p-1", "Rye")])
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"</sheetData>", row + b"</sheetData>"))
    with pytest.raises(InputError) as caught:
        cells_of(tmp_path, buffer.getvalue())
    assert str(caught.value) == (
        "labels.xlsx: error: found a row behind the last one of any sheet, 1,000; "
        f"{WANTED} Delete the rows and columns behind the last paper, or save it as CSV UTF-8."
    )
