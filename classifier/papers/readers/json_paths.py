"""Read the values at paths in JSON records; a source is a table of paths.

A path is `outer.inner`; for a list, it is applied to every object. In `first|second`, the first
path with a value counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, cast

from classifier.papers.clean import plain_text
from classifier.papers.dates import read_date
from classifier.papers.identifiers import (
    doi_and_url,
    find_arxiv_id,
    find_url,
    venue_unless_preprint,
)
from classifier.papers.names import sorted_name
from classifier.papers.paper import clean_arxiv_id

Object = Mapping[str, object]
"""A JSON object."""

# Keys of the parts of a name, in lower case without punctuation, the likelier first.
_WHOLE = ("name", "fullname", "displayname", "author", "text", "literal", "rawauthorname")
_FAMILY = ("family", "lastname", "last", "surname")
_GIVEN = ("given", "firstname", "first", "forename")


def text_of(value: object) -> str:
    r"""Return a string, number or date as text; the first text of a list; "" for other values.

    >>> text_of(" Bread\n "), text_of(12), text_of(["", "Bread"]), text_of({}), text_of(True)
    ('Bread', '12', 'Bread', '', '')
    """
    match value:
        case str():
            return value.strip()
        case bool():
            return ""
        case int() if abs(value) < 10**15:
            return str(value)
        case float() if value == value and abs(value) < 10**15:
            return str(int(value)) if value.is_integer() else str(value)
        case date():
            return value.isoformat()[:10]
        case list():
            return next(iter(texts_of(value)), "")
    return ""


def line_of(value: object) -> str:
    """Return a value's text as one line."""
    return " ".join(text_of(value).split())


def texts_of(value: object) -> list[str]:
    """Return the texts of a list, or a single text as a list.

    >>> texts_of(["a", None, 3]), texts_of("a"), texts_of(None)
    (['a', '3'], ['a'], [])
    """
    items = value if isinstance(value, list | tuple) else [value]
    return [text for item in items if not isinstance(item, list) and (text := text_of(item))]


def object_of(value: object) -> Object:
    """Return an object unchanged, and {} for any other value."""
    return value if isinstance(value, Mapping) else {}


def objects_of(value: object) -> list[Object]:
    """Return the objects of a list, or a single object as a list."""
    items = value if isinstance(value, list | tuple) else [value]
    return [item for item in items if isinstance(item, dict)]


def values_at(record: Object, path: str) -> list[object]:
    """Return the values at a path; for lists, the values in all their objects."""
    found: list[object] = [record]
    for name in path.split("."):
        found = [
            value
            for holder in found
            for item in objects_of(holder)
            if (value := item.get(name)) is not None
        ]
    return found


def texts_at(
    record: Object, paths: str, read: Callable[[object], list[str]] = texts_of
) -> list[str]:
    """Return the texts at the first path that has any.

    read: returns the texts of a value.

    >>> texts_at({"keys": [{"name": "rye"}, {"name": "oat"}]}, "words|keys.name")
    ['rye', 'oat']
    """
    for path in paths.split("|"):
        if texts := [text for value in values_at(record, path) for text in read(value)]:
            return texts
    return []


def text_at(record: Object, paths: str) -> str:
    """Return the first text at the first path that has any, or ""."""
    return next(iter(texts_at(record, paths)), "")


def all_texts_at(record: Object, paths: str) -> list[str]:
    """Return the texts at all paths."""
    return [text for path in paths.split("|") for text in texts_at(record, path)]


def objects_at(record: Object, paths: str) -> list[Object]:
    """Return the objects at all paths."""
    return [
        item
        for path in paths.split("|")
        for value in values_at(record, path)
        for item in objects_of(value)
    ]


def names_of(value: object) -> list[str]:
    """Return names as `Family, Given` if their parts are known; other names are unchanged.

    >>> names_of([{"family": "Cruz", "given": "Ada", "non-dropping-particle": "de la"},
    ...           {"literal": "Guild of Bakers"}, ["Bal", "Bo", "Jr."], "Cy Salt"])
    ['de la Cruz, Ada', 'Guild of Bakers', 'Bal Jr., Bo', 'Cy Salt']
    """
    items = value if isinstance(value, list) else [value]
    return [name for item in items if (name := _format_name(item))]


