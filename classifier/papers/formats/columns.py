"""Which columns of a table hold which fields of a paper, by the names in its header."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import median
from typing import Final

from classifier.errors import Fault
from classifier.papers.fields import DETAILS, READ
from classifier.papers.formats.column_names import (
    fold_name,
    has_tags,
    is_known_but_not_read,
    meant,
    role_of_name,
    role_of_tag,
)
from classifier.papers.reader import shown

SAMPLE: Final = 200
"""Rows that are looked at."""
_MOST_COLUMNS = 16_384
"""Columns behind are not read; no spreadsheet has so many."""
_MOST_UNREAD = 6
"""Columns that are named of those that nothing reads."""
_MOST_PREAMBLE = 40
"""Rows above the header that programs write."""
_LEAST_COLLECTED = 0.25
"""The share of rows in which a column must be filled to be where people filed their papers."""
_MOST_COLLECTION = 60
"""Characters; longer cells file nothing."""
_MAYBE_ABSTRACTS: Final = frozenset({"text", "body", "content"})
"""Names of columns that hold abstracts or whole papers: a person has to say which."""
_VERDICTS: Final = frozenset("yes no true false maybe included excluded include exclude".split())
# Of a paper with a venue these are databases, not journals; beside `issue` no number is one.
_LAST_RESORTS: Final = {
    "source": "venue", "number": ":issue", "no": ":issue", "publication": "venue",
}  # fmt: skip
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_ARXIV_CATEGORY = re.compile(
    r"(?:(?:cs|math|stat|eess|econ|physics|q-bio|q-fin|cond-mat|astro-ph|nlin)\.[A-Za-z-]{2,}"
    r"|astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nucl-(?:ex|th)|quant-ph)"
)
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
        more = f" and {len(names) - _MOST_UNREAD} more" if len(names) > _MOST_UNREAD else ""
        return (("", ", ".join(names[:_MOST_UNREAD]) + more),) if names else ()


def find_columns(rows: Rows) -> Columns | None:
    """Return the columns of a table by its first rows, or None where none is called a title.

    The header may stand below a preamble.
    """
    rows = [row[:_MOST_COLUMNS] for row in rows]
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
    rows = [row[:_MOST_COLUMNS] for row in rows[:_MOST_PREAMBLE]]
    return max((len(_roles(rows[at])) for at in _headers(rows)), default=0)


def filled_cells(rows: Rows, at: int) -> list[str]:
    """Return the cells of a column that hold anything."""
    return [row[at] for row in rows if at < len(row) and row[at].strip()]


def are_arxiv_categories(cell: str) -> bool:
    """Say whether a cell holds categories of arXiv, such as `cs.CL cs.AI`."""
    return all(map(_ARXIV_CATEGORY.fullmatch, cell.split()))


def _headers(rows: Rows) -> list[int]:
    """Return the rows that may be the header: they name a title, and the most other fields."""
    roles = [(at, _roles(row)) for at, row in enumerate(islice(rows, _MOST_PREAMBLE))]
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
        roles = {
            at: role
            for at, role in roles.items()
            if _field(names[at]) in READ or names[at] in DETAILS
        }
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
    doubts += _unread_prose(roles, names, rows)
    doubts += [
        _doubt(f"the column {shown(name)}", f"'{near}'", f"Did you mean {near}? Nothing reads it.")
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
    doubts += _doubles(ranked, roles, names)
    return Columns(names, ranked, is_own, () if is_export else unknown, tuple(doubts))


def _field(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _without_wrong(roles: Roles, names: Sequence[str], rows: Rows) -> Roles:
    """Return the roles without those that other columns or the cells forbid."""
    held = [role for role, _ in roles.values()]

    def is_wrong(at: int, role: str) -> bool:
        is_last_resort = _LAST_RESORTS.get(fold_name(names[at])) == role and held.count(role) > 1
        return is_last_resort or (role == "title" and _are_no_titles(filled_cells(rows, at)))

    return {at: role for at, role in roles.items() if not is_wrong(at, role[0])}


def _are_no_titles(cells: Sequence[str]) -> bool:
    """Say whether cells are addresses, numbers or the same few words, whatever the name says."""
    if len(cells) >= 8 and len(set(cells)) <= 0.15 * len(cells):
        return True
    return _share(cells, lambda c: _URL.fullmatch(c) or not re.search(r"[^\W\d_]", c)) > 0.5


def _with_authors(roles: Roles, names: Sequence[str], rows: Rows) -> tuple[Roles, list[Fault]]:
    """Read authors from a column of keywords that lists people, where no column is theirs."""
    if any(role == "authors" for role, _ in roles.values()):
        return roles, []
    for at, (role, _) in roles.items():
        cells = filled_cells(rows, at) if role == "keywords" else []
        parts = [part for cell in cells for part in _BETWEEN_NAMES.split(cell[:2000]) if part]
        if _share(parts, _NAME_WITH_INITIALS.fullmatch) >= 0.8:
            found = f"people in the column {shown(names[at])}"
            doubt = _doubt(found, "keywords there", "They are read as authors.")
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
        cells = filled_cells(rows, at)
        if at in filing[:1]:
            continue
        worded = any(character.isalpha() for cell in cells for character in cell)
        if worded and len(cells) >= _LEAST_COLLECTED * len(rows):
            roles[at] = ("keywords", 999)
        else:
            del roles[at]
    if len(filing) < 2:
        return roles, []
    listed = ", ".join(shown(names[at]) for at in filing)
    cure = f"Collections are read from {shown(names[filing[0]])}, keywords from the others."
    return roles, [_doubt(f"columns {listed}", "one column that files the papers", cure)]


def _files(rows: Rows, at: int) -> bool:
    """Say whether a column files papers: short words, in many rows, that come again."""
    cells = filled_cells(rows, at)
    if not cells or len(cells) < _LEAST_COLLECTED * len(rows):
        return False
    return (
        _share(cells, lambda cell: len(cell) <= _MOST_COLLECTION) >= 0.9
        and _share(cells, lambda cell: any(map(str.isalpha, cell))) >= 0.9
        and (len(cells) < 10 or len(set(cells)) <= 0.6 * len(cells))
        and not {cell.strip().lower() for cell in cells} <= _VERDICTS
        and _share(cells, are_arxiv_categories) <= 0.5
    )


def _unread_prose(roles: Roles, names: Sequence[str], rows: Rows) -> list[Fault]:
    """Return a doubt where no column holds abstracts, and one that is not read may."""
    if any(role == "abstract" for role, _ in roles.values()):
        return []
    prose = [
        at
        for at, name in enumerate(names)
        if fold_name(name) in _MAYBE_ABSTRACTS and _are_abstracts(filled_cells(rows, at))
    ]
    cure = "Name it so if it holds abstracts; as it is, nothing reads it."
    return [
        _doubt(f"prose in the column {shown(names[at])}", "a column 'abstract'", cure)
        for at in prose[:1]
    ]


def _are_abstracts(cells: Sequence[str]) -> bool:
    """Say whether cells are prose: longer than a title, in sentences, not the same twice."""
    if len(cells) < 3 or median(map(len, cells)) < 250:
        return False
    sentences = _share(cells, lambda cell: re.search(r"[.。！？!?]\s*\S", cell))
    return sentences > 0.7 and len(set(cells)) > 0.8 * len(cells)


def _doubles(
    places: Mapping[str, Sequence[int]], roles: Roles, names: Sequence[str]
) -> list[Fault]:
    """Return a doubt for each field that two columns of one name hold."""
    doubts = []
    for role, held in places.items():
        if len({roles[at] for at in held}) < len(held) and role != "keywords":
            listed = ", ".join(shown(names[at]) for at in held)
            found = f"{role.removeprefix(':')} in the columns {listed}"
            doubts.append(_doubt(found, "one column", "Of each row the first filled one is read."))
    return doubts


def _doubt(found: str, wanted: str, cure: str) -> Fault:
    return Fault("warning", "", None, found, wanted, cure)


def _share(cells: Sequence[str], fits: Callable[[str], object]) -> float:
    return sum(bool(fits(cell.strip()[:2000])) for cell in cells) / len(cells) if cells else 0.0
