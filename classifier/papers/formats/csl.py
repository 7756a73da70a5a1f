"""Items of CSL-JSON, the format of citeproc: Zotero, Better BibTeX, Mendeley, pandoc.

Variables: https://docs.citationstyles.org/en/stable/specification.html#appendix-iv-variables;
shapes of dates and names: https://github.com/citation-style-language/schema (csl-data.json).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    doi_and_url,
    extra_of,
    first_of,
    line_of,
    object_of,
    sorted_name,
    text_of,
    texts_of,
    venue_of,
)
from classifier.papers.plain import plain_text

TYPES = frozenset(
    "article article-journal article-magazine article-newspaper bill book broadcast chapter"
    " classic collection dataset document entry entry-dictionary entry-encyclopedia event figure"
    " graphic hearing interview legal_case legislation manuscript map motion_picture"
    " musical_score pamphlet paper-conference patent performance periodical"
    " personal_communication post post-weblog regulation report review review-book software song"
    " speech standard thesis treaty webpage".split()
)
"""The vocabulary of `type`."""
_TEXTS = frozenset((
    "annote", "archive", "archive-place", "archive_location", "authority", "call-number",
    "chapter-number", "collection-number", "collection-title", "container-title-short",
    "dimensions", "division", "edition", "event", "event-place", "event-title", "genre", "ISBN",
    "ISSN", "issue", "jurisdiction", "language", "license", "medium", "note", "number",
    "number-of-pages", "number-of-volumes", "original-publisher", "original-publisher-place",
    "original-title", "page", "page-first", "part-number", "part-title", "PMCID", "PMID",
    "printing", "publisher", "publisher-place", "references", "reviewed-genre", "reviewed-title",
    "scale", "section", "source", "status", "supplement", "title-short", "version", "volume",
    "volume-title",
))  # fmt: skip
_NAMES = frozenset((
    "chair", "collection-editor", "compiler", "composer", "container-author", "contributor",
    "curator", "director", "editor", "editor-translator", "editorial-director",
    "executive-producer", "guest", "host", "illustrator", "interviewer", "narrator", "organizer",
    "original-author", "performer", "producer", "recipient", "reviewed-author",
    "script-writer", "series-creator", "translator",
))  # fmt: skip
_DATES = frozenset(("accessed", "available-date", "event-date", "original-date", "submitted"))
_OTHERS = frozenset({
    "DOI", "URL", "abstract", "author", "categories", "citation-key", "custom",
    "container-title", "id", "issued", "journalAbbreviation", "keyword", "shortTitle", "title",
    "type",
})  # fmt: skip
_VARIABLES = _OTHERS.union(_TEXTS, _NAMES, _DATES)
# Names that other sources do not have; of `title` or `type` everybody is fond.
_ONLY_CSL = frozenset({name for name in _VARIABLES if "-" in name} | {"issued"})
# The id of an item is the user's cite key unless a program numbered it or made a URL of it.
_CITE_KEY = re.compile(r"(?!\d+$)[^\s/]{1,200}")


def is_record(record: Object) -> bool:
    """Say whether an object is a CSL item: a type of its vocabulary, and variables of its own."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        return False
    return "-" in kind or not _ONLY_CSL.isdisjoint(record) or record.keys() <= _VARIABLES


def fields(record: Object) -> dict[str, object]:
    """Return the fields of an item."""
    number, note = text_of(record.get("number")), text_of(record.get("note"))
    extra = extra_of(note)
    stated = text_of(record.get("DOI")) or extra.get("doi", "")
    doi, url = doi_and_url(stated, text_of(record.get("URL")))
    archived = f"{text_of(record.get('archive'))}:{text_of(record.get('archive_location'))}"
    return {
        "title": line_of(plain_text(text_of(record.get("title")))),
        "abstract": plain_text(text_of(record.get("abstract"))),
        "authors": names_of(record.get("author")),
        "published": date_of(record.get("issued")),
        "venue": venue_of(line_of(plain_text(text_of(record.get("container-title"))))),
        "arxiv_id": arxiv_id_in((text_of(record.get("arxiv")), doi, url, number, archived, note)),
        "doi": doi,
        "url": url,
        "keywords": _keywords(record.get("keyword")),
        "collections": texts_of(record.get("categories")),
        "reference": _reference(record, extra),
    }


def names_of(value: object) -> list[str]:
    """Return names as `Family, Given`, groups as they are.

    >>> names_of([{"family": "Cruz", "given": "Ada", "non-dropping-particle": "de la"},
    ...           {"literal": "Guild of Bakers"}])
    ['de la Cruz, Ada', 'Guild of Bakers']
    """
    found = (name if isinstance(name, str) else _name(object_of(name)) for name in _listed(value))
    return [name for name in found if name]


def date_of(value: object) -> str:
    """Return a CSL date as ISO date; of a range its start.

    >>> date_of({"date-parts": [["2024", 6, 13]]}), date_of({"raw": "May 2024"})
    ('2024-06-13', '2024-05')
    """
    if isinstance(value, str | int):
        return read_date(text_of(value))
    date = object_of(value)
    parts = date.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else []
    if isinstance(first, list) and first and (year := text_of(first[0])):
        return date_of_parts(year, *(text_of(part) for part in first[1:3]))
    return read_date(first_of(date, "raw", "literal", "date-time", "string"))


def _name(name: Object) -> str:
    family = line_of(name.get("family"))
    for particle in ("non-dropping-particle", "dropping-particle"):
        if particle in name:
            family = f"{text_of(name[particle])} {family}".strip()
    person = sorted_name(family, line_of(name.get("given")), line_of(name.get("suffix")))
    return person or line_of(first_of(name, "literal", "name"))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _keywords(value: object) -> list[str]:
    keywords = texts_of(value)
    if len(keywords) == 1:
        separator = ";" if ";" in keywords[0] else ","
        keywords = keywords[0].split(separator)
    return [keyword.strip() for keyword in keywords]


def _reference(record: Object, extra: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in record.items():
        if name in _TEXTS:
            found[name] = ", ".join(texts_of(value))
        elif name in _NAMES:
            found[name] = "; ".join(names_of(value))
        elif name in _DATES:
            found[name] = date_of(value)
    found["type"] = text_of(record.get("type"))
    for name in ("PMID", "PMCID"):
        found.setdefault(name, extra.get(name.lower(), ""))
    found["citation-key"] = (
        first_of(record, "citation-key", "citekey")
        or extra.get("citation key", "")
        or _cite_key(record)
    )
    return {name: value for name, value in found.items() if value}


def _cite_key(record: Object) -> str:
    identity = record.get("id")
    return identity if isinstance(identity, str) and _CITE_KEY.fullmatch(identity) else ""
