"""Which columns of a table hold which fields of a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from classifier.papers.fields import DETAILS, READ, shown
from classifier.papers.formats.column_names import (
    fold_name,
    has_tags,
    is_known_but_not_read,
    role_of_name,
    role_of_tag,
)
from classifier.papers.formats.column_values import (
    GUESSED,
    are_arxiv_categories,
    guess_roles,
    look_like_names_with_initials,
    look_like_no_titles,
)

SAMPLE: Final = 200
"""Rows that are looked at."""
_MOST_COLUMNS = 16_384
"""Columns behind are not read; no spreadsheet has so many."""
_MOST_GUESSED = 200
"""Columns of unknown names whose cells are looked at."""
_MOST_PREAMBLE = 40
"""Rows above the header that programs write."""
_LEAST_COLLECTED = 0.25
"""The share of rows in which a column must be filled to be where people filed their papers."""
_MOST_COLLECTION = 60
"""Characters; longer cells file nothing."""
_OF_PAPERS: Final = frozenset({"abstract", "authors", "doi", "arxiv_id"})
"""Roles of which a header holds one that has a title under a name that nobody knows."""
_MAYBE_ABSTRACTS: Final = frozenset({"text", "body", "content"})
"""Names of columns that hold abstracts or whole papers: a person has to say which."""
_VERDICTS: Final = frozenset("yes no true false maybe included excluded include exclude".split())
# Of a paper with a venue these are databases, not journals; beside `issue` no number is one.
_LAST_RESORTS: Final = {
    "source": "venue",
    "number": ":issue",
    "no": ":issue",
    "publication": "venue",
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """What was not certain about the columns, for a warning."""

    found: str
    wanted: str
    cure: str


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
    doubts: tuple[Doubt, ...] = ()
    rows_above: int = 0
    """Rows before the first paper: preamble and header."""
    filled: frozenset[int] = frozenset()
    """Positions of the columns that hold anything in the rows that were looked at."""

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return (field, columns that hold anything), as `("title", "Document Title")`."""
        held = (
            (role.removeprefix(":"), [self.name(at) for at in places if at in self.filled])
            for role, places in self.places.items()
        )
        return tuple((field, ", ".join(names)) for field, names in held if names)

    def name(self, at: int) -> str:
        """Return what a person calls the column at a position."""
        return self.names[at] or f"column {at + 1}"


def find_columns(rows: Sequence[Sequence[str]]) -> Columns | None:
    """Return the columns of a table by its first rows, or None where none holds titles.

    The header may stand below a preamble, or be missing: then cells say what a column holds.
    """
    rows = [row[:_MOST_COLUMNS] for row in rows]
    for at in _headers(rows):
        columns = _by_names(rows[at], rows[at + 1 : at + 1 + SAMPLE])
        if columns is not None:
            return replace(columns, rows_above=at + 1, filled=_places_filled(rows[at + 1 :]))
    columns = _by_values(rows)
    return columns and replace(columns, filled=_places_filled(rows[columns.rows_above :]))


def has_named_title(rows: Sequence[Sequence[str]]) -> int:
    """Return how many columns of the header have names that are known; 0 without a title."""
    rows = [row[:_MOST_COLUMNS] for row in rows[:_MOST_PREAMBLE]]
    return max((_known(rows[at]) for at in _headers(rows)), default=0)


