"""Our own columns in a CSV: those of the JSON Lines format, lists joined by `; `.

The sheet that a build writes can be read too.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping

from classifier.corpus.paper import Source
from classifier.corpus.readers import Reader, Record
from classifier.corpus.readers.fields import DETAILS, READ, read_fields, shown, unused_names
from classifier.errors import Fault
from classifier.files.content import Content
from classifier.files.table import Row, parse_table

_LISTS = ("authors", "code_urls", "keywords", "collections")
_COUNTS = ("author_count", "comment_count")
_DETAILS = {name.lower(): name for name in DETAILS}
# A table with these was written by Fieldguide, labels in its further columns.
_MARKS = frozenset({"id", "title", "status", "primary"})

# A first line longer than this is no header.
_MOST_HEADER = 20_000


def why_not(content: Content) -> str:
    """Say why a file is no CSV of ours: its first line is no header with a column `title`."""
    if not content.is_text:
        return "no text"
    header = content.start[: _MOST_HEADER + 1].partition("\n")[0]
    missing = "no column 'title' in the first line"
    if len(header) > _MOST_HEADER:
        return missing
    delimiter = max(",;\t", key=header.count)
    try:
        names = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error:
        return missing
    return "" if "title" in (_folded(name) for name in names) else missing


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a CSV; raises InputError where the text is none."""
    name = content.name
    rows = parse_table(content.text(), name)
    unknown = _unknown(rows[0].cells) if rows else []
    for row in rows:
        yield from read_fields(_fields(row.cells), Source(name, CSV_TABLE.name, _first_line(row)))
        if row.extra:
            yield _beyond_header(row, name)
    if unknown:
        yield unused_names(unknown, Source(name, CSV_TABLE.name, 1), "column")


def _fields(cells: Mapping[str, str]) -> dict[str, object]:
    """Return a row as fields of `FIELDS`: empty cells dropped, lists split, counts as numbers."""
    filled: dict[str, str] = {}
    for column, cell in cells.items():
        if cell.strip():
            filled.setdefault(_folded(column), cell)
    fields: dict[str, object] = dict(filled)
    details = {_DETAILS[name]: cell for name, cell in filled.items() if name in _DETAILS}
    if details:
        fields["reference"] = details
    for name in _LISTS:
        if name in filled:
            fields[name] = [item for item in re.split(r"\s*;\s*", filled[name]) if item]
    for name in _COUNTS:
        if re.fullmatch(r"\d{1,9}", filled.get(name, "").strip(), re.ASCII):
            fields[name] = int(filled[name])
    return fields


def _unknown(header: Iterable[str]) -> list[str]:
    """Return the columns that nothing reads; of a table that Fieldguide wrote none is told."""
    names = {column: _folded(column) for column in header}
    if set(names.values()) >= _MARKS:
        return []
    return [column for column, name in names.items() if name not in READ and name not in _DETAILS]


def _beyond_header(row: Row, name: str) -> Fault:
    found = f"{shown(row.extra[0])} behind the last column"
    cure = "Quote a cell that holds a comma; what stands behind the last column is not read."
    return Fault("warning", name, _first_line(row), found, "as many cells as the header has", cure)


def _folded(column: str) -> str:
    return column.strip().lower().replace(" ", "_")


def _first_line(row: Row) -> int:
    """The line on which a record starts: cells that hold line breaks push its end down."""
    return row.line - sum(cell.count("\n") for cell in row.cells.values())


CSV_TABLE = Reader(
    name="csv",
    why_not=why_not,
    read=read,
    wants="a CSV whose header has a column 'title'",
)
