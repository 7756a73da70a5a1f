"""Filled cells of a sheet: answers, misspelt columns, and columns of a person's own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from rapidfuzz import process

from classifier.errors import Fault
from classifier.review.columns import WHY
from classifier.review.sheet import cell_fault, human_columns, label_columns, machine_columns
from classifier.review.sheet_file import SheetFile, in_sheet
from classifier.taxonomy.columns import TYPED
from classifier.taxonomy.model import Taxonomy

if TYPE_CHECKING:
    from classifier.files.table import Row

_MIN_LIKENESS = 84
_FACET = "review_"


def filled_rows(sheet: SheetFile, taxonomy: Taxonomy) -> list[Row]:
    """Return the rows with a filled answer cell; a reviewer's name alone is not an answer."""
    machine = {*machine_columns(taxonomy), "reviewer"}
    columns = [column for column in sheet.columns if column not in machine]
    return [
        row for row in sheet.rows if row.extra or any(row.cells[name].strip() for name in columns)
    ]


def intended_column(column: str, taxonomy: Taxonomy) -> str:
    """Return the reviewer's column that `column` is a misspelling of; "" if there is none."""
    if column in {*human_columns(taxonomy), *machine_columns(taxonomy)}:
        return ""
    column = column.replace(" ", "_")
    prefix = _FACET if column.startswith(_FACET) else ""  # a common prefix is not a likeness
    candidates = [
        name for name in human_columns(taxonomy) if name.startswith(_FACET) == bool(prefix)
    ]
    names = {name.removeprefix(prefix): name for name in candidates}
    typed = column.removeprefix(prefix)
    found = process.extractOne(typed, list(names), score_cutoff=_MIN_LIKENESS)
    return names[found[0]] if found else ""


def misspelt_columns(sheet: SheetFile, taxonomy: Taxonomy) -> dict[str, Fault]:
    """Return the filled columns with a misspelt name, each with its refusal."""
    found: dict[str, Fault] = {}
    for column in sheet.columns:
        intended = intended_column(column, taxonomy)
        if intended and _n_filled(sheet, column):
            hint = f"Did you mean '{intended}'? Rename it; until then no filled row is applied."
            if intended in sheet.columns:
                hint = f"Move them to '{intended}', which the sheet has, and delete this column."
            found[column] = _column_fault(sheet, column, hint)
    return found


def unplaced_cells(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[Fault]:
    """Yield faults for filled columns of a person's own and cells without a column.

    A new sheet would not contain them.
    """
    hint = "Move them to note, or run `fieldguide build --ignore-sheet`: it keeps this file in "
    yield from _own_cells(sheet, taxonomy, f"{hint}sheets/.")


def renamed_columns(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[Fault]:
    """Yield faults for cells that may be of a reviewer's column with another name or none."""
    if not set(human_columns(taxonomy)) <= set(sheet.columns):
        yield from _own_cells(sheet, taxonomy, "They are not applied.")


def _own_cells(sheet: SheetFile, taxonomy: Taxonomy, hint: str) -> Iterator[Fault]:
    """Yield a fault per filled column of a person's own, and per row with cells without a column.

    The hint also names the columns that the sheet lacks, since one may have been renamed.
    """
    names = ("id", "title", *label_columns(taxonomy), WHY, *human_columns(taxonomy))
    missing = ", ".join(name for name in names if name not in sheet.columns)
    hint += f" If the column was renamed, rename it back: {missing}." if missing else ""
    for column in _own_columns(sheet, taxonomy):
        yield _column_fault(sheet, column, hint)
    for row in sheet.rows:
        if row.extra:
            found = ", ".join(f"'{cell}'" for cell in row.extra)
            fault = cell_fault("a column without a name", found, "no cell", hint)
            yield in_sheet(fault, sheet, row.row or row.line)


def _own_columns(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[str]:
    """Yield the filled columns that are neither columns of the sheet nor misspelt."""
    ours: Collection[str] = {*human_columns(taxonomy), *machine_columns(taxonomy)}
    # The columns of a removed facet or typed column are not a person's own.
    removed = {
        name.removeprefix(prefix)
        for prefix in (_FACET, TYPED)
        for name in sheet.columns
        if name.startswith(prefix)
    }
    for column in sheet.columns:
        is_own = column not in ours and column not in removed and not column.startswith(_FACET)
        if is_own and not intended_column(column, taxonomy) and _n_filled(sheet, column):
            yield column


def _n_filled(sheet: SheetFile, column: str) -> int:
    return sum(bool(row.cells[column].strip()) for row in sheet.rows)


def _column_fault(sheet: SheetFile, column: str, hint: str) -> Fault:
    number = _n_filled(sheet, column)
    found = f"{number} filled cell{'' if number == 1 else 's'}"
    fault = cell_fault(f"column '{column}'", found, "a column of the sheet", hint)
    return in_sheet(fault, sheet, None)
