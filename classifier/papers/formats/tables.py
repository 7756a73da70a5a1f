"""Tables, whatever file they lie in: which columns hold which fields, and the rows as records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final, NamedTuple

from classifier.errors import Fault, InputError
from classifier.files.table import unescape_formula
from classifier.papers.fields import DETAILS, READ, clean_url, read_fields, unused_names
from classifier.papers.formats.column_names import (
    fold_name,
    has_tags,
    is_known_but_not_read,
    meant,
    role_of_name,
    role_of_tag,
)
from classifier.papers.formats.row_fields import (
    COMMA,
    RowStyle,
    are_arxiv_categories,
    fields_of_row,
    split_items,
)
from classifier.papers.names import author_style
from classifier.papers.paper import Source
from classifier.papers.reader import ColumnsRead, Record, shown

NO_TITLES: Final = "no column of titles: none is called title"
_CURE: Final = "Name the column of the titles 'title' in the first row."
_BEYOND: Final = "Quote a cell that holds a comma; what stands behind the last column is not read."
SAMPLE: Final = 200
"""Rows that are looked at."""
_FIRST: Final = SAMPLE + 50
"""Rows that are looked at: those of the sample below a preamble."""
_MAX_UNREAD = 6
"""Columns that are named of those that nothing reads."""
_MAX_PREAMBLE = 40
"""Rows above the header that programs write."""
_MIN_COLLECTED = 0.25
"""The share of rows in which a column must be filled to be where people filed their papers."""
_MAX_COLLECTION = 60
"""Characters; longer cells file nothing."""
_VERDICTS: Final = frozenset("yes no true false maybe included excluded include exclude".split())
# Of a paper with a venue these are databases, not journals; beside `issue` no number is one.
_LAST_RESORTS: Final = {
    "source": "venue", "number": ":issue", "no": ":issue", "publication": "venue",
}  # fmt: skip
_LISTS: Final = frozenset(("keywords", "collections", "subcollection", "code_urls"))
_NOTHING: Final = frozenset(("nan", "none", "null", "n/a", "na", "-", "[]", "{}", "#n/a"))
_BETWEEN_NAMES = re.compile(r"\s*[;|]\s*|,\s+")
_NAME_WITH_INITIALS = re.compile(r"[^\W\d_][\w'’\- ]*?,?\s(?:[^\W\d_a-z]\.-?\s?)+")

Rows = Sequence[Sequence[str]]
Roles = dict[int, tuple[str, int]]
"""Position of a column -> its role and the rank of its name, 0 the best."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns hold which fields."""

    names: tuple[str, ...]
    """Of every column; "" where it has none."""
    places: dict[str, tuple[int, ...]]
    """Field, or `:` and a variable of CSL -> positions of its columns, the best first."""
    is_own: bool
    """Whether every column that is read has the name of a field."""
    unknown: tuple[str, ...] = ()
    """Names of columns that nothing reads."""
    doubts: tuple[Fault, ...] = ()
    """What is not certain about them; file and line are the caller's to add."""
    rows_above: int = 0
    """Rows before the first paper: preamble and header."""
    filled: frozenset[int] = frozenset()
    """Positions of the columns that hold anything in the rows that were looked at."""

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return (field, columns that hold anything), as `("title", "Document Title")`."""
        held = (
            (role.removeprefix(":"), [self.names[at] for at in places if at in self.filled])
            for role, places in self.places.items()
        )
        return tuple((field, ", ".join(names)) for field, names in held if names)

    def unread(self) -> tuple[tuple[str, str], ...]:
        """Return ("", columns that nothing reads though they hold something), or nothing."""
        held = {self.names[at] for at in self.filled if at < len(self.names)}
        names = [shown(name) for name in self.unknown if name in held]
        more = f" and {len(names) - _MAX_UNREAD} more" if len(names) > _MAX_UNREAD else ""
        return (("", ", ".join(names[:_MAX_UNREAD]) + more),) if names else ()


def find_columns(rows: Rows) -> Columns | None:
    """Return the columns of a table by its first rows, or None where none is called a title.

    The header may stand below a preamble.
    """
    for at in _headers(rows):
        columns = _columns(rows[at], rows[at + 1 : at + 1 + SAMPLE])
        if columns is not None:
            filled = frozenset(
                place for row in rows[at + 1 :] for place, cell in enumerate(row) if cell.strip()
            )
            return replace(columns, rows_above=at + 1, filled=filled)
    return None


def count_named(rows: Rows) -> int:
    """Return how many columns of the header have names that are known; 0 without a title."""
    return max((len(_roles(rows[at])) for at in _headers(rows)), default=0)


def _filled(rows: Rows, at: int) -> list[str]:
    """Return the cells of a column that hold anything."""
    return [row[at] for row in rows if at < len(row) and row[at].strip()]


def _headers(rows: Rows) -> list[int]:
    """Return the rows that may be the header: they name a title, and the most other fields."""
    roles = [(at, _roles(row)) for at, row in enumerate(islice(rows, _MAX_PREAMBLE))]
    found = [
        (-len(held), at)
        for at, held in roles
        if any(role == "title" for role, _ in held.values()) and (at == 0 or len(held) > 1)
    ]
    return [at for _, at in sorted(found)]


def _roles(names: Sequence[str]) -> Roles:
    of_name = role_of_tag if has_tags(list(names)) else role_of_name
    found = ((at, of_name(name.strip())) for at, name in enumerate(names) if len(name) < 100)
    return {at: role for at, role in found if role is not None}


def _columns(header: Sequence[str], rows: Rows) -> Columns | None:
    names = tuple(name.strip() for name in header)
    roles = _roles(names)
    unknown = tuple(
        name
        for at, name in enumerate(names)
        if name and at not in roles and not is_known_but_not_read(name)
    )
    filled = [name for name in names if name]
    # A sheet, or an export: what says more than a paper's fields there is labels.
    is_export = {"id", "title", "status", "primary"} <= set(names)
    if is_export:
        kept = [at for at in roles if _field(names[at]) in READ or names[at] in DETAILS]
        roles = {at: roles[at] for at in kept}
    is_own = is_export or (
        all(_field(names[at]) in READ for at in roles)
        and len(unknown) <= len(roles)
        and len(set(filled)) == len(filled)
    )
    doubts: list[Fault] = []
    if not is_own:
        roles = _without_wrong(roles, names, rows)
        roles, people = _with_authors(roles, names, rows)
        roles, doubts = _with_one_collection(roles, names, rows)
        doubts = people + doubts
    doubts += [
        Fault(
            "warning",
            "",
            None,
            f"the column {shown(name)}",
            f"'{near}'",
            f"Did you mean {near}? Nothing reads it.",
        )
        for name in unknown
        if (near := meant(name))
    ]
    places: dict[str, list[int]] = {}
    for at in sorted(roles):
        places.setdefault(roles[at][0], []).append(at)
    if "title" not in places:
        return None
    ranked = {
        role: tuple(sorted(held, key=lambda at: roles[at][1])) for role, held in places.items()
    }
    return Columns(names, ranked, is_own, () if is_export else unknown, tuple(doubts))


def _field(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _without_wrong(roles: Roles, names: Sequence[str], rows: Rows) -> Roles:
    """Return the roles without those that other columns or the cells forbid."""
    held = [role for role, _ in roles.values()]
    return {
        at: (role, rank)
        for at, (role, rank) in roles.items()
        if not (_LAST_RESORTS.get(fold_name(names[at])) == role and held.count(role) > 1)
        and not (role == "title" and _are_no_titles(_filled(rows, at)))
    }


def _are_no_titles(cells: Sequence[str]) -> bool:
    """Say whether cells are addresses, numbers or the same few words, whatever the name says."""
    if len(cells) >= 8 and len(set(cells)) <= 0.15 * len(cells):
        return True
    return _share(cells, lambda c: bool(clean_url(c)) or not re.search(r"[^\W\d_]", c)) > 0.5


def _with_authors(roles: Roles, names: Sequence[str], rows: Rows) -> tuple[Roles, list[Fault]]:
    """Read authors from a column of keywords that lists people, where no column is theirs."""
    if any(role == "authors" for role, _ in roles.values()):
        return roles, []
    for at, (role, _) in roles.items():
        cells = _filled(rows, at) if role == "keywords" else []
        parts = [part for cell in cells for part in _BETWEEN_NAMES.split(cell[:2000]) if part]
        if _share(parts, _NAME_WITH_INITIALS.fullmatch) >= 0.8:
            found = f"people in the column {shown(names[at])}"
            cure = "They are read as authors."
            doubt = Fault("warning", "", None, found, "keywords there", cure)
            return {**roles, at: ("authors", 0)}, [doubt]
    return roles, []


def _with_one_collection(
    roles: Roles, names: Sequence[str], rows: Rows
) -> tuple[Roles, list[Fault]]:
    """Leave the one short column by which people filed papers; the others give keywords."""
    held = [at for at, (role, _) in roles.items() if role == "collections"]
    filing = [at for at in sorted(held, key=lambda at: roles[at][1]) if _files(rows, at)]
    roles = dict(roles)
    for at in held:
        cells = _filled(rows, at)
        is_worded = any(map(str.isalpha, "".join(cells)))
        if at not in filing[:1]:
            del roles[at]
            if is_worded and len(cells) >= _MIN_COLLECTED * len(rows):
                roles[at] = ("keywords", 999)
    if len(filing) < 2:
        return roles, []
    listed = ", ".join(shown(names[at]) for at in filing)
    cure = f"Collections are read from {shown(names[filing[0]])}, keywords from the others."
    wanted = "one column that files the papers"
    return roles, [Fault("warning", "", None, f"columns {listed}", wanted, cure)]


def _files(rows: Rows, at: int) -> bool:
    """Say whether a column files papers: short words, in many rows, that come again."""
    cells = _filled(rows, at)
    if not cells or len(cells) < _MIN_COLLECTED * len(rows):
        return False
    return (
        _share(cells, lambda cell: len(cell) <= _MAX_COLLECTION) >= 0.9
        and _share(cells, lambda cell: any(map(str.isalpha, cell))) >= 0.9
        and (len(cells) < 10 or len(set(cells)) <= 0.6 * len(cells))
        and not {cell.strip().lower() for cell in cells} <= _VERDICTS
        and _share(cells, are_arxiv_categories) <= 0.5
    )


def _share(cells: Sequence[str], fits: Callable[[str], object]) -> float:
    return sum(bool(fits(cell.strip()[:2000])) for cell in cells) / len(cells) if cells else 0.0


class TableRow(NamedTuple):
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
    first = list(islice(rows, _FIRST))
    sample = [row.cells for row in first if isinstance(row, TableRow)]
    columns = find_columns(sample)
    if columns is None:
        raise InputError([Fault("error", name, None, NO_TITLES, "a column 'title'", _CURE)])
    lines = [row.line for row in first if isinstance(row, TableRow)]
    header = lines[max(0, columns.rows_above - 1)]
    is_plain = all(field == column.strip().lower() for field, column in columns.pairs())
    if not (columns.is_own or is_plain):
        yield ColumnsRead((*columns.pairs(), *columns.unread()))
    for doubt in columns.doubts:
        yield replace(doubt, file=name, line=header)
    fields_of = _row_reader(columns, sample[columns.rows_above :])
    above, width = columns.rows_above, len(columns.names)
    below = [row for row in first if isinstance(row, Fault) or (above := above - 1) < 0]
    is_beyond = False
    for row in chain(below, rows):
        if isinstance(row, Fault):
            yield row
            continue
        yield from read_fields(fields_of(row.cells), Source(name, format_name, row.line))
        beyond = [cell for cell in row.cells[width:] if cell.strip()]
        if beyond and not is_beyond:
            is_beyond = True
            found = f"{shown(beyond[0])} behind the last column"
            wanted, cure = "as many cells as the header has", _BEYOND
            yield Fault("warning", name, row.line, found, wanted, cure)
    if columns.is_own and columns.unknown:
        yield unused_names(columns.unknown, Source(name, format_name, header), "column")


def _row_reader(columns: Columns, rows: Rows) -> Callable[[Sequence[str]], dict[str, object]]:
    """Return what reads a row as fields of a paper, decided by the columns and first rows."""
    commas = frozenset(
        at
        for role in _LISTS
        for at in columns.places.get(role, ())
        if _commas_part_items(role, _filled(rows, at))
    )
    named = [cell for at in columns.places.get("authors", ())[:1] for cell in _filled(rows, at)]
    people = author_style(named, run_together="Item DOI" in columns.names)  # SpringerLink
    style = RowStyle(people, columns.is_own)

    def fields(cells: Sequence[str]) -> dict[str, object]:
        row: dict[str, list[object]] = {}
        for role, places in columns.places.items():
            for at in places:
                text = cells[at].strip() if at < len(cells) else ""
                if text and not (len(text) < 6 and text.lower() in _NOTHING):
                    text = unescape_formula(text)
                    value = split_items(text, at in commas) if role in _LISTS else text
                    row.setdefault(role, []).append(value)
        return fields_of_row(row, style)

    return fields


def _commas_part_items(role: str, cells: Sequence[str]) -> bool:
    """Say whether commas part the items: in keywords always, in a collection if items come again.

    A collection may have a comma in its name.
    """
    if any(sign in cell for cell in cells for sign in ";|\n"):
        return False
    if role not in ("collections", "subcollection"):
        return True
    whole = {cell.strip() for cell in cells if "," not in cell}
    listed = [COMMA.split(cell.strip()) for cell in cells if "," in cell]
    return 2 * sum(whole.issuperset(parts) for parts in listed) > len(listed)
