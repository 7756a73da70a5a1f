"""What a person did to a sheet since it was written: none of it may be lost unasked.

A sheet that was merely opened and saved again holds no edit: other quotes, another delimiter or
encoding, `0.7` for `0.70`, rows sorted, hidden or gone. Whatever was typed is one.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields
from pathlib import Path
from typing import Any

from rapidfuzz import process

from classifier.errors import Fault, InputError
from classifier.files.reading import read_text
from classifier.files.table import Row
from classifier.labelling.labels import DECIDED, FacetLabels
from classifier.papers.paper import Paper, Published
from classifier.review.sheet import (
    Built,
    checksum_in,
    digest_of_checksum,
    human_columns,
    label_columns,
    machine_cells,
    machine_columns,
    refused,
)
from classifier.review.sheet_file import SheetFile, in_sheet, read_sheet
from classifier.taxonomy.columns import DRAWN_BY, MACHINE
from classifier.taxonomy.model import Taxonomy

_PLAIN = {field.name for field in fields(Paper)} - {"published", "sources", "reference"}


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
    machine = known_columns(taxonomy, built)
    changed = changed_columns(sheet, taxonomy, built, digests)
    typed = [column for column in sheet.columns if column not in machine | {"reviewer"}]
    return [
        row
        for row in sheet.rows
        if row.extra or any(row.cells[column].strip() for column in typed) or changed(row)
    ]


def changed_columns(
    sheet: SheetFile, taxonomy: Taxonomy, built: Built | None = None, digests: Iterable[str] = ()
) -> Callable[[Row], Sequence[str]]:
    """Return what names the machine columns of a row that are not as they were written.

    They are told as in `pending_edits`. Where only the checksum tells, it is the label columns.
    """
    names, known = label_columns(taxonomy), (taxonomy.digest, *digests)

    def fits(row: Row) -> bool:
        return digest_of_checksum(row.cells, names, known) is not None

    by_checksum = _by_checksum(sheet, names, fits)
    if built is not None:
        machine = known_columns(taxonomy, built)
        return _by_cells(sheet, built, machine, names, by_checksum, fits)
    return lambda row: names if by_checksum(row) else ()


def built_cells(papers: Path, taxonomy: Taxonomy) -> Built | None:
    """Return what the last build wrote into its sheet, by its papers.json; None: cannot be told.

    taxonomy: of today; the facets are those of the build.
    """
    first = taxonomy.first.id
    try:
        found = [(_paper(record), _labels(record)) for record in json.loads(read_text(papers))]
    except (InputError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if not all(first in labels for _, labels in found):
        return None
    return {
        paper.id: {name: cell for name, cell in cells.items() if name != "id"}
        for paper, labels in found
        for cells in (machine_cells(first, paper, labels),)
    }


def _paper(record: Mapping[str, Any]) -> Paper:
    """Return the paper of one object of papers.json, as far as a sheet shows it."""
    given = {name: value for name, value in record.items() if name in _PLAIN}
    values: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in given.items()
    }
    return Paper(**values, published=Published(record["published"]))


def _labels(record: Mapping[str, Any]) -> dict[str, FacetLabels]:
    return {
        str(facet_id): FacetLabels(
            tuple(of["categories"]), of["primary"], float(of["confidence"]), of["status"], {}
        )
        for facet_id, of in record["labels"].items()
    }


def known_columns(taxonomy: Taxonomy, built: Built | None) -> frozenset[str]:
    """Return the columns that people do not fill, those of facets that are gone included."""
    return machine_columns(taxonomy).union(*(built or {}).values())


def _by_checksum(
    sheet: SheetFile, names: Sequence[str], fits: Callable[[Row], bool]
) -> Callable[[Row], bool]:
    """Return what tells whether the labels of a row were changed, or never were the machine's.

    Where no checksum fits at all, the sheet is of another taxonomy: only a row without one tells. A
    row without checksum and labels was drawn for a reviewer who is not to see any.
    """

    def has_no_checksum(row: Row) -> bool:
        shows = any(row.cells.get(name, "").strip() for name in (*names, "why"))
        drawn_blank = not shows and bool(row.cells.get(DRAWN_BY, "").strip())
        return not drawn_blank and not checksum_in(row.cells.get("why", ""))

    def is_broken(row: Row) -> bool:
        return not fits(row) and (
            has_no_checksum(row) or bool(checksum_in(row.cells.get("why", "")))
        )

    return has_no_checksum if all(map(is_broken, sheet.rows)) else is_broken


def _by_cells(
    sheet: SheetFile,
    built: Built,
    machine: frozenset[str],
    names: Sequence[str],
    by_checksum: Callable[[Row], bool],
    fits: Callable[[Row], bool],
) -> Callable[[Row], Sequence[str]]:
    """Return what names the machine columns of a row that are not as they were written.

    An emptied cell is no edit, unless it held labels. What is decided since is none either. Papers
    that are left out of the survey stand in the sheet and not in `built`: their checksums tell.
    """
    not_labels = {column.name for column in MACHINE if column.kind != "label"}
    labels = machine - {*not_labels, "id", "why", DRAWN_BY}
    compared = [name for name in sheet.columns if name in machine - {"id", "why", DRAWN_BY}]

    def changed(row: Row) -> Sequence[str]:
        written = built.get(row.cells.get("id", "").strip())
        if written is None:
            return names if by_checksum(row) else ()
        differing = {
            name
            for name in compared
            if row.cells[name].strip() or name in labels
            if not _is_same(row.cells[name], written.get(name, ""), name, sheet.encoding)
        }
        if differing and fits(row):
            differing -= labels
            confidence = row.cells.get("confidence", "1")  # somebody may have deleted the column
            if row.cells.get("status") in DECIDED and _number(confidence) == 1:
                differing -= {"status", "confidence"}
        # Whatever Fieldguide wrote there ends with a checksum.
        why = row.cells.get("why", "").strip()
        typed_over = ["why"] if why and not checksum_in(why) else []
        return [*(name for name in compared if name in differing), *typed_over]

    return changed


def _is_same(found: str, written: str, column: str, encoding: str) -> bool:
    """Say whether a cell is what was written, blanks and what a spreadsheet does to it aside."""
    if found == written:
        return True
    one, other = (" ".join(unicodedata.normalize("NFC", t).split()) for t in (found, written))
    if one == other:
        return True
    if column == "confidence":
        return _number(one) == _number(other)
    return encoding == "cp1252" and len(one) == len(other) and all(map(_is_as_saved, one, other))


def _number(text: str) -> float | str:
    """Return a number with a point or a comma in it; other text as it is."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text


