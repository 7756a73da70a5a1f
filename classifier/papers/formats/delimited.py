"""Tables as text: cells parted by commas, semicolons, tabs or bars; our own columns or any.

By the csv module, not by pandas, which gives no line numbers, skips or joins broken rows and holds
the whole file: a fault is told with its line, and a row that is lost is named.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.files.table import unclosed_quote
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
_FEW_LINES: Final = 8
_UNCLOSED: Final = "a quote that is never closed"
_CLOSED: Final = '" at the end of the cell'
# Other formats that have a line of words and commas, or of bars, near their start.
_OTHER_FACES: Final = re.compile(r"\s*(?:[{\[<@|%]|TY  - |PMID- |FN |#{1,6} |\\\w)")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text parts its cells."""

    delimiter: str
    quoting: int
    """`csv.QUOTE_MINIMAL`, or `csv.QUOTE_NONE` where quotes are part of the cells."""
    lines_above: int
    """1 where the first line only tells the delimiter (`sep=;`), else 0."""


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
        rows = _sample(start, Dialect(delimiter, csv.QUOTE_MINIMAL, 0))
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
    told = _SEPARATOR.match(start)
    if told:
        return Dialect(told[1], _quoting(start, told[1]), 1)

    def score(delimiter: str) -> tuple[int, int]:
        rows = _sample(start, Dialect(delimiter, csv.QUOTE_MINIMAL, 0))
        named = count_named(rows)
        widths = sorted(len(row) for row in rows)
        return named, widths[len(widths) // 10] if rows else 0

    best = max(_DELIMITERS, key=score)
    return Dialect(best, _quoting(start, best), 0)


def _quoting(start: str, delimiter: str) -> int:
    """Return whether quotes hold cells together.

    Programs that part cells by tabs mostly do not quote: there a quote is a sign like any other
    as soon as one opens a cell without closing it.
    """
    if delimiter != "\t":
        return csv.QUOTE_MINIMAL
    opened = re.compile(r'(?:^|(?<=[\t\n]))"((?:[^"]|"")*+)(.{0,2})', re.DOTALL)
    whole = start[: start.rfind("\n") + 1] or start
    for match in opened.finditer(whole):
        if match[2][:1] != '"' or (match[2][1:] not in ("", "\t", "\n")):
            return csv.QUOTE_NONE
    return csv.QUOTE_MINIMAL


def _sample(start: str, dialect: Dialect) -> list[list[str]]:
    """Return the whole rows in the start of a text, empty ones left out."""
    lines = start.split("\n")[dialect.lines_above : 400]
    complete = lines[:-1] if len(lines) > 3 else lines
    reader = csv.reader(
        (f"{line}\n" for line in complete),
        delimiter=dialect.delimiter,
        quoting=dialect.quoting,  # type: ignore[arg-type]
    )
    rows: list[list[str]] = []
    try:
        rows += (row for row in reader if any(row))
    except csv.Error:  # a delimiter that is none
        return []
    return rows


def table_rows(
    content: Content, dialect: Dialect, width: int, is_strict: bool
) -> Iterator[TableRow | Fault]:
    """Yield the rows of a text with the line on which each starts, empty ones left out.

    A row in which a quote is never closed is read as a line without quotes if it then has `width`
    cells, else quarantined with the lines behind it that are no whole rows; if `is_strict`, it
    raises InputError.
    """
    feed = _Feed(content, dialect.lines_above, dialect.delimiter)
    reader = _reader(feed, dialect)
    is_lost = False
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            fault = Fault("error", content.name, feed.line, str(error), "comma-separated values")
            raise InputError([fault]) from error
        line, lines = feed.take()
        opened = _opened_line(lines, dialect, feed.is_done)
        if opened:
            if is_strict:
                at = line + opened - 1
                raise InputError([Fault("error", content.name, at, _UNCLOSED, _CLOSED)])
            feed.give_back(lines[1:])
            reader = _reader(feed, dialect)
            single = _unquoted(lines[0], dialect)
            is_lost = len(single) != width
            if is_lost:
                yield _broken(content.name, line, lines[0])
            else:
                yield TableRow(line, single)
        elif is_lost and len(cells) != width:
            continue  # the rest of a broken row
        elif any(cells):
            is_lost = False
            yield TableRow(line, cells)


def _opened_line(lines: Sequence[str], dialect: Dialect, is_last: bool) -> int:
    """Return which line of a record opens a quote that is never closed, 1-based, or 0."""
    if dialect.quoting == csv.QUOTE_NONE or (len(lines) == 1 and not (is_last and '"' in lines[0])):
        return 0
    return unclosed_quote("\n".join(lines), dialect.delimiter)


def _unquoted(line: str, dialect: Dialect) -> list[str]:
    cells = line.split(dialect.delimiter)
    return [cell.strip().removeprefix('"').removesuffix('"') for cell in cells]


def _broken(name: str, line: int, text: str) -> Fault:
    reason = f"found {_UNCLOSED}; wanted {_CLOSED}"
    return quarantined(Source(name, DELIMITED.name, line), text[:400], reason)


def _reader(feed: _Feed, dialect: Dialect) -> Iterator[list[str]]:
    return csv.reader(feed, delimiter=dialect.delimiter, quoting=dialect.quoting)  # type: ignore[arg-type]


class _Feed:
    """The lines of a text for `csv.reader`; keeps those of the record that is being read."""

    def __init__(self, content: Content, lines_above: int, delimiter: str) -> None:
        self.line = 1
        """The line on which the record starts."""
        self.is_done = False
        self._lines = content.lines()
        self._back: deque[str] = deque()
        self._taken: list[str] = []
        self._length = 0
        self._delimiter = delimiter
        for _ in range(lines_above):
            next(self._lines, "")
            self.line += 1

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._length > _MOST_RECORD or self._is_broken():
            raise StopIteration  # the record ends here, and is told as one that is never closed
        line = self._back.popleft() if self._back else next(self._lines, None)
        if line is None:
            self.is_done = True
            raise StopIteration
        self._taken.append(line)
        self._length += len(line)
        return f"{line}\n"

    def _is_broken(self) -> bool:
        """Say whether a record that runs on has lost its way, looked at each time it has doubled.

        Without that, lines that each close a quote and open one would all be read for each line.
        """
        lines = len(self._taken)
        if lines < _FEW_LINES or lines & (lines - 1):
            return False
        closed = "\n".join([*self._taken, '"'])
        return bool(unclosed_quote(closed, self._delimiter))

    def take(self) -> tuple[int, list[str]]:
        """Return the line on which the record starts, and its lines, which are read now."""
        line, lines = self.line, self._taken
        self.line += len(lines)
        self._taken, self._length = [], 0
        return line, lines

    def give_back(self, lines: Sequence[str]) -> None:
        """Read the last lines of a record anew."""
        self._back.extendleft(reversed(lines))
        self.line -= len(lines)
        self.is_done = False


DELIMITED = Reader(
    name="csv",
    why_not=why_not,
    read=read,
    wants="a CSV whose header has a column 'title'",
)
