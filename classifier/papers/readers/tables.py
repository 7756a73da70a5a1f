"""Read tables from any file: find the fields of the columns, then make one record per row."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, NamedTuple

from classifier.errors import Fault, input_error, listed
from classifier.files.table import unescape_formula
from classifier.files.workbook_parts import ERRORS
from classifier.papers.fields import DETAILS, READ, read_fields, unknown_names_fault
from classifier.papers.paper import Source
from classifier.papers.reader import ColumnsRead, Record, display_value
from classifier.papers.readers.column_names import (
    Roles,
    closest_name,
    fold_name,
    is_ignored_name,
    roles_of,
)
from classifier.papers.readers.row_fields import (
    COMMA,
    are_arxiv_categories,
    fields_of_row,
    split_items,
)

NO_TITLES: Final = "no title column"
_NAME_TITLES: Final = "Name the title column 'title' in the first row."
_QUOTE_COMMAS: Final = (
    "Put quotes around cells that contain a comma. Cells after the last column were not read."
)
_SAVE_QUOTED: Final = "Its texts contain commas without quotes. Save it again with quotes."
SAMPLE: Final = 250
"""Number of rows by which columns are recognised."""
_MAX_UNREAD = 6
"""Maximum number of unread columns in a message."""
_MAX_PREAMBLE = 20
"""Maximum number of rows above the header."""
_MIN_FILED = 0.25
"""Minimum share of rows in which a column by which papers are filed is filled."""
_MAX_COLLECTION = 60
"""Maximum number of characters of the name of a collection."""
_MIN_LONG_ROWS = 3
_MAX_LONG_SHARE = 0.1
"""Maximum share of rows with more cells than the header."""
_VERDICTS: Final = frozenset("yes no true false maybe included excluded include exclude".split())
# `source` is the journal, and `number` the issue, only if no other column is.
_LAST_RESORTS: Final = frozenset(("source", "number", "no"))
_LISTS: Final = frozenset(("keywords", "collections", "subcollection", "code_urls"))
_WITH_ENTITIES: Final = _LISTS | {"authors", ":editor"}
_NOTHING: Final = frozenset(("nan", "none", "null", "n/a", "na", "-", "[]", "{}"))
_WORDS_OF_TITLES: Final = frozenset(("na", "none"))
"""Texts that mean nothing in other columns, but are titles of real papers."""
# `Oven A., Flour B.-C.`: Scopus has authors below 作者關鍵字, “author keywords”.
_PEOPLE: Final = re.compile(r"(?:[^\W\d_][^,.]*\s(?:[^\W\d_a-z]\.-?)+(?:, |$))+")
# SpringerLink does not separate people: “Ann BalBo McCruz”.
_BETWEEN_PEOPLE: Final = re.compile(
    r"(?<=[a-zà-ÿ.])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bDi)(?<!\bLa)(?<!\bLe)(?<!\bVan)"
    r"(?=[A-ZÀ-Þ][a-zà-ÿ.'’])"
)

Rows = Sequence[Sequence[str]]


class TableRow(NamedTuple):
    """One row of a table."""

    line: int
    """1-based: the line of a text on which it starts, or the row of a sheet."""
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table and their roles."""

    names: tuple[str, ...]
    """Name of each column; "" where it has none."""
    places: dict[str, list[int]]
    """Positions of columns by role, the best column first."""
    is_own: bool
    """Whether all columns that are read have names of our fields."""
    is_export: bool
    """Whether Fieldguide wrote the table."""
    unknown: tuple[str, ...]
    """Names of columns that nothing reads."""
    n_above: int
    """Number of rows before the first paper: preamble and header."""


def is_export(names: Iterable[str]) -> bool:
    """Return whether these column names belong to labels that Fieldguide exported."""
    return {"id", "title", "status", "primary"} <= set(names)


def find_columns(rows: Rows) -> Columns | None:
    """Find the columns of a table in its first rows; None if there is no title column.

    The header is the row that contains the most names of fields; a preamble may come before it.
    """
    roles_of_rows = [(at, roles_of(row)) for at, row in enumerate(rows[:_MAX_PREAMBLE])]
    headers = [
        (len(roles), -at, roles)
        for at, roles in roles_of_rows
        if any(role == "title" for role, _ in roles.values()) and (at == 0 or len(roles) > 1)
    ]
    if not headers:
        return None
    _, at, roles = max(headers, key=lambda header: header[:2])
    names, below = tuple(name.strip() for name in rows[-at]), rows[1 - at :]
    is_ours = is_export(names)
    is_own, unknown = True, tuple[str, ...]()
    if is_ours:
        roles = {at: role for at, role in roles.items() if is_field_or_detail(names[at])}
    else:
        unknown = tuple(
            name
            for place, name in enumerate(names)
            if name and place not in roles and not is_ignored_name(name)
        )
        is_own = all(_is_field(names[at]) for at in roles) and len(unknown) <= len(roles)
        if not is_own:
            roles = _correct_roles(_without_last_resorts(roles, names), below)
    places: dict[str, list[int]] = {}
    for place in sorted(roles):
        places.setdefault(roles[place][0], []).append(place)
    for positions in places.values():
        positions.sort(key=lambda place: roles[place][1])
    return Columns(names, places, is_own, is_ours, unknown, 1 - at)


