"""Workbooks (.xlsx): the first sheet that lists papers and its like, read row by row."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Final

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.files.workbook_cells import CellCounter, TooManyCells
from classifier.papers.formats.columns import SAMPLE, find_columns
from classifier.papers.formats.table_records import NO_TITLES, TableRow, table_records
from classifier.papers.reader import Reader, Record

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

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
    """Say why a file is no workbook; old and OpenDocument ones are known, to be refused."""
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

    Raises InputError where the file is old or OpenDocument, encrypted, broken or too large.
    """
    if content.start_bytes.startswith(_OLD):
        raise _refused(content, "an old or encrypted Office file (.xls)", ".xlsx or CSV", _SAVE)
    if _kind(content) == "ods":
        raise _refused(content, "an OpenDocument sheet (.ods)", ".xlsx or CSV", _SAVE)
    with content.open() as file:
        _check_size(file, content)
        file.seek(0)
        book, counter = _opened(file, content), CellCounter()
        sheets = _sheets_of_papers(book, content, counter)
        if not sheets:
            raise _refused(content, NO_TITLES, "a sheet with a column 'title'", _name_it(book))
        for sheet in sheets:
            yield from table_records(_rows(sheet, content, counter), content.name, SPREADSHEET.name)


def _name_it(book: Workbook) -> str:
    sheets = ", ".join(book.sheetnames[:8])
    return f"Name the column of the titles 'title' in the first row (looked at: {sheets})."


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


def _sheets_of_papers(book: Workbook, content: Content, counter: CellCounter) -> list[Any]:
    """Return the first sheet with a column of titles, and those that have the same header."""
    found: list[Any] = []
    names: tuple[str, ...] = ()
    for sheet in book.worksheets:
        rows = [list(row.cells) for row in islice(_rows(sheet, content, counter), SAMPLE)]
        columns = find_columns(rows)
        if columns is not None and (not found or (any(names) and columns.names == names)):
            found.append(sheet)
            names = columns.names
    return found


def _rows(sheet: Any, content: Content, counter: CellCounter) -> Iterator[TableRow]:
    """Yield the filled rows of a sheet with their numbers, cells as text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sheet.reset_dimensions()  # what they state is often wrong
            for number, values in enumerate(counter.rows(sheet, values_only=True), start=1):
                if values.count(None) == len(values):
                    continue  # at once: there may be millions
                cells = _texts(values)
                if any(cells):
                    yield TableRow(number, cells)
    except InputError:
        raise
    except TooManyCells as error:
        raise _refused(content, str(error), "a smaller one", _DELETE) from error
    except Exception as error:  # see _opened
        raise _broken(content, error) from error


def _texts(values: Sequence[object]) -> list[str]:
    return [
        value if isinstance(value, str) and value[:1] != "#" else cell_text(value)
        for value in values
    ]


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
    streams=True,
)
