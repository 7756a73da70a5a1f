"""Tables as text: cells separated by commas, semicolons, tabs or bars.

This uses the csv module. pandas gives no line numbers, and skips or joins broken rows.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from classifier.errors import Fault, input_error
from classifier.files.content import Content
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, quarantine_fault
from classifier.papers.readers.tables import NO_TITLES, TableRow, find_columns, table_records

_DELIMITERS: Final = (",", ";", "\t", "|")
_SEPARATOR: Final = re.compile(r"\ufeff?sep=([,;|\t:^~])\n", re.IGNORECASE)
_MAX_HEADER: Final = 20_000
"""Maximum number of characters of a header."""
_MAX_RECORD: Final = 4_000_000
"""Maximum number of characters of a record; a longer one has a quote that is never closed."""
_MAX_SAMPLE: Final = 400
"""Maximum number of lines by which a table is recognised."""
_UNCLOSED: Final = "an unclosed quote"
_CLOSED: Final = 'a closing " at the end of the cell'
# Other formats with a line of words and commas, or of bars, near their start.
_OTHER_FORMATS: Final = re.compile(r"\s*(?:[{\[<@|%]|TY  - |PMID- |FN |#{1,6} |\\\w)")


class Dialect(NamedTuple):
    """How the cells of a text are separated and quoted."""

    delimiter: str
    has_quotes: bool = True
    """Whether quotes surround cells; else a quote is a character like any other."""
    n_above: int = 0
    """1 where the first line only names the delimiter (`sep=;`)."""


class _UnreadableLines(NamedTuple):
    """Lines that could not be parsed as a record."""

    line: int
    last: int
    text: str
    is_end: bool
    """Whether no line follows."""


def _reject_reason(content: Content) -> str:
    if _OTHER_FORMATS.match(content.start):
        return "begins like another format"
    if len(content.start.partition("\n")[0]) > _MAX_HEADER:
        return "the first line is too long for a header"
    return "" if find_columns(_sample_rows(content.start, dialect_of(content.start))) else NO_TITLES


def is_table_without_titles(start: str) -> bool:
    """Return whether a text is a table without titles: its rows have the same number of cells."""
    if _OTHER_FORMATS.match(start):
        return False
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in _sample_rows(start, Dialect(delimiter))]
        if len(widths) > 2 and widths[0] > 2 and widths.count(widths[0]) >= 0.9 * len(widths):
            return True
    return False


def dialect_of(start: str) -> Dialect:
    """Return the CSV dialect that yields the most known column names.

    Tab-separated files are mostly unquoted: in them, an opening quote that is never closed is
    treated as a normal character.
    """
    stated = _SEPARATOR.match(start)

    def score(delimiter: str) -> tuple[int, int]:
        """Rank a delimiter by the known column names that it yields."""
        rows = _sample_rows(start, Dialect(delimiter))
        columns = find_columns(rows)
        return len(columns.places) if columns else 0, len(rows[0]) if rows else 0

    best = stated[1] if stated else max(_DELIMITERS, key=score)
    has_quotes = True
    if best == "\t":
        records = _records(iter(start.split("\n")[:-1]), Dialect(best))
        has_quotes = not any(
            isinstance(one, _UnreadableLines) and not one.is_end for one in records
        )
    return Dialect(best, has_quotes, int(bool(stated)))


def _sample_rows(start: str, dialect: Dialect) -> list[list[str]]:
    """Return the complete rows at the start of a text, without empty rows."""
    lines = start.split("\n", _MAX_SAMPLE)[:_MAX_SAMPLE]
    records = _records(lines[:-1] if len(lines) > 3 else lines, dialect)
    return [list(r.cells) for r in records if isinstance(r, TableRow) and any(r.cells)]


def table_rows(content: Content, dialect: Dialect) -> Iterator[TableRow | Fault]:
    """Yield the rows of a text that are not empty, each with the line on which it starts.

    Lines that cannot be parsed because of a misplaced quote are quarantined. Raises InputError if a
    quote is never closed, since every line after it may then be part of the cell.
    """
    for record in _records(content.lines(), dialect):
        if isinstance(record, TableRow):
            if any(record.cells):
                yield record
        elif record.is_end:
            raise input_error(content.name, _UNCLOSED, _CLOSED, line=record.line)
        else:
            is_one = record.line == record.last
            where = "" if is_one else f" (lines {record.line} to {record.last} were skipped)"
            reason = f"found {_UNCLOSED}{where}; expected {_CLOSED}"
            source = Source(content.name, DELIMITED.name, record.line)
            yield quarantine_fault(source, record.text, reason)


def _records(lines: Iterable[str], dialect: Dialect) -> Iterator[TableRow | _UnreadableLines]:
    """Yield the records of a text; after lines that cannot be parsed, `csv` continues."""
    read: list[str] = []
    size = 0

    def feed() -> Iterator[str]:
        """Yield the lines of the current record to `csv`."""
        nonlocal size
        for line in lines:
            read.append(line)
            size += len(line)
            if size > _MAX_RECORD:
                raise csv.Error
            yield f"{line}\n"

    quoting: Final = csv.QUOTE_MINIMAL if dialect.has_quotes else csv.QUOTE_NONE
    reader = csv.reader(feed(), delimiter=dialect.delimiter, quoting=quoting, strict=True)
    line = 1
    while True:
        read.clear()
        size = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            is_end = "end of data" in str(error) or not str(error)
            yield _UnreadableLines(line, line + len(read) - 1, read[0][:400], is_end)
            if is_end:
                return
        else:
            if line > dialect.n_above:
                yield TableRow(line, cells)
        line += len(read)


_EXAMPLE = "Title,Authors,Year,DOI,Abstract\nBees,Ada One,2024,10.1000/182,We bake.\n"

DELIMITED: Final[Reader] = Reader(
    name="csv",
    reject_reason=_reject_reason,
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
