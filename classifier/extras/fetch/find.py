"""Asking the services for what papers lack: by id where there is one, else by title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from classifier.errors import FetchError
from classifier.extras.fetch.run import papers_of
from classifier.extras.fetch.source import Query, Source
from classifier.extras.fetch.sources import SOURCES, arxiv_ids, openalex_dois
from classifier.papers.match import SAME_ABSTRACT, near_titles
from classifier.papers.names import split_name
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.text.normalise import title_key, tokens

if TYPE_CHECKING:
    from classifier.extras.fetch.pages import Pages

CANDIDATES = 5
"""Papers that a service is asked for, for one title."""
AT_ONCE = 50
"""Ids in one request."""

BY_TITLE = tuple(name for name, source in SOURCES.items() if source.titled)
"""Services in the order in which they are asked; the next ones only for what is still lacking."""


@dataclass(slots=True)
class Finder:
    """Asks for papers; a service that fails is not asked again."""

    pages: Pages
    services: Sequence[str] = BY_TITLE
    progress: Progress | None = None
    failures: dict[str, str] = field(default_factory=dict)
    """Name of a service that failed -> why."""
    _done: int = 0

    def find(self, papers: Sequence[Paper]) -> dict[str, tuple[Match, ...]]:
        """Return id of a paper -> its matches, in the order of the services; maybe none."""
        found: dict[str, list[Match]] = {paper.id: [] for paper in papers}
        ask_arxiv, ask_openalex = "arxiv" in self.services, "openalex" in self.services
        with_id = [paper for paper in papers if paper.arxiv_id and ask_arxiv]
        with_doi = [paper for paper in papers if paper.doi and not paper.arxiv_id and ask_openalex]
        self._by_ids(with_id, "arxiv_id", SOURCES["arxiv"], arxiv_ids, len(papers), found)
        self._by_ids(with_doi, "doi", SOURCES["openalex"], openalex_dois, len(papers), found)
        for paper in papers:
            if not paper.arxiv_id and not paper.doi:
                self._tell(len(papers))
                found[paper.id] += self._by_title(paper)
                self._done += 1
        self._tell(len(papers))
        return {paper_id: tuple(matches) for paper_id, matches in found.items()}

    def _by_ids(
        self,
        papers: Sequence[Paper],
        name: str,
        source: Source,
        url_of: Callable[[Sequence[str]], str],
        total: int,
        found: dict[str, list[Match]],
    ) -> None:
        """Add to `found` what a service knows under the ids that papers have as `name`."""
        for start in range(0, len(papers), AT_ONCE):
            self._tell(total)
            part = papers[start : start + AT_ONCE]
            ids = [getattr(paper, name) for paper in part]
            answers = {getattr(each, name): each for each in self._ask(source, url_of(ids))}
            for paper, known in zip(part, ids, strict=True):
                if known in answers:
                    service = source.service.name
                    found[paper.id].append(judge(paper, answers[known], service, by_id=True))
            self._done += len(part)

    def _by_title(self, paper: Paper) -> Iterator[Match]:
        """Yield the best match of each service until a safe one is complete."""
        if not any(sign.isalnum() for sign in paper.title):
            return
        for name in self.services:
            source = SOURCES[name]
            assert source.titled
            answers = self._ask(source, source.titled(paper.title_display, CANDIDATES))
            match = best_match(paper, answers, name)
            if match:
                yield match
                if match.is_safe and is_complete(match.found):
                    return

    def _ask(self, source: Source, url: str) -> list[Paper]:
        service = source.service.name
        if service in self.failures:
            return []
        try:
            page = self.pages.ask(source.service, url, source.reading(url, Query()))
        except FetchError as error:
            self.failures[service] = str(error)
            return []
        found = papers_of(page.records, service)
        return [record for record in found if isinstance(record, Paper)]

    def _tell(self, total: int) -> None:
        report(self.progress, "Asking for metadata", self._done, total)


def lacking(papers: Iterable[Paper]) -> list[Paper]:
    """Return the papers that are not `is_complete`, in their order."""
    return [paper for paper in papers if not is_complete(paper)]


def is_complete(paper: Paper) -> bool:
    """Return whether a paper has an arXiv id or DOI, authors, a date, and an abstract or digest."""
    known = paper.authors and paper.published.date and paper.abstract_kind != "none"
    return bool(known and (paper.arxiv_id or paper.doi))


SAFE = 0.97
"""Similarity of titles from which nothing else need agree."""
SAFE_AGREED = 0.9
"""Similarity of titles from which a match is safe where authors or abstract agree."""
MIN_SHOWN = 0.6
MIN_LETTERS = 20
"""Of a title that is safe alone."""
DISAGREEMENT = 0.7
MAX_YEARS = 2
"""Between a preprint and its article."""
_MIN_WORDS = 20


@dataclass(frozen=True, slots=True)
class Match:
    """A found paper, judged."""

    found: Paper
    source: str
    """The name of the service."""
    score: float
    """0 to 1."""
    is_safe: bool
    why: str
    """What agrees and what does not, for a person."""


def judge(meant: Paper, found: Paper, source: str, *, by_id: bool = False) -> Match:
    """Judge whether `found` is the paper `meant`; by_id: it was asked for by its id or DOI."""
    similarity = fuzz.ratio(title_key(meant.title), title_key(found.title)) / 100
    agreeing, disagreeing = _compared(meant, found)
    same = title_key(meant.title) == title_key(found.title)
    if similarity >= SAFE_AGREED and not same and not near_titles(meant.title, found.title):
        disagreeing.append("numbers or a short title differ")
    score = similarity * DISAGREEMENT ** len(disagreeing)
    long_enough = len(title_key(meant.title)) >= MIN_LETTERS
    alone = similarity >= SAFE and long_enough
    agreed = similarity >= SAFE_AGREED and (bool(agreeing) or by_id)
    parts = ["same title" if same else f"titles {similarity:.0%} alike"]
    parts += ["asked for by its id"] if by_id else []
    parts += [f"{word} agree" for word in agreeing] + disagreeing
    if same and not long_enough and not agreeing and not by_id:
        parts.append("others may have so short a title")
    is_safe = (alone or agreed) and not disagreeing
    return Match(found, source, round(score, 2), is_safe, "; ".join(parts))


def best_match(meant: Paper, found: Sequence[Paper], source: str) -> Match | None:
    """Return the best of some found papers, or None where none is worth showing.

    Where another is as good and has other authors, the best is not safe.
    """
    judged = [judge(meant, paper, source) for paper in found]
    judged.sort(key=lambda match: (-match.score, match.found.arxiv_id, match.found.doi))
    if not judged or judged[0].score < MIN_SHOWN:
        return None
    best = judged[0]
    for other in judged[1:]:
        if other.is_safe and _authors_disagree(best.found, other.found):
            why = f"{best.why}; another paper has this title too"
            return Match(best.found, source, best.score, False, why)
    return best


def _compared(meant: Paper, found: Paper) -> tuple[list[str], list[str]]:
    """Return what agrees and what disagrees of that which both state."""
    agreeing: list[str] = []
    disagreeing: list[str] = []
    if meant.authors and found.authors:
        differ = _authors_disagree(meant, found)
        (disagreeing if differ else agreeing).append("other authors" if differ else "authors")
    if meant.published.year and found.published.year:
        apart = abs(int(meant.published.year) - int(found.published.year))
        if apart > MAX_YEARS:
            disagreeing.append(f"{meant.published.year} and {found.published.year}")
    if meant.abstract_kind == found.abstract_kind == "abstract":
        a, b = set(tokens(meant.abstract)), set(tokens(found.abstract))
        shorter = min(len(a), len(b))
        if shorter >= _MIN_WORDS:
            differ = len(a & b) / shorter < SAME_ABSTRACT
            word = "another abstract" if differ else "abstracts"
            (disagreeing if differ else agreeing).append(word)
    return agreeing, disagreeing


def _authors_disagree(first: Paper, second: Paper) -> bool:
    """Return whether not even half of the shorter list of family names is in the longer one."""
    a, b = _family_names(first), _family_names(second)
    return bool(a and b) and len(a & b) * 2 < min(len(a), len(b))


def _family_names(paper: Paper) -> set[str]:
    return {title_key(split_name(name).family) for name in paper.authors} - {""}
