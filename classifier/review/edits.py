"""Find the filled cells of a sheet: answers, misspelt columns, and columns that users added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rapidfuzz import process

from classifier.errors import Fault
from classifier.review.columns import WHY
from classifier.review.sheet import cell_fault, human_columns, label_columns, machine_columns
from classifier.review.sheet_file import SheetFile, add_place_in_sheet
from classifier.taxonomy.columns import TYPED
from classifier.taxonomy.model import Taxonomy

if TYPE_CHECKING:
    from classifier.files.table import Row

_MIN_SIMILARITY = 84
"""Minimum similarity, 0 to 100, of a misspelt column to its name."""
_PREFIX = "review_"


def filled_rows(sheet: SheetFile, taxonomy: Taxonomy) -> list[Row]:
    """Return the rows with a filled cell for answers; a reviewer's name alone is not an answer."""
    others = {*machine_columns(taxonomy), "reviewer"}
    columns = [column for column in sheet.columns if column not in others]
    return [
        row for row in sheet.rows if row.extra or any(row.cells[name].strip() for name in columns)
    ]


def intended_column(column: str, taxonomy: Taxonomy) -> str:
    """Return the reviewer's column that `column` is a misspelling of; "" if there is none."""
    if column in {*human_columns(taxonomy), *machine_columns(taxonomy)}:
        return ""
    column = column.replace(" ", "_")
    has_prefix = column.startswith(_PREFIX)
    # Names are compared without the prefix, which would make them all similar.
    names = {
        name.removeprefix(_PREFIX): name
        for name in human_columns(taxonomy)
        if name.startswith(_PREFIX) == has_prefix
    }
    text = column.removeprefix(_PREFIX)
    found = process.extractOne(text, list(names), score_cutoff=_MIN_SIMILARITY)
    return names[found[0]] if found else ""


def misspelt_columns(sheet: SheetFile, taxonomy: Taxonomy) -> dict[str, Fault]:
    """Return the faults of misspelt columns with filled cells, by column."""
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
    """Yield faults for filled columns that users added and for cells without a column.

    A new sheet would not contain them.
    """
    hint = "Move them to note, or run `fieldguide build --ignore-sheet`: it keeps this file in "
    yield from _added_cells(sheet, taxonomy, f"{hint}sheets/.")


def renamed_columns(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[Fault]:
    """Yield faults for cells of columns for answers that may have lost their name."""
    if not set(human_columns(taxonomy)) <= set(sheet.columns):
        yield from _added_cells(sheet, taxonomy, "They are not applied.")


def _added_cells(sheet: SheetFile, taxonomy: Taxonomy, hint: str) -> Iterator[Fault]:
    """Yield a fault per filled column that users added, and per row with cells without a column.

    The hint also lists the missing columns of the sheet, since one may have been renamed.
    """
    names = ("id", "title", *label_columns(taxonomy), WHY, *human_columns(taxonomy))
    missing = ", ".join(name for name in names if name not in sheet.columns)
    hint += f" If the column was renamed, rename it back: {missing}." if missing else ""
    for column in _added_columns(sheet, taxonomy):
        yield _column_fault(sheet, column, hint)
    for row in sheet.rows:
        if row.extra:
            found = ", ".join(f"'{cell}'" for cell in row.extra)
            fault = cell_fault("a column without a name", found, "no cell", hint)
            yield add_place_in_sheet(fault, sheet, row.row or row.line)


def _added_columns(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[str]:
    known = {*human_columns(taxonomy), *machine_columns(taxonomy)}
    # Users did not add the columns of a facet or typed column that was removed from the taxonomy.
    known |= {
        name.removeprefix(prefix)
        for prefix in (_PREFIX, TYPED)
        for name in sheet.columns
        if name.startswith(prefix)
    }
    for column in sheet.columns:
        is_added = column not in known and not column.startswith(_PREFIX)
        if is_added and not intended_column(column, taxonomy) and _n_filled(sheet, column):
            yield column


def _n_filled(sheet: SheetFile, column: str) -> int:
    return sum(bool(row.cells[column].strip()) for row in sheet.rows)


def _column_fault(sheet: SheetFile, column: str, hint: str) -> Fault:
    number = _n_filled(sheet, column)
    found = f"{number} filled cell{'' if number == 1 else 's'}"
    fault = cell_fault(f"column '{column}'", found, "a column of the sheet", hint)
    return add_place_in_sheet(fault, sheet, None)
