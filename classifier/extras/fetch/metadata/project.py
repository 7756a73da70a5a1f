"""`fetch metadata` on a project: its papers, its sheet, its files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from classifier.errors import Fault, InputError, UsageError, sort_faults
from classifier.extras.fetch.metadata.find import BY_TITLE, Finder, lacking
from classifier.extras.fetch.metadata.sheet import (
    JOINER,
    read_matches,
    sheet_bytes,
    taken_rows,
)
from classifier.extras.fetch.papers_file import join_papers, read_rows, rows_bytes
from classifier.files.atomic import make_folder, write_file
from classifier.files.lock import sole_writer
from classifier.files.table import Row, csv_bytes, read_table
from classifier.papers.fields import read_fields
from classifier.papers.identity import COLUMNS, Identity, read_identity
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper, Source, is_well_formed_id, mint_id
from classifier.progress import Progress
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy

if TYPE_CHECKING:
    from classifier.extras.fetch.pages import Pages


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
    with sole_writer(path):
        found = finder.find(wanted)
        if finder.failures:  # what a service may know yet is asked for next time
            found = {paper: matches for paper, matches in found.items() if matches}
        if found:
            sheet = read_matches(path, project.shown(path))  # somebody may have said yes meanwhile
            write_file(path, sheet_bytes(sheet, wanted, found))
    safe = sum(any(match.is_safe for match in matches) for matches in found.values())
    matched = sum(bool(matches) for matches in found.values())
    return Searched(path, len(papers), len(wanted), safe, matched - safe, finder.failures)


def _papers(project: Project, files: Sequence[Path], progress: Progress | None) -> list[Paper]:
    identity = read_identity(project.identity_file, project.shown(project.identity_file))
    if not files:
        sources = load_taxonomy(project.taxonomy_file).taxonomy.survey.sources
        files = project.paper_files(sources)
    return list(load_papers(files, project.root, identity=identity, progress=progress).papers)


_TEXTS = ("arxiv_id", "doi", "published", "venue", "url", "abstract")


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of the rows that say yes."""

    papers: int
    new: int
    updated: int
    aliases: int
    """Old ids that lead to better ones now."""


def take_metadata(project: Project) -> Taken:
    """Write the papers of all rows that say yes, and their old ids as aliases.

    Doing it twice changes nothing; a row that was corrected corrects its paper. The papers are
    written before the aliases, each file as a whole: cut off in between, the next run finishes.
    Raises UsageError where there is no sheet, InputError with every row that cannot be taken:
    nothing was written.
    """
    path, papers = sheet_file(project), papers_file(project)
    shown = project.shown(path)
    if not path.exists():
        raise UsageError(f"{shown}: is not there; `fieldguide fetch metadata` writes it.")
    make_folder(papers.parent)
    with sole_writer(papers), sole_writer(project.identity_file):
        faults: list[Fault] = []
        agreed = list(_agreed(taken_rows(read_matches(path, shown)), shown, faults))
        identity = read_identity(project.identity_file, project.shown(project.identity_file))
        aliases = list(_aliases(agreed, identity, faults))
        rows = read_rows(papers, project.shown(papers))
        if faults:
            raise InputError(sort_faults(faults))
        joined = join_papers(rows, [paper for _, paper in agreed])
        if joined.new or joined.updated:
            write_file(papers, rows_bytes(joined.rows))
        if aliases:
            write_file(project.identity_file, _identity_bytes(project, aliases))
    return Taken(len(agreed), joined.new, joined.updated, len(aliases))


def _agreed(rows: Iterable[Row], shown: str, faults: list[Fault]) -> Iterator[tuple[str, Paper]]:
    """Yield old ids with the papers of their rows: what the first row lacks, others add."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.cells["id"].strip()].append(row)
    for old, group in groups.items():
        line = group[0].line
        ids = {row.cells.get("arxiv_id", "").strip() for row in group} - {""}
        if not is_well_formed_id(old):
            wanted = "arxiv:…, doi:10.… or p- and ten hex digits"
            faults.append(Fault("error", shown, line, f"id '{old}'", wanted))
        elif len(ids) > 1:
            found = f"yes to arXiv ids {' and '.join(sorted(ids))} for {old}"
            faults.append(Fault("error", shown, line, found, "one arXiv id", "Say no to a row."))
        elif (paper := _paper(group, shown, faults)) is not None:
            # A better id takes the place of a title's only.
            minted = mint_id(paper)
            stays = not old.startswith("p-") or minted.startswith("p-")
            yield old, replace(paper, id=old if stays else minted)


def _paper(group: Sequence[Row], shown: str, faults: list[Fault]) -> Paper | None:
    """Return the paper that the rows of one id state; what they misstate is a fault."""

    def first(*names: str) -> str:
        cells = (row.cells.get(name, "").strip() for name in names for row in group)
        return next((cell for cell in cells if cell), "")

    fields = {
        "title": first("found_title", "title"),
        "authors": [name.strip() for name in first("authors").split(JOINER.strip())],
        **{name: first(name) for name in _TEXTS},
    }
    paper = None
    for record in read_fields(fields, Source(shown, "metadata", group[0].line)):
        if isinstance(record, Fault):
            faults.append(replace(record, severity="error", cure="Correct the cell."))
        elif isinstance(record, Paper):
            paper = record
    return paper


def _aliases(
    agreed: Iterable[tuple[str, Paper]], identity: Identity, faults: list[Fault]
) -> Iterator[tuple[str, str]]:
    """Yield (id, alias) for each old id that has a better one and does not lead there yet."""
    for old, paper in agreed:
        new = identity.resolve(paper.id)
        if new == old or identity.same.get(old) == new:
            continue
        place = (paper.sources[0].file, paper.sources[0].line)
        if old in identity.same:
            found = f"{old}, which taxonomy/identity.csv calls {identity.same[old]}"
            cure = "Correct one of the two files."
            faults.append(Fault("error", *place, found, f"the same as {new}", cure))
        elif (min(new, old), max(new, old)) in identity.different:
            found = f"yes to {new} for {old}, which taxonomy/identity.csv calls different"
            faults.append(Fault("error", *place, found, "one verdict", "Say no here."))
        else:
            yield new, old


def _identity_bytes(project: Project, aliases: Sequence[tuple[str, str]]) -> bytes:
    """Return identity.csv with more aliases; what led to an old id leads to its better one."""
    path = project.identity_file
    rows = read_table(path, project.shown(path)) if path.exists() else []
    columns = list(rows[0].cells) if rows else list(COLUMNS)
    better = {old: new for new, old in aliases}
    kept = [
        {**row.cells, "id": better.get(row.cells["id"].strip(), row.cells["id"])}
        if row.cells["verdict"].strip().lower() == "same"
        else dict(row.cells)
        for row in rows
    ]
    added = [{"id": new, "alias": old, "verdict": "same"} for new, old in sorted(aliases)]
    cells = [[row.get(column, "") for column in columns] for row in [*kept, *added]]
    return csv_bytes(columns, cells)
