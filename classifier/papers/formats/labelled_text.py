"""Texts whose labels are the tags of RIS by other names: RefWorks, NoteExpress, Cochrane, Ovid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from classifier.files.content import Content
from classifier.papers.csl_types import ENDNOTE_TYPES
from classifier.papers.fields import read_fields
from classifier.papers.formats.ris import entry_fields
from classifier.papers.formats.tag_lines import Entry, TagForm, read_entries
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record


@dataclass(frozen=True, slots=True)
class _Dialect:
    """How one program labels what it exports."""

    face: re.Pattern[str]
    """What stands in its files and in no others."""
    form: TagForm
    tags: Mapping[str, str]
    """Its label -> the tag of RIS; `TY` holds the kind in words. Others are passed over."""


_DIALECTS = (
    _Dialect(  # RefWorks, and CNKI and Wanfang for it
        re.compile(r"^\ufeff?RT [A-Z][a-z].*\n(?:.*\n){0,40}?T1 \S", re.MULTILINE),
        TagForm(re.compile(r"\ufeff?([A-Za-z][A-Z0-9a-z]) (.*)", re.DOTALL), "RT"),
        {
            "RT": "TY", "T1": "TI", "T2": "T2", "T3": "T3", "A1": "AU", "A2": "A2", "JF": "JF",
            "JO": "JA", "YR": "PY", "FD": "DA", "VO": "VL", "vo": "VL", "IS": "IS", "SP": "SP",
            "OP": "EP", "K1": "KW", "AB": "AB", "SN": "SN", "LA": "LA", "DO": "DO", "UL": "UR",
            "LK": "UR", "PB": "PB", "PP": "CY", "ED": "ET",
        },
    ),
    _Dialect(
        re.compile(r"^\ufeff?\{Reference Type\}:", re.MULTILINE),
        TagForm(re.compile(r"\ufeff?\{([^{}]{2,40})\}:[ \t]*(.*)", re.DOTALL), "Reference Type"),
        {
            "Reference Type": "TY", "Title": "TI", "Author": "AU", "Subsidiary Author": "A2",
            "Journal": "JF", "Secondary Title": "T2", "Year": "PY", "Date": "DA", "Volume": "VL",
            "Issue": "IS", "Pages": "SP", "Keywords": "KW", "Abstract": "AB", "ISBN/ISSN": "SN",
            "URL": "UR", "DOI": "DO", "Language": "LA", "Publisher": "PB",
            "Place Published": "CY",
        },
    ),
    _Dialect(
        re.compile(r"^\ufeff?Record #\d+ of \d+\n(?:.*\n){0,40}?TI: \S", re.MULTILINE),
        TagForm(
            re.compile(r"\ufeff?(Record(?= #\d)|[A-Z]{2,3}(?=:))[: ][ \t]?(.*)", re.DOTALL),
            "Record",
        ),
        {
            "PT": "TY", "TI": "TI", "AU": "AU", "SO": "JF", "YR": "PY", "VL": "VL", "NO": "IS",
            "PG": "SP", "PM": "N1", "KY": "KW", "DOI": "DO", "AB": "AB", "US": "UR",
        },
    ),
    _Dialect(
        re.compile(r"^\ufeff?<\d+>[ \t]*\n(?:.*\n){0,40}?TI {2}- \S", re.MULTILINE),
        TagForm(
            re.compile(
                r"\ufeff?(<(?=\d+>\s*$)|[A-Z][A-Z0-9](?= {2}-))(?:\d+>| {2}- ?)(.*)", re.DOTALL
            ),
            "<",
        ),
        {
            "PT": "TY", "TI": "TI", "AU": "AU", "SO": "JF", "JN": "JF", "YR": "PY", "DP": "DA",
            "AB": "AB", "KW": "KW", "MH": "KW", "DO": "DO", "LG": "LA", "IS": "SN", "UR": "UR",
            "PB": "PB",
        },
    ),
)  # fmt: skip
# Ovid puts volume, pages and date behind the journal: `Journal of Bread. 3(4):1-9, 2020 Mar.`
_JOURNAL = re.compile(r"(.{3,200}?)\. \d", re.DOTALL)


def why_not(content: Content) -> str:
    """Say why a file is in none of these dialects: their first labels are missing."""
    found = _dialect(content)
    return "" if found else "no line 'RT Journal Article', '{Reference Type}:' or 'Record #1 of 9'"


def read(content: Content) -> Iterator[Record]:
    """Yield the records of a file in order."""
    dialect = _dialect(content)
    for entry in read_entries(content.lines(), dialect.form) if dialect else ():
        renamed = _renamed(entry, dialect.tags if dialect else {})
        csl_type = ENDNOTE_TYPES.get(renamed.first("TY").lower(), "")
        source = Source(content.name, LABELLED_TEXT.name, entry.line)
        if len(entry.values) > 1:  # what stands before the first record has one label at most
            yield from read_fields(entry_fields(renamed, csl_type), source)


def _dialect(content: Content) -> _Dialect | None:
    return next((each for each in _DIALECTS if each.face.search(content.start)), None)


def _renamed(entry: Entry, tags: Mapping[str, str]) -> Entry:
    """Return an entry with the tags of RIS."""
    values: dict[str, list[str]] = {}
    for label, found in entry.values.items():
        if tag := tags.get(label):
            values.setdefault(tag, []).extend(found)
    if "SP" not in values and "EP" in values:  # `OP 1-10`
        values["SP"] = values.pop("EP")
    if "JF" in values:
        journals = values["JF"]
        values["JF"] = [match[1] if (match := _JOURNAL.match(j)) else j for j in journals]
    return Entry(entry.line, values, is_ended=True)


LABELLED_TEXT = Reader(
    name="labelled-text",
    why_not=why_not,
    read=read,
    wants="a text of RefWorks ('RT Journal Article'), NoteExpress ('{Reference Type}:'), Cochrane "
    "('Record #1 of 9') or Ovid ('<1>')",
    streams=True,
)
