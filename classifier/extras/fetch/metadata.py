"""`fetch metadata`: find missing fields and retractions of papers, and write them into papers/.

Reliable matches are used. For an uncertain match, a person decides in taxonomy/identity.csv: with
`same`, the next run looks the paper up by its id; `different` rejects the match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from rapidfuzz import fuzz

from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.client import Client
from classifier.extras.fetch.papers_file import read_records
from classifier.extras.fetch.rows import Row, join_papers, read_rows, rows_bytes
from classifier.extras.fetch.services import (
    BATCH,
    BY_TITLE,
    SEARCHES,
    Fields,
    arxiv_by_id,
    crossref_by_doi,
    openalex_by_doi,
)
from classifier.files.lock import sole_writer
from classifier.files.table import csv_bytes, read_table
from classifier.files.writing import make_folder, write_file
from classifier.papers.compare import are_similar_titles
from classifier.papers.identity import COLUMNS, Identity, own_ids, read_identity
from classifier.papers.load import load_papers
from classifier.papers.merge import combine_records
from classifier.papers.names import People
from classifier.papers.paper import Paper, mint_id
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy
from classifier.text.normalise import title_key

T = TypeVar("T")

MIN_SIMILARITY = 0.6
"""Similarity of titles below which a match is not reported."""
MIN_LETTERS = 20
"""Minimum length of a title that is safe on its own."""
MAX_YEARS = 2
"""Maximum number of years between a preprint and its article."""


@dataclass(frozen=True, slots=True)
class Match:
    """A paper that was found, compared with the paper that was looked up."""

    found: Paper
    similarity: float
    """Similarity of the titles, 0 to 1."""
    is_safe: bool
    reason: str
    """What agrees and what differs."""


@dataclass(slots=True)
class Completed:
    """The result of `fetch metadata`."""

    n_lacking: int = 0
    """Papers without an id, authors, a date or an abstract."""
    n_looked_up: int = 0
    taken: dict[str, Paper] = field(default_factory=dict)
    """Id of a paper -> what safe matches state."""
    doubtful: dict[str, tuple[Paper, Match]] = field(default_factory=dict)
    """Id of a paper -> the paper and its best match, which is not safe."""
    retracted: dict[str, Paper] = field(default_factory=dict)
    """Id of a paper -> the paper, if a service says that it was retracted."""
    new: int = 0
    updated: int = 0
    n_aliases: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    """Name of a service that failed -> reason."""


def is_complete(paper: Paper) -> bool:
    """Return whether a paper has an arXiv id or DOI, authors, a date, and an abstract or digest."""
    has_text = paper.abstract_kind != "none"
    return bool(
        (paper.arxiv_id or paper.doi) and paper.authors and paper.published.date and has_text
    )


def papers_file(project: Project) -> Path:
    """Return the file that `fetch metadata` writes."""
    return project.root / "papers" / "metadata.jsonl"


def complete_metadata(
    project: Project,
    files: Sequence[Path],
    client: Client,
    *,
    services: Sequence[str] = (),
    limit: int | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Completed:
    """Look papers up, and write reliable matches and retractions; former ids stay valid.

    files: papers to complete; by default the project's. services: names in `BY_TITLE`; by default
    all. Raises UsageError for another name, InputError for faults in the papers, and OutputError if
    a file cannot be written.
    """
    unknown = [name for name in services if name not in BY_TITLE]
    if unknown:
        expected = ", ".join(BY_TITLE)
        raise UsageError(f"--service {unknown[0]}: unknown service; expected one of {expected}.")
    path, identity_file = papers_file(project), project.identity_file
    if dry_run:
        return _complete(project, files, client, services, limit, progress)[0]
    make_folder(path.parent)
    with sole_writer(path), sole_writer(identity_file):
        done, rows, aliases = _complete(project, files, client, services, limit, progress)
        if done.new or done.updated:
            write_file(path, rows_bytes(rows))
        if aliases:
            write_file(identity_file, _identity_bytes(project, aliases))
    return done


def _complete(
    project: Project, files: Sequence[Path], client: Client, services: Sequence[str],
    limit: int | None, progress: Progress | None,
) -> tuple[Completed, Sequence[Row], Mapping[str, str]]:  # fmt: skip
    """Return the result, the rows of papers/metadata.jsonl, and new ids by former id."""
    path = papers_file(project)
    rows = read_rows(path, project.shown(path))  # Report its faults before the network is used.
    identity = read_identity(project.identity_file, project.shown(project.identity_file))
    if not files:
        files = project.paper_files(load_taxonomy(project.taxonomy_file).taxonomy.survey.sources)
    papers = load_papers(files, project.root, identity=identity, progress=progress).papers
    done = _look_up(papers, identity, client, services or tuple(BY_TITLE), limit, progress)
    marks = [
        Paper(
            paper.title, id=key, arxiv_id=paper.arxiv_id, doi=paper.doi, retracted=paper.retracted
        )
        for key, paper in done.retracted.items()
        if key not in done.taken
    ]
    joined = join_papers(rows, [*done.taken.values(), *marks])
    aliases = {old: new.id for old, new in done.taken.items() if old != new.id}
    done.new, done.updated, done.n_aliases = joined.new, joined.updated, len(aliases)
    return done, joined.rows, aliases


def _look_up(
    papers: Sequence[Paper], identity: Identity, client: Client, services: Sequence[str],
    limit: int | None, progress: Progress | None,
) -> Completed:  # fmt: skip
    """Look papers up in the services, without writing anything."""
    lacking = [_with_chosen_id(paper) for paper in papers if not is_complete(paper)]
    selected = lacking[:limit]
    # Ids that a person chose in identity.csv: the records state no such id.
    chosen = {paper.id for paper in papers if paper.id not in own_ids(replace(paper, id=""))}
    done = Completed(len(lacking), len(selected))

    def find_papers(
        service: str, search: Callable[[Client, T], list[Fields]], words: T
    ) -> list[Paper]:
        """Return the papers that a service finds.

        After a service has failed, it is not used again.
        """
        if service not in services or service in done.failures:
            return []
        try:
            records = read_records(search(client, words), SEARCHES[service][0])
            return [record for record in records if isinstance(record, Paper)]
        except FetchError as error:
            done.failures[service] = str(error)
            return []

    found: dict[str, list[Paper]] = defaultdict(list)
    for ids in _batches(paper.arxiv_id for paper in selected):
        for each in find_papers("arxiv", arxiv_by_id, ids):
            found[f"arxiv:{each.arxiv_id}"].append(each)
    for ids in _batches(paper.doi for paper in (*papers, *selected)):
        by_doi = find_papers("openalex", openalex_by_doi, ids)
        for each in by_doi + find_papers("crossref", crossref_by_doi, ids):
            found[f"doi:{each.doi}"].append(each)
    for position, paper in enumerate(selected):
        report(progress, "Looking papers up", position, len(selected))
        matches: list[Match] = []
        if paper.arxiv_id or paper.doi:
            known = found[f"arxiv:{paper.arxiv_id}"] + found[f"doi:{paper.doi}"]
            # The record of a retraction has the DOI in place of a title.
            matches = [
                compare_candidate(paper, each, by_id=True)
                for each in known
                if each.title != each.doi
            ]
        elif title_key(paper.title):
            for name, search in BY_TITLE.items():
                match = best_match(paper, find_papers(name, search, paper.title_display))
                if match:
                    matches.append(match)
                    if match.is_safe and is_complete(match.found):
                        break
        _decide(paper, matches, identity, paper.id in chosen, done)
    for paper in papers:
        sources = {each.retracted for each in found[f"doi:{paper.doi}"]} - {""}
        if paper.doi and sources and not paper.retracted:
            done.retracted[paper.id] = replace(paper, retracted="; ".join(sorted(sources)))
    return done


def _batches(ids: Iterable[str]) -> Iterator[list[str]]:
    """Yield the distinct ids in batches of the largest size that one request may have."""
    distinct = sorted({*ids} - {""})
    for start in range(0, len(distinct), BATCH):
        yield distinct[start : start + BATCH]


def _decide(
    paper: Paper, matches: Sequence[Match], identity: Identity, is_chosen: bool, done: Completed
) -> None:
    """Record the reliable matches of a paper or, without any, its best uncertain match."""
    rejected = {other for pair in identity.different if paper.id in pair for other in pair}
    rejected.discard(paper.id)
    possible = [match for match in matches if rejected.isdisjoint(own_ids(match.found))]
    safe = [
        match
        for match in possible
        if match.is_safe or (is_chosen and paper.id in own_ids(match.found))
    ]
    if safe and len({match.found.arxiv_id for match in safe} - {""}) < 2:
        known = combine_records([match.found for match in safe])
        minted = mint_id(known)
        keeps_id = not paper.id.startswith("p-") or minted.startswith("p-")
        done.taken[paper.id] = replace(known, id=paper.id if keeps_id else minted)
    elif possible:
        done.doubtful[paper.id] = paper, max(possible, key=lambda match: match.similarity)


def compare_candidate(paper: Paper, candidate: Paper, *, by_id: bool = False) -> Match:
    """Compare a paper with a candidate that a service found.

    by_id: whether it was looked up by its arXiv id or DOI.
    """
    key, found_key = title_key(paper.title), title_key(candidate.title)
    similarity = fuzz.ratio(key, found_key) / 100
    is_same, is_long = key == found_key, len(key) >= MIN_LETTERS
    agreeing = ["id"] if by_id else []
    differing: list[str] = []
    if paper.authors and candidate.authors:
        (differing if _authors_differ(paper, candidate) else agreeing).append("authors")
    years = paper.published.year, candidate.published.year
    if all(years) and abs(int(years[0]) - int(years[1])) > MAX_YEARS:
        differing.append("years")
    is_near = are_similar_titles(paper.title, candidate.title)
    is_safe = is_near and not differing and bool(agreeing or (is_same and is_long))
    parts = ["same title" if is_same else f"titles {similarity:.0%} similar"]
    if agreeing:
        parts.append(f"{', '.join(agreeing)} agree")
    if differing:
        parts.append(f"{', '.join(differing)} differ")
    if is_same and not agreeing and not is_long:
        parts.append("a short title may have several papers")
    return Match(candidate, round(similarity, 2), is_safe, "; ".join(parts))


def best_match(paper: Paper, candidates: Sequence[Paper]) -> Match | None:
    """Return the best match, or None if no title is similar.

    The match is marked as uncertain if another reliable match has different authors.
    """

    def rank(match: Match) -> tuple[bool, float, str, str]:
        """Return the sort key of a match."""
        return not match.is_safe, -match.similarity, match.found.arxiv_id, match.found.doi

    matches = sorted((compare_candidate(paper, each) for each in candidates), key=rank)
    if not matches or matches[0].similarity < MIN_SIMILARITY:
        return None
    best = matches[0]
    if any(other.is_safe and _authors_differ(best.found, other.found) for other in matches[1:]):
        return replace(best, is_safe=False, reason=f"{best.reason}; another paper has this title")
    return best


def _authors_differ(first_paper: Paper, second_paper: Paper) -> bool:
    """Return whether both papers have authors, but none in common."""
    if not (first_paper.authors and second_paper.authors):
        return False
    return People.from_authors(first_paper.authors).have_no_common_person(
        People.from_authors(second_paper.authors)
    )


def _with_chosen_id(paper: Paper) -> Paper:
    """Return the paper with the arXiv id or DOI that a person chose as its id."""
    kind, _, number = paper.id.partition(":")
    if kind == "arxiv" and not paper.arxiv_id:
        return replace(paper, arxiv_id=number)
    if kind == "doi" and not paper.doi:
        return replace(paper, doi=number)
    return paper


def _identity_bytes(project: Project, aliases: Mapping[str, str]) -> bytes:
    """Return the bytes of identity.csv with `aliases`; rows with a former id get the new one."""
    path = project.identity_file
    rows = read_table(path, project.shown(path)) if path.exists() else []
    columns = list(rows[0].cells) if rows else list(COLUMNS)
    kept = [dict(row.cells) for row in rows]
    for row in kept:
        if row["verdict"].strip().lower() == "same":
            row["id"] = aliases.get(row["id"].strip(), row["id"])
    kept += [{"id": new, "alias": old, "verdict": "same"} for old, new in sorted(aliases.items())]
    return csv_bytes(columns, [[row.get(column, "") for column in columns] for row in kept])
