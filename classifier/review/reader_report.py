"""A reader's report of a wrong label, as text in an issue or a mail: a sheet of one row.

It has a line `column: value` for each column that a reader may fill. An issue form that asks for
the same columns gives them as headings, `### review_primary`, with the value below.
"""

from __future__ import annotations

import re
from pathlib import Path

from classifier.errors import Fault, InputError
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
"""The columns that the editor fills who applies a report."""


def report_text(taxonomy: Taxonomy, paper: Paper, labels: PaperLabels) -> str:
    """Return the start of a report of a wrong label: the row of the sheet with its checksum."""
    row = machine_cells(taxonomy.first.id, paper, labels.facets)
    digits = checksum(row, label_columns(taxonomy), taxonomy.digest)
    row |= {"why": with_checksum("", digits).strip()}
    file = (f"{column}: {row.get(column, '')}" for column in _label_columns(taxonomy))
    request = "What is right? Write it after the colons; empty lines change nothing."
    lines = (f"{column}: " for column in _reader_columns(taxonomy))
    return "\n".join((*file, "", request, *lines))


def new_paper_text() -> str:
    """Return the start of a report of a missing paper."""
    return "\n".join(f"{name}: " for name in _NEW_PAPER)


def read_report(path: Path, file: str, taxonomy: Taxonomy) -> SheetFile:
    """Return a report as a sheet of one row.

    Raises InputError where it names no paper, asks for a new one, or gives two answers.
    """
    names = (*_label_columns(taxonomy), *_reader_columns(taxonomy))
    cells: dict[str, str] = {}
    faults: list[Fault] = []
    last, heading = 0, ""
    for number, line in enumerate(read_text(path, file).splitlines(), 1):
        text = line.lstrip("> ").strip()
        if under := _HEADING.fullmatch(text):
            heading = under[1].lower()
            continue
        stated = _LINE.fullmatch(text)
        name, value = (stated[1].lower(), stated[2]) if stated else ("", "")
        if name not in (*names, *_NEW_PAPER):
            name, value = heading, text
        if name in _NEW_PAPER and value:
            hint = "Add a paper in papers/: as a line of a list, or a record of a file."
            found = "a paper to add"
            raise InputError([Fault("error", file, number, found, "a report of a label", hint)])
        if name not in names or not value or value.lower() == _NO_ANSWER:
            continue
        if cells.setdefault(name, value) != value:
            found, expected = f"'{cells[name]}' and '{value}' as {name}", "one answer"
            faults.append(Fault("error", file, number, found, expected, "Delete one of the two."))
        last = last if name != "id" else number
    if not cells.get("id") and not cells.get("title"):
        hint = "Save the text of the issue or mail as it was sent."
        faults.append(Fault("error", file, None, "no line 'id: …'", "the paper meant", hint))
    if faults:
        raise InputError(faults)
    row = Row(last, {name: cells.get(name, "") for name in names}, row=last)
    return SheetFile(path, file, names, (row,))


def _label_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    return "id", "title", *label_columns(taxonomy), "why"


def _reader_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    return tuple(name for name in human_columns(taxonomy) if name not in _EDITORS_COLUMNS)
