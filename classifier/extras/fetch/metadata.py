"""`fetch metadata`: what papers lack, found at the services and written into papers/.

A match that is safe is taken. Of a doubtful one a person decides in taxonomy/identity.csv, as of
all identity: `same` has it asked for by its id and taken, `different` keeps it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from classifier.errors import UsageError
from classifier.extras.fetch.find import BY_TITLE, Finder, Match, lacking
from classifier.extras.fetch.papers_file import join_papers, read_rows, rows_bytes
from classifier.files.table import csv_bytes, read_table
from classifier.files.writing import make_folder, sole_writer, write_file
from classifier.papers.combine import combine
from classifier.papers.identity import COLUMNS, Identity, own_ids, read_identity
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper, mint_id
from classifier.progress import Progress
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy

if TYPE_CHECKING:
    from classifier.extras.fetch.pages import Pages


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
        raise UsageError(f"--service {unknown[0]}: is none; wanted one of {', '.join(BY_TITLE)}.")
    path = papers_file(project)
    with ExitStack() as stack:
        if not dry_run:
            make_folder(path.parent)
            for each in (path, project.identity_file):
                stack.enter_context(sole_writer(each))
        rows = read_rows(path, project.shown(path))  # its faults are told before anybody is asked
        identity = read_identity(project.identity_file, project.shown(project.identity_file))
        papers = lacking(_papers(project, files, identity, progress))
        wanted = [_named(paper) for paper in papers[:limit]]
        finder = Finder(pages, services or BY_TITLE, progress)
        found = finder.find(wanted)
        taken: dict[str, Paper] = {}
        doubtful: dict[str, tuple[Paper, Match]] = {}
        vouched = {paper.id for paper in papers if paper.id not in own_ids(replace(paper, id=""))}
        for paper in wanted:
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
    return Completed(len(papers), len(wanted), taken, doubtful, *counts, finder.failures)


def _papers(
    project: Project, files: Sequence[Path], identity: Identity, progress: Progress | None
) -> list[Paper]:
    if not files:
        sources = load_taxonomy(project.taxonomy_file).taxonomy.survey.sources
        files = project.paper_files(sources)
    return list(load_papers(files, project.root, identity=identity, progress=progress).papers)


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
