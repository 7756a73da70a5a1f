"""What a person did to a sheet since it was written: none of it may be lost unasked.

A sheet that was merely opened and saved again holds no edit: other quotes, another delimiter or
encoding, `0.7` for `0.70`, rows sorted, hidden or gone. Whatever was typed is one.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from classifier.errors import InputError
from classifier.files.table import Row
from classifier.files.text_file import read_text
from classifier.review.seal import label_columns, seal_in, sealed_under
from classifier.review.sheet import DRAWN_BY, JOINER, MACHINE_COLUMNS
from classifier.review.sheet_file import SheetFile, read_sheet
from classifier.taxonomy.model import Taxonomy

Built: TypeAlias = Mapping[str, Mapping[str, str]]
"""Paper id -> machine column -> the cell that the last build wrote; not of `why`."""


def pending_edits(
    path: Path, taxonomy: Taxonomy, built: Built | None = None, digests: Iterable[str] = ()
) -> list[Row]:
    """Return the rows of a sheet that hold anything that a person typed.

    That is a filled human cell (a reviewer's name alone decides nothing), a filled cell of a column
    that is not ours or of none, and a machine cell that is not as it was written: told by `built`,
    and where nothing is known of a build by the seals, which guard the labels alone. Labels that
    were taken up since are sealed under today's taxonomy, or under one of `digests`.

    Raises InputError where the sheet cannot be read: what a person did to it is not ours to
    throw away.
    """
    if not path.exists():
        return []
    sheet = read_sheet(path)
    machine = machine_columns(taxonomy, built)
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

    They are told as in `pending_edits`. Where only the seal tells, it is the label columns.
    """
    names, known = label_columns(taxonomy), (taxonomy.digest, *digests)

    def is_sealed(row: Row) -> bool:
        return sealed_under(row.cells, names, known) is not None

    by_seal = _by_seal(sheet, names, is_sealed)
    if built is not None:
        machine = machine_columns(taxonomy, built)
        return _by_cells(sheet, built, machine, names, by_seal, is_sealed)
    return lambda row: names if by_seal(row) else ()


def built_cells(papers: Path, taxonomy: Taxonomy) -> Built | None:
    """Return what the last build wrote into its sheet, by its papers.json; None: cannot be told.

    taxonomy: of today; the facets are those of the build.
    """
    try:
        return {
            str(record["id"]): _cells(record, taxonomy.first.id)
            for record in json.loads(read_text(papers))
        }
    except (InputError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _cells(record: Mapping[str, Any], first: str) -> dict[str, str]:
    """Return the machine cells of one object of papers.json; KeyError where it is none of ours."""
    labels = record["labels"][first]
    return {
        "title": record["title"],
        "year": record["published"][:4],
        "url": record["url"],
        "status": labels["status"],
        "confidence": f"{labels['confidence']:.2f}",
        "primary": labels["primary"],
        "topics": JOINER.join(labels["categories"]),
        **{
            facet_id: JOINER.join(other["categories"])
            for facet_id, other in record["labels"].items()
            if facet_id != first
        },
    }


def machine_columns(taxonomy: Taxonomy, built: Built | None) -> set[str]:
    """Return the columns that people do not fill, those of facets that are gone included."""
    names = {*MACHINE_COLUMNS, *label_columns(taxonomy), DRAWN_BY}
    return names.union(*(built or {}).values())


def _by_seal(
    sheet: SheetFile, names: Sequence[str], is_sealed: Callable[[Row], bool]
) -> Callable[[Row], bool]:
    """Return what tells whether the labels of a row were changed, or never were the machine's.

    Where no seal fits at all, the sheet is of another taxonomy: only a row without a seal tells. A
    row without seal and labels was drawn for a reviewer who is not to see any.
    """

    def is_unsealed(row: Row) -> bool:
        shows = any(row.cells.get(name, "").strip() for name in (*names, "why"))
        drawn_blank = not shows and bool(row.cells.get(DRAWN_BY, "").strip())
        return not drawn_blank and not seal_in(row.cells.get("why", ""))

    def is_broken(row: Row) -> bool:
        return not is_sealed(row) and (is_unsealed(row) or bool(seal_in(row.cells.get("why", ""))))

    return is_unsealed if all(map(is_broken, sheet.rows)) else is_broken


def _by_cells(
    sheet: SheetFile,
    built: Built,
    machine: set[str],
    names: Sequence[str],
    by_seal: Callable[[Row], bool],
    is_sealed: Callable[[Row], bool],
) -> Callable[[Row], Sequence[str]]:
    """Return what names the machine columns of a row that are not as they were written.

    An emptied cell is no edit, unless it held labels. What is decided since is none either. Papers
    that are left out of the survey stand in the sheet and not in `built`: their seals tell.
    """
    labels = machine - {*MACHINE_COLUMNS, DRAWN_BY}
    compared = [name for name in sheet.columns if name in machine - {"id", "why", DRAWN_BY}]
    plain = {"title", "year", "url", "status", "confidence"}

    def changed(row: Row) -> Sequence[str]:
        written = built.get(row.cells.get("id", "").strip())
        if written is None:
            return names if by_seal(row) else ()
        differing = {
            name
            for name in compared
            if row.cells[name].strip() or name not in plain
            if not _is_same(row.cells[name], written.get(name, ""), name, sheet.encoding)
        }
        if differing and is_sealed(row):
            differing -= labels
            confidence = row.cells.get("confidence", "1")  # somebody may have deleted the column
            if row.cells.get("status") == "reviewed" and _number(confidence) == 1:
                differing -= {"status", "confidence"}
        # Whatever Fieldguide wrote there ends with a seal.
        why = row.cells.get("why", "").strip()
        typed_over = ["why"] if why and not seal_in(why) else []
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
