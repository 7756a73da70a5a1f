"""RIS, one record a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from classifier.papers.paper import Paper
from classifier.site.exports.citation import citation, own_abstract


def ris(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the records of all papers, in their order."""
    return "\n".join(ris_record(paper, keys[paper.id]) for paper in papers)


def ris_record(paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False) -> str:
    """Return the record of one paper. A field that no source states is left out.

    tags: keywords beside its own; abstract: whether its abstract stands there, too. The type is
    `GEN` where no source says what was published.
    """
    cited = citation(paper)
    details = cited.details
    first, _, last = details.get("page", "").replace("\u2013", "-").partition("-")
    fields = [
        ("TY", kind_of(cited.type).ris),
        ("ID", key),
        ("TI", cited.title),
        *(("AU", str(name)) for name in cited.authors),
        *(("A2", str(name)) for name in cited.editors),
        ("PB", cited.publisher),
        ("CY", details.get("publisher-place", "")),
        ("PY", cited.date[:4]),
        ("DA", _date(cited.date)),
        ("T2", cited.venue),
        ("T3", details.get("collection-title", "")),
        ("VL", details.get("volume", "")),
        ("IS", details.get("issue", "")),
        ("ET", details.get("edition", "")),
        ("SP", first.strip()),
        ("EP", last.strip("- ")),
        ("SN", details.get("ISSN", "") or details.get("ISBN", "")),
        ("LA", details.get("language", "")),
        ("DO", cited.doi),
        ("AN", f"arXiv:{cited.arxiv_id}" if cited.arxiv_id else ""),
        ("UR", cited.url),
        *(("KW", keyword) for keyword in (*cited.keywords, *tags)),
        ("N1", cited.note),
        ("AB", own_abstract(paper) if abstract else ""),
    ]
    return "".join(f"{tag}  - {value}\n" for tag, value in fields if value) + "ER  - \n"


def _date(date: str) -> str:
    """Return `YYYY/MM/DD/`, the parts that are not known left empty."""
    parts = [*date.split("-"), "", ""][:3]
    return "/".join(parts) + "/" if date else ""


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