def _is_as_saved(found: str, written: str) -> bool:
    """Say whether a character may come of another that Windows-1252 does not know."""
    return found == written or written.encode("cp1252", "ignore") == b""


_LEAST_LIKENESS = 84
_FACET = "review_"
_COPY = "or keep a copy and build with --ignore-sheet."


def meant_column(column: str, taxonomy: Taxonomy) -> str:
    """Return the reviewer's column that `column` is a misspelling of; "" where it is none."""
    if column in {*human_columns(taxonomy), *known_columns(taxonomy, None)}:
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
    for column in _own_columns(sheet, taxonomy, built):
        cure = "They stay in this file, but a new sheet would drop them: move them to note,"
        yield _of_column(sheet, column, f"{cure} {_COPY}")
    changed = changed_columns(sheet, taxonomy, built, digests)
    labels = label_columns(taxonomy)
    for row in sheet.rows:
        for refusal in _of_row(row, [*changed(row)], labels, built, row.row in told):
            yield in_sheet(refusal, sheet, row.row or row.line)


def renamed_columns(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[Fault]:
    """Yield columns of one's own where a column to fill is missing: it may be that one, renamed."""
    missing = [column for column in human_columns(taxonomy) if column not in sheet.columns]
    for column in _own_columns(sheet, taxonomy, None) if missing else ():
        cure = f"They are not taken up. If they are answers, rename it: {', '.join(missing)}."
        yield _of_column(sheet, column, cure)


def _own_columns(sheet: SheetFile, taxonomy: Taxonomy, built: Built | None) -> Iterator[str]:
    """Yield the columns of one's own that hold anything."""
    ours = {*human_columns(taxonomy), *known_columns(taxonomy, built)}
    for column in sheet.columns:
        is_own = column not in ours and not column.startswith(_FACET)
        if is_own and not meant_column(column, taxonomy) and _filled(sheet, column):
            yield column


def _of_row(
    row: Row, changed: list[str], labels: tuple[str, ...], built: Built | None, is_told: bool
) -> Iterator[Fault]:
    if row.extra:
        found = ", ".join(f"'{cell}'" for cell in row.extra)
        cure = f"The row may be torn, or a cell has no header. Empty it, {_COPY}"
        yield refused("behind the last column", found, "no cell", cure)
    written = (built or {}).get(row.cells.get("id", "").strip(), {})
    for column in changed:
        if column in labels and is_told:
            continue
        wrote = f"'{written[column]}', which" if column in written else "what"
        wanted = f"{wrote} Fieldguide wrote"
        cure = f"Put it back, {_COPY}"
        yield refused(column, f"'{row.cells.get(column, '').strip()}'", wanted, cure)


def _filled(sheet: SheetFile, column: str) -> int:
    """Return how many cells of a column hold anything."""
    return sum(bool(row.cells[column].strip()) for row in sheet.rows)


def _of_column(sheet: SheetFile, column: str, cure: str) -> Fault:
    number = _filled(sheet, column)
    found = "1 cell that is no answer" if number == 1 else f"{number} cells that are no answer"
    return in_sheet(
        refused(f"column '{column}'", found, "a column of the sheet", cure), sheet, None
    )
