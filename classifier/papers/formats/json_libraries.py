"""What paths do not reach in the items of reference managers: Zotero, and CSL-JSON of any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.formats.json_paths import (
    DATES,
    PEOPLE,
    Object,
    all_texts_at,
    line_of,
    names_of,
    object_of,
    objects_of,
    text_at,
    text_of,
    texts_of,
)
from classifier.papers.kinds import CSL_KINDS

# --- Zotero -------------------------------------------------------------------------------------
# https://www.zotero.org/support/dev/web_api/v3/types_and_fields; types and fields as CSL:
# https://aurimasv.github.io/z2csl/typeMap.xml

_EXTRA = re.compile(r"^(DOI|PMID|PMCID|Publisher|Place|Citation Key):[ \t]*(\S.*)$", re.MULTILINE)
_ZOTERO_ROLES: Final = {
    "editor": "editor", "seriesEditor": "collection-editor", "translator": "translator",
    "bookAuthor": "container-author", "contributor": "contributor",
    "reviewedAuthor": "reviewed-author", "recipient": "recipient",
}  # fmt: skip
# A collection's key, where its name is not told.
ZOTERO_KEY = re.compile(r"[2-9A-NP-Z]{8}")
_MOST_DEPTH = 20


def with_extra(record: Object, text: str) -> Object:
    """Return a record with what the lines of a note name, as `extra doi` and so on."""
    found = {f"extra {name.lower()}": value for name, value in _EXTRA.findall(text)}
    return {**record, **found} if found else record


def zotero_item(record: Object) -> Object:
    """Return an item, unwrapped, with what its field `extra` names."""
    item = record if "itemType" in record else object_of(record.get("data"))
    return with_extra(item, text_of(item.get("extra")))


def zotero_authors(item: Object) -> list[str]:
    """Return the authors; of an item that has none (a film, a program) those who made it."""
    creators = objects_of(item.get("creators"))
    authors = [one for one in creators if one.get("creatorType") == "author"]
    others = [one for one in creators if text_of(one.get("creatorType")) not in _ZOTERO_ROLES]
    return names_of(authors or others)


def zotero_reference(item: Object) -> dict[str, str]:
    """Return the people of an item who are no authors."""
    creators = objects_of(item.get("creators"))
    return {
        name: "; ".join(names_of([one for one in creators if one.get("creatorType") == role]))
        for role, name in _ZOTERO_ROLES.items()
    }


def zotero_places(item: Object) -> list[str]:
    """Return the texts of an item that may name an arXiv id."""
    archive = text_at(item, "archive|repository")
    archived = f"{archive}:{text_at(item, 'archiveID|archiveLocation|reportNumber')}"
    return [*all_texts_at(item, "DOI|extra doi|url"), archived,
            *all_texts_at(item, "extra|publicationTitle")]  # fmt: skip


def library_items(library: Object) -> Iterator[Object] | None:
    """Return the items of a library, each with the paths of its collections; None for others."""
    items, collections = library.get("items"), library.get("collections")
    if not isinstance(items, list) or not isinstance(collections, Mapping):
        return None
    paths: dict[str, list[str]] = {}
    for key, value in collections.items():
        for item in texts_of(object_of(value).get("items")):
            paths.setdefault(item, []).append(_collection_path(key, collections))
    return (
        {**item, "collections": sorted(paths.get(text_of(item.get("itemID")), []))}
        for item in items
        if isinstance(item, Mapping)
    )


def _collection_path(key: str, collections: Object) -> str:
    names: list[str] = []
    while key and len(names) < _MOST_DEPTH:  # a collection may be its own parent in a broken file
        collection = object_of(collections.get(key))
        # A blank on both sides parts the levels.
        names.append(re.sub(r"\s*/\s*", "/", line_of(collection.get("name"))))
        key = text_of(collection.get("parent"))
    return " / ".join(name for name in reversed(names) if name)


# --- CSL-JSON -----------------------------------------------------------------------------------
# https://github.com/citation-style-language/schema (csl-data.json)

_CSL_FIELDS = frozenset((
    "DOI", "URL", "abstract", "author", "arxiv", "categories", "citation-key", "citekey",
    "container-title", "custom", "id", "issued", "journalAbbreviation", "keyword", "shortTitle",
    "title", "type",
))  # fmt: skip
# Names that other sources do not have; of `title` or `type` everybody is fond.
_ONLY_CSL = frozenset(("accessed", "citation-key", "container-title", "event-title", "issued",
                       "collection-title", "publisher-place", "title-short"))  # fmt: skip
# The id of an item is the user's cite key unless a program numbered it or made a URL of it.
_CITE_KEY = re.compile(r"(?!\d+$)[^\s/]{1,200}")


def is_csl(record: Object) -> bool:
    """Say whether an object is a CSL item: a type of its vocabulary, and variables of its own."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in CSL_KINDS:
        return False
    return "-" in kind or not _ONLY_CSL.isdisjoint(record)


def csl_date(value: object) -> str:
    """Return a date of CSL as ISO date; of a range its start.

    >>> csl_date({"date-parts": [["2024", 6, 13]]}), csl_date({"raw": "May 2024"})
    ('2024-06-13', '2024-05')
    """
    if isinstance(value, str | int):
        return read_date(text_of(value))
    date = object_of(value)
    parts = date.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else []
    if isinstance(first, list) and first and (year := text_of(first[0])):
        return date_of_parts(year, *(text_of(part) for part in first[1:3]))
    return read_date(text_at(date, "raw|literal|date-time|string"))


def csl_reference(item: Object) -> dict[str, str]:
    """Return the variables of an item that are no field."""
    found: dict[str, str] = {}
    for name, value in item.items():
        if name in PEOPLE:
            found[name] = "; ".join(names_of(value))
        elif name in DATES:
            found[name] = csl_date(value)
        elif name not in _CSL_FIELDS and not name.startswith("extra "):
            found[name] = ", ".join(texts_of(value))
    for name in ("PMID", "PMCID"):
        found.setdefault(name, text_at(item, f"extra {name.lower()}"))
    identity = item.get("id")
    is_key = isinstance(identity, str) and _CITE_KEY.fullmatch(identity)
    stated = text_at(item, "citation-key|citekey|extra citation key")
    return {**found, "citation-key": stated or (str(identity) if is_key else "")}


def csl_places(item: Object) -> list[str]:
    """Return the texts of an item that may name an arXiv id."""
    archived = f"{text_of(item.get('archive'))}:{text_of(item.get('archive_location'))}"
    return [*all_texts_at(item, "arxiv|DOI|extra doi|URL|number"), archived,
            *all_texts_at(item, "note")]  # fmt: skip
