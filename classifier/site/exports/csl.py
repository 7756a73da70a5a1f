"""CSL-JSON, one item a paper."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from classifier.corpus.names import Name
from classifier.corpus.paper import Paper
from classifier.site.exports.citation import citation


def csl_json(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the items of all papers, in their order."""
    return csl_list(csl_text(paper, keys[paper.id]) for paper in papers)


def csl_list(items: Iterable[str]) -> str:
    """Return items, each as JSON, as the list that reference managers read."""
    return "[\n" + ",\n".join(items) + "\n]\n"


def csl_text(paper: Paper, key: str) -> str:
    """Return the item of one paper as JSON on one line."""
    return json.dumps(csl_item(paper, key), ensure_ascii=False)


def csl_item(paper: Paper, key: str) -> dict[str, object]:
    """Return the item of one paper. A field that no source states is left out."""
    cited = citation(paper)
    parts = [int(part) for part in cited.date.split("-") if part]
    item: dict[str, object] = {
        "id": key,
        "type": "article",
        "title": cited.title,
        "author": [_author(name) for name in cited.authors],
        "publisher": cited.organisation,
        "issued": {"date-parts": [parts]} if parts else {},
        "container-title": cited.venue,
        "number": f"arXiv:{cited.arxiv_id}" if cited.arxiv_id else "",
        "DOI": cited.doi,
        "URL": cited.url,
        "note": cited.note,
    }
    return {field: value for field, value in item.items() if value}


def _author(name: Name) -> dict[str, str]:
    if not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.given}
