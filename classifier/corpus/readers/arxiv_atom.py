"""Answers of the arXiv API, an Atom feed; those of before and after its change of 2026."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.corpus.paper import Source, clean_arxiv_id
from classifier.corpus.readers import Reader, Record
from classifier.corpus.readers.arxiv_fields import arxiv_fields
from classifier.corpus.readers.fields import read_fields
from classifier.corpus.readers.xml_elements import Element, line_of, text_of, xml_elements
from classifier.errors import Fault
from classifier.files.content import Content

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
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
    authors = element.findall(f"{_ATOM}author")
    links = {link.get("title") or link.get("rel"): link for link in element.iter(f"{_ATOM}link")}
    page = links.get("alternate")
    doi = links.get("doi")
    fields = arxiv_fields(
        arxiv_id=clean_arxiv_id(_text(element, f"{_ATOM}id")),
        title=_text(element, f"{_ATOM}title"),
        abstract=_text(element, f"{_ATOM}summary"),
        authors=[name for author in authors if (name := _text(author, f"{_ATOM}name"))],
        published=_text(element, f"{_ATOM}published"),
        subjects=[term for tag in element.iter(f"{_ATOM}category") if (term := tag.get("term"))],
        comment=_text(element, f"{_ARXIV}comment"),
        journal=_text(element, f"{_ARXIV}journal_ref"),
        doi=_text(element, f"{_ARXIV}doi") or (doi.get("href", "") if doi is not None else ""),
        url=page.get("href", "") if page is not None else "",
    )
    institutes = {text_of(tag).strip() for tag in element.iter(f"{_ARXIV}affiliation")} - {""}
    if len(institutes) == 1:
        fields["organisation"] = institutes.pop()
    return fields


def _is_error(element: Element) -> bool:
    """Say whether an entry is the API's message about a query, which comes as an entry."""
    return "/api/errors" in _text(element, f"{_ATOM}id")


def _text(element: Element, path: str) -> str:
    return text_of(element.find(path)).strip()


ARXIV_ATOM = Reader(
    name="arxiv-atom",
    why_not=why_not,
    read=read,
    wants="an Atom feed as the arXiv API answers (export.arxiv.org/api/query)",
    streams=True,
)
