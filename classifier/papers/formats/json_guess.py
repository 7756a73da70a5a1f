"""JSON records of a source that nobody knows, by what their keys are called.

Keys have the names of columns (`columns.role_of_name`), perhaps with the prefix or suffix of an
index: `dc:title`, `title_s`. What lies in an object around the record (`metadata`, `attributes`)
counts as its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from classifier.papers.clean import plain_text, unwrapped
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import clean_url
from classifier.papers.formats.column_names import fold_name, role_of_name
from classifier.papers.formats.columns import are_arxiv_categories
from classifier.papers.formats.json_paths import (
    JsonSource,
    Object,
    line_of,
    names_of,
    object_of,
    text_of,
)
from classifier.papers.formats.table_rows import whole_arxiv_id
from classifier.papers.identifiers import arxiv_id_in, doi_and_url, url_of, venue_of
from classifier.papers.names import (
    arxiv_authors,
    author_style,
    is_list_text,
    normal_names,
    split_authors,
    split_list_text,
)
from classifier.papers.paper import clean_arxiv_id, clean_doi

# What keys of JSON are called that no column is, or that mean something else there.
_FURTHER: Final[Mapping[str, str]] = {
    name: role
    for role, names in {
        "title": "headline|heading|display title|titles|name",
        "abstract": "abstr|content text|descriptions|description",
        "authors": "writers|people|author string|auth full name|z authors",
        "date": "cover date|sort pub date|issued|date issued|created",
        "year": "publish year",
        "venue": "publication name|full journal name|pub|proceeding|proceedings|journal ref"
        "|container|journal info|journals",
        "doi": "doi id|paper doi",
        "url": "html url|uri|doi url|url abs|url pdf|abs",
        "ids": "identifiers|identifier|article ids|externalids",
        "keywords": "subjects|subject|keyword list|index terms|author keywords|authkeywords",
        "collections": "tasks|task|area|areas|track|sections|primary category",
        ":first-page": "starting page",
        ":last-page": "ending page",
        "reference": "reference",
    }.items()
    for name in names.replace(" ", "").split("|")
}
_FURTHER_RANK: Final = {name: rank for rank, name in enumerate(_FURTHER, start=500)}
_AFFIXES = re.compile(r"^(?:dc|dcterms|prism|citation|schema) | (?:s|ss|t|txt|str|display)$")
_WRAPPERS: Final = frozenset(
    "metadata attributes properties fields content source identifiers names".split()
)
# A name, not a title, unless more says that the object is a paper.
_WEAK_TITLES: Final = frozenset(("name", "display name", "heading", "headline", "paper"))
_RICH = ("authors", "doi", "arxiv_id", "published", "venue")
_INNER: Final = (
    "name", "full_name", "fullname", "fullName", "display_name", "displayName", "author_name",
    "plain_text", "text", "#text", "$", "content", "value", "title", "description", "subject",
    "term", "literal", "creator", "label", "keyword", "url",
)  # fmt: skip
_MOST_PARTS = 10_000
_MOST_DEPTH = 5
"""Lists and objects inside each other that are looked into."""

Row = Mapping[str, Sequence[object]]
"""Role -> the values of its keys, the best first."""


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
        value = _unwrapped_value(merged[key])
        if isinstance(value, list) and len(value) > 1 and isinstance(value[0], str):
            continue
        if line_of(_text(value)):
            return not is_weak_title(key) or _states_a_paper(merged, places)
    return False


def is_weak_title(key: str) -> bool:
    """Say whether a key is one that holds names of anything."""
    return fold_name(key) in _WEAK_TITLES


def _states_a_paper(merged: Object, places: Mapping[str, Sequence[str]]) -> bool:
    """Say whether an object with a name has what only papers have."""
    named = [key for key in places.get("abstract", ()) if "descr" not in key.lower()]
    ids = [key for role in ("doi", "arxiv_id") for key in places.get(role, ())]
    links = [text for key in places.get("url", ()) for text in _strings(merged[key])]
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
    return bool(arxiv_id_in(_strings(_merged(record).get(columns.get("url", "")))))


def _fields(record: Object) -> dict[str, object]:
    """Return the fields of a record."""
    merged = _merged(record)
    row = {
        role: [_unwrapped_value(merged[key]) for key in keys]
        for role, keys in _places(tuple(merged)).items()
    }
    links = [text for role in ("url", "id", "doi", "ids") for text in _strings(row.get(role))]
    urls = [text for role in ("url", "id") for text in _strings(row.get(role))]
    doi, url = doi_and_url(_first(row, "doi"), url_of(*urls))
    keywords, collections = _filed(row)
    found: dict[str, object] = {
        "title": line_of(plain_text(_first(row, "title"))),
        "abstract": unwrapped(plain_text(_first(row, "abstract", joined=True))),
        "authors": next(filter(None, map(_authors, row.get("authors", ()))), []),
        "organisation": line_of(_first(row, "organisation")),
        "published": _published(row),
        "venue": venue_of(line_of(plain_text(_first(row, "venue")))),
        "arxiv_id": _arxiv_id(row, links),
        "doi": doi or next(filter(None, map(clean_doi, links)), ""),
        "url": url,
        "code_urls": list(filter(None, map(clean_url, _strings(row.get("code_urls"))))),
        "keywords": keywords,
        "collections": collections,
        "reference": _reference(row),
    }
    for field in ("author_count", "comment_count"):
        count = next(iter(row.get(field, ())), None)
        found[field] = count if type(count) is int and 0 <= count <= 1_000_000 else None
    kind = next(iter(row.get("abstract_kind", ())), None)
    return found | ({"abstract_kind": kind} if kind in ("abstract", "digest") else {})


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
    has_title = any(_AFFIXES.sub("", fold_name(str(key))) == "title" for key in keys)
    for key in keys:
        role, rank = _role(str(key), has_title)
        if role:
            ranked.setdefault(role, []).append((rank, key))
    return {
        role: [key for _, key in sorted(found, key=lambda pair: pair[0])]
        for role, found in ranked.items()
    }


def _role(key: str, has_title: bool) -> tuple[str, int]:
    folded = fold_name(key)
    for name in (folded, _AFFIXES.sub("", folded)):
        known = role_of_name(name)
        further = _FURTHER.get(name.replace(" ", ""))
        if further and (known is None or (known[0] == "title" and has_title)):
            return further, _FURTHER_RANK[name.replace(" ", "")]
        if known:
            return known
    return "", 0


def _unwrapped_value(value: object) -> object:
    """Return what an object wraps: `{"value": …}`, `{"type": "url", "url": …}`, `{"nodes": …}`."""
    for _ in range(4):
        if not isinstance(value, dict):
            break
        kind = value.get("type")
        if isinstance(kind, str) and kind in value:
            value = value[kind]
        elif isinstance(value.get("edges"), list):
            value = [object_of(edge).get("node") for edge in value["edges"]]
        elif len(value) == 1 and isinstance(next(iter(value.values())), list | Mapping):
            value = next(iter(value.values()))
        else:
            held = next((value[key] for key in ("nodes", "value") if key in value), None)
            if held is None:
                break
            value = held
    return value


def _text(value: object, joined: bool = False, depth: int = 0) -> str:
    """Return a text; of objects what their name or text is, of a list the first or all."""
    value = _unwrapped_value(value)
    if depth > _MOST_DEPTH:
        return ""
    if isinstance(value, dict):
        inner = (_text(value[key], depth=depth + 1) for key in _INNER if key in value)
        return next(filter(None, inner), "")
    if isinstance(value, list):
        parts = [text for item in value[:_MOST_PARTS] if (text := _text(item, depth=depth + 1))]
        return "\n".join(parts) if joined else next(iter(parts), "")
    return text_of(value)


def _first(row: Row, role: str, joined: bool = False) -> str:
    """Return the text of the first key of a role that says something."""
    return next(filter(None, (_text(value, joined) for value in row.get(role, ()))), "")


def _strings(value: object) -> list[str]:
    """Return all texts in a value, however deep."""
    return list(islice(_all_strings(value, 0), _MOST_PARTS))


def _all_strings(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from split_list_text(value) if is_list_text(value) else (value.strip(),)
    elif isinstance(value, dict | list) and depth < _MOST_DEPTH:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if str(key).lower() == "arxiv" and isinstance(item, str):
                yield f"arXiv:{item}"
            else:
                yield from _all_strings(item, depth + 1)


def _authors(value: object) -> list[str]:
    """Return names from a list of texts or of objects, or from one text that lists them."""
    value = _unwrapped_value(value)
    if isinstance(value, list) and any("plain_text" in object_of(item) for item in value):
        value = _text(value, joined=True)  # Notion's rich text
    if not isinstance(value, str):
        return normal_names(names_of(value))
    text = " ".join(value.split())
    if is_list_text(text):
        return normal_names(split_list_text(text))
    return arxiv_authors(text)[0] if "(" in text else split_authors(text, author_style([text]))


def _published(row: Row) -> str:
    """Return the more precise of the date that comes first in rank and of the parts of one."""
    dates = (read_date(_text(value)) for value in row.get("date", ()))
    stated = next(filter(None, dates), "")
    parts = date_of_parts(*(_first(row, role) for role in ("year", "month", "day")))
    return stated if len(stated) >= len(parts) else parts


def _arxiv_id(row: Row, links: Sequence[str]) -> str:
    stated = _first(row, "arxiv_id")
    if not stated:
        stated = next((_text(object_of(v).get("id")) for v in row.get("arxiv_id", ())), "")
    identity = whole_arxiv_id(_first(row, "id"))
    if not re.fullmatch(r"\d{4}\.\d{4,5}(v\d+)?", identity):
        identity = ""
    stated = clean_arxiv_id(whole_arxiv_id(stated))
    return stated or arxiv_id_in(links) or clean_arxiv_id(identity)


def _filed(row: Row) -> tuple[list[str], list[str]]:
    """Return keywords and collections; categories of arXiv file nothing."""
    keywords = next(filter(None, map(_words, row.get("keywords", ()))), [])
    collections = next(filter(None, map(_words, row.get("collections", ()))), [])
    if collections and all(map(are_arxiv_categories, collections)):
        return [*keywords, *collections], []
    return keywords, collections


def _words(value: object) -> list[str]:
    value = _unwrapped_value(value)
    if isinstance(value, str):
        if is_list_text(value):
            return split_list_text(value)
        sign = r"[;|]" if re.search("[;|]", value) else ","
        return [word for part in re.split(sign, value) if (word := part.strip())]
    items = value if isinstance(value, list) else [value]
    return [word for item in items if (word := line_of(_text(item)))]


def _reference(row: Row) -> dict[str, str]:
    stated = object_of(next(iter(row.get("reference", ())), None))
    found = {name: text_of(value) for name, value in stated.items()}
    for role in row:
        if role[0] == ":" and role not in (":type", ":first-page", ":last-page"):
            found[role[1:]] = line_of(_first(row, role))
    ends = dict.fromkeys(filter(None, (_first(row, ":first-page"), _first(row, ":last-page"))))
    found["page"] = found.get("page") or "-".join(ends)
    return {name: value for name, value in found.items() if value}


GUESS: Final = JsonSource("guess", is_guess, {}, read_whole=_fields)
"""The source of records that no other knows."""
