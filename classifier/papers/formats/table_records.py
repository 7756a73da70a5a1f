"""The rows of a table, whatever file it lies in, as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from classifier.errors import Fault, InputError
from classifier.papers.fields import read_fields, unused_names
from classifier.papers.formats.columns import SAMPLE, Columns, find_columns
from classifier.papers.formats.table_rows import RowFields, row_fields
from classifier.papers.paper import Source
from classifier.papers.reader import ColumnsRead, Record, shown

NO_TITLES: Final = "no column of titles: none is called title"
_CURE: Final = "Name the column of the titles 'title' in the first row."
FIRST: Final = SAMPLE + 50
"""Rows that are looked at: those of the sample below a preamble."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row as it stands."""

    line: int
    """1-based: the line of a text on which it starts, or the row of a sheet."""
    cells: Sequence[str]


def table_records(
    rows: Iterator[TableRow | Fault], name: str, format_name: str
) -> Iterator[Record]:
    """Yield which columns are read, doubts about them, then a record for each row.

    rows: of a table with or without header, empty ones left out.
    Raises InputError where no column holds titles.
    """
    first = list(islice(rows, FIRST))
    sample = [row.cells for row in first if isinstance(row, TableRow)]
    columns = find_columns(sample)
    if columns is None:
        raise InputError([Fault("error", name, None, NO_TITLES, "a column 'title'", _CURE)])
    header = _header_line(first, columns)
    if not (columns.is_own or _are_plain(columns)):
        yield ColumnsRead((*columns.pairs(), *columns.unread()))
    for doubt in columns.doubts:
        yield replace(doubt, file=name, line=header)
    reading = row_fields(columns, sample[columns.rows_above :])
    source = Source(name, format_name, header)
    yield from _papers(_below(chain(first, rows), columns), reading, source)


def _papers(
    rows: Iterable[TableRow | Fault], reading: RowFields, header: Source
) -> Iterator[Record]:
    names = reading.columns.names
    width = len(names)
    beyond: list[TableRow] = []
    for row in rows:
        if isinstance(row, Fault):
            yield row
            continue
        source = Source(header.file, header.format, row.line)
        yield from read_fields(reading.fields(row.cells), source)
        if len(row.cells) > width and any(map(str.strip, row.cells[width:])):
            beyond = [*beyond[:1], row] if beyond else [row]
    if beyond:
        yield _beyond_header(beyond, width, header.file)
    if reading.columns.is_own and reading.columns.unknown:
        yield unused_names(reading.columns.unknown, header, "column")


def _below(rows: Iterable[TableRow | Fault], columns: Columns) -> Iterator[TableRow | Fault]:
    """Yield what stands below the header."""
    above = columns.rows_above
    for row in rows:
        if above and isinstance(row, TableRow):
            above -= 1
        else:
            yield row


def _header_line(rows: Sequence[TableRow | Fault], columns: Columns) -> int:
    lines = [row.line for row in rows if isinstance(row, TableRow)]
    return lines[max(0, columns.rows_above - 1)]


def _are_plain(columns: Columns) -> bool:
    """Say whether columns have the names of fields, so that nobody wonders what was read."""
    return all(field == column.strip().lower() for field, column in columns.pairs())


def _beyond_header(rows: Sequence[TableRow], width: int, name: str) -> Fault:
    cell = next(cell for cell in rows[0].cells[width:] if cell.strip())
    more = " and in further rows" if len(rows) > 1 else ""
    found = f"{shown(cell)} behind the last column{more}"
    cure = "Quote a cell that holds a comma; what stands behind the last column is not read."
    return Fault("warning", name, rows[0].line, found, "as many cells as the header has", cure)
