"""What a reference says of a paper, in whatever format: one line a field, nothing made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from unicodedata import category

from classifier.papers.names import Name, split_name
from classifier.papers.paper import Paper
from classifier.site.paths import web_address

_MAX_CITED_AUTHORS = 30


@dataclass(frozen=True, slots=True)
class Citation:
    """The fields of a reference; one that no source states is "" or empty."""

    title: str
    authors: tuple[Name, ...]
    has_more_authors: bool
    """Whether the source has more authors than it names: it counts them, or says “and others”."""
    organisation: str
    date: str
    """`2025-10-15`, `2025-10` or `2025`."""
    venue: str
    arxiv_id: str
    doi: str
    url: str
    """An http or https address."""
    note: str
    """What is missing, such as `incomplete: no authors; no date`, or ""."""
    keywords: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    """What `Paper.reference` states: CSL variable -> text."""

    @property
    def type(self) -> str:
        """The CSL type, or ""."""
        return self.details.get("type", "")

    @property
    def publisher(self) -> str:
        """Who published it; where no source says, the organisation."""
        return self.details.get("publisher", "") or self.organisation

    @property
    def editors(self) -> tuple[Name, ...]:
        """The editors of the volume that it stands in."""
        stated = self.details.get("editor", "")
        return names(stated.split(";")) if stated else ()


@lru_cache(maxsize=2**14)  # every format and the head of the page ask for the same
def citation(paper: Paper) -> Citation:
    """Return what references say of a paper."""
    authors = names(paper.authors)
    return Citation(
        title=one_line(paper.title_display),
        authors=authors,
        has_more_authors=paper.has_more_authors,
        organisation=one_line(paper.organisation),
        date=paper.published.date,
        venue=one_line(paper.venue),
        arxiv_id=paper.arxiv_id,
        doi=paper.doi,
        url=web_address(paper.link),
        note=_incomplete(paper, len(authors)),
        keywords=_lines(paper.keywords),
        collections=_lines(paper.collections),
        details={name: one_line(text) for name, text in paper.reference},
    )


def with_few_authors(paper: Paper) -> Paper:
    """Return the paper as a text cites it: of hundreds of authors the first, "and others"."""
    if len(paper.authors) <= _MAX_CITED_AUTHORS:
        return paper
    count = max(len(paper.authors), paper.author_count or 0)
    return replace(paper, authors=paper.authors[:_MAX_CITED_AUTHORS], author_count=count)


def own_abstract(paper: Paper) -> str:
    """Return the authors' abstract on one line; a digest is the editors', and no reference's."""
    return one_line(paper.abstract_display) if paper.abstract_kind == "abstract" else ""


def names(texts: Iterable[str]) -> tuple[Name, ...]:
    """Return names taken apart; what holds none is left out."""
    taken_apart = (split_name(one_line(text)) for text in texts)
    return tuple(name for name in taken_apart if name.family)


def one_line(text: str) -> str:
    r"""Return text with single blanks and without characters that cannot be printed.

    >>> one_line("Crows\n  of \x07May")
    'Crows of May'
    """
    if not text.isprintable():
        text = "".join(c for c in text if c.isspace() or not category(c).startswith("C"))
    return " ".join(text.split())


def _lines(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(line for line in map(one_line, texts) if line)


def _incomplete(paper: Paper, named: int) -> str:
    missing = []
    if (paper.author_count or 0) > named:
        missing.append(f"{named} of {paper.author_count} authors")
    elif not named:
        missing.append("no authors")
    elif paper.has_more_authors:
        missing.append("not all authors")
    if not paper.published.date:
        missing.append("no date")
    if not web_address(paper.link):
        missing.append("no address")
    return f"incomplete: {'; '.join(missing)}" if missing else ""
