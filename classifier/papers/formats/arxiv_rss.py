"""The feeds of new papers that arXiv gives out a day (rss.arxiv.org), as RSS 2.0 or as Atom."""

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
from classifier.papers.names import arxiv_authors
from classifier.papers.paper import Source, clean_arxiv_id
from classifier.papers.plain import plain_text
from classifier.papers.reader import Reader, Record

_FACE = re.compile(r"<(?:rss|feed|rdf:RDF)\b")
_ENTRY_ID = re.compile(r"oai:arXiv\.org:|<link>\s*https?://arxiv\.org/abs/")
_HEAD = re.compile(r"\A\s*arXiv:\S+\s+Announce Type:\s*\S+\s+Abstract:\s*")


def why_not(content: Content) -> str:
    """Say why a file is no such feed."""
    if not _FACE.search(content.start[:4_000]):
        return "no RSS feed"
    return "" if _ENTRY_ID.search(content.start) else "a feed without ids of arXiv"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a feed in its order."""
    for element in xml_elements(content, "item", "entry"):
        if isinstance(element, Fault):
            yield element
        else:
            source = Source(content.name, ARXIV_RSS.name, line_of(element))
            yield from read_fields(_fields(element), source)


def _fields(element: Element) -> dict[str, object]:
    """Return what an item states; its date is that of the feed, so only a new paper's own."""
    parts = parts_of(element)
    names, count = arxiv_authors(plain_text(text_in(parts, "creator")))
    link = text_in(parts, "link") or next(
        (part.get("href", "") for part in parts.get("link", ())), ""
    )
    is_new = text_in(parts, "announce_type") == "new"
    subjects = [part.get("term") or text_of(part).strip() for part in parts.get("category", ())]
    identity = text_in(parts, "guid") or text_in(parts, "id")
    return arxiv_fields(
        arxiv_id=clean_arxiv_id(identity.rpartition(":")[2]) or clean_arxiv_id(link),
        title=text_in(parts, "title"),
        abstract=_HEAD.sub("", text_in(parts, "description") or text_in(parts, "summary")),
        authors=names,
        author_count=count,
        published=(text_in(parts, "pubDate") or text_in(parts, "published")) if is_new else "",
        subjects=[subject for subject in subjects if subject],
        journal=text_in(parts, "journal_reference"),
        doi=text_in(parts, "DOI"),
        url=link,
    )


ARXIV_RSS = Reader(
    name="arxiv-rss",
    why_not=why_not,
    read=read,
    wants="a feed of rss.arxiv.org",
    streams=True,
)
