"""Tables in files that are no text: workbooks (.xlsx, .xls) and Parquet, as data sets are kept.

Of a workbook are read the first sheet that lists papers, and those with the same header. openpyxl
reads .xlsx row by row, so that memory stays flat and a sheet of millions of empty rows is refused;
xlrd reads .xls, which cannot be as large (Web of Science's `savedrecs.xls`). pandas would hold
either whole, and gives up xlrd. A row of Parquet is read as a JSON object is, a batch at a time.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.files.table import CellCounter, TooManyCells, cell_text
from classifier.papers.formats.json_file import read_values
from classifier.papers.formats.tables import (
    NO_TITLES,
    SAMPLE,
    TableRow,
    find_columns,
    table_records,
)
from classifier.papers.reader import Reader, Record

Sheet = Callable[[], Iterator[TableRow]]
"""Gives the rows of a sheet from its first one."""

_OLD: Final = b"\xd0\xcf\x11\xe0"
_SAVE: Final = "Open it in Excel or LibreOffice and save it as .xlsx or as CSV UTF-8."
_DELETE: Final = "Delete the rows and columns behind the last paper, or save it as CSV UTF-8."


def _why_no_workbook(content: Content) -> str:
    if content.is_text:
        return "a text, no workbook"
    if content.start_bytes.startswith(_OLD):
        return ""
    try:
        with content.open() as file, zipfile.ZipFile(file) as archive:
            is_workbook = any(name.startswith("xl/workbook.") for name in archive.namelist())
    except Exception:  # zipfile raises anything where bytes are damaged
        is_workbook = False
    return "" if is_workbook else "no archive with xl/workbook.xml"


def _read_workbook(content: Content) -> Iterator[Record]:
    """Yield the papers of all sheets that list any; the cells of formulas as last computed.

    Raises InputError where the file is encrypted, broken or too large.
    """
    if content.start_bytes.startswith(_OLD):
        yield from _papers(_old_sheets(content), content)
        return
    from openpyxl import load_workbook  # late: slow to import

    with content.open() as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what openpyxl leaves out: styles, extensions
        try:
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        except Exception as error:  # zipfile and openpyxl raise anything where bytes are damaged
            raise _broken(content, error) from error
        counter = CellCounter()
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
        raise _broken(content, error) from error


def _old_rows(sheet: Any, date_mode: Any) -> Iterator[TableRow]:
    """Yield the filled rows of a sheet with their numbers, cells as text."""
    import xlrd

    def value_of(cell: Any) -> object:
        if cell.ctype == xlrd.XL_CELL_DATE:
            return xlrd.xldate_as_datetime(cell.value, date_mode)
        return None if cell.ctype == xlrd.XL_CELL_ERROR else cell.value

    for number in range(sheet.nrows):
        cells = [cell_text(value_of(cell)) for cell in sheet.row(number)]
        if any(cells):
            yield TableRow(number + 1, cells)


def _rows(sheet: Any, content: Content, counter: CellCounter) -> Iterator[TableRow]:
    """Yield the filled rows of a sheet with their numbers, cells as text."""
    try:
        sheet.reset_dimensions()  # what they state is often wrong
        for number, values in enumerate(counter.rows(sheet, values_only=True), start=1):
            if values.count(None) == len(values):
                continue  # at once: there may be millions
            cells = [cell_text(value) for value in values]
            if any(cells):
                yield TableRow(number, cells)
    except TooManyCells as error:
        raise _refused(content, str(error), "a smaller one", _DELETE) from error
    except Exception as error:  # as above
        raise _broken(content, error) from error


def _broken(content: Content, error: Exception) -> InputError:
    found = f"an encrypted or broken workbook ({type(error).__name__}: {error})"
    return _refused(content, found, "a whole workbook", _SAVE)


def _refused(content: Content, found: str, wanted: str, cure: str) -> InputError:
    return InputError([Fault("error", content.name, None, found, wanted, cure)])


SPREADSHEET = Reader(
    name="xlsx",
    why_not=_why_no_workbook,
    read=_read_workbook,
    wants="a workbook with a sheet whose header has a column 'title'",
)


_BATCH: Final = 1000
_PARQUET: Final = b"PAR1"
_NO_PYARROW: Final = "pip install 'fieldguide[scale]'."


# --- Parquet: each row is read as a JSON object is, a batch at a time


def _why_no_parquet(content: Content) -> str:
    if content.is_text:
        return "a text, no Parquet file"
    return "" if content.start_bytes.startswith(_PARQUET) else "does not begin with PAR1"


def _read_parquet(content: Content) -> Iterator[Record]:
    yield from read_values(_parquet_rows(content), content.name, PARQUET.name)


def _parquet_rows(content: Content) -> Iterator[tuple[int, object]]:
    """Yield the number of each row and the row; vectors and bytes are no part of a paper."""
    pa, pq = _pyarrow(content)
    with content.open() as file:
        try:
            parquet = pq.ParquetFile(file)
            names = [field.name for field in parquet.schema_arrow if _holds_text(field.type, pa)]
            number = 0
            for batch in parquet.iter_batches(_BATCH, columns=names):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
        except (pa.ArrowException, OSError, ValueError) as error:
            found = f"a broken Parquet file ({' '.join(str(error).split())[:200]})"
            raise _refused(content, found, "a whole file", "Write or download it again.") from error


def _holds_text(kind: Any, pa: Any) -> bool:
    types = pa.types
    while types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        kind = kind.value_type
        if types.is_floating(kind):
            return False
    return not (types.is_binary(kind) or types.is_large_binary(kind))


def _pyarrow(content: Content) -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # late: an extra
        import pyarrow.parquet as pq
    except ImportError as error:
        found = "a Parquet file, which needs the package pyarrow"
        raise _refused(content, found, "that package", _NO_PYARROW) from error
    return pa, pq


PARQUET = Reader(
    name="parquet",
    why_not=_why_no_parquet,
    read=_read_parquet,
    wants="a Parquet file with a column 'title'",
)
