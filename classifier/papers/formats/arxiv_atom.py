"""Answers of the arXiv API, an Atom feed; those of before and after its change of 2026."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.formats.arxiv_fields import arxiv_fields
from classifier.papers.formats.xml_elements import (
    Element,
    line_of,
    parts_of,
    text_in,
    text_of,
    xml_elements,
)
from classifier.papers.paper import Source, clean_arxiv_id
from classifier.papers.reader import Reader, Record

_FACE = re.compile(r"<(?:\w+:)?(?:feed|entry)\b[^>]*http://www\.w3\.org/2005/Atom")
_ENTRY_ID = re.compile(r"<(?:\w+:)?id>\s*https?://(?:export\.)?arxiv\.org/(?:abs|api)/")


def why_not(content: Content) -> str:
    """Say why a file is no answer of the arXiv API: no Atom feed, or not arXiv's."""
    if not _FACE.search(content.start):
        return "no Atom feed"
    return "" if _ENTRY_ID.search(content.start) else "an Atom feed without ids of arXiv"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a feed in its order."""
    for element in xml_elements(content, "entry"):
        if isinstance(element, Fault):
            yield element
        elif not _is_error(element):
            source = Source(content.name, ARXIV_ATOM.name, line_of(element))
            yield from read_fields(entry_fields(element), source)


def entry_fields(element: Element) -> dict[str, object]:
    """Return what an `entry` element states, as fields of `read_fields`."""
    parts = parts_of(element)
    authors = [part for author in parts.get("author", ()) for part in author]
    links = {
        link.get("title") or link.get("rel"): link.get("href", "") for link in parts.get("link", ())
    }
    fields = arxiv_fields(
        arxiv_id=clean_arxiv_id(text_in(parts, "id")),
        title=text_in(parts, "title"),
        abstract=text_in(parts, "summary"),
        authors=[name for name in _texts(authors, "}name") if name],
        published=text_in(parts, "published"),
        subjects=[term for part in parts.get("category", ()) if (term := part.get("term"))],
        comment=text_in(parts, "comment"),
        journal=text_in(parts, "journal_ref"),
        doi=text_in(parts, "doi") or links.get("doi", ""),
        url=links.get("alternate", ""),
    )
    institutes = set(_texts(authors, "}affiliation")) - {""}
    if len(institutes) == 1:
        fields["organisation"] = institutes.pop()
    return fields


def _texts(elements: list[Element], name: str) -> list[str]:
    """Return the texts of the elements whose tag ends so; comments have no tag that is a text."""
    return [
        text_of(element).strip()
        for element in elements
        if isinstance(element.tag, str) and element.tag.endswith(name)
    ]


def _is_error(element: Element) -> bool:
    """Say whether an entry is the API's message about a query, which comes as an entry."""
    return "/api/errors" in text_of(next(element.iterchildren("{*}id"), None))


ARXIV_ATOM = Reader(
    name="arxiv-atom",
    why_not=why_not,
    read=read,
    wants="an Atom feed as the arXiv API answers (export.arxiv.org/api/query)",
    streams=True,
)
