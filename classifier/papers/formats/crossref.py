"""Works of the Crossref REST API: https://api.crossref.org/swagger-ui/index.html."""

from __future__ import annotations

import re
from typing import Final

from classifier.papers.formats.csl import date_of, names_of
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    filled,
    line_of,
    object_of,
    objects_of,
    text_of,
    texts_of,
    url_of,
    venue_of,
)
from classifier.papers.plain import plain_text

TYPES: Final = {
    "book": "book", "book-chapter": "chapter", "book-part": "chapter", "book-section": "chapter",
    "book-series": "book", "book-set": "book", "book-track": "chapter", "component": "document",
    "database": "dataset", "dataset": "dataset", "dissertation": "thesis",
    "edited-book": "book", "journal": "periodical", "journal-article": "article-journal",
    "journal-issue": "periodical", "journal-volume": "periodical", "monograph": "book",
    "peer-review": "review", "posted-content": "article", "proceedings": "book",
    "proceedings-article": "paper-conference", "reference-book": "book",
    "reference-entry": "entry", "report": "report", "report-component": "report",
    "report-series": "report", "standard": "standard",
}  # fmt: skip
"""Crossref's vocabulary of types -> that of CSL."""
# That an abstract is one need not be said in it.
_HEADING = re.compile(r"^\s*<jats:title>\s*(?:abstract|summary)\s*</jats:title>", re.IGNORECASE)
# `created` and `deposited` say when the DOI was registered, not when the work came out.
_DATES = ("published", "issued", "published-print", "published-online", "posted", "approved")


def is_record(record: Object) -> bool:
    """Say whether an object is a work of Crossref: a DOI, and titles as a list."""
    return "DOI" in record and (
        isinstance(record.get("title"), list) or {"prefix", "member"} <= record.keys()
    )


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a work."""
    doi, url = text_of(record.get("DOI")), url_of(text_of(record.get("URL")))
    preprints = objects_of(object_of(record.get("relation")).get("has-preprint"))
    of_preprints = (f"{item.get('id-type')}:{item.get('id')}" for item in preprints)
    return {
        "title": _title(record),
        "abstract": plain_text(_HEADING.sub("", text_of(record.get("abstract")))),
        "authors": names_of(record.get("author")),
        "published": next((d for name in _DATES if (d := date_of(record.get(name)))), ""),
        "venue": venue_of(_line(record.get("container-title"))),
        "arxiv_id": arxiv_id_in((doi, url, *of_preprints)),
        "doi": doi,
        "url": url,
        "keywords": texts_of(record.get("subject")),
        "reference": _reference(record),
    }


def _line(value: object) -> str:
    return line_of(plain_text(text_of(value)))


def _title(record: Object) -> str:
    """Return title and subtitle, which some publishers repeat in the title."""
    title, subtitle = _line(record.get("title")), _line(record.get("subtitle"))
    if not title or not subtitle or subtitle.lower() in title.lower():
        return title or _line(record.get("original-title"))
    return f"{title} {subtitle}" if title.endswith((":", "?", "!")) else f"{title}: {subtitle}"


def _reference(record: Object) -> dict[str, str]:
    kind = text_of(record.get("type"))
    return filled(
        type=TYPES.get(kind, kind),
        volume=text_of(record.get("volume")),
        issue=text_of(record.get("issue")),
        page=text_of(record.get("page")),
        number=text_of(record.get("article-number")),
        publisher=line_of(record.get("publisher")),
        publisher_place=line_of(record.get("publisher-location")),
        ISSN=", ".join(texts_of(record.get("ISSN"))),
        ISBN=", ".join(texts_of(record.get("ISBN"))),
        language=text_of(record.get("language")),
        editor="; ".join(names_of(record.get("editor"))),
        translator="; ".join(names_of(record.get("translator"))),
        event_title=line_of(object_of(record.get("event")).get("name")),
        event_place=line_of(object_of(record.get("event")).get("location")),
    )
