"""Asking the services for what papers lack: by id where there is one, else by title."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from classifier.errors import FetchError
from classifier.extras.fetch.metadata.lacking import is_complete
from classifier.extras.fetch.metadata.match import Match, best_match, judge
from classifier.extras.fetch.pages import Pages
from classifier.extras.fetch.run import papers_of
from classifier.extras.fetch.service import Service
from classifier.extras.fetch.source import Query, Source
from classifier.extras.fetch.sources import arxiv, crossref, openalex, semantic_scholar
from classifier.papers.paper import Paper
from classifier.progress import Progress, report

CANDIDATES = 5
"""Papers that a service is asked for, for one title."""
AT_ONCE = 50
"""Ids in one request."""

TitleUrl = Callable[[str, int], str]
IdsUrl = Callable[[Sequence[str]], str]

BY_TITLE: Mapping[str, tuple[Source, TitleUrl]] = {
    "openalex": (openalex.SOURCE, openalex.title_url),
    "arxiv": (arxiv.SOURCE, arxiv.title_url),
    "crossref": (crossref.SOURCE, crossref.title_url),
    "semanticscholar": (semantic_scholar.SOURCE, semantic_scholar.title_url),
}
"""Services in the order in which they are asked; the next ones only for what is still lacking."""


@dataclass(slots=True)
class Finder:
    """Asks for papers; a service that fails is not asked again."""

    pages: Pages
    services: Sequence[str] = tuple(BY_TITLE)
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
        self._by_ids(with_id, "arxiv_id", arxiv.SOURCE, arxiv.ids_url, len(papers), found)
        self._by_ids(with_doi, "doi", openalex.SOURCE, openalex.dois_url, len(papers), found)
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
        url_of: IdsUrl,
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
            source, url_of = BY_TITLE[name]
            title = paper.title_display
            answers = self._ask(source, url_of(title, CANDIDATES))
            match = best_match(paper, answers, name)
            if match:
                yield match
                if match.is_safe and is_complete(match.found):
                    return

    def _ask(self, source: Source, url: str) -> list[Paper]:
        service: Service = source.service
        if service.name in self.failures:
            return []
        try:
            page = self.pages.ask(service, url, source.reading(url, Query()))
        except FetchError as error:
            self.failures[service.name] = str(error)
            return []
        found = papers_of(page.records, service.name)
        return [record for record in found if isinstance(record, Paper)]

    def _tell(self, total: int) -> None:
        report(self.progress, "Asking for metadata", self._done, total)
