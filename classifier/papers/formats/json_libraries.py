"""What paths do not reach in the items of reference managers: Zotero, and CSL-JSON of any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.formats.json_paths import (
    Object,
    line_of,
    names_of,
    object_of,
    objects_of,
    text_at,
    text_of,
    texts_at,
    texts_of,
)
from classifier.papers.kinds import CSL_KINDS

_MAX_DEPTH = 20

# --- Zotero: https://www.zotero.org/support/dev/web_api/v3/types_and_fields ----------------------

_EXTRA = re.compile(r"^(DOI|PMID|PMCID|Publisher|Place|Citation Key):[ \t]*(\S.*)$", re.MULTILINE)
_ZOTERO_ROLES: Final = {
    "editor": "editor", "seriesEditor": "collection-editor", "translator": "translator",
    "bookAuthor": "container-author", "contributor": "contributor",
    "reviewedAuthor": "reviewed-author", "recipient": "recipient",
}  # fmt: skip


def with_extra(record: Object, text: str) -> Object:
    """Return a record with what the lines of a note name, as `extra doi` and so on."""
    found = {f"extra {name.lower()}": value for name, value in _EXTRA.findall(text)}
    return {**record, **found} if found else record


def zotero_item(record: Object) -> Object:
    """Return an item, unwrapped, with what its field `extra` names and where it is archived."""
    item = record if "itemType" in record else object_of(record.get("data"))
    place = text_at(item, "archiveID|archiveLocation|reportNumber")
    archived = f"{text_at(item, 'archive|repository')}:{place}"
    return {**with_extra(item, text_of(item.get("extra"))), "archived": archived}


def why_no_item(record: Object) -> str:
    """Return what an item is that is no paper."""
    kind = text_at(record, "itemType|data.itemType")
    return kind if kind in ("attachment", "note", "annotation") else ""


def zotero_authors(item: Object) -> list[str]:
    """Return the authors; of an item that has none (a film, a program) those who made it."""
    creators = objects_of(item.get("creators"))
    authors = [one for one in creators if one.get("creatorType") == "author"]
    others = [one for one in creators if text_of(one.get("creatorType")) not in _ZOTERO_ROLES]
    return names_of(authors or others)


def zotero_people(item: Object) -> dict[str, str]:
    """Return the people of an item who are no authors."""
    creators = objects_of(item.get("creators"))
    return {
        name: "; ".join(names_of([one for one in creators if one.get("creatorType") == role]))
        for role, name in _ZOTERO_ROLES.items()
    }


def zotero_collections(item: Object) -> list[str]:
    """Return names of collections; a key in the place of one, whose name is not told, is none."""
    names = texts_at(item, "collections")
    return [name for name in names if not re.fullmatch(r"[2-9A-NP-Z]{8}", name)]


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
        for item in objects_of(items)
    )


def _collection_path(key: str, collections: Object) -> str:
    names: list[str] = []
    while key and len(names) < _MAX_DEPTH:  # a collection may be its own parent in a broken file
        collection = object_of(collections.get(key))
        # A blank on both sides parts the levels.
        names.append(re.sub(r"\s*/\s*", "/", line_of(collection.get("name"))))
        key = text_of(collection.get("parent"))
    return " / ".join(name for name in reversed(names) if name)


# --- CSL-JSON: https://github.com/citation-style-language/schema (csl-data.json) -----------------

_CSL_FIELDS = frozenset(
    "DOI URL abstract author arxiv categories citation-key citekey container-title custom id issued"
    " journalAbbreviation keyword shortTitle title type".split()
)
# Names that other sources do not have; of `title` or `type` everybody is fond.
_ONLY_CSL = frozenset(
    "accessed citation-key container-title event-title issued collection-title publisher-place"
    " title-short".split()
)


def is_csl(record: Object) -> bool:
    """Say whether an object is a CSL item: a type of its vocabulary, and variables of its own."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in CSL_KINDS:
        return False
    return "-" in kind or not _ONLY_CSL.isdisjoint(record)


def csl_item(item: Object) -> Object:
    """Return an item with what its note names, and where it is archived."""
    archived = f"{text_of(item.get('archive'))}:{text_of(item.get('archive_location'))}"
    return {**with_extra(item, text_at(item, "note")), "extra archived": archived}


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
    """Return the variables of an item that are no field: dates, people, texts."""
    found: dict[str, str] = {}
    for name, value in item.items():
        if name not in _CSL_FIELDS and not name.startswith("extra "):
            people = names_of(value) if objects_of(value) else []
            texts = "; ".join(people) or ", ".join(texts_of(value))
            found[name] = csl_date(value) if isinstance(value, Mapping) else texts
    for name in ("PMID", "PMCID"):
        found.setdefault(name, text_at(item, f"extra {name.lower()}"))
    # The id of an item is the user's cite key unless a program numbered it or made a URL of it.
    identity = item.get("id")
    key = identity if isinstance(identity, str) else ""
    key = key if re.fullmatch(r"(?!\d+$)[^\s/]{1,200}", key) else ""
    stated = text_at(item, "citation-key|citekey|extra citation key")
    return {**found, "citation-key": stated or key}
