"""RIS: what nearly every library and database exports, each in its own dialect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from classifier.files.content import Content
from classifier.papers.csl_types import RIS_TYPES, type_on_arxiv
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.tag_lines import Entry, TagForm, read_entries, without_wraps
from classifier.papers.formats.values import arxiv_id_in, url_of, venue_of
from classifier.papers.identifiers import (
    cite_key_in,
    doi_in,
    isbns,
    issns,
    page_range,
    pmcid_in,
    pmid_in,
)
from classifier.papers.names import comma_before_initials, people_in
from classifier.papers.paper import Source
from classifier.papers.plain import plain_text
from classifier.papers.reader import Reader, Record
from classifier.papers.tally import Tally

_TAG = r"[\ufeff \t]*([A-Z][A-Z0-9])"
# Cochrane has a tag of three letters: `DOI - 10.1000/182`.
_WIDE = r"[\ufeff \t]*([A-Z][A-Z0-9](?=[ \t]{2})|DOI(?= -))"
_STANDARD = TagForm(re.compile(_WIDE + r"[ \t]{1,4}-[ \t]?(.*)", re.DOTALL), "TY", "ER")
# With one blank, "AI - a primer" inside an abstract would be a tag: only where `TY` is so, too.
_NARROW = TagForm(re.compile(_TAG + r"[ \t]{1,4}-(?:[ \t](.*)|$)", re.DOTALL), "TY", "ER")

_TYPE = re.compile(r"^[\ufeff \t]*TY([ \t]{1,4})-(?:[ \t]|$|[A-Z]{3,6}$)", re.MULTILINE)
_TITLE = re.compile(r"^[\ufeff \t]*(?:TI|T1)([ \t]{1,4})- \S", re.MULTILINE)
_END = re.compile(r"^ER[ \t]{1,4}-[ \t]*$", re.MULTILINE)

_VARIABLES = {
    "VL": "volume",
    "PB": "publisher",
    "LA": "language",
    "T3": "collection-title",
    "TT": "original-title",
}
# `*Bread/history` and `Bread/*history` are what the work is about above all.
_STAR = re.compile(r"(?:^|(?<=/))\*")
_COMMA = re.compile(r"\s*,\s*")
_TIGHT_COMMA = re.compile(r",(?=[^\s\d])")
_ARXIV_TAGS = ("UR", "L1", "L2", "DO", "AN", "T2", "JO", "JF", "M1", "M3", "PB", "VL")
_BY_DATABASE = (("AN", r"pubmed|medline|nlm"), ("C2", r"scopus"), ("C5", r"embase|medline"))
"""Tags that hold a PubMed id in the exports of some databases."""


def why_not(content: Content) -> str:
    """Say why a file is no RIS: no record begins in it."""
    return "" if _first_tag(content.start) else "no line 'TY  - '"


def read(content: Content) -> Iterator[Record]:
    """Yield the entries of an RIS file in order."""
    first = _first_tag(content.start)
    form = _NARROW if first and len(first[1]) == 1 else _STANDARD
    untyped = Tally(
        "entry without a line 'TY  - '", "entries without a line 'TY  - '",
        "the type of each, such as TY  - JOUR", "They are read without a type.", "notice",
    )  # fmt: skip
    unended = Tally(
        "entry without a line 'ER  -'", "entries without a line 'ER  -'", "a whole entry",
        "They are read as far as they go; export the file again if something is missing.",
    )  # fmt: skip
    for entry in read_entries(content.lines(), form):
        if "TY" not in entry.values:
            untyped.add(entry.line)
        if not entry.is_ended:
            unended.add(entry.line)
        csl_type = RIS_TYPES.get(entry.first("TY").upper(), "")
        source = Source(content.name, RIS.name, entry.line)
        yield from read_fields(entry_fields(entry, csl_type), source)
    yield from untyped.faults(content.name)
    yield from unended.faults(content.name)


def _first_tag(start: str) -> re.Match[str] | None:
    """Return the first tag `TY`; without any a title, where an end stands behind it."""
    title = _TITLE.search(start)
    return _TYPE.search(start) or (title if title and _END.search(start, title.end()) else None)


def entry_fields(entry: Entry, csl_type: str) -> dict[str, object]:
    """Return what the tags of an entry state, as fields of `read_fields`."""
    doi = _doi(entry)
    arxiv_id = _arxiv_id(entry)
    venue = venue_of(plain_text(entry.first(*_venue_tags(csl_type))))
    if arxiv_id:
        csl_type = type_on_arxiv(csl_type, venue)
    return {
        "title": plain_text(entry.first(*_title_tags(csl_type))),
        "abstract": _abstract(entry),
        "authors": _authors(entry),
        "published": _published(entry),
        "venue": venue,
        "arxiv_id": arxiv_id,
        "doi": doi,
        "url": url_of(*_urls(entry)),
        "keywords": _keywords(entry),
        "reference": _reference(entry, csl_type),
    }


def _doi(entry: Entry) -> str:
    """Return the DOI of its own tag, else of a tag that may hold one, else of a resolver's URL."""
    if doi := doi_in(entry.all("DO", "DI", "DOI")):
        return doi
    stated = [text for text in entry.all("M3", "L3", "AN") if text.startswith("10.")]
    return doi_in(stated, entry.all("UR", "L2", "L3", "N1", "ID"))


