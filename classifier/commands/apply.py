"""Applying edits: `fieldguide review apply`. The one place that reads the clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from classifier.errors import Fault, InputError, OutputError, UsageError
from classifier.files.built_folder import MANIFEST_NAME, file_digest
from classifier.files.built_folder import SHEETS as BUILT
from classifier.files.folder import recover
from classifier.files.lock import sole_writer
from classifier.files.table import Row
from classifier.files.writing import clear_leftovers, write_file
from classifier.labelling.labels import IMPORTED
from classifier.papers.identity import own_ids
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.apply import AppliedDecision, AppliedRows, LedgerEditor, apply_rows
from classifier.review.ledger import Entry, Ledger, ledger_bytes
from classifier.review.read_rows import KnownPapers, RowReader, is_reviewer
from classifier.review.sheet_check import built_cells, misplaced_cells, renamed_columns
from classifier.review.sheet_file import SheetFile, read_report, read_sheet, rewritten_bytes
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Category, Taxonomy
from classifier.taxonomy.versions import read_versions, versions_bytes
from classifier.text.normalise import title_id

SHEETS = tuple(
    f"{name}.{kind}"
    for name in ("labels", "next", "audit", "conflicts")
    for kind in ("csv", "xlsx")
)
"""The sheets of out/ that are taken up where none is named."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of the sheets, for the person who filled them."""

    sheets: tuple[str, ...]
    """The sheets that were read, as the user would type them."""
    taken: tuple[AppliedDecision, ...]
    """Every answer that was taken up, by sheet and row."""
    refused: tuple[Fault, ...]
    """Every cell that was not, by sheet and row; its row is as it was."""
    misplaced: tuple[Fault, ...]
    """What is typed where no answer goes, and would hold the next build up."""
    faults: tuple[Fault, ...]
    """Sheets that could not be read."""
    rewritten: tuple[str, ...]
    """The sheets that were written anew: what is left in them is still to do."""
    kept: tuple[str, ...]
    """Why a sheet was not written anew though something was taken from it."""
    stops_build: bool = False
    """Whether something is left in a sheet that the next build would overwrite."""

    @property
    def is_whole(self) -> bool:
        """Whether all that was typed is in the ledger now."""
        return not (self.refused or self.misplaced or self.faults)


