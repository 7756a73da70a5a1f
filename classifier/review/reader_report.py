"""A reader's report of a wrong label, as text in an issue or a mail; it is read as a sheet.

A report has a line `column: value` for each column that a reader may fill. An issue form writes
each column as a heading, `### review_primary`, with the value below it.
"""

from __future__ import annotations

import re
from pathlib import Path

from classifier.errors import Fault, InputError, input_error
from classifier.files.reading import read_text
from classifier.files.table import Row
from classifier.labelling.labels import PaperLabels
from classifier.papers.paper import Paper
from classifier.review.sheet import (
    checksum,
    human_columns,
    label_columns,
    machine_cells,
    with_checksum,
)
from classifier.review.sheet_file import SheetFile
from classifier.taxonomy.model import Taxonomy

_NEW_PAPER = ("add title", "add address", "add because")
_NO_ANSWER = "_no response_"
_LINE = re.compile(r"([a-z_ ]+?)\s*:\s*(.*)", re.IGNORECASE)
_HEADING = re.compile(r"#+\s+([a-z_ ]+?)\s*:?\s*", re.IGNORECASE)
_EDITORS_COLUMNS = ("verdict", "remark", "reviewer")
"""The reviewer's columns that only editors fill."""


def report_text(taxonomy: Taxonomy, paper: Paper, labels: PaperLabels) -> str:
    """Return the start of a report of a wrong label: the row of the sheet with its checksum."""
    row = machine_cells(taxonomy.first.id, paper, labels.facets)
    digits = checksum(row, label_columns(taxonomy), taxonomy.digest)
    row |= {"why": with_checksum("", digits).strip()}
    current = (f"{column}: {row.get(column, '')}" for column in _label_columns(taxonomy))
    request = "Write the right labels after the colons. You can leave lines empty."
    answers = (f"{column}: " for column in _reader_columns(taxonomy))
    return "\n".join((*current, "", request, *answers))


def new_paper_text() -> str:
    """Return the start of a report of a missing paper."""
    return "\n".join(f"{name}: " for name in _NEW_PAPER)


def read_report(path: Path, file: str, taxonomy: Taxonomy) -> SheetFile:
    """Return a report as a sheet of one row.

    Raises InputError if the report does not have a paper, is about a new paper, or has two answers
    for one column.
    """
    names = (*_label_columns(taxonomy), *_reader_columns(taxonomy))
    cells: dict[str, str] = {}
    faults: list[Fault] = []
    last, heading = 0, ""
    for number, line in enumerate(read_text(path, file).splitlines(), 1):
        text = line.lstrip("> ").strip()
        if found_heading := _HEADING.fullmatch(text):
            heading = found_heading[1].lower()
            continue
        pair = _LINE.fullmatch(text)
        name, value = (pair[1].lower(), pair[2]) if pair else ("", "")
        if name not in (*names, *_NEW_PAPER):
            name, value = heading, text
        if name in _NEW_PAPER and value:
            hint = "Add the paper to a list or another file in papers/."
            expected = "a report of a wrong label"
            raise input_error(file, "a report of a missing paper", expected, hint, number)
        if name not in names or not value or value.lower() == _NO_ANSWER:
            continue
        if cells.setdefault(name, value) != value:
            found, expected = f"'{cells[name]}' and '{value}' as {name}", "one answer"
            faults.append(Fault("error", file, number, found, expected, "Delete one of the two."))
        last = last if name != "id" else number
    if not cells.get("id") and not cells.get("title"):
        hint = "Save the complete text of the issue or mail."
        faults.append(Fault("error", file, None, "no line 'id: …'", "the id of the paper", hint))
    if faults:
        raise InputError(faults)
    row = Row(last, {name: cells.get(name, "") for name in names}, row=last)
    return SheetFile(path, file, names, (row,))


def _label_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    return "id", "title", *label_columns(taxonomy), "why"


def _reader_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    return tuple(name for name in human_columns(taxonomy) if name not in _EDITORS_COLUMNS)
