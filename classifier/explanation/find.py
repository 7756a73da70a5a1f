"""The paper that a person means: by id, address, alias or a part of its title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz, process

from classifier.errors import UsageError
from classifier.papers.paper import Paper, clean_arxiv_id, clean_doi
from classifier.text.normalise import display, title_id, title_key

MOST_LISTED = 10
_SUGGESTED = 5
_LEAST_LIKENESS = 60


def find_paper(query: str, papers: Sequence[Paper], aliases: Mapping[str, str]) -> Paper:
    """Return the one paper that `query` names.

    An id, an alias, an arXiv id, a DOI, an address or a whole title name it exactly; else words
    of the title do, if no other title holds them. aliases: every other id -> id.

    Raises UsageError where it names several (they are listed) or none (the likest are).
    """
    query = query.strip()
    found = _named(query, papers, aliases) or _titled(query, papers)
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(_several(query, found))
    raise UsageError(_none(query, papers))


def _named(query: str, papers: Sequence[Paper], aliases: Mapping[str, str]) -> list[Paper]:
    """Return the paper that bears an exact name, if one does."""
    by_id = {paper.id.casefold(): paper for paper in papers}
    also = {alias.casefold(): target.casefold() for alias, target in aliases.items()}
    for name in (query, *_ids(query), title_id(query)):
        name = name.casefold()
        paper = by_id.get(name) or by_id.get(also.get(name, ""))
        if paper:
            return [paper]
    address = _address(query)
    return [paper for paper in papers if address and _address(paper.link) == address]


def _ids(query: str) -> list[str]:
    """Return the ids that an arXiv id, a DOI or an address stands for."""
    arxiv_id, doi = clean_arxiv_id(query), clean_doi(query)
    return [f"arxiv:{arxiv_id}"] * bool(arxiv_id) + [f"doi:{doi}"] * bool(doi)


def _address(url: str) -> str:
    """Return an address in the form in which two are compared; "" for what is none."""
    return url.partition("://")[2].rstrip("/").casefold()


def _titled(query: str, papers: Sequence[Paper]) -> list[Paper]:
    """Return the papers whose title is `query`, whatever its case, blanks and hyphens.

    Where none is, those whose title holds it; else those that hold all of its words.
    """
    titles = [(title_key(paper.title), paper) for paper in papers]
    whole, words = title_key(query), [title_key(word) for word in query.split()]
    if not whole:
        return []
    return (
        [paper for title, paper in titles if whole == title]
        or [paper for title, paper in titles if whole in title]
        or [paper for title, paper in titles if all(word in title for word in words)]
    )


def _several(query: str, found: Sequence[Paper]) -> str:
    more = len(found) - MOST_LISTED
    lines = _listed(found[:MOST_LISTED]) + ([f"  … and {more} more"] if more > 0 else [])
    return "\n".join([f"'{query}' names {len(found)} papers; give an id or more words:", *lines])


def _none(query: str, papers: Sequence[Paper]) -> str:
    names = [f"{paper.id} {display(paper.title)}".casefold() for paper in papers]
    likest = process.extract(
        query.casefold(), names, scorer=fuzz.partial_ratio, limit=_SUGGESTED,
        score_cutoff=_LEAST_LIKENESS,
    )  # fmt: skip
    lines = _listed([papers[position] for _, _, position in likest])
    wanted = "an id, an arXiv id, a DOI, an address or words of a title"
    if not lines:
        return f"No paper is '{query}'; wanted {wanted}."
    return "\n".join([f"No paper is '{query}'; wanted {wanted}. The likest:", *lines])


def _listed(papers: Sequence[Paper]) -> list[str]:
    return [f"  {paper.id}  {paper.title_display}" for paper in papers]
