"""Workbooks (.xlsx, .xls): the first sheet that lists papers, and those with the same header.

openpyxl reads .xlsx row by row, so that memory stays flat and a sheet of millions of empty rows is
refused; xlrd reads .xls, which cannot be as large (Web of Science's `savedrecs.xls`). pandas would
hold either whole, and gives up xlrd.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from functools import partial
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Final

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.files.table import CellCounter, TooManyCells
from classifier.papers.formats.tables import (
    NO_TITLES,
    SAMPLE,
    TableRow,
    find_columns,
    table_records,
)
from classifier.papers.reader import Reader, Record

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

Sheet = Callable[[], Iterator[TableRow]]
"""Gives the rows of a sheet from its first one."""

MOST_BYTES: Final = 2**31
"""A workbook that unpacks to more is refused."""
_MOST_RATIO: Final = 100
"""So many times its packed size no real sheet has."""
_ALWAYS_FINE: Final = 2**26
_OLD: Final = b"\xd0\xcf\x11\xe0"
_ZIP: Final = b"PK\x03\x04"
_SAVE: Final = "Open it in Excel or LibreOffice and save it as .xlsx or as CSV UTF-8."
_DELETE: Final = "Delete the rows and columns behind the last paper, or save it as CSV UTF-8."
_ERRORS: Final = frozenset(("#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!"))


def why_not(content: Content) -> str:
    """Say why a file is no workbook; OpenDocument ones are known, to be refused."""
    if content.is_text:
        return "a text, no workbook"
    start = content.start_bytes
    if start.startswith(_OLD):
        return ""
    if not start.startswith(_ZIP):
        return "no ZIP archive, so no workbook"
    return "" if _kind(content) else "an archive without xl/workbook.xml"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of all sheets that list any; the cells of formulas as last computed.

    Raises InputError where the file is OpenDocument, encrypted, broken or too large.
    """
    if content.start_bytes.startswith(_OLD):
        yield from _papers(_old_sheets(content), content)
        return
    if _kind(content) == "ods":
        raise _refused(content, "an OpenDocument sheet (.ods)", ".xlsx or CSV", _SAVE)
    with content.open() as file:
        _check_size(file, content)
        file.seek(0)
        book, counter = _opened(file, content), CellCounter()
        sheets = {sheet.title: partial(_rows, sheet, content, counter) for sheet in book.worksheets}
        yield from _papers(sheets, content)


def _papers(sheets: Mapping[str, Sheet], content: Content) -> Iterator[Record]:
    """Yield the papers of the first sheet with a column of titles, and of those with its header."""
    found: list[Sheet] = []
    names: tuple[str, ...] = ()
    for rows_of in sheets.values():
        columns = find_columns([list(row.cells) for row in islice(rows_of(), SAMPLE)])
        if columns is not None and (not found or (any(names) and columns.names == names)):
            found.append(rows_of)
            names = columns.names
    if not found:
        listed = ", ".join(list(sheets)[:8])
        cure = f"Name the column of the titles 'title' in the first row (looked at: {listed})."
        raise _refused(content, NO_TITLES, "a sheet with a column 'title'", cure)
    for rows_of in found:
        yield from table_records(rows_of(), content.name, SPREADSHEET.name)


def _old_sheets(content: Content) -> dict[str, Sheet]:
    """Return the sheets of a workbook of before 2007 by name."""
    import xlrd  # late: only where there is one

    try:
        with content.open() as file:
            book = xlrd.open_workbook(file_contents=file.read(), logfile=io.StringIO())
        return {sheet.name: partial(_old_rows, sheet, book.datemode) for sheet in book.sheets()}
    except Exception as error:  # xlrd raises anything where bytes are damaged
        found = f"an encrypted or broken Office file ({type(error).__name__}: {error})"
        raise _refused(content, found, "a whole .xls, .xlsx or CSV", _SAVE) from error


def _old_rows(sheet: Any, date_mode: Any) -> Iterator[TableRow]:
    """Yield the filled rows of a sheet with their numbers, cells as text."""
    import xlrd

    for number in range(sheet.nrows):
        cells = [
            cell_text(
                xlrd.xldate_as_datetime(cell.value, date_mode)
                if cell.ctype == xlrd.XL_CELL_DATE
                else None
                if cell.ctype == xlrd.XL_CELL_ERROR
                else cell.value
            )
            for cell in sheet.row(number)
        ]
        if any(cells):
            yield TableRow(number + 1, cells)


def _kind(content: Content) -> str:
    """Return `xlsx`, `ods` or "" of an archive, "" of a damaged one."""
    try:
        with content.open() as file, zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            if any(name.startswith("xl/workbook.") for name in names):
                return "xlsx"
            if "mimetype" not in names:
                return ""
            with archive.open("mimetype") as member:
                is_sheet = b"opendocument.spreadsheet" in member.read(200)
    except Exception:  # zipfile raises anything where bytes are damaged
        return ""
    return "ods" if is_sheet else ""


def _check_size(file: IO[bytes], content: Content) -> None:
    """Raise InputError where an archive unpacks to too much, or to more than any sheet would."""
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    is_bomb = any(
        entry.file_size > max(_ALWAYS_FINE, _MOST_RATIO * entry.compress_size) for entry in entries
    )
    if size > MOST_BYTES or is_bomb:
        found = f"a workbook that unpacks to {size // 10**6:,} MB"
        raise _refused(content, found, "a smaller one", "Save the sheet as CSV UTF-8.")


def _opened(file: IO[bytes], content: Content) -> Workbook:
    from openpyxl import load_workbook  # late: slow to import

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what openpyxl leaves out: styles, extensions
            return load_workbook(file, read_only=True, data_only=True, keep_links=False)
    except Exception as error:  # zipfile and openpyxl raise anything where bytes are damaged
        raise _broken(content, error) from error


def _rows(sheet: Any, content: Content, counter: CellCounter) -> Iterator[TableRow]:
    """Yield the filled rows of a sheet with their numbers, cells as text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sheet.reset_dimensions()  # what they state is often wrong
            for number, values in enumerate(counter.rows(sheet, values_only=True), start=1):
                if values.count(None) == len(values):
                    continue  # at once: there may be millions
                cells = [cell_text(value) for value in values]
                if any(cells):
                    yield TableRow(number, cells)
    except InputError:
        raise
    except TooManyCells as error:
        raise _refused(content, str(error), "a smaller one", _DELETE) from error
    except Exception as error:  # see _opened
        raise _broken(content, error) from error


def cell_text(value: object) -> str:
    """Return what a cell holds as people see it.

    >>> cell_text(2024.0), cell_text(datetime(2024, 5, 1)), cell_text(None), cell_text("#N/A")
    ('2024', '2024-05-01', '', '')
    """
    match value:
        case None:
            return ""
        case str():
            return "" if value in _ERRORS else value
        case bool():
            return str(value).upper()
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
        case date() | time():
            return value.isoformat()
    return str(value)


def _broken(content: Content, error: Exception) -> InputError:
    found = f"a broken workbook ({type(error).__name__}: {error})"
    return _refused(content, found, "a whole workbook", "Save it again, or as CSV UTF-8.")


def _refused(content: Content, found: str, wanted: str, cure: str) -> InputError:
    return InputError([Fault("error", content.name, None, found, wanted, cure)])


SPREADSHEET = Reader(
    name="xlsx",
    why_not=why_not,
    read=read,
    wants="a workbook with a sheet whose header has a column 'title'",
)