def _format_name(item: object) -> str:
    if isinstance(item, list):
        return sorted_name(*([line_of(name_part) for name_part in item[:3]] + ["", "", ""])[:3])
    if not isinstance(item, Mapping):
        return line_of(item)
    parts = {re.sub(r"[\W_]+", "", str(key)).lower(): value for key, value in item.items()}
    if isinstance(parts.get("author"), Mapping) and (inner := _format_name(parts["author"])):
        return inner

    def name_part(*names: str) -> str:
        return next((line for name in names if (line := line_of(parts.get(name)))), "")

    family, given = name_part(*_FAMILY), name_part(*_GIVEN)
    if family:
        particles = name_part("droppingparticle"), name_part("nondroppingparticle")
        family = " ".join([*filter(None, particles), family])
    person = sorted_name(family, given, name_part("suffix"))
    return person if family and given else name_part(*_WHOLE) or person


Read = str | Callable[[Object], object]
"""Paths, or a function of a record."""


@dataclass(frozen=True, slots=True)
class JsonSource:
    """A source of JSON records: how to recognise them, and where their fields are."""

    name: str
    is_record: Callable[[Object], bool]
    fields: Mapping[str, Read]
    """Field -> place of its value. `arxiv_places` are texts that may have an arXiv id; `reference`
    is a function that returns CSL variables by name."""
    prepared: Callable[[Object], Object] = lambda record: record
    """Returns the object at which the paths begin, if a record wraps it or renames its keys."""
    read_whole: Callable[[Object], dict[str, object]] | None = None
    """Reads all fields of a record, instead of paths."""
    why_no_paper: Callable[[Object], str] = lambda record: ""
    """Returns the kind of a record that is not a paper, in one word; "" for a paper."""

    def read(self, record: Object) -> dict[str, object]:
        """Return the fields of a record."""
        if self.read_whole:
            return self.read_whole(record)
        record = self.prepared(record)
        found: dict[str, object] = {}
        variables: dict[str, str] = {}
        for name, where in self.fields.items():
            read = _READ.get(name, prose_at)
            value = where(record) if callable(where) else read(record, where)
            if name == "reference":
                variables |= cast(dict[str, str], value)
            elif name[0] == ":":
                variables[name[1:]] = str(value)
            else:
                found[name] = value
        places = cast(list[str], found.pop("arxiv_places", []))
        doi, url = doi_and_url(str(found.get("doi", "")), str(found.get("url", "")))
        found |= {"doi": doi, "url": url}
        found["arxiv_id"] = found.get("arxiv_id") or find_arxiv_id(places)
        found["reference"] = {name: value for name, value in variables.items() if value}
        return found


def _count_at(record: Object, paths: str) -> int | None:
    """Return the number of items, or the number, at the first path that has any."""
    text = text_at(record, paths)
    return int(text) if text.isdecimal() and len(text) < 7 else None


def prose_at(record: Object, paths: str) -> str:
    """Return the first text at the first path that has any, without markup, as one line."""
    return " ".join(plain_text(text_at(record, paths)).split())


_READ: Final[Mapping[str, Callable[[Object, str], object]]] = {
    "title": prose_at,
    "abstract": lambda record, paths: plain_text(text_at(record, paths)),
    "authors": lambda record, paths: texts_at(record, paths, names_of),
    "comment_count": _count_at,
    "published": lambda record, paths: read_date(text_at(record, paths)),
    "venue": lambda record, paths: venue_unless_preprint(prose_at(record, paths)),
    "arxiv_id": lambda record, paths: clean_arxiv_id(text_at(record, paths)),
    "arxiv_places": all_texts_at,
    "doi": lambda record, paths: text_at(record, paths).partition(" ")[0],
    "url": lambda record, paths: find_url(*all_texts_at(record, paths)),
    "code_urls": lambda record, paths: [
        u for t in all_texts_at(record, paths) if (u := find_url(t))
    ],
    "keywords": lambda record, paths: list(dict.fromkeys(all_texts_at(record, paths))),
    "collections": texts_at,
    **dict.fromkeys((":ISSN", ":ISBN"), lambda record, paths: ", ".join(texts_at(record, paths))),
    ":accessed": lambda record, paths: read_date(text_at(record, paths)),
    **dict.fromkeys(
        (":editor", ":translator"),
        lambda record, paths: "; ".join(texts_at(record, paths, names_of)),
    ),
}
"""Field -> reader of the text at a path; other fields are read as one line without markup."""
