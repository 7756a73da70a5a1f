"""PubMed, Web of Science and EndNote as text whose lines begin with a tag (`tagged`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from classifier.files.content import Content
from classifier.papers.clean import plain_text
from classifier.papers.dates import read_date
from classifier.papers.formats.tagged import Entry, Read, TagForm, tagged_reader, without_wraps
from classifier.papers.identifiers import doi_in, page_range, pubmed_url, venue_of
from classifier.papers.kinds import csl_kind, pubmed_kind
from classifier.papers.names import comma_before_initials

# --- PubMed: `.nbib`, or “MEDLINE” and “PubMed” in the menu of its search -----------------------

# A tag is padded to four characters: `PMID- `, `TI  - `.
_NBIB_FORM = TagForm(
    re.compile(r"\ufeff?(?=.{4}-)([A-Z][A-Z0-9]{1,3}) *-(?: (.*)|$)", re.DOTALL), "PMID"
)
_NBIB_START = re.compile(r"^\ufeff?PMID-(?: *\d|$)", re.MULTILINE)


def _sortedpeople_at(full: str, short: str) -> Callable[[Entry], list[str]]:
    """Return what reads names as sorted; older records have them with initials only."""
    return lambda entry: (
        entry.all(full) or [comma_before_initials(name) for name in entry.all(short)]
    )


def _nbib_doi(entry: Entry) -> str:
    return next((text[:-6] for text in entry.all("LID AID") if text.endswith(" [doi]")), "")


def _nbib_kind(entry: Entry) -> str:
    """Return the kind: with a book's title it is a part of that book, or the book."""
    if "BTI" in entry.values:
        return "chapter" if entry.first("TI") else "book"
    return pubmed_kind(entry.all("PT"))


PUBMED_FIELDS: Final[Mapping[str, Read]] = {
    "title": "TI BTI TT",
    "abstract": "AB OAB",
    "authors": lambda entry: [*_sortedpeople_at("FAU", "AU")(entry), *entry.all("CN")],
    "published": "DP DEP",
    "venue": lambda entry: (
        venue_of(entry.first("JT TA")) or (entry.first("BTI") if entry.first("TI") else "")
    ),
    "arxiv_places": lambda entry: [_nbib_doi(entry), *entry.all("AID SI")],
    "doi": _nbib_doi,
    "url": lambda entry: pubmed_url(entry.first("PMID"), _nbib_doi(entry)),
    "keywords": lambda entry: [text.replace("*", "") for text in entry.all("OT MH")],
    ":type": _nbib_kind,
    ":volume": "VI",
    ":issue": "IP",
    ":page": "PG",
    ":publisher": "PB",
    ":publisher-place": "PL",
    ":collection-title": "CTI",
    ":container-title-short": "TA",
    ":original-title": "TT",
    ":language": "LA",
    ":ISSN": "IS",
    ":ISBN": "ISBN",
    ":editor": lambda entry: "; ".join(_sortedpeople_at("FED", "ED")(entry)),
    ":PMID": "PMID",
    ":PMCID": "PMC OID",
}


NBIB: Final = tagged_reader(
    "nbib",
    _NBIB_FORM,
    PUBMED_FIELDS,
    lambda content: "" if _NBIB_START.search(content.start) else "no line 'PMID- '",
    "PubMed's tagged text: records that begin with a line 'PMID- '",
    examples=("PMID- 123\nTI  - Bees @@\nFAU - @@\nAB  - @@\n", "PMID- 123\nTI  - Bees\n@@"),
)

# --- Web of Science: plain text, full or short records, whole or damaged ------------------------

_SCIENCE_TAGS = (
    "FN VR PT AU AF BA BF CA GP BE TI SO SE BS LA DT CT CY CL SP HO DE ID AB C1 C3 RP EM RI OI FU"
    " FX FP CR NR TC Z9 Z1 Z2 Z3 Z4 Z8 ZA ZB ZR ZS U1 U2 PU PI PA SN EI BN J9 JI PD PY VL IS SI PN"
    " SU MA BP EP AR DI DL D2 EA EY PG P2 WC WE SC GA PM UT OA HP HC DA ER EF"
).replace(" ", "|")
# A blank behind the tag may be missing: `AUBaker, A`. Lines that continue a value are indented.
_SCIENCE_FORM = TagForm(
    re.compile(rf"\ufeff?({_SCIENCE_TAGS})(?:[ \t]|(?=[A-Z][a-z])|$)(.*)", re.DOTALL),
    start="PT",
    end="ER",
    passed_over=frozenset(("FN", "VR", "EF")),
)
_SCIENCE_FACES = {
    "PT J": re.compile(r"^\ufeff?PT (?:[JCBSP]|Journal|Book|Patent|Series)\b", re.MULTILINE),
    "TI ": re.compile(r"^TI \S", re.MULTILINE),
    "SO ": re.compile(r"^(?:SO|UT|AU|PY) ?\S", re.MULTILINE),
}


def _science_authors(entry: Entry) -> list[str]:
    """Return full names where they are, groups behind the persons; one stands on each line."""
    tag = next((tag for tag in ("AF", "AU", "BF", "BA") if tag in entry.values), "AU")
    return [name for name in entry.lines(f"{tag} CA") if name.lower() != "[anonymous]"]


