"""PubMed's own tagged text: `.nbib`, or “MEDLINE” and “PubMed” in the menu of its search."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.files.content import Content
from classifier.papers.csl_types import pubmed_type
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.tag_lines import Entry, TagForm, read_entries
from classifier.papers.formats.values import arxiv_id_in, venue_of
from classifier.papers.identifiers import isbns, issns, pmcid_in
from classifier.papers.names import comma_before_initials
from classifier.papers.paper import Source
from classifier.papers.plain import plain_text
from classifier.papers.reader import Reader, Record

# A tag is padded to four characters: `PMID- `, `TI  - `.
_FORM = TagForm(
    re.compile(r"\ufeff?(?=.{4}-)([A-Z][A-Z0-9]{1,3}) *-(?: (.*)|$)", re.DOTALL), "PMID"
)
_START = re.compile(r"^\ufeff?PMID-(?: *\d|$)", re.MULTILINE)

_VARIABLES = {
    "VI": "volume",
    "IP": "issue",
    "PG": "page",
    "PB": "publisher",
    "PL": "publisher-place",
    "LA": "language",
    "CTI": "collection-title",
    "TT": "original-title",
    "TA": "container-title-short",
    "PMID": "PMID",
}


def why_not(content: Content) -> str:
    """Say why a file is none of PubMed: no record begins in it."""
    return "" if _START.search(content.start) else "no line 'PMID- '"


def read(content: Content) -> Iterator[Record]:
    """Yield the records of a PubMed file in order."""
    for entry in read_entries(content.lines(), _FORM):
        yield from read_fields(_fields(entry), Source(content.name, NBIB.name, entry.line))


def pubmed_url(pmid: str, doi: str) -> str:
    """Return PubMed's page of a paper where it has no DOI that leads to it, else ""."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdecimal() and not doi else ""


def _fields(entry: Entry) -> dict[str, object]:
    title, book = entry.first("TI"), entry.first("BTI")
    doi = _doi(entry)
    return {
        "title": plain_text(title or book or entry.first("TT")),
        "abstract": plain_text(entry.first("AB", "OAB")),
        "authors": [*_people(entry, "FAU", "AU"), *entry.all("CN")],
        "published": read_date(entry.first("DP", "DEP")),
        "venue": venue_of(entry.first("JT", "TA")) or (book if title else ""),
        "arxiv_id": arxiv_id_in((doi, *entry.all("AID", "SI"))),
        "doi": doi,
        "url": pubmed_url(entry.first("PMID"), doi),
        "keywords": [text.replace("*", "") for text in (*entry.all("OT"), *entry.all("MH"))],
        "reference": {
            **entry.named(_VARIABLES),
            "type": _type(entry, is_part=bool(title)),
            "ISSN": issns(*entry.all("IS")),
            "ISBN": isbns(*entry.all("ISBN")),
            "editor": "; ".join(_people(entry, "FED", "ED")),
            "PMCID": pmcid_in(*entry.all("PMC", "OID")),
        },
    }


def _people(entry: Entry, full: str, short: str) -> list[str]:
    """Return names as sorted; older records have them with initials only."""
    return entry.all(full) or [comma_before_initials(name) for name in entry.all(short)]


def _doi(entry: Entry) -> str:
    texts = (*entry.all("LID"), *entry.all("AID"))
    return next((text[:-6] for text in texts if text.endswith(" [doi]")), "")


def _type(entry: Entry, *, is_part: bool) -> str:
    """Return the CSL type: with a book's title it is a part of that book, or the book."""
    if "BTI" in entry.values:
        return "chapter" if is_part else "book"
    return pubmed_type(entry.all("PT"))


NBIB = Reader(
    name="nbib",
    why_not=why_not,
    read=read,
    wants="PubMed's tagged text: records that begin with a line 'PMID- '",
    streams=True,
)
