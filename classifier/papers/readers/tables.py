"""Tables, whatever file they lie in: which columns hold which fields, and the rows as records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, NamedTuple

from classifier.errors import Fault, InputError, listed
from classifier.files.table import unescape_formula
from classifier.papers.fields import DETAILS, READ, read_fields, unused_names
from classifier.papers.paper import Source
from classifier.papers.reader import ColumnsRead, Record, shown
from classifier.papers.readers.column_names import (
    Roles,
    fold_name,
    is_known_but_not_read,
    meant,
    roles_of,
)
from classifier.papers.readers.row_fields import (
    COMMA,
    are_arxiv_categories,
    fields_of_row,
    split_items,
)

NO_TITLES: Final = "no column of titles: none is called title"
_CURE: Final = "Name the column of the titles 'title' in the first row."
_BEYOND: Final = "Quote a cell that holds a comma; what stands behind the last column is not read."
SAMPLE: Final = 250
"""Rows that are looked at."""
_MAX_UNREAD = 6
"""Columns that are named of those that nothing reads."""
_MAX_PREAMBLE = 20
"""Rows above the header that programs write."""
_MIN_COLLECTED = 0.25
"""The share of rows in which a column must be filled to be where people filed their papers."""
_MAX_COLLECTION = 60
"""Characters; longer cells file nothing."""
_VERDICTS: Final = frozenset("yes no true false maybe included excluded include exclude".split())
# Of a paper with a venue a database, not a journal; beside `issue` no number is one.
_LAST_RESORTS: Final = frozenset(("source", "number", "no"))
_LISTS: Final = frozenset(("keywords", "collections", "subcollection", "code_urls"))
_NOTHING: Final = frozenset(("nan", "none", "null", "n/a", "na", "-", "[]", "{}", "#n/a"))
# `Oven A., Flour B.-C.`, as Scopus writes authors below 作者關鍵字, “author keywords”.
_PEOPLE: Final = re.compile(r"(?:[^\W\d_][^,.]*\s(?:[^\W\d_a-z]\.-?)+(?:, |$))+")
# SpringerLink puts nothing between people: “Ann BalBo McCruz”.
_BETWEEN_PEOPLE: Final = re.compile(
    r"(?<=[a-zà-ÿ.])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bDi)(?<!\bLa)(?<!\bLe)(?<!\bVan)"
    r"(?=[A-ZÀ-Þ][a-zà-ÿ.'’])"
)

Rows = Sequence[Sequence[str]]


class TableRow(NamedTuple):
    """One row as it stands."""

    line: int
    """1-based: the line of a text on which it starts, or the row of a sheet."""
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns hold which fields."""

    names: tuple[str, ...]
    """Of every column; "" where it has none."""
    places: dict[str, list[int]]
    """Role -> positions of its columns, the best first."""
    is_own: bool
    """Whether every column that is read has the name of a field."""
    unknown: tuple[str, ...]
    """Names of columns that nothing reads."""
    rows_above: int
    """Rows before the first paper: preamble and header."""


def find_columns(rows: Rows) -> Columns | None:
    """Return the columns of a table by its first rows, or None where none is called a title.

    The header, which names the most fields, may stand below a preamble.
    """
    named = [(at, roles_of(row)) for at, row in enumerate(rows[:_MAX_PREAMBLE])]
    headers = [
        (len(roles), -at, roles)
        for at, roles in named
        if any(role == "title" for role, _ in roles.values()) and (at == 0 or len(roles) > 1)
    ]
    if not headers:
        return None
    _, at, roles = max(headers, key=lambda header: header[:2])
    names, below = tuple(name.strip() for name in rows[-at]), rows[1 - at :]
    unknown = tuple(
        name
        for place, name in enumerate(names)
        if name and place not in roles and not is_known_but_not_read(name)
    )
    # A sheet, or an export: what says more than a paper's fields there is labels.
    is_export = {"id", "title", "status", "primary"} <= set(names)
    if is_export:
        unknown = ()
        roles = {
            place: role
            for place, role in roles.items()
            if _is_field(names[place]) or names[place] in DETAILS
        }
    is_own = is_export or (
        all(_is_field(names[place]) for place in roles) and len(unknown) <= len(roles)
    )
    if not is_own:
        roles = _as_filled(_without_last_resorts(roles, names), below)
    places: dict[str, list[int]] = {}
    for place in sorted(roles):
        places.setdefault(roles[place][0], []).append(place)
    for held in places.values():
        held.sort(key=lambda place: roles[place][1])
    return Columns(names, places, is_own, unknown, 1 - at)


def _is_field(name: str) -> bool:
    return name.strip().lower().replace(" ", "_") in READ


def _filled(rows: Rows, at: int) -> list[str]:
    """Return the cells of a column that hold anything."""
    return [row[at].strip() for row in rows if at < len(row) and row[at].strip()]


def _without_last_resorts(roles: Roles, names: Sequence[str]) -> Roles:
    """Leave out what a column means only where no other has that role."""
    held = [role for role, _ in roles.values()]
    return {
        at: (role, rank)
        for at, (role, rank) in roles.items()
        if held.count(role) < 2 or fold_name(names[at]) not in _LAST_RESORTS
    }


