"""What people typed where no answer goes: apply leaves it, and a new sheet would drop it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from rapidfuzz import process

from classifier.files.table import Row
from classifier.review.edits import Built, changed_columns, machine_columns
from classifier.review.refusal import Refusal, RefusedCell
from classifier.review.seal import label_columns
from classifier.review.sheet import human_columns
from classifier.review.sheet_file import SheetFile
from classifier.taxonomy.model import Taxonomy

_LEAST_LIKENESS = 84
_FACET = "review_"
_COPY = "or keep a copy and build with --ignore-sheet."


def meant_column(column: str, taxonomy: Taxonomy) -> str:
    """Return the reviewer's column that `column` is a misspelling of; "" where it is none."""
    if column in {*human_columns(taxonomy), *machine_columns(taxonomy, None)}:
        return ""
    front = _FACET if column.startswith(_FACET) else ""  # what all have in common says nothing
    names = {name.removeprefix(front): name for name in human_columns(taxonomy)}
    names = {rest: name for rest, name in names.items() if name.startswith(_FACET) == bool(front)}
    found = process.extractOne(
        column.removeprefix(front), list(names), score_cutoff=_LEAST_LIKENESS
    )
    return names[found[0]] if found else ""


def misspelt_columns(sheet: SheetFile, taxonomy: Taxonomy) -> dict[str, str]:
    """Return column -> the column that is meant, of those that hold anything."""
    meant = {column: meant_column(column, taxonomy) for column in sheet.columns}
    return {name: told for name, told in meant.items() if told and _filled(sheet, name)}


def misspelt_refusals(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[RefusedCell]:
    """Yield one refusal for each misspelt column."""
    for column, meant in misspelt_columns(sheet, taxonomy).items():
        cure = f"Did you mean '{meant}'? Rename it; until then its rows are left as they are."
        yield _of_column(sheet, column, cure)


def strays(
    sheet: SheetFile,
    taxonomy: Taxonomy,
    built: Built | None,
    digests: Iterable[str],
    told: Set[int],
) -> Iterator[RefusedCell]:
    """Yield what holds a build up and is no answer: columns of one's own, cells typed over.

    told: numbers of the rows that were taken up or refused: of their labels all is said.
    """
    for column in _own_columns(sheet, taxonomy, built):
        cure = "They stay in this file, but a new sheet would drop them: move them to note,"
        yield _of_column(sheet, column, f"{cure} {_COPY}")
    changed = changed_columns(sheet, taxonomy, built, digests)
    labels = label_columns(taxonomy)
    for row in sheet.rows:
        for refusal in _of_row(row, [*changed(row)], labels, built, row.row in told):
            yield RefusedCell(sheet.shown, row.row or row.line, refusal)


def renamed_columns(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[RefusedCell]:
    """Yield columns of one's own where a column to fill is missing: it may be that one, renamed."""
    missing = [column for column in human_columns(taxonomy) if column not in sheet.columns]
    for column in _own_columns(sheet, taxonomy, None) if missing else ():
        cure = f"They are not taken up. If they are answers, rename it: {', '.join(missing)}."
        yield _of_column(sheet, column, cure)


def _own_columns(sheet: SheetFile, taxonomy: Taxonomy, built: Built | None) -> Iterator[str]:
    """Yield the columns of one's own that hold anything."""
    ours = {*human_columns(taxonomy), *machine_columns(taxonomy, built)}
    for column in sheet.columns:
        is_own = column not in ours and not column.startswith(_FACET)
        if is_own and not meant_column(column, taxonomy) and _filled(sheet, column):
            yield column


def _of_row(
    row: Row, changed: list[str], labels: tuple[str, ...], built: Built | None, is_told: bool
) -> Iterator[Refusal]:
    if row.extra:
        found = ", ".join(f"'{cell}'" for cell in row.extra)
        cure = f"The row may be torn, or a cell has no header. Empty it, {_COPY}"
        yield Refusal("behind the last column", found, "no cell", cure)
    written = (built or {}).get(row.cells.get("id", "").strip(), {})
    for column in changed:
        if column in labels and is_told:
            continue
        wrote = f"'{written[column]}', which" if column in written else "what"
        wanted = f"{wrote} Fieldguide wrote"
        cure = f"Put it back, {_COPY}"
        yield Refusal(column, f"'{row.cells.get(column, '').strip()}'", wanted, cure)


def _filled(sheet: SheetFile, column: str) -> int:
    """Return how many cells of a column hold anything."""
    return sum(bool(row.cells[column].strip()) for row in sheet.rows)


def _of_column(sheet: SheetFile, column: str, cure: str) -> RefusedCell:
    number = _filled(sheet, column)
    found = "1 cell that is no answer" if number == 1 else f"{number} cells that are no answer"
    return RefusedCell(
        sheet.shown, 0, Refusal(f"column '{column}'", found, "a column of the sheet", cure)
    )
