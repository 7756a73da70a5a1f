"""Papers of Semantic Scholar: Graph API, bulk data sets, S2ORC, Open Research Corpus.

https://api.semanticscholar.org/api-docs/graph; the data sets write the same names in lower case,
or with `_` between words, so names are compared without either.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from classifier.papers.formats.values import (
    Object,
    filled,
    first_of,
    line_of,
    object_of,
    objects_of,
    sorted_name,
    text_of,
    texts_of,
    url_of,
    venue_of,
)
from classifier.papers.paper import clean_arxiv_id
from classifier.papers.plain import plain_text

_TYPES: Final = (
    ("Conference", "paper-conference"), ("BookSection", "chapter"), ("Book", "book"),
    ("Dataset", "dataset"), ("JournalArticle", "article-journal"), ("Review", "article-journal"),
    ("ClinicalTrial", "article-journal"), ("CaseReport", "article-journal"),
    ("MetaAnalysis", "article-journal"), ("Study", "article-journal"),
    ("LettersAndComments", "article-journal"), ("Editorial", "article-journal"),
)  # fmt: skip
# Of the API, of the data sets, of S2ORC; the last two of the Open Research Corpus of 2019.
_FACES = frozenset({
    "paperId", "externalIds", "corpusId", "externalids", "corpusid", "s2FieldsOfStudy",
    "s2fieldsofstudy", "mag_field_of_study", "paperAbstract", "s2Url",
})  # fmt: skip


def is_record(record: Object) -> bool:
    """Say whether an object is a paper of Semantic Scholar."""
    return "title" in record and not _FACES.isdisjoint(record)


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a paper."""
    paper = _with_folded_names(record)
    ids = _with_folded_names(object_of(paper.get("externalids")))
    journal = object_of(paper.get("journal"))
    arxiv_id = clean_arxiv_id(text_of(ids.get("arxiv")) or text_of(paper.get("arxivid")))
    return {
        "title": line_of(plain_text(text_of(paper.get("title")))),
        "abstract": plain_text(first_of(paper, "abstract", "paperabstract")),
        "authors": _authors(paper.get("authors")),
        "published": first_of(paper, "publicationdate", "year"),
        "venue": _venue(paper, journal),
        "arxiv_id": arxiv_id,
        "doi": text_of(ids.get("doi")) or text_of(paper.get("doi")),
        "url": url_of(first_of(paper, "url", "s2url"), *texts_of(paper.get("s2pdfurl"))),
        "keywords": _keywords(paper),
        "reference": filled(
            type=_type(texts_of(paper.get("publicationtypes")), arxiv_id, paper),
            volume=text_of(journal.get("volume")) or text_of(paper.get("journalvolume")),
            page=line_of(journal.get("pages")) or line_of(paper.get("journalpages")),
            ISSN=text_of(object_of(paper.get("publicationvenue")).get("issn")),
            PMID=text_of(ids.get("pubmed")) or first_of(paper, "pmid", "pubmedid"),
            PMCID=_pmcid(text_of(ids.get("pubmedcentral")) or first_of(paper, "pmcid")),
        ),
    }


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _with_folded_names(record: Object) -> Object:
    """Return a record whose names are in lower case, without `_`; the first of equal ones wins."""
    found: dict[str, object] = {}
    for name, value in record.items():
        found.setdefault(_folded(name), value)
    return found


def _authors(value: object) -> list[str]:
    names = (line_of(item.get("name")) or _name_of_parts(item) for item in objects_of(value))
    return [name for name in names if name]


def _name_of_parts(author: Object) -> str:
    given = [line_of(author.get("first")), *texts_of(author.get("middle"))]
    suffix = line_of(author.get("suffix"))
    return sorted_name(line_of(author.get("last")), " ".join(g for g in given if g), suffix)


def _venue(paper: Object, journal: Object) -> str:
    named = object_of(paper.get("publicationvenue")).get("name")
    journals = (line_of(journal.get("name")), line_of(paper.get("journal")))
    names = (line_of(paper.get("venue")), *journals, line_of(paper.get("journalname")))
    return next((found for name in (*names, line_of(named)) if (found := venue_of(name))), "")


def _keywords(paper: Object) -> list[str]:
    """Return the fields of study; those of Semantic Scholar's own model beside the given ones."""
    of_study = [line_of(item.get("category")) for item in objects_of(paper.get("s2fieldsofstudy"))]
    given = (*texts_of(paper.get("fieldsofstudy")), *texts_of(paper.get("magfieldofstudy")))
    return list(dict.fromkeys(word for word in (*given, *of_study) if word))


def _type(stated: Iterable[str], arxiv_id: str, paper: Object) -> str:
    kinds = set(stated)
    found = next((csl for kind, csl in _TYPES if kind in kinds), "")
    only_preprint = arxiv_id and not _venue(paper, object_of(paper.get("journal")))
    return "article" if only_preprint else found


def _pmcid(text: str) -> str:
    return f"PMC{text}" if text.isdecimal() else text
