"""Tables in files: as text of our own columns or any, in workbooks (.xlsx, .xls), in Parquet."""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.files.table import CellCounter, TooManyCells, cell_text
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record, quarantined
from classifier.papers.readers.json_file import read_values
from classifier.papers.readers.tables import (
    NO_TITLES,
    SAMPLE,
    TableRow,
    find_columns,
    table_records,
)

# --- Text: cells parted by commas, semicolons, tabs or bars --------------------------------------
# By the csv module, not by pandas, which gives no line numbers and skips or joins broken rows: a
# fault is told with its line, and a row that is lost is named.

_DELIMITERS: Final = (",", ";", "\t", "|")
_SEPARATOR: Final = re.compile(r"\ufeff?sep=([,;|\t:^~])\n", re.IGNORECASE)
_MOST_HEADER: Final = 20_000
"""Characters; a longer first line is no header."""
_MOST_RECORD: Final = 4_000_000
"""Characters; in a longer record a quote is never closed."""
_MOST_SAMPLE: Final = 400
"""Lines."""
_UNCLOSED: Final = "a quote that is never closed"
_CLOSED: Final = '" at the end of the cell'
# Other formats that have a line of words and commas, or of bars, near their start.
_OTHER_FACES: Final = re.compile(r"\s*(?:[{\[<@|%]|TY  - |PMID- |FN |#{1,6} |\\\w)")


class Dialect(NamedTuple):
    """How a text parts its cells."""

    delimiter: str
    has_quotes: bool = True
    """Whether quotes hold cells together; else they are part of them."""
    lines_above: int = 0
    """1 where the first line only tells the delimiter (`sep=;`)."""


class _NoRecord(NamedTuple):
    """Lines of which csv makes no record."""

    line: int
    last: int
    text: str
    is_end: bool
    """Whether nothing is left behind them."""


def _why_no_table(content: Content) -> str:
    """Say why a text is no table of papers: it has no column of titles."""
    if _OTHER_FACES.match(content.start):
        return "begins like another format"
    if len(content.start.partition("\n")[0]) > _MOST_HEADER:
        return "the first line is too long for a header"
    return "" if find_columns(_sample(content.start, dialect_of(content.start))) else NO_TITLES


def is_table_without_titles(start: str) -> bool:
    """Say whether a text is a table all the same: rows of as many cells each."""
    for delimiter in () if _OTHER_FACES.match(start) else _DELIMITERS:
        widths = [len(row) for row in _sample(start, Dialect(delimiter))]
        if len(widths) > 2 and widths[0] > 2 and widths.count(widths[0]) >= 0.9 * len(widths):
            return True
    return False


def dialect_of(start: str) -> Dialect:
    """Return how a text parts its cells: so that most columns of the header have known names.

    Programs that part cells by tabs mostly do not quote: there a quote is a sign like any other as
    soon as one opens a cell without closing it.
    """
    told = _SEPARATOR.match(start)

    def score(delimiter: str) -> tuple[int, int]:
        rows = _sample(start, Dialect(delimiter))
        columns = find_columns(rows)
        return len(columns.places) if columns else 0, len(rows[0]) if rows else 0

    best = told[1] if told else max(_DELIMITERS, key=score)
    lines = iter(start.split("\n")[:-1])
    records = _records(lines, Dialect(best)) if best == "\t" else ()
    is_quoted = not any(isinstance(record, _NoRecord) and not record.is_end for record in records)
    return Dialect(best, is_quoted, int(bool(told)))


def _sample(start: str, dialect: Dialect) -> list[list[str]]:
    """Return the whole rows in the start of a text, empty ones left out."""
    lines = start.split("\n", _MOST_SAMPLE)[:_MOST_SAMPLE]
    records = _records(lines[:-1] if len(lines) > 3 else lines, dialect)
    return [list(r.cells) for r in records if isinstance(r, TableRow) and any(r.cells)]


