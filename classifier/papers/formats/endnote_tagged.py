"""EndNote's tagged text (`.enw`, “EndNote Import”): what publishers and Google Scholar give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from classifier.files.content import Content
from classifier.papers.csl_types import ENDNOTE_TYPES, type_on_arxiv
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.tag_lines import Entry, TagForm, read_entries, without_wraps
from classifier.papers.formats.values import arxiv_id_in, url_of, venue_of
from classifier.papers.identifiers import cite_key_in, doi_in, isbns, issns, page_range
from classifier.papers.names import comma_before_initials, people_in
from classifier.papers.paper import Source
from classifier.papers.plain import plain_text
from classifier.papers.reader import Reader, Record

_FORM = TagForm(re.compile(r"\ufeff?%(\S)(?:[ \t](.*)|$)", re.DOTALL), "0")
_TYPE = re.compile(r"^\ufeff?%0[ \t]\S", re.MULTILINE)
_TITLE = re.compile(r"^\ufeff?%T[ \t]\S", re.MULTILINE)
_OTHER = re.compile(r"^\ufeff?%[0AD][ \t]\S", re.MULTILINE)

_VARIABLES = {
    "V": "volume",
    "N": "issue",
    "I": "publisher",
    "C": "publisher-place",
    "G": "language",
    "S": "collection-title",
    "7": "edition",
}


def why_not(content: Content) -> str:
    """Say why a file is no tagged text of EndNote: the tags of no title or author stand there."""
    start = content.start
    return "" if _TITLE.search(start) and _OTHER.search(start) else "no lines '%0 ' and '%T '"


def read(content: Content) -> Iterator[Record]:
    """Yield the entries of a file in order; without `%0` a blank line parts them."""
    form = _FORM if _TYPE.search(content.start) else replace(_FORM, blank_ends=True)
    for entry in read_entries(content.lines(), form):
        yield from read_fields(
            _fields(entry), Source(content.name, ENDNOTE_TAGGED.name, entry.line)
        )


def _fields(entry: Entry) -> dict[str, object]:
    csl_type = ENDNOTE_TYPES.get(entry.first("0").lower(), "")
    is_paper = csl_type == "paper-conference"
    venue = entry.first("J", "B") or (entry.first("S") if is_paper else "")
    doi = doi_in(entry.all("R"), entry.all("U"))
    arxiv_id = arxiv_id_in((*entry.all("U", "R", "M"), venue))
    venue = venue_of(plain_text(venue))
    if arxiv_id:
        csl_type = type_on_arxiv(csl_type, venue)
    return {
        "title": plain_text(entry.first("T")),
        "abstract": without_wraps(plain_text("\n".join(entry.values.get("X", ())))),
        "authors": _people(entry, "A"),
        "published": _published(entry),
        "venue": venue,
        "arxiv_id": arxiv_id,
        "doi": doi,
        "url": url_of(*entry.all("U")),
        "keywords": entry.items("K"),
        "reference": {
            **entry.named(_VARIABLES),
            "type": csl_type,
            "page": page_range(entry.first("P")),
            "ISSN": issns(*entry.all("@")),
            "ISBN": isbns(*entry.all("@")),
            "editor": "; ".join([] if csl_type == "thesis" else _editors(entry)),
            "citation-key": cite_key_in(*entry.all("F")),
        },
    }


def _people(entry: Entry, tag: str) -> list[str]:
    return [comma_before_initials(name) for name in people_in(entry.lines(tag))]


def _editors(entry: Entry) -> list[str]:
    """Return the editors; of proceedings the ACL Anthology has them in `%Y`."""
    return _people(entry, "E") or _people(entry, "Y")


def _published(entry: Entry) -> str:
    """Return the date in `%8` where it agrees with the year in `%D`, which it may leave out."""
    year, date = entry.first("D"), entry.first("8")
    whole = read_date(date)
    return whole if whole[:4] == year[:4] or not year else read_date(f"{year} {date}")


ENDNOTE_TAGGED = Reader(
    name="endnote-tagged",
    why_not=why_not,
    read=read,
    wants="EndNote's tagged text, with lines '%0 Journal Article' and '%T TITLE'",
    streams=True,
)
