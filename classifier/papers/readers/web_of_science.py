"""Read plain-text exports of Web of Science: full or short records, complete or cut off."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from classifier.papers.dates import read_date
from classifier.papers.identifiers import page_range, venue_unless_preprint
from classifier.papers.kinds import csl_type
from classifier.papers.readers.tagged import Entry, Read, TagForm, tagged_reader

_SCIENCE_TAGS = (
    "FN VR PT AU AF BA BF CA GP BE TI SO SE BS LA DT CT CY CL SP HO DE ID AB C1 C3 RP EM RI OI FU"
    " FX FP CR NR TC Z9 Z1 Z2 Z3 Z4 Z8 ZA ZB ZR ZS U1 U2 PU PI PA SN EI BN J9 JI PD PY VL IS SI PN"
    " SU MA BP EP AR DI DL D2 EA EY PG P2 WC WE SC GA PM UT OA HP HC DA ER EF"
).replace(" ", "|")
# The blank after the tag may be missing: `AUBaker, A`. Lines that continue a value are indented.
_SCIENCE_FORM = TagForm(
    re.compile(rf"\ufeff?({_SCIENCE_TAGS})(?:[ \t]|(?=[A-Z][a-z])|$)(.*)", re.DOTALL),
    start="PT",
    end="ER",
    ignored=frozenset(("FN", "VR", "EF")),
)
_SIGNATURES = {
    "PT J": re.compile(r"^\ufeff?PT (?:[JCBSP]|Journal|Book|Patent|Series)\b", re.MULTILINE),
    "TI ": re.compile(r"^TI \S", re.MULTILINE),
    "SO ": re.compile(r"^(?:SO|UT|AU|PY) ?\S", re.MULTILINE),
}


def _author_names(entry: Entry) -> list[str]:
    """Return full names if there are any, then groups; each name is on its own line."""
    tag = next((tag for tag in ("AF", "AU", "BF", "BA") if tag in entry.values), "AU")
    return [name for name in entry.lines(f"{tag} CA") if name.lower() != "[anonymous]"]


def _record_type(entry: Entry) -> str:
    """Return the type from the type of publication (`PT`: J, C, B, S, P) and document (`DT`)."""
    words = [words.strip() for words in entry.first_value("DT").split(";")]
    kinds = [csl_type(each, "web of science") for each in words]
    is_whole = entry.first_value("TI").casefold() == entry.first_value("SO").casefold()
    match entry.first_value("PT")[:1]:
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
    "title": "TI SO", "abstract": "AB",
    "authors": _author_names,
    # The date of the issue (`PD` is a day, month or season), else of early access.
    "published": lambda entry: read_date(
        f"{year} {entry.first_value('PD')}"
        if (year := entry.first_value("PY EY"))
        else entry.first_value("EA")
    ),
    "venue": lambda entry: (
        venue_unless_preprint(entry.first_value("SO")) if entry.first_value("TI") else ""
    ),
    "arxiv_places": "DI AR UT", "doi": "DI",
    # The keywords of the authors, then those of Web of Science; both lists are wrapped.
    "keywords": lambda entry: [
        word.strip() for tag in ("DE", "ID") for word in entry.first_value(tag).split(";")
    ],
    ":type": _record_type,
    ":volume": "VL", ":issue": "IS",
    ":page": lambda entry: (
        page_range(entry.first_value("BP"), entry.first_value("EP")) or entry.first_value("AR")
    ),
    ":publisher": "PU", ":publisher-place": "PI", ":collection-title": "SE",
    ":container-title-short": "JI", ":event-title": "CT", ":event-place": "CL", ":language": "LA",
    ":ISSN": "SN EI", ":ISBN": "BN",
    ":editor": lambda entry: "; ".join(entry.lines("BE")),
    ":PMID": "PM",
}  # fmt: skip

WEB_OF_SCIENCE: Final = tagged_reader(
    "web-of-science",
    _SCIENCE_FORM,
    _SCIENCE,
    lambda content: next(
        (f"no line '{tag}'" for tag, form in _SIGNATURES.items() if not form.search(content.start)),
        "",
    ),
    "Web of Science's plain text: records from a line 'PT J' to a line 'ER'",
    examples=(
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nSO Bread\nTI Bees @@\nAU @@\nAB @@\n",
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nSO Bread\nTI Bees\n@@",
    ),
)