def _as_filled(roles: Roles, rows: Rows) -> Roles:
    """Return the roles as the cells bear them out.

    One short column is that by which people filed papers, others of that name give keywords;
    people below the name of keywords are authors where no column is theirs.
    """
    roles = dict(roles)
    held = sorted(roles, key=lambda at: (roles[at][1], at))
    is_filed = False
    for at in [at for at in held if roles[at][0] == "collections"]:
        cells = _filled(rows, at)
        if not is_filed and _files(cells, len(rows)):
            is_filed = True
        elif any(map(str.isalpha, "".join(cells))) and len(cells) >= _MIN_COLLECTED * len(rows):
            roles[at] = ("keywords", 999)
        else:
            del roles[at]
    if not any(role == "authors" for role, _ in roles.values()):
        for at in [at for at in roles if roles[at][0] == "keywords"]:
            cells = _filled(rows, at)
            if cells and sum(bool(_PEOPLE.fullmatch(c[:2000])) for c in cells) >= 0.8 * len(cells):
                roles[at] = ("authors", 0)
    return roles


def _files(cells: Sequence[str], rows: int) -> bool:
    """Say whether a column files papers: short words, in many rows, that come again."""
    words = [cell for cell in cells if len(cell) <= _MAX_COLLECTION and any(map(str.isalpha, cell))]
    return (
        len(words) >= max(1, _MIN_COLLECTED * rows, 0.9 * len(cells))
        and (len(cells) < 10 or len(set(cells)) <= 0.6 * len(cells))
        and not {cell.lower() for cell in cells} <= _VERDICTS
        and sum(map(are_arxiv_categories, cells)) <= 0.5 * len(cells)
    )


def table_records(
    rows: Iterator[TableRow | Fault], name: str, format_name: str
) -> Iterator[Record]:
    """Yield which columns are read, doubts about them, then a record for each row.

    rows: of a table, empty ones left out.
    Raises InputError where no column holds titles.
    """
    first = list(islice(rows, SAMPLE))
    sample = [row for row in first if isinstance(row, TableRow)]
    columns = find_columns([row.cells for row in sample])
    if columns is None:
        raise InputError([Fault("error", name, None, NO_TITLES, "a column 'title'", _CURE)])
    header, below = sample[columns.rows_above - 1], sample[columns.rows_above :]
    cells_below = [row.cells for row in below]
    yield from _columns_read(columns, cells_below)
    for column in columns.unknown:
        if near := meant(column):
            found, hint = f"the column {shown(column)}", f"Did you mean {near}? Nothing reads it."
            yield Fault("warning", name, header.line, found, f"'{near}'", hint)
    fields_of = _row_reader(columns, cells_below)
    faults = [row for row in first if isinstance(row, Fault)]
    is_beyond = False
    for row in chain(faults, below, rows):
        if isinstance(row, Fault):
            yield row
            continue
        yield from read_fields(fields_of(row.cells), Source(name, format_name, row.line))
        beyond = [cell for cell in row.cells[len(columns.names) :] if cell.strip()]
        if beyond and not is_beyond:
            is_beyond = True
            found = f"{shown(beyond[0])} behind the last column"
            expected, hint = "as many cells as the header has", _BEYOND
            yield Fault("warning", name, row.line, found, expected, hint)
    if columns.is_own and columns.unknown:
        yield unused_names(columns.unknown, Source(name, format_name, header.line), "column")


def _columns_read(columns: Columns, rows: Rows) -> Iterator[ColumnsRead]:
    """Yield which of the columns that hold anything are read, and as what, where names differ."""
    filled = {at for row in rows for at, cell in enumerate(row) if cell.strip()}
    held = (
        (role.removeprefix(":"), [columns.names[at] for at in places if at in filled])
        for role, places in columns.places.items()
    )
    pairs = [(field, ", ".join(names)) for field, names in held if names]
    if columns.is_own or all(field == column.strip().lower() for field, column in pairs):
        return
    full = {columns.names[at] for at in filled if at < len(columns.names)}
    unread = [shown(name) for name in columns.unknown if name in full]
    if unread:
        pairs.append(("", listed(unread, _MAX_UNREAD)))
    yield ColumnsRead(tuple(pairs))


def _row_reader(columns: Columns, rows: Rows) -> Callable[[Sequence[str]], dict[str, object]]:
    """Return what reads a row as fields of a paper, decided by the columns and first rows."""
    commas = {
        at: _commas_part_items(role, _filled(rows, at))
        for role in _LISTS
        for at in columns.places.get(role, ())
    }
    named = columns.places.get("authors", ())
    commas |= {at: False for at in named if _are_parted(_filled(rows, at))}
    is_run_together = "Item DOI" in columns.names

    def fields(cells: Sequence[str]) -> dict[str, object]:
        row: dict[str, list[str | list[str]]] = {}
        for role, places in columns.places.items():
            for at in places:
                text = cells[at].strip() if at < len(cells) else ""
                if text and not (len(text) < 6 and text.lower() in _NOTHING):
                    text = unescape_formula(text)
                    if role == "authors" and is_run_together:
                        text = _BETWEEN_PEOPLE.sub("; ", text)
                    value = split_items(text, commas[at]) if at in commas else text
                    row.setdefault(role, []).append(value)
        return fields_of_row(row, columns.is_own)

    return fields


def _commas_part_items(role: str, cells: Sequence[str]) -> bool:
    """Say whether commas part the items: in keywords always, in a collection if items come again.

    A collection may have a comma in its name.
    """
    if _are_parted(cells):
        return False
    if role not in ("collections", "subcollection"):
        return True
    whole = {cell for cell in cells if "," not in cell}
    listed = [COMMA.split(cell) for cell in cells if "," in cell]
    return 2 * sum(whole.issuperset(parts) for parts in listed) > len(listed)


def _are_parted(cells: Sequence[str]) -> bool:
    """Say whether anything else than commas parts the items."""
    return any(sign in cell for cell in cells for sign in ";|\n")
