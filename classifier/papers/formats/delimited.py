"""Tables as text: cells parted by commas, semicolons, tabs or bars; our own columns or any.

By the csv module, not by pandas, which gives no line numbers and skips or joins broken rows: a
fault is told with its line, and a row that is lost is named.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.papers.formats.tables import (
    NO_TITLES,
    TableRow,
    count_named,
    find_columns,
    table_records,
)
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


def why_not(content: Content) -> str:
    """Say why a text is no table of papers: it has no column of titles."""
    if not content.is_text:
        return "no text"
    if _OTHER_FACES.match(content.start):
        return "begins like another format"
    if len(content.start.partition("\n")[0]) > _MOST_HEADER:
        return "the first line is too long for a header"
    return "" if find_columns(_sample(content.start, dialect_of(content.start))) else NO_TITLES


def is_table_without_titles(start: str) -> bool:
    """Say whether a text is a table all the same: rows of as many cells each."""
    for delimiter in () if _OTHER_FACES.match(start) else _DELIMITERS:
        rows = _sample(start, Dialect(delimiter))
        widths = [len(row) for row in rows]
        if len(rows) > 2 and widths[0] > 2 and widths.count(widths[0]) >= 0.9 * len(rows):
            return True
    return False


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a table; raises InputError where a quote of our own is never closed."""
    dialect = dialect_of(content.start)
    columns = find_columns(_sample(content.start, dialect))
    is_own = columns is not None and columns.is_own
    rows = table_rows(content, dialect, len(columns.names) if columns else 0, is_own)
    yield from table_records(rows, content.name, DELIMITED.name)


def dialect_of(start: str) -> Dialect:
    """Return how a text parts its cells: so that most columns of the header have known names."""
    if told := _SEPARATOR.match(start):
        return Dialect(told[1], _has_quotes(start, told[1]), 1)

    def score(delimiter: str) -> tuple[int, int]:
        rows = _sample(start, Dialect(delimiter))
        widths = sorted(len(row) for row in rows)
        return count_named(rows), widths[len(widths) // 10] if rows else 0

    best = max(_DELIMITERS, key=score)
    return Dialect(best, _has_quotes(start, best))


def _has_quotes(start: str, delimiter: str) -> bool:
    """Say whether quotes hold cells together.

    Programs that part cells by tabs mostly do not quote: there a quote is a sign like any other
    as soon as one opens a cell without closing it.
    """
    if delimiter != "\t":
        return True
    opened = re.compile(r'(?:^|(?<=[\t\n]))"((?:[^"]|"")*+)(.{0,2})', re.DOTALL)
    whole = start[: start.rfind("\n") + 1] or start
    return all(
        match[2][:1] == '"' and match[2][1:] in ("", "\t", "\n") for match in opened.finditer(whole)
    )


def _sample(start: str, dialect: Dialect) -> list[list[str]]:
    """Return the whole rows in the start of a text, empty ones left out."""
    lines = start.split("\n", _MOST_SAMPLE)[:_MOST_SAMPLE]
    complete = lines[:-1] if len(lines) > 3 else lines
    return [row for _, row, _ in _records(iter(complete), dialect) if any(row)]


def table_rows(
    content: Content, dialect: Dialect, width: int, is_strict: bool
) -> Iterator[TableRow | Fault]:
    """Yield the rows of a text with the line on which each starts, empty ones left out.

    A row in which a quote is never closed is read as a line without quotes if it then has `width`
    cells, else quarantined with the lines behind it that are no whole rows; if `is_strict`, it
    raises InputError.
    """
    is_lost = False
    for line, cells, is_broken in _records(content.lines(), dialect):
        if is_broken and is_strict:
            raise InputError([Fault("error", content.name, line, _UNCLOSED, _CLOSED)])
        if is_broken and len(cells) != width:
            is_lost = True
            reason = f"found {_UNCLOSED}; wanted {_CLOSED}"
            row = dialect.delimiter.join(cells)[:400]
            yield quarantined(Source(content.name, DELIMITED.name, line), row, reason)
        elif any(cells) and not (is_lost and len(cells) != width):  # the rest of a broken row
            is_lost = False
            bare = [cell.strip().removeprefix('"').removesuffix('"') for cell in cells]
            yield TableRow(line, bare if is_broken else cells)


def _records(lines: Iterator[str], dialect: Dialect) -> Iterator[tuple[int, list[str], bool]]:
    """Yield the line on which each record starts, its cells, and whether its quotes are broken.

    Such a record ends with its first line, and those behind it are read anew.
    """
    again: deque[str] = deque()
    held: list[str] = []

    def taken() -> Iterator[str]:
        length = 0
        while length < _MOST_RECORD:
            line = again.popleft() if again else next(lines, None)
            if line is None:
                return
            held.append(line)
            length += len(line)
            yield f"{line}\n"

    quoting: Final = csv.QUOTE_MINIMAL if dialect.has_quotes else csv.QUOTE_NONE
    number = 1
    while True:
        held.clear()
        is_broken = False
        try:
            cells = next(
                csv.reader(taken(), delimiter=dialect.delimiter, quoting=quoting, strict=True), None
            )
        except csv.Error:
            is_broken = True
            again.extendleft(reversed(held[1:]))
            del held[1:]
            cells = held[0].split(dialect.delimiter)
        if cells is None:
            return
        if number > dialect.lines_above:
            yield number, cells, is_broken
        number += len(held)


DELIMITED = Reader(
    name="csv",
    why_not=why_not,
    read=read,
    wants="a CSV whose header has a column 'title'",
)
