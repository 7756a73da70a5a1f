"""The records in a JSON value, with the source that says how each is read.

Records of a source that is known (`json_sources`) are found however deep they lie. Others are read
in the plainest form alone: flat objects, whose keys are names that a column may have
(`column_names`) and whose values are texts, numbers, lists of texts, or objects with a `name`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from classifier.papers.clean import unwrapped
from classifier.papers.formats.column_names import role_of_name
from classifier.papers.formats.json_libraries import library_items
from classifier.papers.formats.json_paths import JsonSource, Object, names_of, objects_of, text_of
from classifier.papers.formats.json_shapes import leaderboard_rows
from classifier.papers.formats.json_sources import source_of
from classifier.papers.formats.row_fields import fields_of_row

_MOST_DEPTH: Final = 12
# What a list of papers is called in an object around it.
_LISTS: Final = (
    "items", "results", "data", "papers", "records", "entries", "articles", "publications", "docs",
    "rows", "works",
)  # fmt: skip
# Keys of schemas, interfaces and notebooks, whose titles are no papers'.
_OF_PROGRAMS: Final = frozenset(("$schema", "properties", "openapi", "nbformat"))


def records_in(value: object) -> Iterator[tuple[JsonSource, Object]]:
    """Yield the records in a value with their source, in order; plain ones where none is known."""
    found = False
    for located in _known(value, 0):
        found = True
        yield located
    if not found:
        yield from ((PLAIN, record) for record in _plain(value))


def _known(value: object, depth: int) -> Iterator[tuple[JsonSource, Object]]:
    if isinstance(value, dict) and (source := source_of(value)):
        yield source, value
    elif depth < _MOST_DEPTH:
        for child in _children(value):
            yield from _known(child, depth + 1)


def _children(value: object) -> Iterable[object]:
    """Return what may hold records in a list or in an object that is none itself."""
    if not isinstance(value, dict):
        return value if isinstance(value, list) else ()
    for rows_of in (library_items, leaderboard_rows):
        if (inner := rows_of(value)) is not None:
            return inner
    return value.values()


def _plain(value: object) -> list[Object]:
    """Return the objects of a list, or of one that an object holds, if any of them has a title."""
    if isinstance(value, dict):
        lists = (value[name] for name in _LISTS if isinstance(value.get(name), list))
        value = next(lists, [value])
    objects = objects_of(value)
    return objects if any(map(is_plain, objects)) else []


def is_plain(record: Object) -> bool:
    """Say whether an object names a paper: a key that holds a title, as text."""
    titles = (record[key] for key, (role, _) in _roles(record).items() if role == "title")
    return _OF_PROGRAMS.isdisjoint(record) and any(isinstance(t, str) and t for t in titles)


def columns_of(record: Object) -> dict[str, str]:
    """Return key -> the field that it is read as; "" of those that nothing reads.

    >>> columns_of({"paper_title": "Bread", "vol": 3, "rank": 1})
    {'paper_title': 'title', 'vol': 'volume', 'rank': ''}
    """
    roles = _roles(record)
    return {key: roles[key][0].removeprefix(":") if key in roles else "" for key in record}


def _roles(record: Object) -> dict[str, tuple[str, int]]:
    return {key: role for key in record if (role := role_of_name(str(key)))}


def _fields(record: Object) -> dict[str, object]:
    roles, row = _roles(record), dict[str, list[str | list[str]]]()
    for key in sorted(roles, key=lambda key: roles[key][1]):
        role, value = roles[key][0], record[key]
        cell = names_of(value) if role == "authors" and isinstance(value, list) else _cell(value)
        is_wrapped = role == "abstract" and isinstance(cell, str)
        row.setdefault(role, []).append(unwrapped(str(cell)) if is_wrapped else cell)
    return fields_of_row(row)


def _cell(value: object) -> str | list[str]:
    """Return what a value states: a text, or texts; "" of what is neither.

    >>> _cell(2024), _cell(["rye", {"name": "oats"}]), _cell({"name": "Loaves"}), _cell({"a": 1})
    ('2024', ['rye', 'oats'], 'Loaves', '')
    """
    if isinstance(value, list):
        return [text for item in value if isinstance(text := _cell(item), str) and text]
    return text_of(value.get("name") if isinstance(value, Mapping) else value)


PLAIN: Final = JsonSource("plain", is_plain, {}, read_whole=_fields)
"""The source of records that no other knows."""
