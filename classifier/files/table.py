"""CSV as text: every cell is a string, and types are not guessed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from classifier.errors import Fault, InputError, input_error
from classifier.files.reading import read_text

# Spreadsheets run a cell that begins with one of these (OWASP, "CSV injection").
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
# First characters of cells that may need an apostrophe.
_SUSPECTS = frozenset({*FORMULA_STARTS, "'"})

# A line with its end: `csv` reads lines, since io.StringIO takes four bytes per character.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NEWLINE = re.compile(r"\r\n|\r|\n")

# csv refuses cells above 128 KiB by default; a column of abstracts may contain whole papers.
csv.field_size_limit(2**30)


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a table."""

    line: int
    """1-based line in the file on which the record ends."""
    cells: Mapping[str, str]
    """Column name -> cell, for every column of the header; "" if the row is short."""
    extra: tuple[str, ...] = ()
    """Filled cells after the last column, or in a column without a name."""
    row: int = field(default=0, compare=False)
    """1-based row in a spreadsheet, with the header as row 1; 0 if unknown."""


class Record(NamedTuple):
    """One raw record, which can also be the header or an empty record."""

    line: int
    """1-based line in the file on which the record ends."""
    row: int
    """1-based, counting records."""
    cells: Sequence[str]


def write_table(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """Return UTF-8 CSV with `columns` as header; a missing key is an empty cell."""
    return csv_bytes(columns, ([row.get(column, "") for column in columns] for row in rows))


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]], delimiter: str = ",") -> bytes:
    """Return UTF-8 CSV; cells that look like formulas are escaped, and short rows are padded."""
    return csv_text(len(columns), (columns, *rows), delimiter).encode()


def csv_text(width: int, rows: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    """Return rows as CSV text with `width` columns; each row is written independently.

    A row with a lone carriage return is quoted, because csv does not quote it, and a reader would
    end the record there.
    """
    text = io.StringIO()
    plain = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    quoted = csv.writer(text, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        cells = [escape_formula(cell) if cell[:1] in _SUSPECTS else cell for cell in row]
        cells += [""] * (width - len(cells))
        (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)
    return text.getvalue()


def escape_formula(cell: str) -> str:
    """Escape a cell so that no spreadsheet runs it as a formula; see `unescape_formula`."""
    escaped = cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS)
    return f"'{cell}" if escaped or cell.startswith(FORMULA_STARTS) else cell


def unescape_formula(cell: str) -> str:
    """Remove the apostrophe that `escape_formula` added."""
    if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS):
        return cell[1:]
    return cell


def read_table(path: Path, label: str = "") -> list[Row]:
    """Read a CSV (or `;`/tab separated) file as text.

    Raises InputError if the file is missing, empty, not UTF-8 or has no header row.
    """
    label = label or str(path)
    return parse_table(read_text(path, label), label)


def parse_table(text: str, label: str) -> list[Row]:
    """Parse CSV text; `label` is the file's name for messages."""
    return parse_named_table(text, label)[1]


def parse_named_table(
    text: str, label: str, case_insensitive: Collection[str] = ()
) -> tuple[tuple[str, ...], list[Row]]:
    """Return the column names ("" if a column has no name) and the rows of CSV text.

    case_insensitive: lower-case names that the header may write in upper or lower case.
    """
    records = parse_records(text, label, delimiter_of(text))
    first = next(records, Record(1, 1, [])).cells
    header = [unescape_formula(name.replace("\ufeff", "").strip()) for name in first]
    header = [name.lower() if name.lower() in case_insensitive else name for name in header]
    check_header(header, label)
    return tuple(header), [_row(record, header) for record in records if any(record.cells)]


def _row(record: Record, header: Sequence[str]) -> Row:
    pairs = zip_longest(header, record.cells[: len(header)], fillvalue="")
    cells = {name: unescape_formula(cell) for name, cell in pairs if name}
    places = zip_longest(header, record.cells, fillvalue="")
    extra = tuple(cell for name, cell in places if not name and cell.strip())
    return Row(record.line, cells, extra, record.row)


def check_header(header: Sequence[str], label: str, line: int = 1, hint: str = "") -> None:
    """Raise InputError if a header has no names, or a name twice."""
    found, expected = "" if any(header) else "no header row", "a row of column names"
    if twice := sorted({name for name in header if name and header.count(name) > 1}):
        found, expected = f"the column '{twice[0]}' twice", "unique column names"
    if found:
        raise input_error(label, found, expected, hint, line=line)


def check_columns(rows: Sequence[Row], columns: Sequence[str], label: str, hint: str = "") -> None:
    """Raise InputError if a table with rows lacks one of these columns."""
    missing = [name for name in columns if rows and name not in rows[0].cells]
    if missing:
        found, expected = f"no column {', '.join(missing)}", f"the columns {', '.join(columns)}"
        raise input_error(label, found, expected, hint, line=1)


def delimiter_of(text: str) -> str:
    """Return the delimiter (comma, semicolon, tab or bar) that is most common in the first line."""
    header = _LINE.match(text)
    return max(",;\t|", key=header[0].count) if header else ","


def parse_records(text: str, label: str, delimiter: str) -> Iterator[Record]:
    """Yield all records of CSV text, including the header and empty records.

    Raises InputError, with the line, if a quote is never closed or a line is not valid CSV.
    """
    unclosed = unclosed_quote(text, delimiter)
    if unclosed:
        found, expected = "an unclosed quote", 'a closing " at the end of the cell'
        raise input_error(label, found, expected, line=unclosed)
    reader = csv.reader((line[0] for line in _LINE.finditer(text)), delimiter=delimiter)
    try:
        for row, cells in enumerate(reader, 1):
            yield Record(reader.line_num, row, cells)
    except csv.Error as error:
        fault = Fault("error", label, reader.line_num, str(error), "comma-separated values")
        raise InputError([fault]) from error


def unclosed_quote(text: str, delimiter: str) -> int:
    """Return the 1-based line of a quote that opens a cell and is never closed, or 0.

    A quote also counts as unclosed if its cell spans several lines and ends at a quote that text
    follows, because that quote opens the cell of a later record. csv.reader would read all these
    lines as one cell.
    """
    opening = re.compile(f'(?:^|[{re.escape(delimiter)}\r\n])"')
    match = opening.match(text) or opening.search(text)
    while match is not None:
        position = match.end() - 1
        end = closing_quote(text, match.end())
        following = text[end + 1 : end + 2]
        runs_on = following not in ("", delimiter, "\r", "\n") and (
            "\n" in text[position:end] or "\r" in text[position:end]
        )
        if end < 0 or runs_on:
            return len(_NEWLINE.findall(text, 0, position)) + 1
        match = opening.search(text, end + 1)
    return 0


def closing_quote(text: str, start: int) -> int:
    """Return the position of the quote that closes a cell whose text begins at `start`, or -1."""
    end = text.find('"', start)
    while end >= 0 and text.startswith('"', end + 1):
        end = text.find('"', end + 2)
    return end