def is_field_or_detail(name: str) -> bool:
    """Return whether a name is a field of a paper or a CSL variable."""
    return _is_field(name) or name in DETAILS


def _is_field(name: str) -> bool:
    return name.strip().lower().replace(" ", "_") in READ


def _filled_cells(rows: Rows, column: int) -> list[str]:
    return [row[column].strip() for row in rows if column < len(row) and row[column].strip()]


def _without_last_resorts(roles: Roles, names: Sequence[str]) -> Roles:
    """Drop columns of last resort if another column has the same role."""
    counts = Counter(role for role, _ in roles.values())
    return {
        at: (role, rank)
        for at, (role, rank) in roles.items()
        if counts[role] < 2 or fold_name(names[at]) not in _LAST_RESORTS
    }


def _correct_roles(roles: Roles, rows: Rows) -> Roles:
    """Correct the roles of columns by the content of their cells.

    One column of short words contains the collections; other columns with such a name contain
    keywords. A column of keywords that contains people has the authors, if no other column has
    them.
    """
    roles = dict(roles)
    filed = [at for at in roles if roles[at][0] in ("collections", "possible_collections")]
    is_filed = False
    for at in sorted(filed, key=lambda at: (*roles[at], at)):
        cells, (role, rank) = _filled_cells(rows, at), roles[at]
        has_words = any(map(str.isalpha, "".join(cells)))
        if not is_filed and _has_collections(cells, len(rows)):
            is_filed = True
            roles[at] = ("collections", rank)
        elif role == "collections" and has_words and len(cells) >= _MIN_FILED * len(rows):
            roles[at] = ("keywords", 999)
        else:
            del roles[at]
    if not any(role == "authors" for role, _ in roles.values()):
        for at in [at for at in roles if roles[at][0] == "keywords"]:
            cells = _filled_cells(rows, at)
            n_people = sum(bool(_PEOPLE.fullmatch(cell[:2000])) for cell in cells)
            if cells and n_people >= 0.8 * len(cells):
                roles[at] = ("authors", 0)
    return roles


def _has_collections(cells: Sequence[str], n_rows: int) -> bool:
    """Return whether a column contains collections: short values that recur in many rows."""
    words = [cell for cell in cells if len(cell) <= _MAX_COLLECTION and any(map(str.isalpha, cell))]
    return (
        len(words) >= max(1, _MIN_FILED * n_rows, 0.9 * len(cells))
        and (len(cells) < 10 or len(set(cells)) <= 0.6 * len(cells))
        and not {cell.lower() for cell in cells} <= _VERDICTS
        and sum(map(are_arxiv_categories, cells)) <= 0.5 * len(cells)
    )


