"""Write the sheet as a workbook (.xlsx) with drop-down lists, definitions and abstracts."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from classifier.files.workbook import CREATED, TEXT_OPTIONS, escape_for_workbook
from classifier.review.columns import JOINER
from classifier.review.sheet import human_columns
from classifier.taxonomy.model import Facet, Taxonomy

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

PART = re.compile(r"(review_\w+) [0-9]+")
"""The name of a further column of a list: `review_topics 2`."""
VERDICTS = ("ok", "ok; key", "key", "not key")
N_LIST_COLUMNS = 3
"""Number of columns for the categories of a facet without `at_most`."""

_LABELS, _DEFINITIONS, _HOW_TO = "Labels", "Definitions", "How to"
_HELP = (
    "If all labels of a row are right, write ok into the column verdict.",
    "If not, select the right ones. review_primary is the category under which the paper is filed. "
    "review_topics, review_topics 2, … are all its topics; the first one is the primary if "
    "review_primary is empty. If all these cells are empty, the labels of the row stay.",
    "To exclude a paper from the survey, write the reason into exclude. A remark is printed with "
    "the paper; a note is not published. To mark a key paper, write key into verdict.",
    "The tab Definitions explains each category. You can sort, filter and add tabs. Do not change "
    "id, why and the labels.",
    "The abstract is in the last columns.",
    "Save the file, then run: fieldguide review apply FILE.xlsx",
)
_WIDTHS = {
    "id": 17, "title": 46, "year": 7, "url": 9, "status": 12, "confidence": 12, "why": 44,
    "verdict": 9, "exclude": 24, "remark": 30, "reviewer": 12, "note": 30, "abstract": 90,
}  # fmt: skip
_DEFINITION_WIDTHS = {"facet": 16, "id": 26, "name": 30, "definition": 70, "includes": 50,
                      "excludes": 50}  # fmt: skip
_WRAPPED = ("title", "topics", "why", "abstract")
_WIDTH = 19
_HEIGHT = 31.5
"""Height of a row in points: two lines, so that a long `why` does not make the row taller."""
# Cells of these columns are written as numbers if they match; all other cells are text.
_NUMBERS = {"year": re.compile(r"[1-9][0-9]{3}"), "confidence": re.compile(r"[01]\.[0-9]{2}")}


def workbook_bytes(
    taxonomy: Taxonomy, columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> bytes:
    """Return a workbook of three tabs: labels, definitions and how to fill them.

    rows: the cells of `columns`. A reviewer's column for several categories is written as several
    columns: `review_topics`, `review_topics 2`, … The same input gives the same bytes.
    """
    from xlsxwriter import Workbook  # late: slow to import

    buffer = io.BytesIO()
    book = Workbook(buffer, TEXT_OPTIONS)
    book.set_properties({"author": "Fieldguide", "created": CREATED})
    font = {"font_name": "Calibri", "font_size": 11, "valign": "top"}
    formats = {
        "machine head": book.add_format(font | {"bold": True, "bg_color": "#D9D9D9"}),
        "human head": book.add_format(font | {"bold": True, "bg_color": "#FFD966"}),
        "text": book.add_format(font),
        "wrapped": book.add_format(font | {"text_wrap": True}),
        # As text, so that Excel does not read `-safety` as a formula.
        "human": book.add_format(
            font | {"text_wrap": True, "bg_color": "#FFF9E5", "num_format": "@"}
        ),
        "number": book.add_format(font | {"num_format": "0.00"}),
    }
    sheet = book.add_worksheet(_LABELS)
    definitions = book.add_worksheet(_DEFINITIONS)
    how_to = book.add_worksheet(_HOW_TO)
    widths = [(name, _n_columns(taxonomy, name)) for name in columns]
    header = [
        part
        for name, n_columns in widths
        for part in (name, *(f"{name} {number}" for number in range(2, n_columns + 1)))
    ]
    _write_labels(sheet, header, widths, rows, set(human_columns(taxonomy)), formats)
    ranges = _write_definitions(definitions, taxonomy, formats)
    _add_lists(sheet, header, taxonomy, ranges)
    how_to.set_column(0, 0, 100)
    for number, line in enumerate(_HELP):
        how_to.write_string(number, 0, line, formats["wrapped"])
    book.close()
    return buffer.getvalue()


def is_our_tab(taxonomy: Taxonomy, name: str, rows: Sequence[Sequence[str]]) -> bool:
    """Return whether `workbook_bytes` wrote a tab next to the labels."""
    expected = {
        _DEFINITIONS: [list(_DEFINITION_WIDTHS), *(row for _, row in _definition_rows(taxonomy))],
        _HOW_TO: [[line] for line in _HELP],
    }.get(name)
    found = [[cell.strip() for cell in row] for row in rows if any(row)]
    return expected is not None and found == [[cell.strip() for cell in row] for row in expected]


def _n_columns(taxonomy: Taxonomy, column: str) -> int:
    """Return the number of columns in the workbook for a column of the sheet: 1 without a list."""
    facet = _facet_of(taxonomy, column)
    if facet is None or facet.kind == "single" or column == "review_primary":
        return 1
    return facet.at_most or N_LIST_COLUMNS


def _facet_of(taxonomy: Taxonomy, column: str) -> Facet | None:
    if column in ("review_primary", "review_topics"):
        return taxonomy.first
    return taxonomy.facets.get(column.removeprefix("review_")) if column[:7] == "review_" else None


def _write_labels(
    sheet: Worksheet,
    header: Sequence[str],
    widths: Sequence[tuple[str, int]],
    rows: Iterable[Sequence[str]],
    human: set[str],
    formats: dict[str, Any],
) -> None:
    """Write the header and one row per paper, with a filter.

    widths: (column of the sheet, number of its columns in the workbook).
    """
    sheet.freeze_panes(1, 2)
    sheet.set_default_row(_HEIGHT)
    styles: list[str] = []
    for position, name in enumerate(header):
        base = name.partition(" ")[0]
        style = "wrapped" if name in _WRAPPED else "text"
        styles.append("human" if base in human else style)
        sheet.set_column(position, position, _WIDTHS.get(name, _WIDTH), formats[styles[-1]])
        head = "human head" if base in human else "machine head"
        sheet.write_string(0, position, name, formats[head])
    last = 0
    for last, row in enumerate(rows, 1):
        position = 0
        for (name, n_columns), cell in zip(widths, row, strict=True):
            number = _NUMBERS.get(name)
            if number and number.fullmatch(cell):
                style = formats["number" if "." in cell else "text"]
                sheet.write_number(last, position, float(cell), style)
            else:
                for offset, part in enumerate(_split_list(cell, n_columns)):
                    if part:
                        text = escape_for_workbook(part)
                        sheet.write_string(last, position + offset, text, formats[styles[position]])
            position += n_columns
    sheet.autofilter(0, 0, last, len(header) - 1)


def _split_list(cell: str, n_cells: int) -> list[str]:
    parts = cell.split(JOINER, n_cells - 1)
    return parts if all(map(str.strip, parts)) else [cell]


def _definition_rows(taxonomy: Taxonomy) -> Iterator[tuple[str, list[str]]]:
    for facet in taxonomy.facets.values():
        for each in facet.walk():
            lists = JOINER.join(each.includes), JOINER.join(each.excludes)
            yield facet.id, [facet.id, each.id, each.name, each.definition, *lists]


def _write_definitions(
    sheet: Worksheet, taxonomy: Taxonomy, formats: dict[str, Any]
) -> dict[str, str]:
    """Write a row per current category; return facet id -> the cell range of its category ids."""
    sheet.freeze_panes(1, 0)
    for position, (name, width) in enumerate(_DEFINITION_WIDTHS.items()):
        sheet.set_column(position, position, width)
        sheet.write_string(0, position, name, formats["machine head"])
    rows: dict[str, list[int]] = {}
    for number, (facet_id, cells) in enumerate(_definition_rows(taxonomy), 1):
        rows.setdefault(facet_id, []).append(number + 1)
        for position, cell in enumerate(cells):
            sheet.write_string(number, position, escape_for_workbook(cell), formats["wrapped"])
    return {
        facet_id: f"={_DEFINITIONS}!$B${numbers[0]}:$B${numbers[-1]}"
        for facet_id, numbers in rows.items()
    }


def _add_lists(
    sheet: Worksheet, header: Sequence[str], taxonomy: Taxonomy, ranges: dict[str, str]
) -> None:
    last = sheet.dim_rowmax or 1
    for position, name in enumerate(header):
        column = name.partition(" ")[0]
        facet = _facet_of(taxonomy, column)
        source = list(VERDICTS) if column == "verdict" else ranges[facet.id] if facet else None
        if source:
            choice = {"validate": "list", "source": source, "show_error": False}
            sheet.data_validation(1, position, last, position, choice)