def _arxiv_id(entry: Entry) -> str:
    """Return the arXiv id that an entry names anywhere; in notes only where they begin with it."""
    places = [re.sub("^abs/", "arXiv:", text) for text in entry.all(*_ARXIV_TAGS)]
    if "N1" in entry.values:
        places += [note for note in entry.all("N1") if note[:5].lower() == "arxiv"]
    return arxiv_id_in(places) if "xiv" in "\n".join(places).lower() else ""


def _title_tags(csl_type: str) -> tuple[str, ...]:
    """Return where the title stands: `BT` is that of the book that a chapter is in."""
    whole = ("BT",) if csl_type in ("book", "manuscript") else ()
    return ("TI", "T1", "CT", *whole, "TT", "ST")


def _venue_tags(csl_type: str) -> tuple[str, ...]:
    """Return where the journal or proceedings stand, full names before short ones."""
    book = () if csl_type in ("book", "manuscript") else ("BT",)
    return ("JF", "T2", "JO", *book, "C3", "JA", "J2", "J1")


def _abstract(entry: Entry) -> str:
    """Return the abstract; EBSCO writes who owns it into an `AB` of its own."""
    for tag in ("AB", "N2"):
        texts = dict.fromkeys(entry.values.get(tag, ()))
        own = [text for text in texts if text and not text.startswith("Copyright of ")]
        if own:
            return without_wraps(plain_text("\n".join(own)))
    return ""


def _keywords(entry: Entry) -> list[str]:
    """Return the keywords without the stars of those that matter most, also of a list on one line.

    A comma parts keywords where no blank follows it, and where all stand on one line; elsewhere it
    is part of a heading: `Rats, Wistar`.
    """
    items = [_STAR.sub("", text) for text in entry.items("KW", "K1")]
    one_line = len(items) == 1 and items[0].count(", ") > 1
    comma = _COMMA if one_line else _TIGHT_COMMA
    return [
        part for item in items for part in (comma.split(item) if item.count(",") > 1 else (item,))
    ]


def _authors(entry: Entry) -> list[str]:
    """Return the authors; `A1` is an older name of `AU`, and some files have both."""
    authors = entry.all("AU")
    known = set(authors)
    authors = [name for name in entry.all("A1") if name not in known] + authors
    return [comma_before_initials(name) for name in people_in(authors)]


def _published(entry: Entry) -> str:
    """Return the most precise of the dates that agree with the year of publication."""
    dates = [_date(text) for text in entry.all("PY", "Y1", "DA", "YR")]
    year = next((text[:4] for text in dates if text), "")
    dates += [read_date(f"{year} {text}") for text in entry.all("DA") if year and not _date(text)]
    return max((text for text in dates if text.startswith(year)), key=len, default="")


@lru_cache(2**12)
def _date(text: str) -> str:
    """Return the date in `2016/09//Autumn` or in any other form."""
    parts = [*text.split("/"), "", ""]
    return date_of_parts(*parts[:3]) if re.match(r"\d{4}/", text) else read_date(text)


def _urls(entry: Entry) -> list[str]:
    texts = entry.all("UR", "LK", "L2", "L1")
    return [url for text in texts for url in re.split(r"(?<![;\s])[;\s]+(?=https?://)", text)]


def _reference(entry: Entry, csl_type: str) -> dict[str, str]:
    numbers = entry.all("SN", "BN")
    edition = entry.first("ET")
    issue = entry.first("IS", "CP", "NO") or next((n for n in entry.all("M1") if n.isdecimal()), "")
    editors = [] if csl_type == "thesis" else entry.all("ED", "A2")
    return {
        **entry.named(_VARIABLES),
        "type": csl_type,
        "issue": issue,
        "page": page_range(entry.first("SP"), entry.first("EP")),
        "edition": "" if re.search(r"\d{4}|/", edition) else edition,
        "publisher-place": entry.first("CY", "PP"),
        "ISSN": issns(*numbers),
        "ISBN": isbns(*numbers),
        "container-title-short": entry.first("J2", "JA"),
        "editor": "; ".join(map(comma_before_initials, editors)),
        "citation-key": cite_key_in(*entry.all("ID", "LB")),
        "PMID": _pmid(entry),
        "PMCID": pmcid_in(*entry.all("C2", "U1", "N1", "AN")),
    }


def _pmid(entry: Entry) -> str:
    for tag, database in _BY_DATABASE:
        number = entry.first(tag)
        if 4 <= len(number) <= 8 and number.isdecimal():
            databases = " ".join(entry.all("DB", "DP"))
            if re.search(database, databases, re.IGNORECASE):
                return number
    return pmid_in(*entry.all("U1", "N1", "AN", "ID"))


RIS = Reader(
    name="ris",
    why_not=why_not,
    read=read,
    wants="RIS: entries that begin with a line 'TY  - ' and end with 'ER  - '",
    streams=True,
)
