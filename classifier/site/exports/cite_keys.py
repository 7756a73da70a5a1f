"""Cite keys that stay the same whatever else is learned of a paper, or of other papers."""

from __future__ import annotations

from collections.abc import Iterable

from classifier.corpus.paper import Paper
from classifier.survey.edition import slug_of


def cite_key(paper_id: str) -> str:
    """Return the cite key of a paper: its id, written as in the address of its page.

    A key of author, year and title reads better, but a date or an author that a source adds, or
    another paper that would have the same one, changes it in texts that cite it.

    >>> cite_key("arxiv:2401.10230")
    'arxiv-2401.10230'
    """
    return slug_of(paper_id)


def cite_keys(papers: Iterable[Paper]) -> dict[str, str]:
    """Return paper id -> cite key."""
    return {paper.id: cite_key(paper.id) for paper in papers}
