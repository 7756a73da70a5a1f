"""The sheet out/labels.csv, in which the most useful papers to review come first.

Edits in the sheet are kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from classifier.errors import Fault, InputError, OutputError, PendingEditsError
from classifier.files.built_folder import SHEET, matches_manifest
from classifier.files.folder import recover
from classifier.files.kept_files import keep_copy
from classifier.labelling.labels import PaperLabels
from classifier.project import Project
from classifier.review.acts import editorial_acts
from classifier.review.apply import LedgerEditor, pending_edits
from classifier.review.read_rows import ANYONE, KnownPapers, RowReader
from classifier.review.sheet import QueuedPaper, sheet_rows
from classifier.review.sheet_file import Kind, is_sheet, read_sheet, sheet_file_bytes
from classifier.survey.inputs import Inputs
from classifier.taxonomy.columns import Values
from classifier.taxonomy.dump import parse_published_taxonomy
from classifier.taxonomy.versions import with_current


def labels_sheet(
    inputs: Inputs,
    labels: Sequence[PaperLabels],
    queue: Sequence[QueuedPaper],
    kind: Kind = "csv",
    *,
    for_excel: bool = False,
    values: Mapping[str, Values] = MappingProxyType({}),
) -> bytes:
    """Return the sheet of all papers: those in `draws` first, others by id, excluded ones last.

    labels: one item per paper, in the order of the corpus. values: values of typed columns, by
    paper id. for_excel: whether to write semicolons and a byte order mark.
    """
    taxonomy, papers = inputs.taxonomy, inputs.corpus.papers
    excluded = editorial_acts(inputs.ledger, inputs.corpus.aliases).excluded
    rank = {queued.paper_id: number for number, queued in enumerate(queue)}
    order = sorted(
        range(len(papers)),
        key=lambda i: (papers[i].id in excluded, rank.get(papers[i].id, len(rank)), papers[i].id),
    )
    notes = {paper_id: act.exclusion for paper_id, act in excluded.items()}
    ordered, given = [papers[i] for i in order], [labels[i] for i in order]
    rows = sheet_rows(taxonomy, ordered, given, notes, values)
    return sheet_file_bytes(taxonomy, rows, kind, for_excel=for_excel)


def row_reader(inputs: Inputs, reviewer: str) -> RowReader:
    """Return the reader of sheet rows.

    reviewer: the reviewer for rows that have no name.
    """
    taxonomy, corpus, ledger = inputs.taxonomy, inputs.corpus, inputs.ledger
    recorded = ledger.digests.union(digest for digest, _ in inputs.versions.known)
    earlier = sorted(recorded - {"", taxonomy.digest})
    known = KnownPapers.from_corpus_and_ledger(corpus.papers, corpus.aliases, ledger)
    return RowReader(taxonomy, inputs.versions, (taxonomy.digest, *earlier), known, reviewer)


def add_version_of_build(inputs: Inputs, out: Path) -> Inputs:
    """Add the version of the taxonomy of the build in `out`.

    So `ok` in the sheets of this build counts also if the taxonomy was edited after the build.
    """
    try:
        built = parse_published_taxonomy(json.loads((out / "taxonomy.json").read_bytes()))
    except (OSError, ValueError):
        return inputs
    if built is None or inputs.versions.has_version(built.digest):
        return inputs
    return replace(inputs, versions=with_current(inputs.versions, built))


def ledger_editor(inputs: Inputs, today: str) -> LedgerEditor:
    """Return the editor of the project's ledger.

    today: ISO date of new decisions.
    """
    return LedgerEditor(
        inputs.ledger, inputs.taxonomy, inputs.versions, inputs.corpus.aliases, today
    )


def unsaved_edits(sheet: Path, inputs: Inputs) -> list[Fault]:
    """Return the edits of a sheet that are not in the ledger; raise InputError if unreadable."""
    if not sheet.exists():
        return []
    inputs = add_version_of_build(inputs, sheet.parent)
    return pending_edits(read_sheet(sheet), row_reader(inputs, ANYONE), ledger_editor(inputs, ""))


def refuse_pending_edits(out: Path, inputs: Inputs) -> None:
    """Raise PendingEditsError if the sheet in `out` has edits that are not in the ledger.

    If an interrupted build moved the sheet, the sheet is restored first. Raises OutputError if the
    file is not a sheet.
    """
    recover(out)
    sheet = out / SHEET
    as_built = matches_manifest(sheet)
    if as_built or not os.path.lexists(sheet):
        return
    if as_built is None and not is_sheet(sheet):
        raise OutputError(
            f"{sheet}: exists and was not written by Fieldguide; nothing was written. Move it "
            "away, or choose another folder with --out."
        )
    ignore = "`fieldguide build --ignore-sheet` moves the sheet to sheets/ and builds without it."
    try:
        edits = unsaved_edits(sheet, inputs)
    except InputError as error:
        raise PendingEditsError(
            f"{error.faults[0]}\nNothing was written, since the sheet may contain answers. {ignore}"
        ) from error
    if edits:
        n_rows = len({fault.line for fault in edits})
        rows = "1 edit" if n_rows == 1 else f"edits in {n_rows} places"
        raise PendingEditsError(
            f"{sheet}: has {rows} not in the ledger; nothing was written. The first: "
            f"{edits[0]}\n`fieldguide review apply` adds answers to the ledger and reports refused "
            f"rows. {ignore}"
        )


def keep_changed_sheet(project: Project, out: Path) -> Path | None:
    """Copy a sheet that changed since the last build to the folder sheets/; return the copy.

    Returns None if there is no sheet, or if it is unchanged.
    """
    sheet = out / SHEET
    if not sheet.is_file() or matches_manifest(sheet):
        return None
    return keep_copy(sheet, project.kept_sheets)
