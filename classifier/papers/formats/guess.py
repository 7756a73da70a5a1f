"""Records of a source that nobody knows, by what their keys are called.

Keys have the names of columns (`column_names`), perhaps with the prefix or suffix of an index:
`dc:title`, `title_s`. What lies in an object around the record (`metadata`, `attributes`) counts
as its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from classifier.papers.author_lists import (
    author_style,
    is_list_text,
    normal_names,
    split_authors,
    split_list_text,
)
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import clean_url
from classifier.papers.formats.arxiv_snapshot import split_authors as split_of_arxiv
from classifier.papers.formats.arxiv_snapshot import unwrapped
from classifier.papers.formats.column_names import fold_name, role_of_name
from classifier.papers.formats.column_values import are_arxiv_categories
from classifier.papers.formats.csl import names_of
from classifier.papers.formats.table_rows import whole_arxiv_id
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    doi_and_url,
    line_of,
    object_of,
    text_of,
    texts_of,
    venue_of,
)
from classifier.papers.paper import clean_arxiv_id, clean_doi
from classifier.papers.plain import plain_text

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
_AFFIXES = re.compile(r"^(?:dc|dcterms|prism|citation|schema) | (?:s|ss|t|txt|str|display)$")
_WRAPPERS: Final = frozenset(
    "metadata attributes properties fields content source identifiers names".split()
)
# A name, not a title, unless more says that the object is a paper.
_WEAK_TITLES: Final = frozenset(("name", "display name", "heading", "headline", "paper"))
_RICH = ("abstract", "authors", "doi", "arxiv_id", "published", "venue")
_INNER: Final = (
    "name", "full_name", "fullname", "fullName", "display_name", "displayName", "author_name",
    "plain_text", "text", "#text", "$", "content", "value", "title", "description", "subject",
    "term", "literal", "creator", "label", "keyword", "url",
)  # fmt: skip
_MOST_PARTS = 10_000
_MOST_DEPTH = 5
"""Lists and objects inside each other that are looked into."""
_WORDS = re.compile(r"\s*[;|]\s*|\s*,\s*")


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


def is_record(record: Object) -> bool:
    """Say whether an object names a paper: a key that holds a title, as text."""
    merged = _merged(record)
    places = _places(tuple(merged))
    for key in places.get("title", ()):
        value = _plainer(merged[key])
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
    if any(merged[key] for role in ("doi", "arxiv_id") for key in places.get(role, ())):
        return True
    links = [text for key in places.get("url", ()) for text in _strings(merged[key])]
    dated = {"date", "year", "venue"} & places.keys()
    return bool(
        any(merged[key] for key in named)
        or ("authors" in places and dated)
        or arxiv_id_in(links)
        or any(clean_doi(link) for link in links)
    )


def is_rich(record: Object) -> bool:
    """Say whether an object states so much of a paper that it is no mere list with a title."""
    columns = columns_of(record)
    if any(field in columns and field != "abstract" for field in _RICH):
        return True
    if "abstract" in columns and "descr" not in columns["abstract"].lower():
        return True
    return bool(arxiv_id_in(_strings(_merged(record).get(columns.get("url", "")))))


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a record."""
    merged = _merged(record)
    row = {
        role: [_plainer(merged[key]) for key in keys]
        for role, keys in _places(tuple(merged)).items()
    }
    links = [text for role in ("url", "id", "doi", "ids") for text in _strings(row.get(role))]
    doi, url = doi_and_url(_first(row, "doi"), _url(row))
    abstract = _first(row, "abstract", joined=True)
    keywords, collections = _filed(row)
    found: dict[str, object] = {
        "title": line_of(plain_text(_first(row, "title"))),
        "abstract": unwrapped(plain_text(abstract)),
        "authors": next(filter(None, map(authors_of, row.get("authors", ()))), []),
        "organisation": line_of(_first(row, "organisation")),
        "published": _published(row),
        "venue": venue_of(line_of(plain_text(_first(row, "venue")))),
        "arxiv_id": _arxiv_id(row, links),
        "doi": doi or next((d for link in links if (d := clean_doi(link))), ""),
        "url": url,
        "code_urls": [url for text in _strings(row.get("code_urls")) if (url := clean_url(text))],
        "keywords": keywords,
        "collections": collections,
        "reference": _reference(row),
    }
    for field in ("author_count", "comment_count"):
        count = next(iter(row.get(field, ())), None)
        found[field] = count if type(count) is int and 0 <= count <= 1_000_000 else None
    kind = next(iter(row.get("abstract_kind", ())), None)
    return found | ({"abstract_kind": kind} if kind in ("abstract", "digest") else {})


def authors_of(value: object) -> list[str]:
    """Return names from a list of texts or of objects, or from one text that lists them.

    >>> authors_of("Cruz, Ada and Oven, Ann"), authors_of("Ada Cruz, Ann Oven")
    (['Cruz, Ada', 'Oven, Ann'], ['Ada Cruz', 'Ann Oven'])
    """
    value = _plainer(value)
    if isinstance(value, list) and any("plain_text" in object_of(item) for item in value):
        value = _text(value, joined=True)  # Notion's rich text
    if isinstance(value, str):
        text = " ".join(value.split())
        if not is_list_text(text):
            return split_of_arxiv(text) if "(" in text else _split(text)
        return normal_names(split_list_text(text))
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        parts = ([line_of(part) for part in item] for item in value if isinstance(item, list))
        return [", ".join(part for part in name[:2] if part) for name in parts if any(name)]
    if isinstance(value, list):
        return normal_names([name for item in value if (name := _author(item))])
    return [" ".join(name.split()) for name in texts_of(value)]


