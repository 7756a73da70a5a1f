"""Web of Science's plain text, full or short records, whole or damaged."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.files.content import Content
from classifier.papers.csl_types import science_type
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.tag_lines import Entry, TagForm, read_entries
from classifier.papers.formats.values import arxiv_id_in, venue_of
from classifier.papers.identifiers import doi_in, isbns, issns, page_range
from classifier.papers.paper import Source
from classifier.papers.plain import plain_text
from classifier.papers.reader import Reader, Record
from classifier.papers.tally import Tally

_TAGS = (
    "FN VR PT AU AF BA BF CA GP BE TI SO SE BS LA DT CT CY CL SP HO DE ID AB C1 C3 RP EM RI OI FU"
    " FX FP CR NR TC Z9 Z1 Z2 Z3 Z4 Z8 ZA ZB ZR ZS U1 U2 PU PI PA SN EI BN J9 JI PD PY VL IS SI PN"
    " SU MA BP EP AR DI DL D2 EA EY PG P2 WC WE SC GA PM UT OA HP HC DA ER EF"
).split()
# Tags are grouped by their first letter, or a line would be held against each of them.
_BY_LETTER = {tag[0]: "".join(t[1] for t in _TAGS if t[0] == tag[0]) for tag in _TAGS}
_TAG = "|".join(f"{letter}[{others}]" for letter, others in _BY_LETTER.items())
# A blank behind the tag may be missing: `AUBaker, A`. Lines that continue a value are indented.
_FORM = TagForm(
    re.compile(rf"\ufeff?({_TAG})(?:[ \t]|(?=[A-Z][a-z])|$)(.*)", re.DOTALL),
    start="PT",
    end="ER",
    passed_over=frozenset(("FN", "VR", "EF")),
)
_START = re.compile(r"^\ufeff?PT (?:[JCBSP]|Journal|Book|Patent|Series)\b", re.MULTILINE)
_TITLE = re.compile(r"^TI \S", re.MULTILINE)
_SOURCE = re.compile(r"^(?:SO|UT|AU|PY) ?\S", re.MULTILINE)

_VARIABLES = {
    "VL": "volume",
    "IS": "issue",
    "PU": "publisher",
    "PI": "publisher-place",
    "LA": "language",
    "SE": "collection-title",
    "CT": "event-title",
    "CL": "event-place",
    "JI": "container-title-short",
    "PM": "PMID",
}


def why_not(content: Content) -> str:
    """Say why a file is none of Web of Science: its tags are missing."""
    wanted = {"PT J": _START, "TI ": _TITLE, "SO ": _SOURCE}
    missing = [tag for tag, pattern in wanted.items() if not pattern.search(content.start)]
    return f"no line '{missing[0]}'" if missing else ""


def read(content: Content) -> Iterator[Record]:
    """Yield the records of a Web of Science file in order."""
    unended = Tally(
        "record without a line 'ER'", "records without a line 'ER'", "a whole record",
        "They are read as far as they go; export the file again if something is missing.",
    )  # fmt: skip
    for entry in read_entries(content.lines(), _FORM):
        if not entry.is_ended:
            unended.add(entry.line)
        yield from read_fields(
            _fields(entry), Source(content.name, WEB_OF_SCIENCE.name, entry.line)
        )
    yield from unended.faults(content.name)


def _fields(entry: Entry) -> dict[str, object]:
    title, source = entry.first("TI"), entry.first("SO")
    doi = doi_in(entry.all("DI"))
    return {
        "title": plain_text(title or source),
        "abstract": plain_text(entry.first("AB")),
        "authors": _authors(entry),
        "published": _published(entry),
        "venue": venue_of(source) if title else "",
        "arxiv_id": arxiv_id_in(entry.all("DI", "AR", "UT")),
        "doi": doi,
        "keywords": _keywords(entry),
        "reference": _reference(entry, is_whole=title.casefold() == source.casefold()),
    }


def _authors(entry: Entry) -> list[str]:
    """Return full names where they are, groups behind the persons; one stands on each line."""
    tag = next((tag for tag in ("AF", "AU", "BF", "BA") if tag in entry.values), "AU")
    names = [*entry.lines(tag), *entry.lines("CA")]
    return [name for name in names if name.lower() != "[anonymous]"]


def _published(entry: Entry) -> str:
    """Return the date of the issue (`PD` is day, month or season), else of early access."""
    year = entry.first("PY", "EY")
    return read_date(f"{year} {entry.first('PD')}" if year else entry.first("EA"))


def _keywords(entry: Entry) -> list[str]:
    """Return the authors' keywords, then those of Web of Science; both lists are wrapped."""
    lists = (entry.first("DE"), entry.first("ID"))
    return [word.strip() for words in lists for word in words.split(";")]


def _reference(entry: Entry, *, is_whole: bool) -> dict[str, str]:
    pages = page_range(entry.first("BP"), entry.first("EP"))
    carrier, document = entry.first("PT"), entry.first("DT")
    return {
        **entry.named(_VARIABLES),
        "type": science_type(carrier, document, is_whole=is_whole),
        "page": pages or entry.first("AR"),
        "ISSN": issns(*entry.all("SN", "EI")),
        "ISBN": isbns(*entry.all("BN")),
        "editor": "; ".join(entry.lines("BE")),
    }


WEB_OF_SCIENCE = Reader(
    name="web-of-science",
    why_not=why_not,
    read=read,
    wants="Web of Science's plain text: records from a line 'PT J' to a line 'ER'",
    streams=True,
)
