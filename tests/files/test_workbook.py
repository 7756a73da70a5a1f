"""Texts and values of cells, through the spreadsheets that people use."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import zipfile
from datetime import date
from pathlib import Path

import pandas as pd
import pytest
import xlsxwriter
from openpyxl import Workbook

from classifier.files.table import csv_bytes, read_table, unescape_formula
from classifier.files.workbook import escape_for_workbook, read_sheets, text_workbook

TEXTS = ["NA", "None", "nan", "007", "1e5", "TRUE", "=1+1", "2024-05-01", "", "end"]
VALUES = [7, 1e5, True, date(2024, 5, 1), None, 0.5, "end"]
SEEN = ["7", "100000", "TRUE", "2024-05-01", "", "0.5", "end"]


def xlsx() -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    for column, text in enumerate(TEXTS, start=1):
        cell = sheet.cell(1, column, text or None)
        if text:
            cell.data_type = "s"
    for column, value in enumerate(VALUES, start=1):
        sheet.cell(2, column, value)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def check(rows: list[list[str]]) -> None:
    width = len(TEXTS)
    assert rows == [TEXTS, SEEN + [""] * (width - len(SEEN))]


def test_each_cell_of_a_workbook_is_the_text_that_people_see() -> None:
    (sheet,) = read_sheets(io.BytesIO(xlsx()), "p.xlsx")
    check(sheet.rows)


def ods() -> bytes:
    office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    table, text = office.replace("office", "table"), office.replace("office", "text")
    values = (
        'float" office:value="7', 'float" office:value="100000', 'boolean" office:boolean-value="true',
        'date" office:date-value="2024-05-01', 'string" office:string-value="',
        'float" office:value="0.5', "string",
    )  # fmt: skip
    typed = "".join(
        f'<table:table-cell office:value-type="{value}"><text:p>{shown}</text:p></table:table-cell>'
        for value, shown in zip(values, SEEN, strict=True)
    )
    texts = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
        for text in TEXTS
    )
    content = (
        f'<office:document-content xmlns:office="{office}" xmlns:table="{table}" xmlns:text="{text}"><office:body>'
        f'<office:spreadsheet><table:table table:name="A"><table:table-row>{texts}</table:table-row>'
        f"<table:table-row>{typed}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return buffer.getvalue()


def test_so_is_each_cell_of_a_workbook_of_libreoffice() -> None:
    (sheet,) = read_sheets(io.BytesIO(ods()), "p.ods")
    check(sheet.rows)


def test_csv_keeps_the_same_texts() -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(TEXTS)
    assert next(csv.reader(io.StringIO(buffer.getvalue()))) == TEXTS


def test_texts_come_back_from_csv_and_workbooks_that_are_written(tmp_path: Path) -> None:
    texts = [*TEXTS, "'=1+1", "@sum", "-safety"]
    table = pd.DataFrame([texts], columns=[f"c{n}" for n in range(len(texts))], dtype=object)
    (sheet,) = read_sheets(io.BytesIO(text_workbook(table.map(escape_for_workbook))), "p.xlsx")
    assert [unescape_formula(cell) for cell in sheet.rows[1]] == texts
    path = tmp_path / "p.csv"
    path.write_bytes(csv_bytes(list(table.columns), table.to_numpy().tolist()))
    (row,) = read_table(path)
    assert list(row.cells.values()) == texts
    by_pandas = pd.read_csv(path, dtype=str, keep_default_na=False).iloc[0].map(unescape_formula)
    assert by_pandas.tolist() == texts
    assert text_workbook(table) == text_workbook(table)


@pytest.fixture(params=["xlsx", "ods"])
def special_cells(request: pytest.FixtureRequest, tmp_path: Path) -> bytes:
    """A workbook with two errors, two truth values and a cell that is merged over two rows."""
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    sheet = book.add_worksheet()
    sheet.write_formula("A1", "=1/0", None, "#DIV/0!")
    sheet.write_formula("B1", "=Rye", None, "#NAME?")
    sheet.write_boolean("C1", True)
    sheet.write_boolean("D1", False)
    sheet.merge_range("E1:E2", "ok")
    sheet.write_string("A2", "end")
    book.close()
    return saved_by_libreoffice(buffer.getvalue(), request.param, tmp_path)


def saved_by_libreoffice(data: bytes, ending: str, folder: Path) -> bytes:
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("needs LibreOffice")
    (folder / "p.xlsx").write_bytes(data)
    if ending == "xlsx":
        return data
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [office, profile, "--headless", "--convert-to", ending, "--outdir", folder]
    subprocess.run([*command, folder / "p.xlsx"], check=True, capture_output=True)
    return (folder / f"p.{ending}").read_bytes()


def test_errors_truth_values_and_merged_cells_are_read(special_cells: bytes) -> None:
    (sheet,) = read_sheets(io.BytesIO(special_cells), "p.xlsx")
    error, *cells = sheet.rows[0]
    assert error in ("#DIV/0!", "#VALUE!")  # LibreOffice computes it again
    assert cells == ["#NAME?", "TRUE", "FALSE", "ok"]
    assert sheet.rows[1][4] == ""
    sheet.fill_merged(first_row=1)
    assert sheet.rows[1][4] == "ok"


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_a_percentage_is_read_as_people_see_it(ending: str, tmp_path: Path) -> None:
    """Excel makes 0.975 of a typed 97.5%."""
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    sheet = book.add_worksheet()
    for column, form in enumerate(("0.0%", "0.00%", "0.000")):
        sheet.write_number(0, column, 0.975, book.add_format({"num_format": form}))
    book.close()
    (read,) = read_sheets(
        io.BytesIO(saved_by_libreoffice(buffer.getvalue(), ending, tmp_path)), "p"
    )
    assert [cell.replace("97.50%", "97.5%") for cell in read.rows[0]] == ["97.5%", "97.5%", "0.975"]


def test_a_percentage_with_a_type_is_one_too() -> None:
    """openpyxl writes the type of a number."""
    book = Workbook()
    book.worksheets[0].append([0.975, "end"])
    book.worksheets[0]["A1"].number_format = "0.0 %"
    buffer = io.BytesIO()
    book.save(buffer)
    (sheet,) = read_sheets(io.BytesIO(buffer.getvalue()), "p.xlsx")
    assert sheet.rows == [["97.5%", "end"]]


def test_a_formula_that_was_never_computed_is_an_error() -> None:
    book = Workbook()
    book.worksheets[0].append(['="ok"', "ok", "=A1", "end"])
    buffer = io.BytesIO()
    book.save(buffer)
    (sheet,) = read_sheets(io.BytesIO(buffer.getvalue()), "p.xlsx")
    assert sheet.rows == [["#N/A", "ok", "#N/A", "end"]]
