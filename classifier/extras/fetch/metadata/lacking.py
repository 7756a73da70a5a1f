"""Which papers of a corpus lack what a service may know."""

from __future__ import annotations

from collections.abc import Iterable

from classifier.papers.paper import Paper


def lacking(papers: Iterable[Paper]) -> list[Paper]:
    """Return the papers that are not `is_complete`, in their order."""
    return [paper for paper in papers if not is_complete(paper)]


def is_complete(paper: Paper) -> bool:
    """Return whether a paper has an arXiv id or DOI, authors, a date, and an abstract or digest."""
    known = paper.authors and paper.published.date and paper.abstract_kind != "none"
    return bool(known and (paper.arxiv_id or paper.doi))
