"""Cite keys that stay the same whatever else is learned of a paper, or of other papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from classifier.papers.paper import Paper
from classifier.survey.entry import slug_of

# What BibTeX, BibLaTeX and \cite take, in every reference manager.
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._/+-]{0,79}")


def cite_key(paper_id: str) -> str:
    """Return the cite key that a paper has by itself: its id, as in the address of its page.

    A key of author, year and title reads better, but a date or an author that a source adds, or
    another paper that would have the same one, changes it in texts that cite it.

    >>> cite_key("arxiv:2401.10230")
    'arxiv-2401.10230'
    """
    return slug_of(paper_id)


def cite_keys(papers: Iterable[Paper]) -> dict[str, str]:
    """Return paper id -> cite key; `papers` are all of the survey, not a selection.

    The key under which a person's own file holds the paper is kept where it is one, and no other
    paper has it, in whatever case (BibTeX knows none): their texts cite it already. Any other paper
    goes by `cite_key`.
    """
    papers = list(papers)
    keys = {paper.id: cite_key(paper.id) for paper in papers}
    own = {paper.id: paper.detail("citation-key") for paper in papers}
    taken = Counter(key.lower() for key in (*own.values(), *keys.values()))
    return {
        paper_id: own[paper_id] if _is_free(own[paper_id], key, taken) else key
        for paper_id, key in keys.items()
    }


def other_keys(paper_id: str, key: str, aliases: Iterable[str] = ()) -> list[str]:
    """Return the further keys of a paper that is cited as `key`: those of its ids, old and new."""
    known = dict.fromkeys(map(cite_key, (paper_id, *aliases)))
    return [other for other in known if other != key]


def _is_free(own: str, by_id: str, taken: Counter[str]) -> bool:
    uses = 1 + (own.lower() == by_id.lower())
    return bool(_KEY.fullmatch(own)) and taken[own.lower()] == uses
