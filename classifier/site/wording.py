"""How the site writes shares, counts and names of papers and people."""

from __future__ import annotations

from classifier.papers.names import plain_name
from classifier.papers.paper import Paper
from classifier.survey.wording import joined

_NAMED_AUTHORS = 3
_LISTED_AUTHORS = 15


def percent(probability: float) -> str:
    """Return a probability as a whole percentage that never claims certainty it does not have.

    >>> percent(0.834), percent(0.998), percent(0.002), percent(1.0)
    ('83 %', '> 99 %', '< 1 %', '100 %')
    """
    if 0.995 <= probability < 1:
        return "> 99 %"
    if 0 < probability < 0.005:
        return "< 1 %"
    return f"{probability:.0%}".replace("%", " %")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "paper"), counted(12, "paper")
    ('1 paper', '12 papers')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def short_authors(paper: Paper) -> str:
    """Return the authors in one short phrase, the organisation where no author is known, or "".

    >>> short_authors(Paper("T", authors=("Ada One", "Ben Two", "Cy Three", "Di Four")))
    'Ada One et al.'
    """
    if not paper.authors:
        return paper.organisation
    if paper.has_more_authors or len(paper.authors) > _NAMED_AUTHORS:
        return f"{plain_name(paper.authors[0])} et al."
    return joined([plain_name(name) for name in paper.authors])


def all_authors(paper: Paper) -> str:
    """Return the authors that a source names, at most fifteen, and how many more there are."""
    shown = [plain_name(name) for name in paper.authors[:_LISTED_AUTHORS]]
    names = ", ".join(shown)
    more = max(paper.author_count or 0, len(paper.authors)) - len(shown)
    if more <= 0:
        return f"{names} et al." if paper.has_more_authors else names
    return f"{names} and {more} more" if names else counted(more, "author")
