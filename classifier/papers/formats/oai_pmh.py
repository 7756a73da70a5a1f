"""Answers of OAI-PMH repositories: records in arXiv's own formats and in Dublin Core.

https://www.openarchives.org/OAI/openarchivesprotocol.html, ListRecords and GetRecord; the metadata
formats `arXiv`, `arXivRaw` and `oai_dc`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.clean import plain_text, unwrapped
from classifier.papers.dates import read_date
from classifier.papers.fields import clean_url, read_fields
from classifier.papers.formats.arxiv import arxiv_fields
from classifier.papers.formats.xml_elements import (
    Element,
    line_of,
    parts_of,
    text_in,
    text_of,
    xml_elements,
)
from classifier.papers.identifiers import arxiv_id_in
from classifier.papers.kinds import csl_kind
from classifier.papers.names import arxiv_authors, sorted_name
from classifier.papers.paper import Source, clean_doi
from classifier.papers.reader import CountedFaults, Reader, Record, quarantined

_FACE = re.compile(r"<(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|record)\b")
_NAMESPACE = "openarchives.org/OAI/"
_DOI = re.compile(r"doi:\s*|https?://(?:dx\.)?doi|10\.\d{4}")
_JOURNAL = re.compile(r"[^\W\d_]{2}.*[ ,].*\d")
"""A reference to a journal among identifiers has words and numbers."""
_ELEMENTS = (
    "title", "creator", "description", "identifier", "date", "source", "subject", "type",
    "publisher", "language",
)  # fmt: skip
_COMMENT = re.compile(r"comments?:\s*", re.IGNORECASE)


def why_not(content: Content) -> str:
    """Say why a file is no answer of OAI-PMH."""
    start = content.start
    if not start.lstrip().startswith("<") or _NAMESPACE not in start:
        return "no namespace http://www.openarchives.org/OAI/2.0/"
    return "" if _FACE.search(start) else "no element <OAI-PMH>"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of an answer in its order; deleted records are counted in one warning."""
    counted = CountedFaults()
    for element in xml_elements(content, "record"):
        if isinstance(element, Fault):
            yield element
            continue
        line = line_of(element)
        source = Source(content.name, OAI_PMH.name, line)
        header = element.find("{*}header")
        if header is not None and header.get("status") == "deleted":
            found, wanted = "a deleted record", "a record with metadata"
            counted.add(Fault("notice", content.name, line, found, wanted, "It is left out."))
        elif fields := record_fields(element):
            yield from read_fields(fields, source)
        else:
            name = text_of(element.find("{*}header/{*}identifier")).strip() or "a record"
            wanted = "arXiv, arXivRaw or oai_dc"
            yield quarantined(source, name, f"metadata: found no known format; wanted {wanted}")
    yield from counted.faults()


def record_fields(element: Element) -> dict[str, object]:
    """Return what a `record` element states, as fields of `read_fields`; {} where it is unknown."""
    for form in element.iterfind("{*}metadata/*"):
        name = form.tag.rpartition("}")[2] if isinstance(form.tag, str) else ""
        if read_form := {"arXiv": _arxiv, "arXivRaw": _arxiv, "dc": _dublin_core}.get(name):
            return read_form(form)
    return {}


def _arxiv(form: Element) -> dict[str, object]:
    """Return the fields of arXiv's forms; the raw one has one text of authors, and versions."""
    parts = parts_of(form)
    stated = {name: text_in(parts, name) for name in parts}
    subjects = stated.get("categories", "").split()
    if versions := parts.get("version"):
        stated["created"] = text_in(parts_of(versions[0]), "date")
        return arxiv_fields(stated, *arxiv_authors(stated.get("authors", "")), subjects)
    authors = [parts_of(author) for listed in parts.get("authors", ()) for author in listed]
    names = (
        sorted_name(*(text_in(author, name) for name in ("keyname", "forenames", "suffix")))
        for author in authors
    )
    institutes = (text_in(author, "affiliation") for author in authors)
    return arxiv_fields(stated, filter(None, names), None, subjects, institutes)


def _dublin_core(form: Element) -> dict[str, object]:
    """Return the fields of Dublin Core, whose elements repeat and mean several things."""
    texts = {name: _texts(form, name) for name in _ELEMENTS}
    comments = [text for text in texts["description"] if _COMMENT.match(text)]
    abstracts = [text for text in texts["description"] if text not in comments]
    identifiers = [" ".join(text.split()) for text in texts["identifier"]]
    links = [text for text in identifiers if clean_url(text)]
    dois = [text for text in identifiers if _DOI.match(text)]
    journals = [t for t in identifiers if t not in (*links, *dois) and _JOURNAL.search(t)]
    stated = {
        "id": arxiv_id_in(identifiers),
        "title": "".join(texts["title"][:1]),
        "abstract": max((unwrapped(plain_text(text)) for text in abstracts), key=len, default=""),
        "created": min(filter(None, map(read_date, texts["date"])), default=""),
        "comments": _COMMENT.sub("", comments[0]) if comments else "",
        "journal-ref": next(iter([*journals, *texts["source"]]), ""),
        "doi": next(filter(None, map(clean_doi, dois)), ""),
        "url": next((text for text in links if text not in dois), ""),
    }
    subjects = [" ".join(text.split()) for text in texts["subject"]]
    fields = arxiv_fields(stated, texts["creator"], None, subjects)
    if not fields.get("arxiv_id"):  # of another repository
        # https://guidelines.openaire.eu: `info:eu-repo/semantics/article` and so on.
        kinds = (csl_kind(text.rpartition("/")[2]) for text in texts["type"])
        fields["reference"] = {
            **{name: " ".join(texts[name][:1]) for name in ("publisher", "language")},
            "type": next(filter(None, kinds), ""),
        }
    return fields


def _texts(form: Element, name: str) -> list[str]:
    found = (text_of(part).strip() for part in form.iterfind(f"{{*}}{name}"))
    return [text for text in found if text]


OAI_PMH = Reader(
    name="oai-pmh",
    why_not=why_not,
    read=read,
    wants="an OAI-PMH answer (<OAI-PMH>) in the format arXiv, arXivRaw or oai_dc",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record>'
        "<metadata><arXiv xmlns='http://arxiv.org/OAI/arXiv/'><id>2403.00001</id>"
        "<title>Bees @@</title><abstract>@@</abstract></arXiv></metadata></record>@@",
    ),
)
