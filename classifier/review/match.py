"""Which paper a row of a sheet means: by id, by an older id, by title."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from classifier.errors import Fault
from classifier.papers.paper import Paper, clean_arxiv_id, clean_doi, is_well_formed_id
from classifier.review.ledger import Ledger
from classifier.review.sheet_file import refused
from classifier.review.spelling import plain
from classifier.text.normalise import title_id, title_key


@dataclass(frozen=True, slots=True)
class Match:
    """The paper that a row means."""

    paper_id: str
    title: str
    """As the corpus has it, else the ledger."""


@dataclass(frozen=True)
class KnownPapers:
    """Every paper that a row may mean: those of the corpus, and those that left it."""

    titles: Mapping[str, str]
    """Id -> title, of the papers in the corpus."""
    aliases: Mapping[str, str]
    """Every other id by which a paper of the corpus is known -> its id."""
    former: Mapping[str, str]
    """Id -> title, of papers that only the ledger knows."""

    @classmethod
    def of(cls, papers: Iterable[Paper], aliases: Mapping[str, str], ledger: Ledger) -> KnownPapers:
        """Return the papers of a corpus and of a ledger."""
        titles = {paper.id: paper.title for paper in papers}
        former = {
            entry.id: entry.title
            for entry in ledger.entries
            if aliases.get(entry.id, entry.id) not in titles
        }
        return cls(titles, aliases, former)

    def has(self, id_cell: str, title: str) -> bool:
        """Say at a glance whether a row's id, or its title as the corpus has it, is known."""
        return id_cell.casefold() in self._folded or title in self._exact_titles

    def find(self, id_cell: str, title: str) -> Match | Fault:
        """Return the paper that a row means by its id, else by its title.

        An id of the corpus goes before a title of the corpus, and that before an id that only the
        ledger knows. A title that is another paper's is refused: rows got out of step.
        """
        by_id = self._by_id(id_cell)
        if by_id is not None and by_id in self.titles:
            return self._confirmed(by_id, self.titles[by_id], title)
        by_title = self._by_title(title)
        if len(by_title) > 1:
            wanted = f"the title of one paper, not of {', '.join(by_title)}"
            return refused("title", _quoted(title), wanted, "Put the id of the paper into id.")
        if by_id is not None and not (by_title and _is_same(self.former[by_id], title)):
            return self._confirmed(by_id, self.former[by_id], title)
        if by_title:
            return Match(by_title[0], self.titles[by_title[0]])
        wanted = "the id, or the title, of a paper in the corpus or the ledger"
        return refused("id", _quoted(id_cell), wanted, "Put back the id that Fieldguide wrote.")

    def _by_id(self, cell: str) -> str | None:
        """Return the id of a paper, however it is written; None where no paper has it."""
        text = plain(cell)
        for name in (text, *(() if is_well_formed_id(text) else _readings(text))):
            known = self._folded.get(name.casefold())
            if known is not None:
                return known
        return None

    def _by_title(self, title: str) -> list[str]:
        """Return the papers of the corpus that have a title, or had it before they were merged."""
        if not title.strip():
            return []
        merged = self.aliases.get(title_id(title))
        return self._titled.get(title_key(title), [merged] if merged else [])

    def _confirmed(self, paper_id: str, known: str, title: str) -> Match | Fault:
        """Return a paper that was found by its id, unless the title is another paper's."""
        if _is_same(known, title):
            return Match(paper_id, known)
        others = self._by_title(title)
        if others and paper_id not in others:
            wanted = f"{_quoted(known)}, the title of {paper_id}"
            cure = f"It is the title of {others[0]}; rows may have got out of step."
            return refused("title", _quoted(title), wanted, cure)
        return Match(paper_id, known)

    @cached_property
    def _folded(self) -> dict[str, str]:
        """Id or alias, in lower case -> id; what the corpus says goes before the ledger."""
        known = {name.casefold(): name for name in self.former}
        known |= {alias.casefold(): target for alias, target in self.aliases.items()}
        return known | {name.casefold(): name for name in self.titles}

    @cached_property
    def _exact_titles(self) -> frozenset[str]:
        return frozenset(self.titles.values())

    @cached_property
    def _titled(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for paper_id, title in self.titles.items():
            found.setdefault(title_key(title), []).append(paper_id)
        return found


def _readings(text: str) -> list[str]:
    """Return the ids that an arXiv id, a DOI or an address stands for."""
    arxiv_id, doi = clean_arxiv_id(text), clean_doi(text)
    return [f"arxiv:{arxiv_id}"] * bool(arxiv_id) + [f"doi:{doi}"] * bool(doi)


def _is_same(known: str, title: str) -> bool:
    """Say whether a title is the known one; an empty one says nothing."""
    told = title.strip()
    return not told or known.strip() == told or title_key(known) == title_key(told)


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return f"'{text if len(text) <= 80 else text[:79] + '…'}'" if text else "an empty cell"
