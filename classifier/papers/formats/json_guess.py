"""JSON records of a source that nobody knows, by what their keys are called (`column_names`).

What lies in an object around the record (`metadata`, `attributes`) counts as its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from classifier.papers.clean import unwrapped
from classifier.papers.formats.column_names import fold_name, role_of_key
from classifier.papers.formats.json_paths import JsonSource, Object, line_of
from classifier.papers.formats.row_fields import (
    fields_of_row,
    strings_within,
    text_within,
    value_within,
)
from classifier.papers.identifiers import arxiv_id_in
from classifier.papers.paper import clean_doi

_WRAPPERS: Final = frozenset(
    "metadata attributes properties fields content source identifiers names".split()
)
# A name, not a title, unless more says that the object is a paper.
_WEAK_TITLES: Final = frozenset(("name", "display name", "heading", "headline", "paper"))
_RICH = ("authors", "doi", "arxiv_id", "published", "venue")


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
    places = _places(tuple(merged))
    for key in places.get("title", ()):
        value = value_within(merged[key])
        if isinstance(value, list) and len(value) > 1 and isinstance(value[0], str):
            continue
        if line_of(text_within(value)):
            return fold_name(key) not in _WEAK_TITLES or _states_a_paper(merged, places)
    return False


def _states_a_paper(merged: Object, places: Mapping[str, Sequence[str]]) -> bool:
    """Say whether an object with a name has what only papers have."""
    named = [key for key in places.get("abstract", ()) if "descr" not in key.lower()]
    ids = [key for role in ("doi", "arxiv_id") for key in places.get(role, ())]
    links = [text for key in places.get("url", ()) for text in strings_within(merged[key])]
    dated = {"date", "year", "venue"} & places.keys()
    return bool(
        any(merged[key] for key in (*ids, *named))
        or ("authors" in places and dated)
        or arxiv_id_in(links)
        or any(map(clean_doi, links))
    )


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
