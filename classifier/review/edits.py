"""What people typed into a sheet: where it goes, and what of it no answer takes up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from rapidfuzz import process

from classifier.errors import Fault
from classifier.files.table import Row
from classifier.review.sheet import human_columns, label_columns, machine_columns, refused
from classifier.review.sheet_check import Built, SheetCheck
from classifier.review.sheet_file import SheetFile, in_sheet, read_sheet
from classifier.taxonomy.model import Taxonomy


def pending_edits(
    path: Path, taxonomy: Taxonomy, built: Built | None = None, digests: Iterable[str] = ()
) -> list[Row]:
    """Return the rows of a sheet that hold anything that a person typed.

    That is a filled human cell (a reviewer's name alone decides nothing), a filled cell of a column
    that is not ours or of none, and a machine cell that is not as it was written: told by `built`,
    and where nothing is known of a build by the checksums, which guard the labels alone. Labels
    that were applied since bear one under today's taxonomy, or under one of `digests`.

    Raises InputError where the sheet cannot be read: what a person did to it is not ours to
    throw away.
    """
    if not path.exists():
        return []
    sheet = read_sheet(path)
    check = SheetCheck(sheet, taxonomy, (taxonomy.digest, *digests), lambda: built)
    typed = [column for column in sheet.columns if column not in check.machine | {"reviewer"}]
    return [
        row
        for row in sheet.rows
        if row.extra or any(row.cells[column].strip() for column in typed) or check.changed(row)
    ]


_LEAST_LIKENESS = 84
_FACET = "review_"
_COPY = "or keep a copy and build with --ignore-sheet."


def meant_column(column: str, taxonomy: Taxonomy) -> str:
    """Return the reviewer's column that `column` is a misspelling of; "" where it is none."""
    if column in {*human_columns(taxonomy), *machine_columns(taxonomy)}:
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


def misspelt_refusals(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[Fault]:
    """Yield one refusal for each misspelt column."""
    for column, meant in misspelt_columns(sheet, taxonomy).items():
        cure = f"Did you mean '{meant}'? Rename it; until then its rows are left as they are."
        yield _of_column(sheet, column, cure)


def misplaced_cells(
    sheet: SheetFile,
    taxonomy: Taxonomy,
    built: Built | None,
    digests: Iterable[str],
    told: Set[int | None],
) -> Iterator[Fault]:
    """Yield what holds a build up and is no answer: columns of one's own, cells typed over.

    told: numbers of the rows that were taken up or refused: of their labels all is said.
    """
    check = SheetCheck(sheet, taxonomy, (taxonomy.digest, *digests), lambda: built)
    for column in _own_columns(sheet, taxonomy, check.machine):
        cure = "They stay in this file, but a new sheet would drop them: move them to note,"
        yield _of_column(sheet, column, f"{cure} {_COPY}")
    labels = label_columns(taxonomy)
    for row in sheet.rows:
        place = row.row or row.line
        if row.extra:
            found = ", ".join(f"'{cell}'" for cell in row.extra)
            cure = f"The row may be torn, or a cell has no header. Empty it, {_COPY}"
            yield in_sheet(refused("behind the last column", found, "no cell", cure), sheet, place)
        written = (built or {}).get(row.cells.get("id", "").strip(), {})
        for column in check.changed(row):
            if column not in labels or row.row not in told:
                wrote = f"'{written[column]}', which" if column in written else "what"
                found, cure = f"'{row.cells.get(column, '').strip()}'", f"Put it back, {_COPY}"
                fault = refused(column, found, f"{wrote} Fieldguide wrote", cure)
                yield in_sheet(fault, sheet, place)


def renamed_columns(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[Fault]:
    """Yield columns of one's own where a column to fill is missing: it may be that one, renamed."""
    missing = [column for column in human_columns(taxonomy) if column not in sheet.columns]
    for column in _own_columns(sheet, taxonomy, machine_columns(taxonomy)) if missing else ():
        cure = f"They are not taken up. If they are answers, rename it: {', '.join(missing)}."
        yield _of_column(sheet, column, cure)


def _own_columns(sheet: SheetFile, taxonomy: Taxonomy, machine: Set[str]) -> Iterator[str]:
    """Yield the columns of one's own that hold anything."""
    ours = {*human_columns(taxonomy), *machine}
    for column in sheet.columns:
        is_own = column not in ours and not column.startswith(_FACET)
        if is_own and not meant_column(column, taxonomy) and _filled(sheet, column):
            yield column


def _filled(sheet: SheetFile, column: str) -> int:
    """Return how many cells of a column hold anything."""
    return sum(bool(row.cells[column].strip()) for row in sheet.rows)


def _of_column(sheet: SheetFile, column: str, cure: str) -> Fault:
    number = _filled(sheet, column)
    found = "1 cell that is no answer" if number == 1 else f"{number} cells that are no answer"
    return in_sheet(
        refused(f"column '{column}'", found, "a column of the sheet", cure), sheet, None
    )
