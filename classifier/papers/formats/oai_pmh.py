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
from classifier.papers.paper import Source, clean_arxiv_id, clean_doi
from classifier.papers.reader import CountedFaults, Reader, Record, quarantined

_FACE = re.compile(r"<(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|record)\b")
_NAMESPACE = "openarchives.org/OAI/"
_DOI = re.compile(r"doi:\s*|https?://(?:dx\.)?doi|10\.\d{4}")
_JOURNAL = re.compile(r"[^\W\d_]{2}.*[ ,].*\d")
"""A reference to a journal among identifiers has words and numbers."""
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
        if read_form := {"arXiv": _arxiv, "arXivRaw": _arxiv_raw, "dc": _dublin_core}.get(name):
            return read_form(form)
    return {}


def _arxiv(form: Element) -> dict[str, object]:
    parts = parts_of(form)
    authors = [parts_of(author) for listed in parts.get("authors", ()) for author in listed]
    names = [
        sorted_name(*(text_in(author, name) for name in ("keyname", "forenames", "suffix")))
        for author in authors
    ]
    fields = _stated(parts, [name for name in names if name], None, text_in(parts, "created"))
    institutes = {text_in(author, "affiliation") for author in authors} - {""}
    if len(institutes) == 1:
        fields["organisation"] = institutes.pop()
    return fields


def _arxiv_raw(form: Element) -> dict[str, object]:
    """Return the fields of a form whose authors are one text and whose dates are of versions."""
    parts = parts_of(form)
    names, count = arxiv_authors(text_in(parts, "authors"))
    versions = parts.get("version", [])
    return _stated(parts, names, count, text_in(parts_of(versions[0]), "date") if versions else "")


def _stated(
    parts: dict[str, list[Element]], authors: list[str], author_count: int | None, published: str
) -> dict[str, object]:
    """Return what both forms of arXiv's state alike."""
    return arxiv_fields(
        arxiv_id=clean_arxiv_id(text_in(parts, "id")),
        title=text_in(parts, "title"),
        abstract=text_in(parts, "abstract"),
        authors=authors,
        author_count=author_count,
        published=published,
        subjects=text_in(parts, "categories").split(),
        comment=text_in(parts, "comments"),
        journal=text_in(parts, "journal-ref"),
        doi=text_in(parts, "doi"),
        report_number=text_in(parts, "report-no"),
        license_url=text_in(parts, "license"),
    )


def _dublin_core(form: Element) -> dict[str, object]:
    """Return the fields of Dublin Core, whose elements repeat and mean several things."""
    descriptions = _texts(form, "description")
    comments = [text for text in descriptions if _COMMENT.match(text)]
    abstracts = [text for text in descriptions if text not in comments]
    identifiers = [" ".join(text.split()) for text in _texts(form, "identifier")]
    links = [text for text in identifiers if clean_url(text)]
    dois = [text for text in identifiers if _DOI.match(text)]
    journals = (
        text for text in identifiers if text not in (*links, *dois) and _JOURNAL.search(text)
    )
    fields = arxiv_fields(
        arxiv_id=arxiv_id_in(identifiers),
        title=" ".join(_texts(form, "title")[:1]),
        abstract=max((unwrapped(plain_text(text)) for text in abstracts), key=len, default=""),
        authors=_texts(form, "creator"),
        published=min(filter(None, map(read_date, _texts(form, "date"))), default=""),
        subjects=[" ".join(text.split()) for text in _texts(form, "subject")],
        comment=_COMMENT.sub("", comments[0]) if comments else "",
        journal=next(journals, "") or " ".join(_texts(form, "source")[:1]),
        doi=next((doi for text in dois if (doi := clean_doi(text))), ""),
        url=next((text for text in links if text not in dois), ""),
    )
    if not fields.get("arxiv_id"):  # of another repository
        # https://guidelines.openaire.eu: `info:eu-repo/semantics/article` and so on.
        kinds = (csl_kind(text.rpartition("/")[2]) for text in _texts(form, "type"))
        fields["reference"] = {
            **{name: " ".join(_texts(form, name)[:1]) for name in ("publisher", "language")},
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
)
