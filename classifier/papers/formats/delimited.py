"""Tables as text: cells parted by commas, semicolons, tabs or bars; our own columns or any.

By the csv module, not by pandas, which gives no line numbers and skips or joins broken rows: a
fault is told with its line, and a row that is lost is named.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.papers.formats.tables import NO_TITLES, TableRow, find_columns, table_records
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record, quarantined

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


class _Broken(NamedTuple):
    """Lines of which csv makes no record."""

    line: int
    last: int
    text: str
    is_end: bool
    """Whether nothing is left behind them."""


def why_not(content: Content) -> str:
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


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a table; raises InputError where a quote is open to the end."""
    rows = table_rows(content, dialect_of(content.start))
    yield from table_records(rows, content.name, DELIMITED.name)


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
    is_quoted = not any(isinstance(record, _Broken) and not record.is_end for record in records)
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
            reason = f"found {_UNCLOSED}{where}; wanted {_CLOSED}"
            source = Source(content.name, DELIMITED.name, record.line)
            yield quarantined(source, record.text, reason)


def _records(lines: Iterable[str], dialect: Dialect) -> Iterator[TableRow | _Broken]:
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
            yield _Broken(line, line + len(held) - 1, held[0][:400], is_end)
            if is_end:
                return
        else:
            if line > dialect.lines_above:
                yield TableRow(line, cells)
        line += len(held)


_EXAMPLE = "Title,Authors,Year,DOI,Abstract\nBees,Ada One,2024,10.1000/182,We bake.\n"

DELIMITED = Reader(
    name="csv",
    why_not=why_not,
    read=read,
    wants="a CSV whose header has a column 'title'",
    examples=(
        _EXAMPLE + "Bread @@,@@,@@,@@,@@\n",
        _EXAMPLE + "@@",
        _EXAMPLE.replace(",", "\t") + "@@",
        'Title,Authors,Abstract\n"Bees @@","@@","@@"\n',
    ),
)
