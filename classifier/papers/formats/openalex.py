"""Works of OpenAlex, from its API or a snapshot: https://docs.openalex.org/api-entities/works."""

from __future__ import annotations

import re
from typing import Final

from classifier.papers.fields import MOST_ABSTRACT
from classifier.papers.formats.crossref import TYPES as CROSSREF_TYPES
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    filled,
    first_of,
    line_of,
    object_of,
    objects_of,
    text_of,
    texts_of,
    url_of,
    venue_of,
)
from classifier.papers.plain import plain_text

_TYPES: Final = {
    "book": "book", "book-chapter": "chapter", "dataset": "dataset", "dissertation": "thesis",
    "peer-review": "review", "preprint": "article", "reference-entry": "entry",
    "report": "report", "software": "software", "standard": "standard",
}  # fmt: skip
_ARTICLES = frozenset("article editorial erratum letter retraction review".split())
_OF_SOURCES: Final = {"conference": "paper-conference", "repository": "article"}


def is_record(record: Object) -> bool:
    """Say whether an object is a work of OpenAlex."""
    return "abstract_inverted_index" in record or (
        "openalex.org/" in text_of(record.get("id")) and "title" in record
    )


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a work."""
    ids = object_of(record.get("ids"))
    doi = first_of(record, "doi") or text_of(ids.get("doi"))
    place = object_of(record.get("primary_location") or record.get("host_venue"))
    journal = object_of(place.get("source")) or place
    places = [place, *objects_of(record.get("locations"))]
    pages = (text_of(where.get("landing_page_url")) for where in places)
    return {
        "title": line_of(plain_text(first_of(record, "title", "display_name"))),
        "abstract": abstract_of(record),
        "authors": _authors(record.get("authorships")),
        "published": _date(record),
        "venue": _venue(journal),
        "arxiv_id": arxiv_id_in((doi, *pages)),
        "doi": doi,
        "url": url_of(first_of(place, "landing_page_url", "url"), doi, text_of(record.get("id"))),
        "keywords": [line_of(item.get("display_name")) for item in _keywords(record)],
        "reference": _reference(record, journal, ids),
    }


def abstract_of(record: Object) -> str:
    """Return the abstract, put together from the places of its words.

    >>> abstract_of({"abstract_inverted_index": {"bread": [1, 3], "We": [0], "and": [2]}})
    'We bread and bread'
    """
    places = object_of(record.get("abstract_inverted_index"))
    inner = places.get("InvertedIndex")
    words = [
        (place, word)
        for word, found in object_of(inner if inner is not None else places).items()
        if isinstance(found, list)
        for place in found
        if isinstance(place, int)
    ]
    if len(words) > MOST_ABSTRACT:
        return ""
    return plain_text(" ".join(word for _, word in sorted(words)) or first_of(record, "abstract"))


def _authors(value: object) -> list[str]:
    names = (
        line_of(object_of(item.get("author")).get("display_name"))
        or line_of(item.get("raw_author_name"))
        for item in objects_of(value)
    )
    return [name for name in names if name]


def _date(record: Object) -> str:
    """Return the date; OpenAlex writes 1 January where it knows only the year."""
    date = text_of(record.get("publication_date"))
    if not date or date.endswith("-01-01"):
        return date[:4] or text_of(record.get("publication_year"))
    return date


def _venue(journal: Object) -> str:
    return (
        ""
        if journal.get("type") == "repository"
        else venue_of(line_of(journal.get("display_name")))
    )


def _keywords(record: Object) -> list[Object]:
    found = objects_of(record.get("keywords"))
    return found or [{"display_name": word} for word in texts_of(record.get("keywords"))]


def _reference(record: Object, journal: Object, ids: Object) -> dict[str, str]:
    biblio = object_of(record.get("biblio"))
    ends = (text_of(biblio.get("first_page")), text_of(biblio.get("last_page")))
    return filled(
        type=_type(record, journal),
        volume=text_of(biblio.get("volume")),
        issue=text_of(biblio.get("issue")),
        page="-".join(dict.fromkeys(page for page in ends if page)),
        publisher=line_of(first_of(journal, "host_organization_name", "publisher")),
        ISSN=text_of(journal.get("issn_l")) or text_of(journal.get("issn")),
        language=text_of(record.get("language")),
        PMID=_number(text_of(ids.get("pmid"))),
        PMCID=_number(text_of(ids.get("pmcid"))),
    )


def _type(record: Object, journal: Object) -> str:
    kind, of_crossref = text_of(record.get("type")), text_of(record.get("type_crossref"))
    if of_crossref in CROSSREF_TYPES:
        return CROSSREF_TYPES[of_crossref]
    if kind in _ARTICLES:
        return _OF_SOURCES.get(text_of(journal.get("type")), "article-journal")
    return _TYPES.get(kind) or CROSSREF_TYPES.get(kind, "")


def _number(url: str) -> str:
    """Return the number in an URL of PubMed.

    >>> _number("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123"), _number("")
    ('PMC123', '')
    """
    match = re.search(r"(?:PMC)?\d+/?$", url)
    return match[0].rstrip("/") if match else ""