def _split(text: str) -> list[str]:
    return split_authors(text, author_style([text]))


def _merged(record: Object) -> Object:
    """Return a record with what the objects around its parts hold; its own keys win."""
    inner = [
        value
        for key, value in record.items()
        if isinstance(value, dict) and fold_name(str(key)) in _WRAPPERS
    ]
    if not inner:
        return record
    merged: dict[str, object] = {}
    for part in inner:
        merged = {**part, **merged}
    return {**merged, **record}


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
            return further, 500 + list(_FURTHER).index(name.replace(" ", ""))
        if known:
            return known
    return "", 0


def _plainer(value: object) -> object:
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
    value = _plainer(value)
    if depth > _MOST_DEPTH:
        return ""
    if isinstance(value, dict):
        inner = (_text(value[key], depth=depth + 1) for key in _INNER if key in value)
        return next(filter(None, inner), "")
    if isinstance(value, list):
        parts = [text for item in value[:_MOST_PARTS] if (text := _text(item, depth=depth + 1))]
        return "\n".join(parts) if joined else next(iter(parts), "")
    return text_of(value)


def _first(row: Mapping[str, Sequence[object]], role: str, joined: bool = False) -> str:
    """Return the text of the first key of a role that says something."""
    return next(filter(None, (_text(value, joined) for value in row.get(role, ()))), "")


def _strings(value: object) -> list[str]:
    """Return all texts in a value, however deep."""
    return list(islice(_all_strings(value, 0), _MOST_PARTS))


def _all_strings(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if is_list_text(value):
            yield from split_list_text(value)
        else:
            yield value.strip()
    elif isinstance(value, dict | list) and depth < _MOST_DEPTH:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if str(key).lower() == "arxiv" and isinstance(item, str):
                yield f"arXiv:{item}"
            else:
                yield from _all_strings(item, depth + 1)


def _author(item: object) -> str:
    if not isinstance(item, dict):
        return line_of(item)
    names = {re.sub(r"[\W_]+", "", str(key)).lower(): value for key, value in item.items()}
    inner = object_of(names.get("author"))
    if inner:
        return _author(inner)
    whole = (
        "name", "fullname", "displayname", "authorname", "author", "creator", "text", "literal",
        "rawauthorname", "plaintext",
    )  # fmt: skip
    found = next((line for key in whole if (line := line_of(names.get(key)))), "")
    family = _part(names, "family", "lastname", "last", "surname", "familyname")
    given = _part(names, "given", "firstname", "first", "forename", "givenname")
    middle = " ".join(texts_of(names.get("middle")))
    return found or "".join(names_of({"family": family, "given": f"{given} {middle}".strip()}))


def _part(names: Mapping[str, object], *keys: str) -> str:
    return next((line for key in keys if (line := line_of(names.get(key)))), "")


def _published(row: Mapping[str, Sequence[object]]) -> str:
    """Return the most precise date among those that come first in rank, else the year."""
    dates = (read_date(_text(value)) for value in row.get("date", ()))
    stated = next(filter(None, dates), "")
    parts = date_of_parts(*(_first(row, role) for role in ("year", "month", "day")))
    return stated if len(stated) >= len(parts) else parts


def _arxiv_id(row: Mapping[str, Sequence[object]], links: Sequence[str]) -> str:
    stated = _first(row, "arxiv_id")
    if not stated:
        stated = next((_text(object_of(v).get("id")) for v in row.get("arxiv_id", ())), "")
    identity = whole_arxiv_id(_first(row, "id"))
    if not re.fullmatch(r"\d{4}\.\d{4,5}(v\d+)?", identity):
        identity = ""
    stated = clean_arxiv_id(whole_arxiv_id(stated))
    return stated or arxiv_id_in(links) or clean_arxiv_id(identity)


def _url(row: Mapping[str, Sequence[object]]) -> str:
    links = [text for role in ("url", "id") for text in _strings(row.get(role))]
    return next((url for text in links if (url := clean_url(text))), "")


def _filed(row: Mapping[str, Sequence[object]]) -> tuple[list[str], list[str]]:
    """Return keywords and collections; categories of arXiv file nothing."""
    keywords = next(filter(None, map(_words, row.get("keywords", ()))), [])
    collections = next(filter(None, map(_words, row.get("collections", ()))), [])
    if collections and all(map(are_arxiv_categories, collections)):
        return [*keywords, *collections], []
    return keywords, collections


def _words(value: object) -> list[str]:
    value = _plainer(value)
    if isinstance(value, str):
        if is_list_text(value):
            return split_list_text(value)
        return [word for word in _split_words(value) if word]
    items = value if isinstance(value, list) else [value]
    return [word for item in items if (word := line_of(_text(item)))]


def _split_words(text: str) -> list[str]:
    parts = re.split(r"\s*[;|]\s*", text)
    return [part.strip() for part in (parts if len(parts) > 1 else _WORDS.split(text))]


def _reference(row: Mapping[str, Sequence[object]]) -> dict[str, str]:
    stated = object_of(next(iter(row.get("reference", ())), None))
    found = {name: text_of(value) for name, value in stated.items()}
    for role in row:
        if role[0] == ":" and role not in (":type", ":first-page", ":last-page"):
            found[role[1:]] = line_of(_first(row, role))
    ends = dict.fromkeys(filter(None, (_first(row, ":first-page"), _first(row, ":last-page"))))
    found["page"] = found.get("page") or "-".join(ends)
    return {name: value for name, value in found.items() if value}