def rows_by_name(rows: Iterable[TableRow]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the cells of each row below the header, by normalised column name."""
    rows = iter(rows)
    first = list(islice(rows, SAMPLE))
    columns = find_columns([row.cells for row in first])
    if columns is None:
        return
    names = [fold_name(name) for name in columns.names]
    for row in chain(first[columns.n_above :], rows):
        yield row.line, {n: c.strip() for n, c in zip(names, row.cells, strict=False) if n}


def table_records(rows: Iterator[TableRow], name: str, format_name: str) -> Iterator[Record]:
    """Yield the columns that are read, warnings about them, and a record for each row.

    rows: rows of a table that are not empty.
    Raises InputError if there is no title column, or if many rows cannot be split into cells.
    """
    sample = list(islice(rows, SAMPLE))
    columns = find_columns([row.cells for row in sample])
    if columns is None:
        raise input_error(name, NO_TITLES, "a column 'title'", _NAME_TITLES)
    header, below = sample[columns.n_above - 1], sample[columns.n_above :]
    cells_below = [row.cells for row in below]
    yield from _columns_read(columns, cells_below)
    for column in columns.unknown:
        if near := closest_name(column):
            found, hint = (
                f"the column {display_value(column)}",
                f"Did you mean {near}? The column was ignored.",
            )
            yield Fault("warning", name, header.line, found, f"'{near}'", hint)
    fields_of = _row_reader(columns, cells_below)
    n_rows = 0
    long_rows: list[tuple[int, str]] = []
    for row in chain(below, rows):
        if row.cells == header.cells:  # two tables were joined
            continue
        n_rows += 1
        yield from read_fields(fields_of(row.cells), Source(name, format_name, row.line))
        surplus = [cell for cell in row.cells[len(columns.names) :] if cell.strip()]
        if surplus:
            long_rows.append((row.line, surplus[0]))
    if long_rows:
        yield _long_rows_fault(long_rows, n_rows, name)
    if columns.is_own and columns.unknown:
        yield unknown_names_fault(columns.unknown, Source(name, format_name, header.line), "column")


def _long_rows_fault(long_rows: Sequence[tuple[int, str]], n_rows: int, name: str) -> Fault:
    """Return the warning about rows longer than the header; raise InputError if they are many."""
    line, cell = long_rows[0]
    n_long, expected = len(long_rows), "as many cells as the header"
    if n_long >= _MIN_LONG_ROWS and n_long > _MAX_LONG_SHARE * n_rows:
        found = f"{n_long:,} of {n_rows:,} rows with more cells than the header"
        raise input_error(name, found, expected, _SAVE_QUOTED, line=line)
    more = f", and {n_long - 1:,} more rows like it" if n_long > 1 else ""
    found = f"{display_value(cell)} after the last column{more}"
    return Fault("warning", name, line, found, expected, _QUOTE_COMMAS)


def _columns_read(columns: Columns, rows: Rows) -> Iterator[ColumnsRead]:
    """Yield the filled columns and their fields, unless all have Fieldguide's field names."""
    filled = {at for row in rows for at, cell in enumerate(row) if cell.strip()}
    pairs: list[tuple[str, str]] = []
    for role, places in columns.places.items():
        if names := [columns.names[at] for at in places if at in filled]:
            pairs.append((role.removeprefix(":"), ", ".join(names)))
    if columns.is_own or all(field == column.strip().lower() for field, column in pairs):
        return
    full = {columns.names[at] for at in filled if at < len(columns.names)}
    unread = [display_value(name) for name in columns.unknown if name in full]
    if unread:
        pairs.append(("", listed(unread, _MAX_UNREAD)))
    yield ColumnsRead(tuple(pairs))


def _row_reader(columns: Columns, rows: Rows) -> Callable[[Sequence[str]], dict[str, object]]:
    """Return a function that reads the fields of a row, chosen by columns and first rows."""
    splits_at_commas = {
        at: _has_comma_lists(role, _filled_cells(rows, at))
        for role in _LISTS
        for at in columns.places.get(role, ())
    }
    of_authors = columns.places.get("authors", ())
    splits_at_commas |= {
        at: False for at in of_authors if _has_other_separators(_filled_cells(rows, at))
    }
    is_springer, is_pubmed = "Item DOI" in columns.names, "Journal/Book" in columns.names

    def cell_value(role: str, column: int, text: str) -> str | list[str]:
        text = unescape_formula(text)
        if role in _WITH_ENTITIES and "&" in text and not columns.is_export:
            text = html.unescape(text)
        if role == "authors" and is_springer:
            text = _BETWEEN_PEOPLE.sub("; ", text)
        if role == "authors" and is_pubmed:  # `Cruz A, Bal BC; The Group.`
            text = text.removesuffix(".").replace(", ", "; ")
        return split_items(text, splits_at_commas[column]) if column in splits_at_commas else text

    def fields(cells: Sequence[str]) -> dict[str, object]:
        row: dict[str, list[str | list[str]]] = {}
        for role, places in columns.places.items():
            for at in places:
                text = cells[at].strip() if at < len(cells) else ""
                if text and not _is_placeholder(role, text):
                    row.setdefault(role, []).append(cell_value(role, at, text))
        return fields_of_row(row, columns.is_own, columns.is_export)

    return fields


def _is_placeholder(role: str, text: str) -> bool:
    if text in ERRORS:
        return True
    word = text.lower() if len(text) < 6 else ""
    return word in _NOTHING and not (role == "title" and word in _WORDS_OF_TITLES)


def _has_comma_lists(role: str, cells: Sequence[str]) -> bool:
    """Return whether commas separate the items in a column.

    They always separate keywords. They separate collections only if the items recur, since the name
    of a collection may contain a comma.
    """
    if _has_other_separators(cells):
        return False
    if role not in ("collections", "subcollection"):
        return True
    whole = {cell for cell in cells if "," not in cell}
    lists = [COMMA.split(cell) for cell in cells if "," in cell]
    return 2 * sum(whole.issuperset(parts) for parts in lists) > len(lists)


def _has_other_separators(cells: Sequence[str]) -> bool:
    return any(sign in html.unescape(cell) for cell in cells for sign in ";|\n")
