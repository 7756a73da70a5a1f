"""What kind of publication a paper is, in the words of each format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of publication."""

    bibtex: str = "misc"
    ris: str = "GEN"
    venue: str = "howpublished"
    """The BibTeX field that holds where it appeared."""
    issuer: str = "publisher"
    """The BibTeX field that holds who published it."""
    organisation: str = "institution"
    """The BibTeX field that holds where it was made."""


_OTHER = Kind(organisation="organization")
_KINDS: Mapping[str, Kind] = {
    "article-journal": Kind("article", "JOUR", "journal"),
    "article-magazine": Kind("article", "MGZN", "journal"),
    "article-newspaper": Kind("article", "NEWS", "journal"),
    "book": Kind("book", "BOOK"),
    "chapter": Kind("incollection", "CHAP", "booktitle"),
    "dataset": Kind(ris="DATA", organisation="organization"),
    "paper-conference": Kind("inproceedings", "CONF", "booktitle"),
    "report": Kind("techreport", "RPRT", issuer="institution", organisation="organization"),
    "software": Kind(ris="COMP", organisation="organization"),
    "thesis": Kind("phdthesis", "THES", issuer="school", organisation="organization"),
    "webpage": Kind(ris="ELEC", organisation="organization"),
}


def kind_of(csl_type: str) -> Kind:
    """Return the kind of a CSL type; what no source tells, a preprint too, is `misc` and `GEN`."""
    return _KINDS.get(csl_type, _OTHER)