def apply_sheets(
    project: Project,
    files: Sequence[Path] = (),
    *,
    issues: Sequence[Path] = (),
    reviewer: str = "",
    today: date | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Applied:
    """Write what people typed into `files` into the ledger of `project`, and rewrite the files.

    files: sheets; by default those in out/, or none where issues are named. issues: texts that
    readers reported, which are read as a sheet of one row and left as they are. reviewer: who is
    meant where a row names nobody. today: the date of the decisions; by default the clock's.
    dry_run: write nothing.

    Good rows are taken up though others are refused. The ledger is written before the sheets, each
    file as a whole: whenever this is cut off, an answer is in the one or the other, and the next
    run finishes. Raises InputError (faults of taxonomy, papers or ledger), UsageError (no sheet, a
    file of taxonomy/ or papers/, a reviewer's name that is none) and OutputError (the ledger cannot
    be written, was changed meanwhile, or it or out/ is being written by another process): nothing
    was written.
    """
    if not is_reviewer(reviewer):
        raise UsageError(
            f"--reviewer {reviewer!r}: found a semicolon or a line break; expected one name."
        )
    today = today or date.today()
    with ExitStack() as locks:
        if not dry_run:
            for place in (project.out, project.ledger_file, project.versions_file):
                locks.enter_context(sole_writer(place))
            recover(project.out)  # a build that was cut off may have moved the sheets
        paths = _paths(project, files) if files or not issues else []
        ledger_before = file_digest(project.ledger_file)
        inputs = read_inputs(project, progress)
        _refuse_future_dates(inputs.ledger, project.shown(project.ledger_file), today)
        marks = {path: file_digest(path) for path in paths}
        sheets, faults = _read(paths, project, issues, inputs.taxonomy)
        taken_up = answers_in(inputs, sheets, reviewer, today)
        rewritten: list[str] = []
        kept: list[str] = []
        if not dry_run:
            clear_leftovers([project.versions_file, project.ledger_file, *paths])
            if taken_up.is_news:
                _write_ledger(project, inputs, taken_up.ledger, ledger_before)
            for sheet, rows in zip(sheets, taken_up.rows, strict=True):
                if rows and sheet.path in marks:
                    why = _write_sheet(sheet, rows, marks[sheet.path])
                    (kept if why else rewritten).append(why or sheet.shown)
        misplaced = tuple(_misplaced(inputs, sheets, taken_up))
        overwritten = {project.shown(project.out / name) for name in BUILT}
        return Applied(
            tuple(sheet.shown for sheet in sheets),
            taken_up.taken,
            taken_up.refused,
            misplaced,
            faults,
            tuple(rewritten),
            tuple(kept),
            any(fault.file in overwritten for fault in (*taken_up.refused, *misplaced, *faults)),
        )


def place_by_headings(
    project: Project, headings: Mapping[str, Sequence[str]], today: date | None = None
) -> tuple[dict[str, Category], set[str]]:
    """File papers that nobody decided under the heading that they stand under, as `imported`.

    headings: an id of a paper (`own_ids`, `title_id`) -> its headings, the innermost last. Returns
    paper id -> category, and the innermost headings that name no category of the first facet.
    Raises what `apply_sheets` raises.
    """
    day = (today or date.today()).isoformat()
    with sole_writer(project.ledger_file), sole_writer(project.versions_file):
        before = file_digest(project.ledger_file)
        inputs = read_inputs(project)
        facet, digest_now = inputs.taxonomy.first, inputs.taxonomy.digest
        placed: dict[str, Category] = {}
        unknown: set[str] = set()
        entries: list[Entry] = []
        for paper in inputs.corpus.papers:
            names = (*own_ids(paper), title_id(paper.title))
            stands = next((headings[name] for name in names if name in headings), ())
            if not stands or facet.id in inputs.decisions.get(paper.id, {}):
                continue
            found = next(filter(None, map(facet.resolve, reversed(stands))), None)
            if found is None:
                unknown.add(stands[-1])
                continue
            placed[paper.id] = found
            decision = (paper.id, paper.title, facet.id, found.id, True, IMPORTED, day, IMPORTED)
            entries.append(Entry(*decision, taxonomy_digest=digest_now, note=""))
        if entries:
            ledger = replace(inputs.ledger, entries=(*inputs.ledger.entries, *entries))
            _write_ledger(project, inputs, ledger, before)
    return placed, unknown


def _refuse_future_dates(ledger: Ledger, shown: str, today: date) -> None:
    """Raise InputError where the ledger has a decision from the future: it would outlast new ones.

    One day is allowed, since reviewers live in different time zones.
    """
    latest = (today + timedelta(days=1)).isoformat()
    faults = [
        Fault(
            "error",
            shown,
            entry.line,
            f"reviewed_on '{entry.reviewed_on}', which is in the future",
            f"a date up to {today.isoformat()}",
            "Correct it: until then no decision of today would count.",
        )
        for entry in ledger.entries
        if entry.reviewed_on > latest
    ]
    if faults:
        raise InputError(faults)


def _paths(project: Project, files: Sequence[Path]) -> list[Path]:
    """Return the sheets to read, none twice; raises UsageError where there is none, or no sheet."""
    for path in files:
        place, shown = path.resolve(), project.shown(path)
        if place == project.ledger_file.resolve():
            raise UsageError(f"{shown}: is the ledger, not a sheet; nothing was written.")
        for folder in project.authored_folders:
            if place.is_relative_to(folder.resolve()):
                raise UsageError(
                    f"{shown}: lies in {folder.name}/, where no sheet is; nothing was written. "
                    "Move a sheet elsewhere."
                )
    built = (project.out / name for name in SHEETS)
    paths = list(files) or [path for path in built if path.exists()]
    if not paths:
        raise UsageError(
            f"{project.shown(project.out)}: holds no sheet. `fieldguide build` writes one; a sheet "
            "that lies elsewhere is named: `fieldguide review apply FILE`."
        )
    return list({path.resolve(): path for path in paths}.values())


def _read(
    paths: Iterable[Path], project: Project, issues: Iterable[Path], taxonomy: Taxonomy
) -> tuple[list[SheetFile], tuple[Fault, ...]]:
    """Return the sheets and reports that can be read, and what is wrong with the others."""
    sheets: list[SheetFile] = []
    faults: list[Fault] = []
    for path, is_issue in (*((path, False) for path in paths), *((path, True) for path in issues)):
        shown = project.shown(path)
        try:
            sheet = read_report(path, shown, taxonomy) if is_issue else read_sheet(path, shown)
        except InputError as error:
            faults += error.faults
            continue
        if {"facet", "value"} <= set(sheet.columns):
            found = "columns facet and value, as of a ledger"
            hint = "A ledger is merged into taxonomy/reviews.csv row by row."
            faults.append(Fault("error", shown, 1, found, "a sheet", hint))
        else:
            sheets.append(sheet)
    return sheets, tuple(faults)


def answers_in(
    inputs: Inputs, sheets: Sequence[SheetFile], reviewer: str, today: date | None = None
) -> AppliedRows:
    """Return what the rows of sheets decide, on top of the ledger; nothing is written.

    today: the date of the decisions; by default the clock's.
    """
    taxonomy, corpus, ledger = inputs.taxonomy, inputs.corpus, inputs.ledger
    versions = inputs.versions
    recorded = ledger.digests.union(digest for digest, _ in versions.known)
    earlier = sorted(recorded - {"", taxonomy.digest})
    reader = RowReader(
        taxonomy,
        versions,
        (taxonomy.digest, *earlier),
        KnownPapers.of(corpus.papers, corpus.aliases, ledger),
        cache(lambda folder: built_cells(folder / "papers.json", taxonomy)),
        reviewer,
    )
    day = (today or date.today()).isoformat()
    return apply_rows(sheets, reader, LedgerEditor(ledger, taxonomy, versions, corpus.aliases, day))


def _misplaced(
    inputs: Inputs, sheets: Iterable[SheetFile], taken_up: AppliedRows
) -> Iterator[Fault]:
    """Yield what no build or draw would overwrite, and no row takes up, in the sheets of a build.

    In a sheet that lies elsewhere it is in nobody's way, but a column may have been renamed.
    """
    for sheet in sheets:
        folder, name = sheet.path.parent, sheet.path.name
        if name in SHEETS and (folder / MANIFEST_NAME).is_file():
            told: set[int | None] = {
                each.row for each in taken_up.taken if each.sheet == sheet.shown
            }
            told |= {fault.line for fault in taken_up.refused if fault.file == sheet.shown}
            built = built_cells(folder / "papers.json", inputs.taxonomy) if name in BUILT else None
            yield from misplaced_cells(
                sheet, inputs.taxonomy, built, sorted(inputs.ledger.digests), told
            )
        else:
            yield from renamed_columns(sheet, inputs.taxonomy)


def _write_ledger(project: Project, inputs: Inputs, ledger: Ledger, before: str) -> None:
    """Write the record of taxonomies, where it lacks that of a decision, and then the ledger."""
    data = ledger_bytes(ledger)
    if file_digest(project.ledger_file) != before:
        raise OutputError(
            f"{project.shown(project.ledger_file)}: changed meanwhile; nothing was written. Run "
            "the command again."
        )
    if inputs.taxonomy.digest in ledger.digests:
        recorded = read_versions(project.versions_file, project.shown(project.versions_file))
        if recorded != inputs.versions:
            write_file(project.versions_file, versions_bytes(inputs.versions))
    write_file(project.ledger_file, data)


def _write_sheet(sheet: SheetFile, rows: dict[int, Row], mark: str) -> str:
    """Write a sheet with the rows that were taken up; return why not, "" where it was written."""
    if file_digest(sheet.path) != mark:
        return f"{sheet.shown}: changed meanwhile, and left as it is"
    try:
        write_file(sheet.path.resolve(), rewritten_bytes(sheet, rows))
    except (OutputError, InputError) as error:
        return str(error)
    return ""
