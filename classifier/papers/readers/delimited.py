"""Tables as text: cells separated by commas, semicolons, tabs or bars.

This uses the csv module. pandas gives no line numbers, and skips or joins broken rows.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from classifier.errors import input_error
from classifier.files.content import Content
from classifier.papers.reader import Reader
from classifier.papers.readers.tables import NO_TITLES, TableRow, find_columns, table_records

_DELIMITERS: Final = (",", ";", "\t", "|")
_SEPARATOR: Final = re.compile(r"\ufeff?sep=([,;|\t:^~])\n", re.IGNORECASE)
_MAX_HEADER: Final = 20_000
"""Maximum number of characters of a header."""
_MAX_RECORD: Final = 4_000_000
"""Maximum number of characters of a record; a longer one has a quote that is never closed."""
_MAX_SAMPLE: Final = 400
"""Maximum number of lines by which a table is recognised."""
_SAVE_QUOTES: Final = (
    "Close it, or double each quote within a cell; a spreadsheet program does both."
)
# Other formats with a line of words and commas, or of bars, near their start.
_OTHER_FORMATS: Final = re.compile(r"\s*(?:[{\[<@|%]|TY  - |PMID- |FN |#{1,6} |\\\w)")


class _Dialect(NamedTuple):
    """How the cells of a text are separated and quoted."""

    delimiter: str
    has_quotes: bool = True
    """Whether quotes surround cells; else a quote is a character like any other."""
    n_above: int = 0
    """1 where the first line only names the delimiter (`sep=;`)."""


def _reject_reason(content: Content) -> str:
    if _OTHER_FORMATS.match(content.start):
        return "begins like another format"
    if len(content.start.partition("\n")[0]) > _MAX_HEADER:
        return "the first line is too long for a header"
    return (
        "" if find_columns(_sample_rows(content.start, _dialect_of(content.start))) else NO_TITLES
    )


def is_table_without_titles(start: str) -> bool:
    """Return whether a text is a table without titles: its rows have the same number of cells."""
    if _OTHER_FORMATS.match(start):
        return False
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in _sample_rows(start, _Dialect(delimiter))]
        if len(widths) > 2 and widths[0] > 2 and widths.count(widths[0]) >= 0.9 * len(widths):
            return True
    return False


def _dialect_of(start: str) -> _Dialect:
    """Return the CSV dialect that yields the most known column names.

    Tab-separated files are mostly unquoted: in them, an opening quote that is never closed is
    treated as a normal character.
    """
    stated = _SEPARATOR.match(start)

    def score(delimiter: str) -> tuple[int, int]:
        rows = _sample_rows(start, _Dialect(delimiter))
        columns = find_columns(rows)
        return len(columns.places) if columns else 0, len(rows[0]) if rows else 0

    best = stated[1] if stated else max(_DELIMITERS, key=score)
    has_quotes = True
    if best == "\t":
        try:
            list(_rows(iter(start.split("\n")[:-1]), _Dialect(best)))
        except csv.Error as error:  # the sample may end within a cell
            has_quotes = "end of data" in str(error)
    return _Dialect(best, has_quotes, int(bool(stated)))


def _sample_rows(start: str, dialect: _Dialect) -> list[list[str]]:
    """Return the complete rows at the start of a text, without empty rows."""
    lines = start.split("\n", _MAX_SAMPLE)[:_MAX_SAMPLE]
    rows: list[list[str]] = []
    with suppress(csv.Error):
        rows.extend(list(row.cells) for row in _rows(lines[: -1 if lines[3:] else None], dialect))
    return rows


def table_rows(content: Content) -> Iterator[TableRow]:
    """Yield the rows of a text that are not empty, each with the line on which it starts.

    Raises InputError if a quote is never closed or not doubled, since every line after it may then
    be part of the cell.
    """
    try:
        yield from _rows(content.lines(), _dialect_of(content.start))
    except csv.Error as error:
        found, expected = "an unclosed quote", 'a closing " at the end of the cell'
        raise input_error(content.name, found, expected, _SAVE_QUOTES, error.args[1]) from error


def _rows(lines: Iterable[str], dialect: _Dialect) -> Iterator[TableRow]:
    """Yield the rows that are not empty. Raises csv.Error (message, line) if quotes are broken."""
    size = 0

    def feed() -> Iterator[str]:
        nonlocal size
        for text in lines:
            size += len(text)
            if size > _MAX_RECORD:
                raise csv.Error("end of data")
            yield f"{text}\n"

    quoting: Final = csv.QUOTE_MINIMAL if dialect.has_quotes else csv.QUOTE_NONE
    reader = csv.reader(feed(), delimiter=dialect.delimiter, quoting=quoting, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cells) and line > dialect.n_above:
                yield TableRow(line, cells)
            line, size = reader.line_num + 1, 0
    except csv.Error as error:
        raise csv.Error(str(error), line) from error


_EXAMPLE = "Title,Authors,Year,DOI,Abstract\nBees,Ada One,2024,10.1000/182,We bake.\n"

DELIMITED: Final[Reader] = Reader(
    name="csv",
    reject_reason=_reject_reason,
    read=lambda content: table_records(table_rows(content), content.name, DELIMITED.name),
    description="a CSV whose header has a column 'title'",
    examples=(
        _EXAMPLE + "Bread @@,@@,@@,@@,@@\n",
        _EXAMPLE + "@@",
        _EXAMPLE.replace(",", "\t") + "@@",
        'Title,Authors,Abstract\n"Bees @@","@@","@@"\n',
    ),
)
