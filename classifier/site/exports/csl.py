"""CSL-JSON, one item a paper."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from classifier.corpus.paper import Paper
from classifier.site.exports.names import split_name
from classifier.site.paths import web_address


def csl_json(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the items of all papers, in their order."""
    items = [csl_item(paper, keys[paper.id]) for paper in papers]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def csl_item(paper: Paper, key: str) -> dict[str, object]:
    """Return the item of one paper. A field that no source states is left out."""
    date = paper.published.date
    item: dict[str, object] = {
        "id": key,
        "type": "article",
        "title": paper.title_display,
        "author": [_author(name) for name in paper.authors],
        "publisher": paper.organisation,
        "issued": {"date-parts": [[int(part) for part in date.split("-")]]} if date else {},
        "container-title": paper.venue,
        "number": f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else "",
        "DOI": paper.doi,
        "URL": web_address(paper.link),
    }
    return {field: value for field, value in item.items() if value}


def _author(text: str) -> dict[str, str]:
    name = split_name(text)
    if not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.given}
