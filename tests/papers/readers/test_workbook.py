from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
import xlwt
from inline_snapshot import snapshot
from openpyxl import Workbook

from classifier.errors import InputError
from classifier.files import table
from classifier.papers.load import FileRecords, read_file

HEADER = ("Nr", "Document Title", "Year", "Authors", "Abstract", "Online Date", "Topic")


def workbook(path: Path, sheets: dict[str, Sequence[Sequence[object]]]) -> Path:
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def read(path: Path) -> FileRecords:
    (file,) = read_file(path, path.name)
    return file


def test_the_sheet_that_lists_papers_is_read_with_numbers_as_people_see_them(
    tmp_path: Path,
) -> None:
    rows = [
        ("Loaves, exported in May",),
        (),
        HEADER,
        (1, "Bread", 2020.0, "Oven, Ann; Flour, Bo", "We bake.", datetime(2020, 5, 1), "Rye"),
        (2, 1984, 2021, "Salt, Cy", "#N/A", None, "Rye"),
    ]
    path = workbook(tmp_path / "p.xlsx", {"About": [("Read me",)], "Papers": rows})
    file = read(path)
    first, second = file.papers
    assert (first.title, first.authors) == ("Bread", ("Oven, Ann", "Flour, Bo"))
    assert (first.published.date, first.collections) == ("2020-05-01", ("Rye",))
    assert (second.title, second.abstract, second.published.date) == ("1984", "", "2021")
    assert [paper.sources[0].line for paper in file.papers] == [4, 5]
    assert file.file.columns_line() == (
        snapshot(
            "p.xlsx: 2 papers; title ← Document Title, year ← Year, authors ← Authors, "
            "abstract ← Abstract, date ← Online Date, collections ← Topic; not read: 'Nr'"
        )
    )


def message(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_file(path, path.name)
    return str(caught.value)


def test_a_workbook_without_papers_says_where_it_looked(tmp_path: Path) -> None:
    path = workbook(tmp_path / "p.xlsx", {"Costs": [("What", "Sum"), ("Flour", 3)]})
    assert "Name the column of the titles 'title' in the first row (looked at: Costs)." in message(
        path
    )


def test_a_broken_workbook_is_refused_with_the_cure(tmp_path: Path) -> None:
    save = "Open it in Excel or LibreOffice and save it as .xlsx or as CSV UTF-8."
    (tmp_path / "p.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    path = workbook(tmp_path / "p.xlsx", {"Papers": [("Title",), ("Bread",)]})
    path.write_bytes(_without(path.read_bytes(), "xl/worksheets/sheet1.xml"))
    for name, reason in (("p.xls", "CompDocError: Expected"), ("p.xlsx", "ParseError: unclosed")):
        told = message(tmp_path / name)
        assert told.startswith(f"{name}: error: found an encrypted or broken workbook ({reason}")
        assert told.endswith("expected a whole workbook. " + save)


def test_a_bomb_and_an_open_document_are_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "p.xlsx", {"Papers": [("Title",), ("Bread",)]})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", bytes(140_000_000))
    assert "it unpacks to more than 100 times its size" in message(path)
    with zipfile.ZipFile(tmp_path / "p.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    assert "expected a format that Fieldguide reads" in message(tmp_path / "p.ods")


@pytest.mark.parametrize(
    "rows",
    [b'<row r="99999999999"><c r="A1"><v>1</v></c></row>', b'<row><c r="ZZZ9"/></row>' * 50_000],
    ids=["a row at the end of the world", "a cell far to the right in each row"],
)
def test_a_sheet_of_hundreds_of_millions_of_empty_cells_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: bytes
) -> None:
    monkeypatch.setattr(table.CellCounter.__init__, "__defaults__", (2**20,))
    path = workbook(tmp_path / "p.xlsx", {"Papers": [("Title", "Year"), ("Bread", 2024)]})
    path.write_bytes(_with_rows(path.read_bytes(), rows))
    assert message(path) == (
        snapshot(
            "p.xlsx: error: found a sheet with hundreds of millions of cells, most of them empty; "
            "expected a smaller one. Delete the rows and columns behind the last paper, or save it as "
            "CSV UTF-8."
        )
    )


def _with_rows(data: bytes, rows: bytes) -> bytes:
    """Return a workbook whose first sheet has these rows behind its own."""
    more = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(more, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, old.read(entry).replace(b"</sheetData>", rows + b"</sheetData>"))
    return more.getvalue()


def _without(data: bytes, name: str) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(kept, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, b"<broken" if entry == name else old.read(entry))
    return kept.getvalue()


def test_sheets_with_the_same_header_are_read_one_after_another(tmp_path: Path) -> None:
    sheets: dict[str, Sequence[Sequence[object]]] = {
        "2023": [("Title", "Year"), ("Bread", 2023)],
        "Prices": [("Title", "Price", "Year"), ("Flour", 2, 2023)],
        "2024": [("Title", "Year"), ("Salt", 2024)],
    }
    file = read(workbook(tmp_path / "p.xlsx", sheets))
    assert [paper.title for paper in file.papers] == ["Bread", "Salt"]


def test_web_of_science_writes_workbooks_of_before_2007(tmp_path: Path) -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("savedrecs")
    header = (
        "Authors",
        "Author Full Names",
        "Article Title",
        "Abstract",
        "Publication Year",
        "DOI",
    )
    row = ("Oven, A", "Oven, Ann; Flour, Bo", "Rye at home", "We bake.", 2020, "10.1000/RYE")
    for at, (name, cell) in enumerate(zip(header, row, strict=True)):
        sheet.write(0, at, name)
        sheet.write(2, at, cell)
    book.save(str(tmp_path / "savedrecs.xls"))
    (paper,) = read(tmp_path / "savedrecs.xls").papers
    assert (paper.title, paper.authors, paper.doi) == (
        "Rye at home", ("Oven, Ann", "Flour, Bo"), "10.1000/rye",
    )  # fmt: skip
    assert (paper.published.date, paper.sources[0].line) == ("2020", 3)
