"""What a reader reports of a paper, as text: written into an issue or a mail, and read back.

A line `column: value` for each column of the sheet that a reader may fill. An issue form that asks
for the same columns gives them as headings, `### review_primary`, with the value below.
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
_NOT_ASKED = ("verdict", "remark", "reviewer")
"""What the editor answers for, who takes a report up."""
_HEADING = re.compile(r"#+\s+([a-z_ ]+?)\s*:?\s*", re.IGNORECASE)


def report_text(taxonomy: Taxonomy, paper: Paper, labels: PaperLabels) -> str:
    """Return the begun report of a wrong label: the row of the sheet, the labels shown marked."""
    row = machine_cells(taxonomy.first.id, paper, labels.facets)
    mark = with_checksum("", checksum(row, label_columns(taxonomy), taxonomy.digest)).strip()
    row |= {"why": mark}
    shown = (f"{column}: {row.get(column, '')}" for column in _shown(taxonomy))
    wanted = "What is right? Write it behind the colons; what stays empty changes nothing."
    asked = (f"{column}: " for column in _asked(taxonomy))
    return "\n".join((*shown, "", wanted, *asked))


def new_paper_text() -> str:
    """Return the begun report of a paper that is missing."""
    return "\n".join(f"{name}: " for name in _NEW_PAPER)


def read_report(path: Path, shown: str, taxonomy: Taxonomy) -> SheetFile:
    """Read a report as a sheet of one row.

    Raises InputError where it names no paper, asks for one to add, or answers something twice.
    """
    columns = (*_shown(taxonomy), *_asked(taxonomy))
    cells: dict[str, str] = {}
    faults: list[Fault] = []
    last, heading = 0, ""
    for number, line in enumerate(read_text(path, shown).splitlines(), 1):
        text = line.lstrip("> ").strip()
        if under := _HEADING.fullmatch(text):
            heading = under[1].lower()
            continue
        stated = _LINE.fullmatch(text)
        name, value = (stated[1].lower(), stated[2]) if stated else ("", "")
        if name not in (*columns, *_NEW_PAPER):
            name, value = heading, text
        if name in _NEW_PAPER and value:
            cure = "A paper is added in papers/: as a line of a list, or a record of a file."
            found = "a paper to add"
            raise InputError([Fault("error", shown, number, found, "a report of a label", cure)])
        if name not in columns or not value or value.lower() == _NO_ANSWER:
            continue
        if cells.setdefault(name, value) != value:
            found, wanted = f"'{cells[name]}' and '{value}' as {name}", "one answer"
            faults.append(Fault("error", shown, number, found, wanted, "Delete one of the two."))
        last = last if name != "id" else number
    if not cells.get("id") and not cells.get("title"):
        cure = "Save the text of the issue or mail as it was sent."
        faults.append(
            Fault("error", shown, None, "no line 'id: …'", "the paper that is meant", cure)
        )
    if faults:
        raise InputError(faults)
    row = Row(last, {name: cells.get(name, "") for name in columns}, row=last)
    return SheetFile(path, shown, columns, (row,))


def _shown(taxonomy: Taxonomy) -> tuple[str, ...]:
    return "id", "title", *label_columns(taxonomy), "why"


def _asked(taxonomy: Taxonomy) -> tuple[str, ...]:
    return tuple(name for name in human_columns(taxonomy) if name not in _NOT_ASKED)
