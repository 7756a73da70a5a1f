"""RIS, one record a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from classifier.corpus.paper import Paper
from classifier.site.exports.citation import citation


def ris(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the records of all papers, in their order."""
    return "\n".join(ris_record(paper, keys[paper.id]) for paper in papers)


def ris_record(paper: Paper, key: str) -> str:
    """Return the record of one paper. A field that no source states is left out."""
    cited = citation(paper)
    fields = [
        ("TY", "GEN"),
        ("ID", key),
        ("TI", cited.title),
        *(("AU", str(name)) for name in cited.authors),
        ("PB", cited.organisation),
        ("PY", cited.date[:4]),
        ("DA", _date(cited.date)),
        ("T2", cited.venue),
        ("DO", cited.doi),
        ("AN", f"arXiv:{cited.arxiv_id}" if cited.arxiv_id else ""),
        ("UR", cited.url),
        ("N1", cited.note),
    ]
    return "".join(f"{tag}  - {value}\n" for tag, value in fields if value) + "ER  - \n"


def _date(date: str) -> str:
    """Return `YYYY/MM/DD/`, the parts that are not known left empty."""
    parts = [*date.split("-"), "", ""][:3]
    return "/".join(parts) + "/" if date else ""
