"""Results of Europe PMC: https://europepmc.org/RestfulWebService, in `lite` and `core` form."""

from __future__ import annotations

from classifier.papers.dates import read_date
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    filled,
    first_of,
    line_of,
    object_of,
    objects_of,
    sorted_name,
    text_of,
    texts_of,
)
from classifier.papers.plain import plain_text


def is_record(record: Object) -> bool:
    """Say whether an object is a result."""
    return "title" in record and ("authorString" in record or "firstPublicationDate" in record)


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a result."""
    issue = object_of(record.get("journalInfo"))
    journal = object_of(issue.get("journal"))
    book = object_of(record.get("bookOrReportDetails"))
    is_preprint = text_of(record.get("source")) == "PPR"
    title = line_of(plain_text(text_of(record.get("title"))))
    return {
        "title": title.removesuffix("."),
        "abstract": plain_text(text_of(record.get("abstractText"))),
        "authors": _authors(record),
        "published": read_date(first_of(record, "firstPublicationDate", "pubYear")),
        "venue": first_of(record, "journalTitle") or text_of(journal.get("title")),
        "arxiv_id": arxiv_id_in([text_of(record.get("doi"))]),
        "doi": text_of(record.get("doi")),
        "keywords": texts_of(object_of(record.get("keywordList")).get("keyword")),
        "reference": filled(
            type="article" if is_preprint else "book" if book else "article-journal",
            volume=text_of(issue.get("volume")) or text_of(record.get("journalVolume")),
            issue=text_of(issue.get("issue")) or text_of(record.get("issue")),
            page=text_of(record.get("pageInfo")),
            publisher=line_of(book.get("publisher")),
            ISSN=first_of(journal, "issn", "essn") or text_of(record.get("journalIssn")),
            language=text_of(record.get("language")),
            PMID=text_of(record.get("pmid")),
            PMCID=text_of(record.get("pmcid")),
        ),
    }


def _authors(record: Object) -> list[str]:
    people = objects_of(object_of(record.get("authorList")).get("author"))
    named = [
        sorted_name(line_of(p.get("lastName")), line_of(first_of(p, "firstName", "initials")))
        or line_of(first_of(p, "collectiveName", "fullName"))
        for p in people
    ]
    listed = text_of(record.get("authorString")).rstrip(".").split(", ")
    return [name for name in (named or [_sorted(name) for name in listed]) if name]


def _sorted(name: str) -> str:
    """Return `Cruz A` as `Cruz, A`."""
    family, _, initials = name.rpartition(" ")
    return sorted_name(family, initials) if initials.isupper() else name
