"""The records in a JSON value, however deep they lie, with the source that says how each is read.

Of objects that no source of `json_sources` knows, those that name a paper are read by what their
keys are called (`column_names`); what lies in an object around such a record (`metadata`,
`attributes`) counts as its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from classifier.papers.clean import unwrapped
from classifier.papers.formats.column_names import fold_name, role_of_key
from classifier.papers.formats.json_libraries import library_items
from classifier.papers.formats.json_paths import JsonSource, Object, line_of
from classifier.papers.formats.json_shapes import leaderboard_rows
from classifier.papers.formats.json_sources import source_of
from classifier.papers.formats.row_fields import (
    fields_of_row,
    strings_within,
    text_within,
    value_within,
)
from classifier.papers.identifiers import arxiv_id_in
from classifier.papers.paper import clean_arxiv_id

_MOST_DEPTH = 12
# Keys of schemas, notebooks and packages, whose titles are no papers'.
_OF_PROGRAMS = frozenset(("$schema", "openapi", "swagger", "lockfileVersion", "nbformat"))
_WRAPPERS: Final = frozenset(
    "metadata attributes properties fields content source identifiers names".split()
)
_RICH = ("authors", "doi", "arxiv_id", "published", "venue")


def records_in(value: object) -> Iterator[tuple[JsonSource, Object]]:
    """Yield the records in a value with their source, in order, however deep they lie.

    Where no source knows any, objects with a key that holds a title are taken.
    """
    found = False
    for located in _known(value, 0):
        found = True
        yield located
    if not found:
        yield from ((GUESS, record) for record in _guessed(value, "", 0))


def _known(value: object, depth: int) -> Iterator[tuple[JsonSource, Object]]:
    if isinstance(value, dict) and (source := source_of(value)):
        yield source, value
    elif depth < _MOST_DEPTH:
        for child in _children(value):
            yield from _known(child, depth + 1)


def _children(value: object) -> Iterable[object]:
    """Return what may hold records in a list or in an object that is none itself."""
    if isinstance(value, list):
        return [child for child in value if isinstance(child, dict | list)]
    if not isinstance(value, dict):
        return ()
    for rows_of in (library_items, leaderboard_rows):
        if (inner := rows_of(value)) is not None:
            return inner
    return [child for child in value.values() if isinstance(child, dict | list)]


def _guessed(value: object, key: str, depth: int) -> Iterator[Object]:
    """Yield the objects that name a paper; key: under which the value stands."""
    if depth > _MOST_DEPTH or (isinstance(value, dict) and not _OF_PROGRAMS.isdisjoint(value)):
        return
    if isinstance(value, list):
        objects = [child for child in value if isinstance(child, dict)]
        if any(map(is_guess, objects)):
            yield from objects
            return
    elif isinstance(value, dict):
        # Of an object that holds objects the title is that of a list or a program.
        inner = (child[:100] if isinstance(child, list) else [child] for child in value.values())
        holds_more = any(isinstance(part, dict) for parts in inner for part in parts)
        if is_guess(value) and (is_rich(value) or not holds_more):
            yield _with_id(value, key)
            return
        for name, child in value.items():
            if isinstance(child, dict | list):
                yield from _guessed(child, str(name), depth + 1)
        return
    for child in _children(value):
        yield from _guessed(child, "", depth + 1)


def _with_id(record: Object, key: str) -> Object:
    """Return a record with the arXiv id or DOI under which it stands in an object."""
    if clean_arxiv_id(key) and "arxiv_id" not in record:
        return {**record, "arxiv_id": key}
    return {**record, "doi": key} if key.startswith("10.") and "doi" not in record else record


def columns_of(record: Object) -> dict[str, str]:
    """Return field -> the key that it is read from; CSL variables as `reference.volume`.

    >>> columns_of({"paper_title": "Bread", "writers": ["Ann"], "vol": 3, "rank": 1})
    {'title': 'paper_title', 'authors': 'writers', 'reference.volume': 'vol'}
    """
    found: dict[str, str] = {}
    for role, keys in _places(tuple(_merged(record))).items():
        name = {"date": "published", "year": "published"}.get(role, role)
        found.setdefault(f"reference.{role[1:]}" if role[0] == ":" else name, keys[0])
    return found


def is_guess(record: Object) -> bool:
    """Say whether an object names a paper: a key that holds a title, as text."""
    merged = _merged(record)
    for key in _places(tuple(merged)).get("title", ()):
        value = value_within(merged[key])
        is_list = isinstance(value, list) and len(value) > 1 and isinstance(value[0], str)
        if not is_list and line_of(text_within(value)):
            return True
    return False


def is_rich(record: Object) -> bool:
    """Say whether an object states so much of a paper that it is no mere list with a title."""
    columns = columns_of(record)
    if any(field in columns for field in _RICH):
        return True
    if "abstract" in columns and "descr" not in columns["abstract"].lower():
        return True
    return bool(arxiv_id_in(strings_within(_merged(record).get(columns.get("url", "")))))


def _fields(record: Object) -> dict[str, object]:
    """Return the fields of a record."""
    merged = _merged(record)
    row = {role: [merged[key] for key in keys] for role, keys in _places(tuple(merged)).items()}
    texts = (text_within(value, joined=True) for value in row.get("abstract", ()))
    return fields_of_row({**row, "abstract": [unwrapped(text) for text in texts]})


def _merged(record: Object) -> Object:
    """Return a record with what the objects around its parts hold; its own keys win."""
    merged: dict[str, object] = {}
    for key, value in record.items():
        if isinstance(value, dict) and fold_name(str(key)) in _WRAPPERS:
            merged = {**value, **merged}
    return {**merged, **record} if merged else record


@lru_cache(maxsize=1024)
def _places(keys: tuple[str, ...]) -> dict[str, list[str]]:
    """Return role -> the keys that may hold it, the best first."""
    ranked: dict[str, list[tuple[int, str]]] = {}
    for key in keys:
        if known := role_of_key(str(key)):
            ranked.setdefault(known[0], []).append((known[1], key))
    return {
        role: [key for _, key in sorted(found, key=lambda pair: pair[0])]
        for role, found in ranked.items()
    }


GUESS: Final = JsonSource("guess", is_guess, {}, read_whole=_fields)
"""The source of records that no other knows."""
