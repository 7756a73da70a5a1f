"""EndNote's XML, as EndNote, Zotero, Mendeley and screening tools export it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.csl_types import ENDNOTE_NUMBERS, ENDNOTE_TYPES, type_on_arxiv
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.values import arxiv_id_in, url_of, venue_of
from classifier.papers.formats.xml_elements import (
    Element,
    child,
    children,
    line_of,
    text_of,
    xml_elements,
)
from classifier.papers.identifiers import (
    cite_key_in,
    doi_in,
    isbns,
    issns,
    page_range,
    pmcid_in,
)
from classifier.papers.names import comma_before_initials, people_in
from classifier.papers.paper import Source
from classifier.papers.plain import plain_text
from classifier.papers.reader import Reader, Record

_START = re.compile(r"<records>\s*<record>")
_PARTS = re.compile(r"<(?:ref-type|contributors|titles|source-app|rec-number)\b")


def why_not(content: Content) -> str:
    """Say why a file is no EndNote XML: its elements are missing."""
    is_ours = _START.search(content.start) and _PARTS.search(content.start)
    return "" if is_ours else "no elements <records><record> of EndNote"


def read(content: Content) -> Iterator[Record]:
    """Yield the records of an EndNote file in order."""
    for element in xml_elements(content, "record"):
        if isinstance(element, Fault):
            yield element
        else:
            source = Source(content.name, ENDNOTE_XML.name, line_of(element))
            yield from read_fields(_fields(element), source)


def _fields(record: Element) -> dict[str, object]:
    urls = [
        url
        for path in ("related-urls", "web-urls", "pdf-urls")
        for url in _items(record, f"urls/{path}/url")
    ]
    doi = doi_in([_text(record, "electronic-resource-num")], urls)
    places = (*urls, doi, _text(record, "accession-num"), _text(record, "titles/secondary-title"))
    arxiv_id = arxiv_id_in(places)
    csl_type = _type(record)
    venue = venue_of(_venue(record))
    abstract = _lines(record, "abstract")
    return {
        "title": plain_text(_text(record, "titles/title")),
        "abstract": plain_text("\n".join(abstract)),
        "authors": _people(record, "authors"),
        "published": _published(record),
        "venue": venue,
        "arxiv_id": arxiv_id,
        "doi": doi,
        "url": url_of(*urls),
        "keywords": [word.replace("*", "") for word in _items(record, "keywords/keyword")],
        "reference": {
            **_reference(record, csl_type),
            "type": type_on_arxiv(csl_type, venue) if arxiv_id else csl_type,
        },
    }


def _type(record: Element) -> str:
    kind = child(record, "ref-type")
    if kind is None:
        return ""
    name = ENDNOTE_TYPES.get(kind.get("name", "").strip().lower(), "")
    return name or ENDNOTE_NUMBERS.get(text_of(kind).strip(), "")


def _venue(record: Element) -> str:
    """Return the full name of the journal, else what contains the work."""
    names = ("periodical/full-title", "titles/secondary-title", "alt-periodical/full-title")
    return next((text for name in names if (text := _text(record, name))), "")


def _published(record: Element) -> str:
    """Return the date; EndNote keeps the year apart from `Dec` or `Mar 16`."""
    year, date = _text(record, "dates/year"), _text(record, "dates/pub-dates/date")
    whole = read_date(date)
    return whole if whole[:4] == year[:4] or not year else read_date(f"{year} {date}")


def _reference(record: Element, csl_type: str) -> dict[str, str]:
    numbers = _lines(record, "isbn")
    first, _, last = _text(record, "pages").partition("-")
    edition = _text(record, "edition")
    roles = () if csl_type == "thesis" else ("secondary-authors", "tertiary-authors")
    editors = (_people(record, role) for role in roles)
    return {
        "volume": _text(record, "volume"),
        "issue": _text(record, "number") or _text(record, "issue"),
        "page": page_range(first.strip(), last.strip()),
        "edition": "" if re.search(r"\d{4}|/", edition) else edition,
        "publisher": _text(record, "publisher"),
        "publisher-place": _text(record, "pub-location"),
        "ISSN": issns(*numbers),
        "ISBN": isbns(*numbers),
        "language": _text(record, "language"),
        "collection-title": _text(record, "titles/tertiary-title"),
        "container-title-short": _text(record, "periodical/abbr-1"),
        "original-title": _text(record, "titles/translated-title"),
        "editor": "; ".join(next((found for found in editors if found), [])),
        "citation-key": cite_key_in(_text(record, "label")),
        "PMID": _pmid(record),
        "PMCID": pmcid_in(_text(record, "custom2")),
    }


def _pmid(record: Element) -> str:
    """Return the accession number where the record came from PubMed."""
    number = _text(record, "accession-num")
    origin = _text(record, "remote-database-provider") + _text(record, "remote-database-name")
    is_pubmed = re.search(r"nlm|medline|pubmed", origin, re.IGNORECASE)
    return number if is_pubmed and re.fullmatch(r"\d{4,8}", number, re.ASCII) else ""


def _people(record: Element, role: str) -> list[str]:
    names = _items(record, f"contributors/{role}/author")
    return [comma_before_initials(name) for name in people_in(names)]


def _items(record: Element, path: str) -> list[str]:
    """Return the lines of each element: EndNote puts lists into one, a line each, too."""
    return [line for found in children(record, path) for line in _stripped(text_of(found))]


def _lines(record: Element, path: str) -> list[str]:
    return _stripped(text_of(child(record, path)))


def _text(record: Element, path: str) -> str:
    return " ".join(text_of(child(record, path)).split())


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]


ENDNOTE_XML = Reader(
    name="endnote-xml",
    why_not=why_not,
    read=read,
    wants="EndNote's XML, with elements <records><record>",
    streams=True,
)
