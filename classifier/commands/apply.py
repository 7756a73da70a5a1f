"""Applying edits: `fieldguide review apply`. The one place that reads the clock."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from classifier.errors import Fault, InputError, OutputError, UsageError
from classifier.files.built_folder import MANIFEST_NAME, SHEET, digest, file_digest
from classifier.files.cache import BuildCache
from classifier.files.folder import recover
from classifier.files.lock import sole_writer
from classifier.files.writing import clear_leftovers, write_file
from classifier.labelling.labels import IMPORTED
from classifier.papers.identity import own_ids
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.apply import AppliedDecision, AppliedRows, apply_rows
from classifier.review.edits import renamed_columns, unplaced_cells
from classifier.review.ledger import Entry, Ledger, ledger_bytes
from classifier.review.read_rows import is_reviewer
from classifier.review.reader_report import read_report
from classifier.review.sheet_file import SheetFile, read_tabs
from classifier.site.exports.sheets import ledger_editor, row_reader
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Category, Taxonomy
from classifier.taxonomy.versions import read_versions, versions_bytes
from classifier.text.normalise import title_id

SHEETS = (SHEET, "next.csv", "audit.csv", "conflicts.csv")
"""The sheets of out/ that are applied if none is named."""


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
    unread: tuple[str, ...]
    """A line for each tab and each group of comments in a workbook that was not read."""
    stops_build: bool = False
    """Whether the sheet of the build holds something that stops the next build."""

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
    """Write the answers in `files` into the ledger of `project`; the files stay as they are.

    files: sheets; by default those in out/, or none where issues are named. issues: texts that
    readers reported, which are read as a sheet of one row and left as they are. reviewer: who is
    meant where a row names nobody. today: the date of the decisions; by default the clock's.
    dry_run: write nothing.

    Good rows are applied even if others are refused. Raises InputError (faults of taxonomy, papers
    or ledger), UsageError (no sheet, a file of taxonomy/ or papers/, an invalid reviewer's name)
    and OutputError (the ledger cannot be written, was changed meanwhile, or another process is
    writing it or out/): nothing was written then.
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
        sheets, faults, unread = _read(paths, project, issues, inputs.taxonomy)
        taken_up = answers_in(inputs, sheets, reviewer, today)
        if not dry_run:
            clear_leftovers([project.versions_file, project.ledger_file])
            if taken_up.is_news:
                write_ledger(project, inputs, taken_up.ledger, ledger_before)
        misplaced = tuple(_misplaced(inputs, sheets))
        built = project.shown(project.out / SHEET)
        return Applied(
            tuple(sheet.shown for sheet in sheets),
            taken_up.taken,
            taken_up.refused,
            misplaced,
            faults,
            tuple(unread),
            any(fault.file == built for fault in (*taken_up.refused, *misplaced, *faults)),
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
            write_ledger(project, inputs, ledger, before)
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
) -> tuple[list[SheetFile], tuple[Fault, ...], list[str]]:
    """Return the sheets and reports, the faults of unreadable ones, and lines on unread tabs."""
    sheets: list[SheetFile] = []
    faults: list[Fault] = []
    unread: list[str] = []
    for path, is_issue in (*((path, False) for path in paths), *((path, True) for path in issues)):
        shown = project.shown(path)
        try:
            if is_issue:
                sheets.append(read_report(path, shown, taxonomy))
                continue
            tabs, lines = read_tabs(path, shown, taxonomy)
        except InputError as error:
            faults += error.faults
            continue
        unread += lines
        for sheet in tabs:
            if {"facet", "value"} <= set(sheet.columns):
                found = "columns facet and value, as of a ledger"
                hint = "Merge a ledger into taxonomy/reviews.csv row by row."
                faults.append(Fault("error", sheet.shown, 1, found, "a sheet", hint))
            else:
                sheets.append(sheet)
    return sheets, tuple(faults), unread


def answers_in(
    inputs: Inputs, sheets: Sequence[SheetFile], reviewer: str, today: date | None = None
) -> AppliedRows:
    """Return what the rows of sheets decide, on top of the ledger; nothing is written.

    today: the date of the decisions; by default the clock's.
    """
    day = (today or date.today()).isoformat()
    return apply_rows(sheets, row_reader(inputs, reviewer), ledger_editor(inputs, day))


def _misplaced(inputs: Inputs, sheets: Iterable[SheetFile]) -> Iterator[Fault]:
    """Yield the cells in sheets of out/ that a new sheet would not have.

    A sheet elsewhere is never replaced, but a column there may have been renamed.
    """
    for sheet in sheets:
        is_in_out = (sheet.path.parent / MANIFEST_NAME).is_file()
        if sheet.path.name in SHEETS and is_in_out:
            yield from unplaced_cells(sheet, inputs.taxonomy)
        else:
            yield from renamed_columns(sheet, inputs.taxonomy)


_LAST_APPLY = "last-apply.json"


@dataclass(frozen=True, slots=True)
class LastApply:
    """The record by which the last change of the ledger can be undone."""

    digest_after: str
    ledger_before: str

    @classmethod
    def read(cls, project: Project) -> LastApply | None:
        """Return the record in the project's cache, or None."""
        content = BuildCache(project.cache_folder).recall(_LAST_APPLY)
        if not content:
            return None
        found = json.loads(content)
        return cls(found["digest_after"], found["ledger_before"])

    def write(self, project: Project) -> None:
        """Write the record; where it cannot be written, there is nothing to undo."""
        BuildCache(project.cache_folder).keep(_LAST_APPLY, json.dumps(asdict(self)).encode())

    @staticmethod
    def forget(project: Project) -> None:
        """Empty the record."""
        BuildCache(project.cache_folder).keep(_LAST_APPLY, b"")


def write_ledger(project: Project, inputs: Inputs, ledger: Ledger, before: str) -> None:
    """Write the record of taxonomies, where it lacks that of a decision, and then the ledger.

    before: digest of the file when it was read. Raises OutputError where it was changed since.
    """
    data, file = ledger_bytes(ledger), project.ledger_file
    earlier = file.read_bytes() if file.exists() else ledger_bytes(Ledger())
    if file_digest(project.ledger_file) != before:
        raise OutputError(
            f"{project.shown(project.ledger_file)}: changed meanwhile; nothing was written. Run "
            "the command again."
        )
    if inputs.taxonomy.digest in ledger.digests:
        recorded = read_versions(project.versions_file, project.shown(project.versions_file))
        if recorded != inputs.versions:
            write_file(project.versions_file, versions_bytes(inputs.versions))
    LastApply(digest(data), earlier.decode(errors="surrogateescape")).write(project)
    write_file(project.ledger_file, data)
