"""Apply sheets to the ledger and to the cues of taxonomy.yaml: `fieldguide review apply`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from shlex import quote

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
from classifier.review.apply import AppliedDecision, apply_rows
from classifier.review.cue_answers import CueAnswer, additions_of, split_cue_rows
from classifier.review.edits import renamed_columns, unplaced_cells
from classifier.review.ledger import Entry, Ledger, ledger_bytes
from classifier.review.read_rows import is_reviewer
from classifier.review.reader_report import read_report
from classifier.review.sheet_file import SheetFile, is_sheet, read_tabs
from classifier.site.exports.sheets import add_version_of_build, ledger_editor, row_reader
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.add_cues import add_cues
from classifier.taxonomy.edit import YamlFile
from classifier.taxonomy.load import parse_taxonomy
from classifier.taxonomy.model import Category, Taxonomy
from classifier.taxonomy.versions import Versions, read_versions, versions_bytes
from classifier.text.normalise import title_id

_WORKBOOKS = (".xlsx", ".xlsm", ".ods", ".xls")
SHEETS = (SHEET, "next.csv", "audit.csv", "conflicts.csv")
"""Names of the sheets in out/, which are applied by default."""


@dataclass(frozen=True, slots=True)
class Applied:
    """Result of applying sheets."""

    sheets: tuple[str, ...]
    """Paths of the sheets that were read, as the user would type them."""
    answers: tuple[AppliedDecision, ...]
    """Applied answers, by sheet and row."""
    refused: tuple[Fault, ...]
    """Faults of cells, by sheet and row; their rows were not applied."""
    misplaced: tuple[Fault, ...]
    """Faults of filled cells outside the columns for answers, which stop the next build."""
    faults: tuple[Fault, ...]
    """Faults of unreadable sheets."""
    unread: tuple[str, ...]
    """One line per skipped tab or group of comments of a workbook; also one per other sheet of the
    project if the sheets in out/ have no answers."""
    stops_build: bool
    """Whether the sheet of the build has faults that stop the next build."""
    cues: tuple[CueAnswer, ...]
    """Answers about cues, by sheet and row."""

    @property
    def is_whole(self) -> bool:
        """Whether all answers of the sheets were applied."""
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
    """Write the answers in sheets to the ledger of `project`; the sheets do not change.

    Answers about cues (rows whose id is `cue`) are written to taxonomy.yaml.

    files: sheets; by default those in out/, or none if there are issues. issues: reports of
    readers, each read as a sheet of one row. reviewer: the reviewer of rows without a name. today:
    date of the decisions; by default the current date. dry_run: write nothing.

    Valid rows are applied even if others have faults. Raises InputError (faults of taxonomy, papers
    or ledger), UsageError (no sheet, a file of taxonomy/ or papers/, an invalid reviewer name) and
    OutputError (the ledger cannot be written, was changed meanwhile, or another process is writing
    it or out/). After an error, nothing was written.
    """
    if not is_reviewer(reviewer):
        raise UsageError(
            f"--reviewer {reviewer!r}: found a semicolon or a line break; expected one name."
        )
    today = today or date.today()
    written = (project.versions_file, project.ledger_file, project.taxonomy_file)
    with ExitStack() as locks:
        if not dry_run:
            for path in (project.out, *written):
                locks.enter_context(sole_writer(path))
            recover(project.out)  # An interrupted build may have moved the sheets.
        paths = _paths(project, files) if files or not issues else []
        ledger_before = file_digest(project.ledger_file)
        inputs = add_version_of_build(read_inputs(project, progress), project.out)
        _refuse_future_dates(inputs.ledger, project.shown(project.ledger_file), today)
        sheets, faults, unread = _read(paths, project, issues, inputs.taxonomy)
        sheets_of_papers, cues, refused = split_cue_rows(sheets, inputs.taxonomy)
        editor = ledger_editor(inputs, today.isoformat())
        rows = apply_rows(sheets_of_papers, row_reader(inputs, reviewer), editor)
        if not dry_run:
            clear_leftovers(written)
            if rows.has_changes:
                write_ledger(project, inputs, rows.ledger, ledger_before)
            if additions := additions_of(cues):
                write_cues(project, inputs.taxonomy, additions, is_alone=not rows.has_changes)
        if not (files or issues or rows.answers or cues):
            unread += _other_sheets(project)
    misplaced = tuple(_misplaced(inputs, sheets_of_papers))
    refused += rows.refused
    built = project.shown(project.out / SHEET)
    return Applied(
        tuple(sheet.file for sheet in sheets),
        rows.answers,
        tuple(refused),
        misplaced,
        faults,
        tuple(unread),
        any(fault.file == built for fault in (*refused, *misplaced, *faults)),
        tuple(cues),
    )


def write_cues(
    project: Project,
    taxonomy: Taxonomy,
    additions: Mapping[tuple[str, str], Sequence[str]],
    *,
    is_alone: bool,
) -> None:
    """Add phrases to the lists of cues in taxonomy.yaml.

    additions: (category, list under its `cues`) -> phrases. is_alone: whether the ledger did not
    change at the same time. Raises InputError, and writes nothing, if the edited file would not be
    valid.
    """
    path = project.taxonomy_file
    file = YamlFile(path, project.shown(path))
    add_cues(file, taxonomy.first.id, additions)
    parse_taxonomy(file.edited_text(), path, file.file_name)
    last = None if is_alone else LastApply.read(project)
    before = path.read_bytes().decode(errors="surrogateescape")
    if last is None:
        ledger = project.ledger_file
        content = ledger.read_bytes() if ledger.exists() else ledger_bytes(Ledger())
        last = LastApply(file_digest(ledger), content.decode(errors="surrogateescape"))
    data = file.edited_bytes()
    replace(last, taxonomy_after=digest(data), taxonomy_before=before).write(project)
    write_file(path, data)


def place_by_headings(
    project: Project, headings: Mapping[str, Sequence[str]], today: date | None = None
) -> tuple[dict[str, Category], set[str]]:
    """Add `imported` decisions that file undecided papers under their headings.

    headings: id of a paper (`own_ids`, `title_id`) -> its headings, the innermost last. Returns
    paper id -> category, and the innermost headings that match no category of the first facet.
    Raises the errors of `apply_sheets`.
    """
    day = (today or date.today()).isoformat()
    with sole_writer(project.ledger_file), sole_writer(project.versions_file):
        before = file_digest(project.ledger_file)
        inputs = read_inputs(project)
        facet, taxonomy_digest = inputs.taxonomy.first, inputs.taxonomy.digest
        placed: dict[str, Category] = {}
        unknown: set[str] = set()
        entries: list[Entry] = []
        for paper in inputs.corpus.papers:
            names = (*own_ids(paper), title_id(paper.title))
            path = next((headings[name] for name in names if name in headings), ())
            if not path or facet.id in inputs.decisions.get(paper.id, {}):
                continue
            category = next(filter(None, map(facet.resolve, reversed(path))), None)
            if category is None:
                unknown.add(path[-1])
                continue
            placed[paper.id] = category
            decision = (paper.id, paper.title, facet.id, category.id, True, IMPORTED, day, IMPORTED)
            entries.append(Entry(*decision, taxonomy_digest=taxonomy_digest, note=""))
        if entries:
            ledger = replace(inputs.ledger, entries=(*inputs.ledger.entries, *entries))
            write_ledger(project, inputs, ledger, before)
    return placed, unknown


def _refuse_future_dates(ledger: Ledger, file: str, today: date) -> None:
    """Raise InputError if a decision is dated in the future, since it would win over new ones.

    One day is allowed, since reviewers live in different time zones.
    """
    latest = (today + timedelta(days=1)).isoformat()
    faults = [
        Fault(
            "error",
            file,
            entry.line,
            f"reviewed_on '{entry.reviewed_on}', which is in the future",
            f"a date up to {today.isoformat()}",
            "Correct the date; otherwise this decision overrides newer ones on the paper.",
        )
        for entry in ledger.entries
        if entry.reviewed_on > latest
    ]
    if faults:
        raise InputError(faults)


def _paths(project: Project, files: Sequence[Path]) -> list[Path]:
    """Return the paths of the sheets, without duplicates.

    Raises UsageError if there is no sheet, or a file is not a sheet.
    """
    for path in files:
        resolved, file = path.resolve(), project.shown(path)
        if resolved == project.ledger_file.resolve():
            raise UsageError(f"{file}: is the ledger, not a sheet. Nothing was written.")
        for folder in project.authored_folders:
            if resolved.is_relative_to(folder.resolve()):
                raise UsageError(
                    f"{file}: is in {folder.name}/, which cannot contain sheets. Nothing was "
                    "written. Move the sheet to another folder."
                )
    built = (project.out / name for name in SHEETS)
    paths = list(files) or [path for path in built if path.exists()]
    if not paths:
        raise UsageError(
            f"{project.shown(project.out)}: contains no sheet. Run `fieldguide build` to write "
            "one, or choose a sheet: `fieldguide review apply FILE`."
        )
    return list({path.resolve(): path for path in paths}.values())


def _other_sheets(project: Project) -> Iterator[str]:
    for folder in (project.root, project.out):
        for path in sorted(folder.iterdir() if folder.is_dir() else ()):
            is_csv = path.suffix.lower() == ".csv" and path.name not in SHEETS
            if path.suffix.lower() in _WORKBOOKS or (is_csv and is_sheet(path)):
                name = project.shown(path)
                yield f"{name}: not read. To apply it: `fieldguide review apply {quote(name)}`."


def _read(
    paths: Iterable[Path], project: Project, issues: Iterable[Path], taxonomy: Taxonomy
) -> tuple[list[SheetFile], tuple[Fault, ...], list[str]]:
    sheets: list[SheetFile] = []
    faults: list[Fault] = []
    unread: list[str] = []
    for path in paths:
        try:
            tabs, lines = read_tabs(path, project.shown(path), taxonomy)
        except InputError as error:
            faults += error.faults
            continue
        unread += lines
        for sheet in tabs:
            if {"facet", "value"} <= set(sheet.columns):
                actual = "the columns facet and value of a ledger"
                hint = "To merge a ledger, add its rows to taxonomy/reviews.csv."
                faults.append(Fault("error", sheet.file, 1, actual, "a sheet", hint))
            else:
                sheets.append(sheet)
    for path in issues:
        try:
            sheets.append(read_report(path, project.shown(path), taxonomy))
        except InputError as error:
            faults += error.faults
    return sheets, tuple(faults), unread


def _misplaced(inputs: Inputs, sheets: Iterable[SheetFile]) -> Iterator[Fault]:
    """Yield faults of filled cells that a new sheet would not have.

    Builds replace only the sheets in out/. In other sheets, only renamed columns are faults.
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
    """Record of the last change by a review command, for `review undo`."""

    digest_after: str
    """Digest of the ledger after the change."""
    ledger_before: str
    """Text of the ledger before the change."""
    taxonomy_after: str = ""
    """Digest of taxonomy.yaml after the change, or "" if it did not change."""
    taxonomy_before: str = ""
    """Text of taxonomy.yaml before the change, or "" if it did not change."""

    @classmethod
    def read(cls, project: Project) -> LastApply | None:
        """Return the record in the project's cache, or None."""
        content = BuildCache(project.cache_folder).load(_LAST_APPLY)
        if not content:
            return None
        return cls(**json.loads(content))

    def write(self, project: Project) -> None:
        """Write the record; if this fails, the change cannot be undone."""
        BuildCache(project.cache_folder).store(_LAST_APPLY, json.dumps(asdict(self)).encode())

    @staticmethod
    def forget(project: Project) -> None:
        """Delete the content of the record."""
        BuildCache(project.cache_folder).store(_LAST_APPLY, b"")


def write_ledger(project: Project, inputs: Inputs, ledger: Ledger, before: str) -> None:
    """Write the taxonomy versions that the decisions need, then the ledger.

    before: digest of the ledger when it was read. Raises OutputError if it was changed since.
    """
    data, file = ledger_bytes(ledger), project.ledger_file
    earlier = file.read_bytes() if file.exists() else ledger_bytes(Ledger())
    if file_digest(project.ledger_file) != before:
        raise OutputError(
            f"{project.shown(project.ledger_file)}: was changed by another program; nothing was "
            "written. Run the command again."
        )
    recorded = read_versions(project.versions_file, project.shown(project.versions_file)).known
    used = {key: ids for key, ids in inputs.versions.known.items() if key[0] in ledger.digests}
    if not used.keys() <= recorded.keys():
        write_file(project.versions_file, versions_bytes(Versions({**recorded, **used})))
    LastApply(digest(data), earlier.decode(errors="surrogateescape")).write(project)
    write_file(project.ledger_file, data)
