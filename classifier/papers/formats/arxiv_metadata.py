"""Document metadata of arXiv's own services: `arxiv-search` and its kin."""

from __future__ import annotations

from classifier.papers.code_urls import find_code_urls
from classifier.papers.dates import read_date
from classifier.papers.formats.arxiv_snapshot import split_authors, unwrapped
from classifier.papers.formats.values import (
    Object,
    filled,
    first_of,
    line_of,
    object_of,
    objects_of,
    sorted_name,
    text_of,
)
from classifier.papers.paper import clean_arxiv_id


def is_record(record: Object) -> bool:
    """Say whether an object is metadata of a document: an arXiv id as `paper_id`."""
    return "primary_classification" in record and "paper_id" in record


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a document; texts in UTF-8 are preferred to those in TeX."""
    abstract = unwrapped(first_of(record, "abstract_utf8", "abstract"))
    comments = first_of(record, "comments_utf8", "comments")
    return {
        "title": line_of(first_of(record, "title_utf8", "title")),
        "abstract": abstract,
        "authors": _authors(record),
        "published": read_date(_first_submission(record)),
        "venue": line_of(first_of(record, "journal_ref_utf8", "journal_ref")),
        "arxiv_id": clean_arxiv_id(first_of(record, "paper_id", "latest")),
        "doi": text_of(record.get("doi")).partition(" ")[0],
        "code_urls": list(find_code_urls(f"{comments}\n{abstract}")),
        "keywords": _categories(record),
        "reference": filled(type="article", number=line_of(record.get("report_num"))),
    }


def _authors(record: Object) -> list[str]:
    parsed = [
        sorted_name(
            line_of(first_of(author, "last_name_utf8", "last_name")),
            line_of(first_of(author, "first_name_utf8", "first_name")),
            line_of(author.get("suffix")),
        )
        for author in objects_of(record.get("authors_parsed"))
    ]
    names = [name for name in parsed if name]
    return names or split_authors(first_of(record, "authors_utf8", "authors"))


def _first_submission(record: Object) -> str:
    return (
        text_of(record.get("submitted_date_all"))
        or text_of(record.get("submitted_date"))
        or text_of(record.get("announced_date_first"))
    )


def _categories(record: Object) -> list[str]:
    places = (
        *objects_of(record.get("primary_classification")),
        *objects_of(record.get("secondary_classification")),
    )
    names = (text_of(object_of(place.get("category")).get("id")) for place in places)
    return [name for name in names if name]
