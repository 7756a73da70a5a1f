from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
import xlwt
from inline_snapshot import snapshot
from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment

from classifier.errors import InputError
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
    assert "Name the title column 'title' in the first row. Sheets searched: Costs." in message(
        path
    )


def test_a_broken_workbook_is_refused_with_the_cure(tmp_path: Path) -> None:
    save = "Open it in Excel or LibreOffice and save it as .xlsx or as CSV UTF-8."
    (tmp_path / "p.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    path = workbook(tmp_path / "p.xlsx", {"Papers": [("Title",), ("Bread",)]})
    path.write_bytes(_without(path.read_bytes(), "xl/worksheets/sheet1.xml"))
    for name, reason in (("p.xls", "CalamineError: "), ("p.xlsx", "XMLSyntaxError: ")):
        told = message(tmp_path / name)
        assert told.startswith(f"{name}: error: found an encrypted or broken workbook ({reason}")
        assert told.endswith("expected a complete workbook. " + save)


def test_a_bomb_and_an_open_document_are_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "p.xlsx", {"Papers": [("Title",), ("Bread",)]})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", bytes(140_000_000))
    assert "its content is more than 100 times its size" in message(path)
    with zipfile.ZipFile(tmp_path / "p.odt", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
    assert "expected a format that Fieldguide reads" in message(tmp_path / "p.odt")


@pytest.mark.parametrize(
    "rows",
    [
        b'<row r="999999999"><c r="A999999999"><v>1</v></c></row>',
        b'<row r="1048576"><c r="XFD1048576" s="2" t="n"><v>1</v></c></row>',
        b"<row>" + b"<c><v>1</v></c>" * 9_000 + b"</row>" + b"<row><c><v>1</v></c></row>" * 9_000,
    ],
    ids=["a row at the end of the world", "a cell in the last corner", "cells without a place"],
)
def test_a_sheet_of_millions_of_empty_cells_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: bytes
) -> None:
    monkeypatch.setattr("pandas.read_excel", lambda *args, **kwargs: pytest.fail("it was read"))
    path = workbook(tmp_path / "p.xlsx", {"Papers": [("Title", "Year"), ("Bread", 2024)]})
    path.write_bytes(_with_rows(path.read_bytes(), rows))
    found = re.sub(r"of [\d,]+ cells", "of N cells", message(path))
    assert found == (
        snapshot(
            "p.xlsx: error: found a workbook of N cells, most of them empty; expected at most "
            "33,554,432. Delete the empty rows and columns after the last paper, or save it as CSV UTF-8."
        )
    )


def test_millions_of_formatted_empty_cells_are_no_obstacle(tmp_path: Path) -> None:
    path = workbook(tmp_path / "p.xlsx", {"Papers": [("Title", "Year"), ("Bread", 2024)]})
    path.write_bytes(
        _with_rows(path.read_bytes(), b'<row r="1048576"><c r="XFD1048576" s="1"/></row>')
    )
    assert [paper.title for paper in read(path).papers] == ["Bread"]


def open_document(path: Path, rows: str) -> Path:
    names = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
        for short in ("office", "table", "text")
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f"<office:document-content{names}><office:body><office:spreadsheet>"
            f'<table:table table:name="Papers">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return path


def cell(text: str, *, times: int = 1, note: str = "") -> str:
    annotation = f"<office:annotation><text:p>{note}</text:p></office:annotation>" if note else ""
    repeated = f'table:number-columns-repeated="{times}"'
    return (
        f'<table:table-cell office:value-type="string" {repeated}>{annotation}'
        f"<text:p>{text}</text:p></table:table-cell>"
    )


def test_a_workbook_of_libreoffice_is_read_and_its_comments_are_named(tmp_path: Path) -> None:
    rows = "".join(
        f"<table:table-row>{cells}</table:table-row>"
        for cells in (cell("Title") + cell("Year"), cell("Bread", note="Good?") + cell("2024"))
    )
    file = read(open_document(tmp_path / "p.ods", rows))
    assert [(paper.title, paper.published.date) for paper in file.papers] == [("Bread", "2024")]
    assert [str(fault) for fault in file.faults] == snapshot(
        [
            "p.ods: notice: found comments on cells of the sheet Papers: A2; expected notes in a column. "
            "The comments were not read. Copy them to a column if you need them."
        ]
    )


def test_equal_rows_of_libreoffice_are_counted_before_they_are_read(tmp_path: Path) -> None:
    rows = f'<table:table-row table:number-rows-repeated="9999">{cell("x", times=9999)}'
    path = open_document(tmp_path / "p.ods", f"{rows}</table:table-row>")
    assert "found a workbook of 99,980,001 cells" in message(path)


def test_comments_of_excel_are_named_with_their_tab(tmp_path: Path) -> None:
    path = workbook(tmp_path / "p.xlsx", {"Papers": [("Title",), ("Bread",)]})
    book = load_workbook(path)
    book["Papers"]["A2"].comment = Comment("Is it bread?", "Ada")
    book.save(path)
    (fault,) = read(path).faults
    assert fault.actual == "comments on cells of the sheet Papers: A2"


def test_tabs_are_named_with_their_counts_and_those_of_excluded_papers_told_apart(
    tmp_path: Path,
) -> None:
    sheets: dict[str, Sequence[Sequence[object]]] = {
        "Excluded": [("Title", "Reason"), ("Mud", "off topic")],
        "Included": [("Title", "Year"), ("Bread", 2023), ("Salt", 2024)],
    }
    file = read(workbook(tmp_path / "p.xlsx", sheets))
    assert file.file.columns_line() == "p.xlsx: 3 papers; tabs ← Excluded (1), Included (2)"
    assert [paper.sources[0].file for paper in file.papers] == [
        "p.xlsx/Excluded",
        "p.xlsx/Included",
        "p.xlsx/Included",
    ]
    assert [str(fault) for fault in file.faults] == snapshot(
        [
            "p.xlsx: notice: found a sheet of excluded papers: Excluded (1); expected papers to include. "
            "`fieldguide new` records them as exclusions; a build includes them as papers."
        ]
    )


def test_errors_are_empty_cells_and_merged_cells_count_for_each_row(
    tmp_path: Path,
) -> None:
    rows = [("Title", "Abstract", "Topic"), ("Bread", "#NAME?", "Rye"), ("Salt", "#REF!", "")]
    path = workbook(tmp_path / "p.xlsx", {"Papers": rows})
    book = load_workbook(path)
    for cell in (book["Papers"]["B2"], book["Papers"]["B3"]):
        cell.data_type = "e"
    book["Papers"].merge_cells("C2:C3")
    book.save(path)
    file = read(path)
    assert [paper.abstract for paper in file.papers] == ["", ""]
    assert [paper.collections for paper in file.papers] == [("Rye",), ("Rye",)]
    assert file.faults == ()


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
