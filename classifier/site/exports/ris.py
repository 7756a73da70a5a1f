"""RIS, one record a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from classifier.corpus.paper import Paper
from classifier.site.exports.names import split_name
from classifier.site.paths import web_address


def ris(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the records of all papers, in their order."""
    return "\n".join(ris_record(paper, keys[paper.id]) for paper in papers)


def ris_record(paper: Paper, key: str) -> str:
    """Return the record of one paper. A field that no source states is left out."""
    fields = [
        ("TY", "GEN"),
        ("ID", key),
        ("TI", paper.title_display),
        *(("AU", _author(name)) for name in paper.authors),
        ("PB", paper.organisation),
        ("PY", paper.published.year),
        ("DA", _date(paper.published.date)),
        ("T2", paper.venue),
        ("DO", paper.doi),
        ("AN", f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else ""),
        ("UR", web_address(paper.link)),
    ]
    lines = [f"{tag}  - {_one_line(value)}\n" for tag, value in fields if value]
    return "".join(lines) + "ER  - \n"


def _author(text: str) -> str:
    name = split_name(text)
    return f"{name.family}, {name.given}" if name.given else name.family


def _date(date: str) -> str:
    """Return `YYYY/MM/DD/`, the parts that are not known left empty."""
    parts = [*date.split("-"), "", ""][:3]
    return "/".join(parts) + "/" if date else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
