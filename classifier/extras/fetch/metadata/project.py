"""`fetch metadata` on a project: its papers, its sheet, its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import UsageError
from classifier.extras.fetch.metadata.find import BY_TITLE, Finder
from classifier.extras.fetch.metadata.lacking import lacking
from classifier.extras.fetch.metadata.sheet import read_matches, sheet_bytes
from classifier.extras.fetch.metadata.take import Taken, take_matches
from classifier.extras.fetch.pages import Pages
from classifier.files.atomic import make_folder, write_file
from classifier.files.lock import sole_writer
from classifier.papers.identity import read_identity
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search for metadata found."""

    sheet: Path
    lacking: int
    """Papers that lack an id, authors, a date or an abstract."""
    asked: int
    """Those of them that the sheet had no match of."""
    safe: int
    """Papers with a match that is taken unless a person says no."""
    doubtful: int
    """Papers with matches of which none is safe."""
    failures: dict[str, str]
    """Name of a service that failed -> why."""


def sheet_file(project: Project) -> Path:
    """Return where matches wait for a person."""
    return project.root / "taxonomy" / "metadata-matches.csv"


def papers_file(project: Project) -> Path:
    """Return where taken matches go."""
    return project.root / "papers" / "metadata.jsonl"


def search_metadata(
    project: Project,
    files: Sequence[Path],
    pages: Pages,
    *,
    services: Sequence[str] = (),
    limit: int | None = None,
    progress: Progress | None = None,
) -> Searched:
    """Ask for what papers lack, and add the matches to the project's sheet.

    files: what to complete; by default the project's papers. services: names of `BY_TITLE`, in the
    order in which they are asked. Raises UsageError for another name, InputError for faults of the
    papers or the sheet.
    """
    unknown = [name for name in services if name not in BY_TITLE]
    if unknown:
        raise UsageError(f"--service {unknown[0]}: is none; wanted one of {', '.join(BY_TITLE)}.")
    path = sheet_file(project)
    sheet = read_matches(path, project.shown(path))
    papers = lacking(_papers(project, files, progress))
    wanted = [paper for paper in papers if paper.id not in sheet.settled][:limit]
    finder = Finder(pages, services or tuple(BY_TITLE), progress)
    with sole_writer(path), pages.run("metadata", str(project.root.resolve())):
        found = finder.find(wanted)
        if finder.failures:  # what a service may know yet is asked for next time
            found = {paper: matches for paper, matches in found.items() if matches}
        if found:
            sheet = read_matches(path, project.shown(path))  # somebody may have said yes meanwhile
            write_file(path, sheet_bytes(sheet, wanted, found))
    safe = sum(any(match.is_safe for match in matches) for matches in found.values())
    matched = sum(bool(matches) for matches in found.values())
    return Searched(path, len(papers), len(wanted), safe, matched - safe, finder.failures)


def take_metadata(project: Project) -> Taken:
    """Take what the sheet says yes to; raises UsageError where there is no sheet."""
    path = sheet_file(project)
    shown = project.shown(path)
    if not path.exists():
        raise UsageError(f"{shown}: is not there; `fieldguide fetch metadata` writes it.")
    papers = papers_file(project)
    make_folder(papers.parent)
    with sole_writer(papers), sole_writer(project.identity_file):
        return take_matches(project, read_matches(path, shown), shown, papers)


def _papers(project: Project, files: Sequence[Path], progress: Progress | None) -> list[Paper]:
    identity = read_identity(project.identity_file, project.shown(project.identity_file))
    if not files:
        sources = load_taxonomy(project.taxonomy_file).taxonomy.survey.sources
        files = project.paper_files(sources)
    return list(load_papers(files, project.root, identity=identity, progress=progress).papers)
