"""`fetch metadata`: what papers lack, found at the services and written into papers/.

A match that is safe is taken. Of a doubtful one a person decides in taxonomy/identity.csv, as of
all identity: `same` has it asked for by its id and taken, `different` keeps it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.papers_file import join_papers, papers_of, read_rows, rows_bytes
from classifier.extras.fetch.source import Query, Source
from classifier.extras.fetch.sources import SOURCES, arxiv_ids, openalex_dois
from classifier.files.table import csv_bytes, read_table
from classifier.files.writing import make_folder, sole_writer, write_file
from classifier.papers.compare import SAME_ABSTRACT, near_titles
from classifier.papers.identity import COLUMNS, Identity, own_ids, read_identity
from classifier.papers.load import load_papers
from classifier.papers.merge import combine
from classifier.papers.names import split_name
from classifier.papers.paper import Paper, mint_id
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy
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
            return replace(best, is_safe=False, why=why)
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


@dataclass(frozen=True, slots=True)
class Completed:
    """What was found of papers that lack something."""

    lacking: int
    """Papers that lack an id, authors, a date or an abstract."""
    asked: int
    taken: Mapping[str, Paper]
    """Id of a paper -> what its safe matches know of it."""
    doubtful: Mapping[str, tuple[Paper, Match]]
    """Id of a paper -> it and the best of its matches, of which none is safe."""
    new: int
    """Papers that the file did not hold."""
    updated: int
    aliases: int
    """Old ids that lead to better ones now."""
    failures: Mapping[str, str]
    """Name of a service that failed -> why."""


def papers_file(project: Project) -> Path:
    """Return where what was found is kept."""
    return project.root / "papers" / "metadata.jsonl"


def complete_metadata(
    project: Project,
    files: Sequence[Path],
    pages: Pages,
    *,
    services: Sequence[str] = (),
    limit: int | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Completed:
    """Ask for what papers lack, and write what is safe; their old ids go on working.

    files: what to complete; by default the project's papers. services: names of `BY_TITLE`, in the
    order in which they are asked. The papers are written before the ids, each file as a whole: cut
    off in between, the next run finishes. Raises UsageError for another service, InputError for
    faults of the papers, OutputError where nothing can be written.
    """
    unknown = [name for name in services if name not in BY_TITLE]
    if unknown:
        raise UsageError(f"--service {unknown[0]}: is none; expected one of {', '.join(BY_TITLE)}.")
    path = papers_file(project)
    with ExitStack() as stack:
        if not dry_run:
            make_folder(path.parent)
            for each in (path, project.identity_file):
                stack.enter_context(sole_writer(each))
        rows = read_rows(path, project.shown(path))  # its faults are told before anybody is asked
        identity = read_identity(project.identity_file, project.shown(project.identity_file))
        if not files:
            sources = load_taxonomy(project.taxonomy_file).taxonomy.survey.sources
            files = project.paper_files(sources)
        held = load_papers(files, project.root, identity=identity, progress=progress)
        papers = lacking(held.papers)
        expected = [_named(paper) for paper in papers[:limit]]
        finder = Finder(pages, services or BY_TITLE, progress)
        found = finder.find(expected)
        taken: dict[str, Paper] = {}
        doubtful: dict[str, tuple[Paper, Match]] = {}
        vouched = {paper.id for paper in papers if paper.id not in own_ids(replace(paper, id=""))}
        for paper in expected:
            matches = [m for m in found[paper.id] if not _are_different(identity, paper, m.found)]
            safe = [
                m
                for m in matches
                if m.is_safe or (paper.id in vouched and paper.id in own_ids(m.found))
            ]
            if safe and len({m.found.arxiv_id for m in safe} - {""}) < 2:
                taken[paper.id] = _completed(paper, [m.found for m in safe])
            elif matches:
                doubtful[paper.id] = (paper, max(matches, key=lambda match: match.score))
        joined = join_papers(rows, taken.values())
        aliases = {old: new.id for old, new in taken.items() if old != new.id}
        if not dry_run:
            if joined.new or joined.updated:
                write_file(path, rows_bytes(joined.rows))
            if aliases:
                write_file(project.identity_file, _identity_bytes(project, aliases))
    counts = joined.new, joined.updated, len(aliases)
    return Completed(len(papers), len(expected), taken, doubtful, *counts, finder.failures)


def _named(paper: Paper) -> Paper:
    """Return a paper with the arXiv id or DOI that a verdict of a person gives it."""
    kind, _, number = paper.id.partition(":")
    if kind == "arxiv" and not paper.arxiv_id:
        return replace(paper, arxiv_id=number)
    if kind == "doi" and not paper.doi:
        return replace(paper, doi=number)
    return paper


def _are_different(identity: Identity, paper: Paper, found: Paper) -> bool:
    """Say whether a person holds them apart, or the paper for another than the one found."""
    pairs = {tuple(sorted((paper.id, each))) for each in own_ids(found)}
    return bool(pairs & set(identity.different))


def _completed(paper: Paper, found: Sequence[Paper]) -> Paper:
    """Return what was found; a better id takes the place of a title's only."""
    known = combine(found)
    minted = mint_id(known)
    stays = not paper.id.startswith("p-") or minted.startswith("p-")
    return replace(known, id=paper.id if stays else minted)


def _identity_bytes(project: Project, aliases: Mapping[str, str]) -> bytes:
    """Return identity.csv with more aliases; what led to an old id leads to its better one."""
    path = project.identity_file
    rows = read_table(path, project.shown(path)) if path.exists() else []
    columns = list(rows[0].cells) if rows else list(COLUMNS)
    kept = [dict(row.cells) for row in rows]
    for row in kept:
        if row["verdict"].strip().lower() == "same":
            row["id"] = aliases.get(row["id"].strip(), row["id"])
    kept += [{"id": new, "alias": old, "verdict": "same"} for old, new in sorted(aliases.items())]
    return csv_bytes(columns, [[row.get(column, "") for column in columns] for row in kept])