def table_rows(content: Content, dialect: Dialect) -> Iterator[TableRow | Fault]:
    """Yield the rows of a text with the line on which each starts, empty ones left out.

    Lines that a quote in the wrong place makes unreadable are quarantined. Raises InputError where
    a quote is open to the end of the file: nobody knows what rows there are.
    """
    for record in _records(content.lines(), dialect):
        if isinstance(record, TableRow):
            if any(record.cells):
                yield record
        elif record.is_end:
            raise InputError([Fault("error", content.name, record.line, _UNCLOSED, _CLOSED)])
        else:
            is_one = record.line == record.last
            where = "" if is_one else f" (lines {record.line} to {record.last} are left out)"
            reason = f"found {_UNCLOSED}{where}; expected {_CLOSED}"
            source = Source(content.name, DELIMITED.name, record.line)
            yield quarantined(source, record.text, reason)


def _records(lines: Iterable[str], dialect: Dialect) -> Iterator[TableRow | _NoRecord]:
    """Yield the records of a text; `csv` goes on behind the lines of which it makes none."""
    held: list[str] = []
    size = 0

    def taken() -> Iterator[str]:
        nonlocal size
        for line in lines:
            held.append(line)
            size += len(line)
            if size > _MOST_RECORD:
                raise csv.Error
            yield f"{line}\n"

    quoting: Final = csv.QUOTE_MINIMAL if dialect.has_quotes else csv.QUOTE_NONE
    reader = csv.reader(taken(), delimiter=dialect.delimiter, quoting=quoting, strict=True)
    line = 1
    while True:
        held.clear()
        size = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            is_end = "end of data" in str(error) or not str(error)
            yield _NoRecord(line, line + len(held) - 1, held[0][:400], is_end)
            if is_end:
                return
        else:
            if line > dialect.lines_above:
                yield TableRow(line, cells)
        line += len(held)


_EXAMPLE = "Title,Authors,Year,DOI,Abstract\nBees,Ada One,2024,10.1000/182,We bake.\n"

DELIMITED: Final[Reader] = Reader(
    name="csv",
    reject_reason=_why_no_table,
    read=lambda content: table_records(
        table_rows(content, dialect_of(content.start)), content.name, DELIMITED.name
    ),
    description="a CSV whose header has a column 'title'",
    examples=(
        _EXAMPLE + "Bread @@,@@,@@,@@,@@\n",
        _EXAMPLE + "@@",
        _EXAMPLE.replace(",", "\t") + "@@",
        'Title,Authors,Abstract\n"Bees @@","@@","@@"\n',
    ),
)


# --- Workbooks -----------------------------------------------------------------------------------
# Read are the first sheet that lists papers, and those with the same header. openpyxl reads .xlsx
# row by row, so that memory stays flat and a sheet of millions of empty rows is refused; xlrd reads
# .xls, which cannot be as large (Web of Science's `savedrecs.xls`). pandas would hold either whole,
# and gives up xlrd.

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
        hint = f"Name the column of the titles 'title' in the first row (looked at: {listed})."
        raise _refused(content, NO_TITLES, "a sheet with a column 'title'", hint)
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


def _refused(content: Content, found: str, expected: str, hint: str) -> InputError:
    return InputError([Fault("error", content.name, None, found, expected, hint)])


SPREADSHEET = Reader(
    name="xlsx",
    reject_reason=_why_no_workbook,
    read=_read_workbook,
    description="a workbook with a sheet whose header has a column 'title'",
)


_BATCH: Final = 1000
_PARQUET: Final = b"PAR1"
_NO_PYARROW: Final = "pip install 'fieldguide[scale]'."


# --- Parquet: a row is read as a JSON object is, a batch at a time -------------------------------


def _why_no_parquet(content: Content) -> str:
    if content.is_text:
        return "a text, no Parquet file"
    return "" if content.start_bytes.startswith(_PARQUET) else "does not begin with PAR1"


def _parquet_rows(content: Content) -> Iterator[tuple[int, object]]:
    """Yield the number of each row and the row; vectors and bytes are no part of a paper."""
    try:
        import pyarrow as pa  # late: an extra
        import pyarrow.parquet as pq
    except ImportError as error:
        found = "a Parquet file, which needs the package pyarrow"
        raise _refused(content, found, "that package", _NO_PYARROW) from error
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


PARQUET: Final[Reader] = Reader(
    name="parquet",
    reject_reason=_why_no_parquet,
    read=lambda content: read_values(_parquet_rows(content), content.name, PARQUET.name),
    description="a Parquet file with a column 'title'",
)