def _headers(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the rows that may be the header: they name a title, and the most other fields."""
    found = [
        (-_known(row), at)
        for at, row in enumerate(islice(rows, _MOST_PREAMBLE))
        if _names_title(row) and (at == 0 or _known(row) > 1)
    ]
    if not found:
        found = [
            (-_known(row), at)
            for at, row in enumerate(islice(rows, _MOST_PREAMBLE))
            if _known(row) > 1 and _OF_PAPERS & {role for role, _ in _roles(row).values()}
        ]
    return [at for _, at in sorted(found)]


def _names_title(row: Sequence[str]) -> bool:
    return any(role == "title" for role, _ in _roles(row).values())


def _known(row: Sequence[str]) -> int:
    return len(_roles(row))


def _roles(names: Sequence[str]) -> dict[int, tuple[str, int]]:
    """Return position -> role and rank of the columns whose names are known."""
    of_name = role_of_tag if has_tags(list(names)) else role_of_name
    found = ((at, of_name(name.strip())) for at, name in enumerate(names) if len(name) < 100)
    return {at: role for at, role in found if role is not None}


def _by_names(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns | None:
    names = tuple(name.strip() for name in header)
    roles = _roles(names)
    unknown = _unknown(names, roles)
    ours = _is_export(names)
    if ours:  # what says more than a paper's fields there is labels
        roles = {at: role for at, role in roles.items() if _is_field(names[at])}
    is_own = ours or (
        all(_field(names[at]) in READ for at in roles)
        and len(unknown) <= len(roles)
        and not _has_doubles(names)
    )
    doubts: list[Doubt] = []
    if not is_own:
        _drop_wrong(roles, names, rows)
        _correct_authors(roles, names, rows, doubts)
        _guess_missing(roles, names, rows, doubts)
        _choose_collection(roles, names, rows, doubts)
    doubts += _passed_over(roles, names, rows)
    places = _places(roles)
    if "title" not in places:
        return None
    doubts += _doubles(places, roles, names)
    return Columns(names, places, is_own, () if ours else unknown, tuple(doubts))


def _unknown(names: Sequence[str], roles: Mapping[int, object]) -> tuple[str, ...]:
    return tuple(
        name
        for at, name in enumerate(names)
        if name and at not in roles and not is_known_but_not_read(name)
    )


def _has_doubles(names: Sequence[str]) -> bool:
    filled = [name for name in names if name]
    return len(set(filled)) < len(filled)


def _is_export(names: Sequence[str]) -> bool:
    """Say whether Fieldguide wrote a table: a sheet, or an export."""
    return {"id", "title", "status", "primary"} <= set(names)


def _is_field(name: str) -> bool:
    return _field(name) in READ or name in DETAILS


def _field(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _drop_wrong(
    roles: dict[int, tuple[str, int]], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Take from columns the role that other columns or their cells forbid."""
    held = [role for role, _ in roles.values()]
    for at, (role, _) in list(roles.items()):
        is_last_resort = _LAST_RESORTS.get(fold_name(names[at])) == role and held.count(role) > 1
        if is_last_resort or (role == "title" and look_like_no_titles(_filled(rows, at))):
            del roles[at]


def _correct_authors(
    roles: dict[int, tuple[str, int]],
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    doubts: list[Doubt],
) -> None:
    """Read authors from a column of keywords that lists people, where no column is theirs."""
    if any(role == "authors" for role, _ in roles.values()):
        return
    for at, (role, _) in roles.items():
        if role == "keywords" and look_like_names_with_initials(_filled(rows, at)):
            roles[at] = ("authors", 0)
            found = f"people in the column {shown(names[at])}"
            doubts.append(Doubt(found, "keywords there", "They are read as authors."))
            return


def _guess_missing(
    roles: dict[int, tuple[str, int]],
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    doubts: list[Doubt],
) -> None:
    """Give columns of unknown names the fields that no column holds, where cells are plain."""
    held = {role for role, _ in roles.values()}
    wanted = {"title", "abstract", "doi", "arxiv_id"} - held
    places = (at for at, name in enumerate(names) if at not in roles)
    unknown = {
        at: _filled(rows, at)
        for at in islice(places, _MOST_GUESSED)
        if not is_known_but_not_read(names[at])
    }
    found = guess_roles(unknown, len(rows), wanted)
    roles.update({at: (role, 0) for role, at in found.items()})
    doubts += [_guessed(role, shown(names[at] or f"column {at + 1}")) for role, at in found.items()]


def _guessed(role: str, column: str) -> Doubt:
    cure = f"It was guessed from its cells; name the column '{role}' if that is right."
    return Doubt(f"{role} in the column {column}", "a column whose name says so", cure)


def _passed_over(
    roles: Mapping[int, tuple[str, int]], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> list[Doubt]:
    """Return a doubt where no column holds abstracts, and one that is not read may."""
    if any(role == "abstract" for role, _ in roles.values()):
        return []
    prose = {
        at: _filled(rows, at)
        for at, name in enumerate(names)
        if fold_name(name) in _MAYBE_ABSTRACTS
    }
    found = guess_roles(prose, len(rows), ["abstract"])
    cure = "Name it so if it holds abstracts; as it is, nothing reads it."
    return [
        Doubt(f"prose in the column {shown(names[at])}", "a column 'abstract'", cure)
        for at in found.values()
    ]


def _choose_collection(
    roles: dict[int, tuple[str, int]],
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    doubts: list[Doubt],
) -> None:
    """Leave the one short column by which people filed papers; the others give keywords."""
    held = [at for at, (role, _) in roles.items() if role == "collections"]
    filing = [at for at in sorted(held, key=lambda at: roles[at][1]) if _files(rows, at)]
    for at in held:
        cells = _filled(rows, at)
        if at in filing[:1]:
            continue
        worded = any(character.isalpha() for cell in cells for character in cell)
        if worded and len(cells) >= _LEAST_COLLECTED * len(rows):
            roles[at] = ("keywords", 999)
        else:
            del roles[at]
    if len(filing) > 1:
        listed = ", ".join(shown(names[at]) for at in filing)
        cure = f"Collections are read from {shown(names[filing[0]])}, keywords from the others."
        doubts.append(Doubt(f"columns {listed}", "one column that files the papers", cure))


def _files(rows: Sequence[Sequence[str]], at: int) -> bool:
    """Say whether a column files papers: short words, in many rows, that come again."""
    cells = _filled(rows, at)
    if not cells or len(cells) < _LEAST_COLLECTED * len(rows):
        return False
    short = sum(len(cell) <= _MOST_COLLECTION for cell in cells) >= 0.9 * len(cells)
    worded = sum(any(map(str.isalpha, cell)) for cell in cells) >= 0.9 * len(cells)
    again = len(cells) < 10 or len(set(cells)) <= 0.6 * len(cells)
    verdicts = {cell.strip().lower() for cell in cells} <= _VERDICTS
    foreign = sum(map(are_arxiv_categories, cells)) > 0.5 * len(cells)
    return short and worded and again and not verdicts and not foreign


def _places(roles: dict[int, tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    """Return role -> positions, the best first; roles in the order of their columns."""
    places: dict[str, list[int]] = {}
    for at in sorted(roles):
        places.setdefault(roles[at][0], []).append(at)
    return {
        role: tuple(sorted(found, key=lambda at: roles[at][1])) for role, found in places.items()
    }


def _doubles(
    places: dict[str, tuple[int, ...]], roles: dict[int, tuple[str, int]], names: Sequence[str]
) -> list[Doubt]:
    """Return a doubt for each field that two columns of one name hold."""
    doubts = []
    for role, held in places.items():
        if len({roles[at] for at in held}) < len(held) and role != "keywords":
            listed = ", ".join(shown(names[at]) for at in held)
            cure = "Of each row the first filled one is read."
            found = f"{role.removeprefix(':')} in the columns {listed}"
            doubts.append(Doubt(found, "one column", cure))
    return doubts


def _by_values(rows: Sequence[Sequence[str]]) -> Columns | None:
    """Return the columns of a table without header, or with one that says nothing."""
    width = len(rows[0]) if rows else 0
    even = sum(len(row) == width for row in rows) >= 0.9 * len(rows)
    if not 2 <= width <= _MOST_GUESSED or not even:
        return None
    sample = rows[1 : SAMPLE + 1]
    filled = {at: _filled(sample, at) for at in range(width)}
    found = guess_roles(filled, len(sample), GUESSED)
    if "title" not in found or len(found.keys() - {"title", "keywords", "venue"}) == 0:
        return None
    is_header = _is_header(rows[0], found)
    names = tuple(name.strip() for name in rows[0]) if is_header else ("",) * width
    ordered = sorted(found.items(), key=lambda item: item[1])
    places: dict[str, tuple[int, ...]] = {role: (at,) for role, at in ordered}
    what = "a header of unknown names" if is_header else "no header"
    cure = "What the columns hold was guessed from their cells; name them in the first row."
    doubt = Doubt(what, "names of columns such as title and abstract", cure)
    return Columns(names, places, False, (), (doubt,), int(is_header))


def _is_header(row: Sequence[str], found: dict[str, int]) -> bool:
    """Say whether the first row cannot be a paper: its cells are not what the others are."""
    for role in ("doi", "arxiv_id", "url", "code_urls", "year", "date"):
        if role in found and row[found[role]].strip():
            return not guess_roles({0: [row[found[role]]] * 3}, 3, [role])
    return "abstract" in found and 0 < len(row[found["abstract"]].strip()) < 40


def _places_filled(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    return frozenset(at for row in rows for at, cell in enumerate(row) if cell.strip())


def _filled(rows: Sequence[Sequence[str]], at: int) -> list[str]:
    return [row[at] for row in rows if at < len(row) and row[at].strip()]
