"""CSL-JSON, one item a paper."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from classifier.papers.names import Name
from classifier.papers.paper import Paper
from classifier.site.exports.citation import citation, own_abstract

_FIRST = ("id", "type", "title", "author")
"""What an item begins with; the other variables follow."""


def csl_json(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the items of all papers, in their order."""
    return csl_list(csl_text(paper, keys[paper.id]) for paper in papers)


def csl_list(items: Iterable[str]) -> str:
    """Return items, each as JSON, as the list that reference managers read."""
    return "[\n" + ",\n".join(items) + "\n]\n"


def csl_text(paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False) -> str:
    """Return the item of one paper as JSON on one line."""
    return json.dumps(csl_item(paper, key, tags, abstract=abstract), ensure_ascii=False)


def csl_item(
    paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False
) -> dict[str, object]:
    """Return the item of one paper. A field that no source states is left out.

    tags: keywords beside its own; abstract: whether its abstract stands there, too. The type is
    `article`, CSL's word for a preprint, where no source says what was published.
    """
    cited = citation(paper)
    parts = [int(part) for part in cited.date.split("-") if part]
    item: dict[str, object] = {
        "number": f"arXiv:{cited.arxiv_id}" if cited.arxiv_id else "",
        **cited.details,
        "id": key,
        "type": cited.type or "article",
        "title": cited.title,
        "author": [_author(name) for name in cited.authors],
        "editor": [_author(name) for name in cited.editors],
        "publisher": cited.publisher,
        "issued": {"date-parts": [parts]} if parts else {},
        "container-title": cited.venue,
        "DOI": cited.doi,
        "URL": cited.url,
        "keyword": ", ".join([*cited.keywords, *tags]),
        "note": cited.note,
        "abstract": own_abstract(paper) if abstract else "",
    }
    return {field: item[field] for field in (*_FIRST, *item) if item.get(field)}


def _author(name: Name) -> dict[str, str]:
    if not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.given}