def _science_kind(entry: Entry) -> str:
    """Return the kind by what carries a work (`PT`: J, C, B, S, P) and what it is (`DT`)."""
    words = [words.strip() for words in entry.first("DT").split(";")]
    kinds = [csl_kind(each, "web of science") for each in words]
    is_whole = entry.first("TI").casefold() == entry.first("SO").casefold()
    match entry.first("PT")[:1]:
        case "P":
            return "patent"
        case "C":
            return "paper-conference"
        case "B" | "S" if "paper-conference" not in kinds:
            return "book" if is_whole or "book" in kinds else "chapter"
        case "J" if "Article" in words:
            return "article-journal"
    return next(filter(None, kinds), "article-journal")


_SCIENCE: Final[Mapping[str, Read]] = {
    "title": "TI SO",
    "abstract": "AB",
    "authors": _science_authors,
    # Of the issue (`PD` is day, month or season), else of early access.
    "published": lambda entry: read_date(
        f"{year} {entry.first('PD')}" if (year := entry.first("PY EY")) else entry.first("EA")
    ),
    "venue": lambda entry: venue_of(entry.first("SO")) if entry.first("TI") else "",
    "arxiv_places": "DI AR UT",
    "doi": "DI",
    "keywords": lambda entry: [
        # Both lists are wrapped: the authors', then those of Web of Science.
        word.strip()
        for tag in ("DE", "ID")
        for word in entry.first(tag).split(";")
    ],
    ":type": _science_kind,
    ":volume": "VL",
    ":issue": "IS",
    ":page": lambda entry: page_range(entry.first("BP"), entry.first("EP")) or entry.first("AR"),
    ":publisher": "PU",
    ":publisher-place": "PI",
    ":collection-title": "SE",
    ":container-title-short": "JI",
    ":event-title": "CT",
    ":event-place": "CL",
    ":language": "LA",
    ":ISSN": "SN EI",
    ":ISBN": "BN",
    ":editor": lambda entry: "; ".join(entry.lines("BE")),
    ":PMID": "PM",
}

WEB_OF_SCIENCE: Final = tagged_reader(
    "web-of-science",
    _SCIENCE_FORM,
    _SCIENCE,
    lambda content: next(
        (
            f"no line '{tag}'"
            for tag, face in _SCIENCE_FACES.items()
            if not face.search(content.start)
        ),
        "",
    ),
    "Web of Science's plain text: records from a line 'PT J' to a line 'ER'",
    examples=(
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nSO Bread\nTI Bees @@\nAU @@\nAB @@\n",
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nSO Bread\nTI Bees\n@@",
    ),
)

# --- EndNote's tagged text (`.enw`, “EndNote Import”), of publishers and Google Scholar ---------

_ENW_FORM = TagForm(re.compile(r"\ufeff?%(\S)(?:[ \t](.*)|$)", re.DOTALL), "0")
_ENW_TYPE = re.compile(r"^\ufeff?%0[ \t]\S", re.MULTILINE)
_ENW_TITLE = re.compile(r"^\ufeff?%T[ \t]\S", re.MULTILINE)
_ENW_OTHER = re.compile(r"^\ufeff?%[0AD][ \t]\S", re.MULTILINE)


def _endnote_form(content: Content) -> TagForm:
    """Return how entries are parted: without `%0` by a blank line."""
    has_types = _ENW_TYPE.search(content.start)
    return _ENW_FORM if has_types else replace(_ENW_FORM, blank_ends=True)


def _endnote_venue(entry: Entry) -> str:
    is_paper = csl_kind(entry.first("0"), "endnote") == "paper-conference"
    return entry.first("J B S" if is_paper else "J B")


def dated(year: str, date: str) -> str:
    """Return a date where it agrees with the year, which it may leave out: `Mar 16`."""
    whole = read_date(date)
    return whole if whole[:4] == year[:4] or not year else read_date(f"{year} {date}")


ENDNOTE_FIELDS: Final[Mapping[str, Read]] = {
    "title": "T",
    "abstract": lambda entry: without_wraps(plain_text("\n".join(entry.values.get("X", ())))),
    "authors": "A",
    "published": lambda entry: dated(entry.first("D"), entry.first("8")),
    "venue": lambda entry: venue_of(plain_text(_endnote_venue(entry))),
    "arxiv_places": lambda entry: [*entry.all("U R M"), _endnote_venue(entry)],
    "doi": lambda entry: doi_in(entry.all("R"), entry.all("U")),
    "url": "U",
    "keywords": lambda entry: [word.replace("*", "") for word in entry.items("K")],
    ":type": lambda entry: csl_kind(entry.first("0"), "endnote"),
    ":volume": "V",
    ":issue": "N",
    ":page": lambda entry: page_range(entry.first("P")),
    ":edition": "7",
    ":publisher": "I",
    ":publisher-place": "C",
    ":collection-title": "S",
    ":language": "G",
    ":ISSN": "@",
    ":ISBN": "@",
    ":editor": "E Y",  # of proceedings the ACL Anthology has them in `%Y`
    ":citation-key": "F",
    ":container-title-short": "J9",  # as the next three of XML alone
    ":original-title": "TT",
    ":PMID": "PMID",
    ":PMCID": "PMC",
}

ENDNOTE_TAGGED: Final = tagged_reader(
    "endnote-tagged",
    _endnote_form,
    ENDNOTE_FIELDS,
    lambda content: (
        ""
        if _ENW_TITLE.search(content.start) and _ENW_OTHER.search(content.start)
        else "no lines '%0 ' and '%T '"
    ),
    "EndNote's tagged text, with lines '%0 Journal Article' and '%T TITLE'",
    examples=("%0 Journal Article\n%T Bees @@\n%A @@\n%X @@\n", "%0 Book\n%T Bees\n@@"),
)
