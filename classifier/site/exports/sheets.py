"""The sheets of out/: what is most worth a reviewer's minute on top, and never over edits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from classifier.errors import InputError, OutputError, PendingEditsError
from classifier.files.built_folder import SHEETS, is_as_built
from classifier.files.folder import recover
from classifier.files.table import Row
from classifier.review.sheet import Draw, sheet_rows
from classifier.review.sheet_check import built_cells, pending_edits
from classifier.review.sheet_file import is_sheet, sheet_file_bytes
from classifier.survey.inputs import Inputs
from classifier.survey.last_build import BuildOptions
from classifier.survey.survey import Survey


def sheet_files(
    inputs: Inputs, survey: Survey, draws: Sequence[Draw], options: BuildOptions
) -> dict[str, bytes]:
    """Return the files that reviewers edit, what is most worth their minutes on top."""
    taxonomy, papers = inputs.taxonomy, inputs.corpus.papers
    left_out = {item.paper.id: item.act for item in survey.left_out}
    rank = {draw.paper_id: number for number, draw in enumerate(draws)}
    order = sorted(
        range(len(papers)),
        key=lambda i: (papers[i].id in left_out, rank.get(papers[i].id, len(rank)), papers[i].id),
    )
    ordered = [papers[i] for i in order], [survey.labels[i] for i in order]
    rows = list(sheet_rows(taxonomy, *ordered, left_out))
    sheets = {"labels.csv": sheet_file_bytes(taxonomy, rows, mark=options.mark)}
    if options.xlsx:
        sheets["labels.xlsx"] = sheet_file_bytes(taxonomy, rows, "xlsx")
    return sheets


def refuse_pending_edits(out: Path, inputs: Inputs) -> None:
    """Raise an error if a build into `out` would lose edits of a sheet.

    A build that was cut off may have moved the sheets; they are brought back first.
    Raises PendingEditsError; OutputError where the file never was a sheet.
    """
    recover(out)
    for name in SHEETS:
        sheet = out / name
        as_built = is_as_built(sheet)
        if as_built or not os.path.lexists(sheet):
            continue
        if as_built is None and not is_sheet(sheet):
            raise OutputError(
                f"{sheet}: exists and was not written by Fieldguide; nothing was written. Move it "
                "away, or choose another folder with --out."
            )
        rows = _edited_rows(sheet, inputs)
        if rows:
            papers = "1 paper that is" if len(rows) == 1 else f"{len(rows)} papers that are"
            raise PendingEditsError(
                f"{sheet}: holds edits for {papers} in no ledger yet (the first: "
                f"{rows[0].cells.get('id') or 'a row without id'}, row {rows[0].row}). "
                "Nothing was written.\n"
                "`fieldguide review apply` takes up the answers; what it refuses must be mended or "
                "emptied first. --ignore-sheet overwrites the sheet and loses all of them."
            )


def _edited_rows(sheet: Path, inputs: Inputs) -> list[Row]:
    """Return the rows that people edited; raises PendingEditsError where they cannot be read."""
    taxonomy = inputs.taxonomy
    digests = sorted({entry.taxonomy_digest for entry in inputs.ledger.entries})
    try:
        built = built_cells(sheet.parent / "papers.json", taxonomy)
        return pending_edits(sheet, taxonomy, built, digests)
    except InputError as error:
        fault = error.faults[0]
        place = sheet if fault.line is None else f"{sheet}:{fault.line}"
        hint = " ".join(filter(None, (fault.hint, "Move it away to build again, or use")))
        raise PendingEditsError(
            f"{place}: found {fault.actual}; expected {fault.expected}. Nothing was written.\n"
            f"{hint} --ignore-sheet."
        ) from error
