"""The sheet as a workbook (.xlsx): drop-down lists, the definitions beside it, and read again."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from classifier.errors import Fault, InputError
from classifier.files.table import FORMULA_STARTS, CellCounter, Record, TooManyCells, cell_text
from classifier.review.columns import JOINER
from classifier.review.sheet import human_columns
from classifier.taxonomy.model import Facet, Taxonomy

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.workbook import Workbook

Sheet: TypeAlias = Any
"""A streamed worksheet of openpyxl, of which its type stubs know little."""
WORKBOOK_START = b"PK\x03\x04"
PART = re.compile(r"(review_\w+) [0-9]+")
"""The name of one of the columns over which a list is spread: `review_topics 2`."""
VERDICTS = ("ok", "ok; key", "key", "not key")
MOST_BYTES = 1_000_000_000
"""A workbook that unfolds to more is refused; 100,000 papers take a fifth of that."""
_MOST_CELLS = 2**26
"""Rows and cells up to which a sheet with labels is read: a million rows of our columns."""
LISTED_CATEGORIES = 3
"""Columns for the categories of a facet that sets no `at_most`."""

_SHEET, _DEFINITIONS, _HOW_TO = "Labels", "Definitions", "How to"
_HELP = (
    "Write ok under verdict if every label shown in the row is right. That is all.",
    "Else pick what is right: review_primary is where the paper is filed; review_topics, "
    "review_topics 2, … are all its topics, the first of which is the primary if review_primary is "
    "empty. Where all are empty, what is shown stays.",
    "exclude takes a paper out of the survey: write the reason. remark is printed with the paper, "
    "note is for you. key under verdict marks a key paper.",
    "What each category means stands on the sheet Definitions. Sort, filter and add columns as you "
    "like; leave id, why and the labels as they are.",
    "The abstract stands far to the right.",
    "Save, then run: fieldguide review apply",
)
_WIDTHS = {
    "id": 17, "title": 46, "year": 7, "url": 9, "status": 12, "confidence": 12, "why": 44,
    "verdict": 9, "exclude": 24, "remark": 30, "reviewer": 12, "note": 30, "abstract": 90,
}  # fmt: skip
_LONG = ("title", "topics", "why", "abstract")
_WIDTH = 19
_FONT, _HEIGHT = "Calibri", 31.5
"""Rows are two lines high, in points: a title fits, and `why` does not push the next row away."""
# What the cells of a column are when they look so; all others are text.
_NUMBERS = {"year": re.compile(r"[1-9][0-9]{3}"), "confidence": re.compile(r"[01]\.[0-9]{2}")}
_HUNDREDTHS = "0.00"
# XML knows no control characters: Office writes them as `_x000B_`, and so such a text itself.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_WRITTEN = re.compile("_x([0-9A-Fa-f]{4})_")
# The names by which the sheet is told from the other ones of a workbook.
_MARKS = frozenset({"id", "title", "status", "primary", "topics", "why", "verdict"})
_EPOCH = datetime(1980, 1, 1)
"""When every file of an archive was written; the earliest time that ZIP knows."""


def workbook_bytes(
    taxonomy: Taxonomy, columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> bytes:
    """Return a workbook of three sheets: the labels, the definitions, how to.

    rows: the cells of `columns`. Human columns that take several categories are spread:
    `review_topics`, `review_topics 2`, … The same input gives the same bytes.
    """
    from openpyxl import Workbook  # late: slow to import

    book = Workbook(write_only=True)
    book.properties.creator, book.properties.created = "Fieldguide", _EPOCH
    _add_styles(book)
    spread = [(name, _list_length(taxonomy, name)) for name in columns]
    header = [
        part
        for name, length in spread
        for part in (name, *(f"{name} {number}" for number in range(2, length + 1)))
    ]
    labels, definitions = book.create_sheet(_SHEET), book.create_sheet(_DEFINITIONS)
    _set_up(labels, header, set(human_columns(taxonomy)))
    last = 1
    for last, row in enumerate(rows, 2):  # noqa: B007
        labels.append(_labels_row(labels, spread, row))
    ranges = _write_definitions(definitions, taxonomy)
    how_to = book.create_sheet(_HOW_TO)
    how_to.column_dimensions["A"].width = 100
    for line in _HELP:
        how_to.append([_cell(how_to, line, "wrapped")])
    _finish(labels, header, last, taxonomy, ranges)
    buffer = io.BytesIO()
    book.save(buffer)
    return _timeless(buffer.getvalue())


def read_workbook(data: bytes, shown: str) -> list[Record]:
    """Return every row of the sheet with labels, hidden and empty ones too, as text.

    Numbers are as short as they were typed, dates are ISO dates, formulas are their text.
    Raises InputError where the file is no workbook, is broken or unfolds to more than MOST_BYTES.
    """
    from openpyxl import load_workbook  # late: slow to import

    with _broken_is_told(shown):
        _check_archive(data, shown)
        book = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # what they state is often wrong
        counter = CellCounter(_MOST_CELLS)
        return [
            Record(number, number, [_text(cell) for cell in cells])
            for number, cells in enumerate(counter.rows(_sheet_of_labels(book, counter)), 1)
        ]


def edited_workbook(data: bytes, shown: str, changes: Mapping[int, Mapping[str, str]]) -> bytes:
    """Return a workbook with other cells on its sheet with labels; all else stays as it is.

    changes: row number -> column -> cell; the parts of a list that is spread over columns are
    emptied together. Raises InputError as `read_workbook`.
    """
    from openpyxl import load_workbook  # late: slow to import

    with _broken_is_told(shown):
        _check_archive(data, shown)
        book = load_workbook(io.BytesIO(data))
        sheet = _sheet_of_labels(book, CellCounter(_MOST_CELLS))
        header = next(filter(any, ([_text(cell) for cell in row] for row in sheet.iter_rows())))
        names = [" ".join(name.split()).lower() for name in header]
        for number, cells in changes.items():
            for position, name in enumerate(names, 1):
                part = PART.fullmatch(name)
                if (part[1] if part else name) in cells:
                    sheet.cell(number, position).value = None if part else cells[name] or None
        buffer = io.BytesIO()
        book.save(buffer)
        return _timeless(buffer.getvalue())


def _list_length(taxonomy: Taxonomy, column: str) -> int:
    """Return over how many columns the list of a human column is spread; 1: it is no list."""
    facet = _facet_of(taxonomy, column)
    if facet is None or facet.kind == "single" or column == "review_primary":
        return 1
    return facet.at_most or LISTED_CATEGORIES


def _facet_of(taxonomy: Taxonomy, column: str) -> Facet | None:
    """Return the facet whose categories a human column takes; None: it takes no category."""
    if column in ("review_primary", "review_topics"):
        return taxonomy.first
    return taxonomy.facets.get(column.removeprefix("review_")) if column[:7] == "review_" else None


def _add_styles(book: Workbook) -> None:
    """Register what cells may look like; a cell names its style."""
    from openpyxl.styles import Alignment, Font, NamedStyle, PatternFill

    font, top = Font(name=_FONT, size=11), Alignment(vertical="top")
    bold, centre = Font(name=_FONT, size=11, bold=True), Alignment(vertical="center")
    wrapped = Alignment(vertical="top", wrap_text=True)
    for style in (
        NamedStyle("machine head", bold, PatternFill("solid", "D9D9D9"), alignment=centre),
        NamedStyle("human head", bold, PatternFill("solid", "FFD966"), alignment=centre),
        NamedStyle("text", font, alignment=top),
        NamedStyle("wrapped", font, alignment=wrapped),
        NamedStyle("number", font, alignment=top, number_format=_HUNDREDTHS),
    ):
        book.add_named_style(style)


def _set_up(sheet: Sheet, header: Sequence[str], human: set[str]) -> None:
    """Write the header; set what a streamed sheet wants to know before its first row."""
    from openpyxl.styles import Alignment, PatternFill
    from openpyxl.utils import get_column_letter

    sheet.freeze_panes = "C2"
    sheet.sheet_format.defaultRowHeight, sheet.sheet_format.customHeight = _HEIGHT, True
    heads = []
    for position, name in enumerate(header, 1):
        dimension = sheet.column_dimensions[get_column_letter(position)]
        dimension.width = _WIDTHS.get(name, _WIDTH)
        is_human = name.partition(" ")[0] in human
        if is_human:
            dimension.fill = PatternFill("solid", "FFF9E5")
            dimension.alignment = Alignment(vertical="top", wrap_text=True)
        heads.append(_cell(sheet, name, f"{'human' if is_human else 'machine'} head"))
    sheet.append(heads)


def _labels_row(
    sheet: Sheet, spread: Sequence[tuple[str, int]], row: Sequence[str]
) -> list[Cell | None]:
    cells: list[Cell | None] = []
    for (name, length), cell in zip(spread, row, strict=True):
        number = _NUMBERS.get(name)
        if number and number.fullmatch(cell):
            value, style = (float(cell), "number") if "." in cell else (int(cell), "text")
            cells.append(_cell(sheet, value, style))
            continue
        style = "wrapped" if name in _LONG or name[:7] == "review_" else "text"
        parts = _split(cell, length)
        cells += [_cell(sheet, part, style) if part else None for part in parts]
    return cells


def _split(cell: str, length: int) -> list[str]:
    """Return `length` cells that joined give `cell` again; what has no place stays in the last."""
    parts = cell.split(JOINER, length - 1)
    if not all(map(str.strip, parts)):
        parts = [cell]
    return [*parts, *[""] * (length - len(parts))]


def _cell(sheet: Sheet, value: str | float, style: str) -> Cell:
    """Return a cell; text stays text whatever it looks like."""
    from openpyxl.cell import WriteOnlyCell

    if not isinstance(value, str):
        cell = WriteOnlyCell(sheet, value)
        cell.style = style
        return cell
    # `'=` would lose its apostrophe on reading, since CSV that went through a spreadsheet has one.
    quoted = value.startswith("'") and value.lstrip("'").startswith(FORMULA_STARTS)
    text = _UNWRITABLE.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
    cell = WriteOnlyCell(sheet, f"'{text}" if quoted else text)
    cell.data_type = "s"
    cell.style = style
    if value.startswith(FORMULA_STARTS):
        cell.quotePrefix = True  # stays text when somebody edits it
    return cell


def _write_definitions(sheet: Sheet, taxonomy: Taxonomy) -> dict[str, str]:
    """Write a row for each category in use; return facet -> the range that holds its ids."""
    header = ("facet", "id", "name", "definition", "includes", "excludes")
    sheet.freeze_panes = "A2"
    for letter, width in zip("ABCDEF", (16, 26, 30, 70, 50, 50), strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.append([_cell(sheet, name, "machine head") for name in header])
    ranges, last = {}, 1
    for facet in taxonomy.facets.values():
        first = last + 1
        for last, category in enumerate(facet.walk(), first):  # noqa: B007
            lists = JOINER.join(category.includes), JOINER.join(category.excludes)
            texts = (facet.id, category.id, category.name, category.definition, *lists)
            sheet.append([_cell(sheet, text, "wrapped") for text in texts])
        ranges[facet.id] = f"{_DEFINITIONS}!$B${first}:$B${last}"
    return ranges


def _finish(
    sheet: Sheet, header: Sequence[str], last: int, taxonomy: Taxonomy, ranges: dict[str, str]
) -> None:
    """Add the filter and the drop-down lists; they suggest, since a cell may hold more."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    sheet.auto_filter.ref = f"A1:{get_column_letter(len(header))}{last}"
    for position, name in enumerate(header, 1):
        column = name.partition(" ")[0]
        if column == "verdict":
            source = f'"{",".join(VERDICTS)}"'
        elif facet := _facet_of(taxonomy, column):
            source = ranges[facet.id]
        else:
            continue
        choice = DataValidation(type="list", formula1=source, allow_blank=True)
        choice.showErrorMessage = False
        choice.add(f"{get_column_letter(position)}2:{get_column_letter(position)}{max(last, 2)}")
        sheet.data_validations.append(choice)


def _timeless(data: bytes) -> bytes:
    """Return an archive without the time at which it was written."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            content = old.read(name)
            if name == "docProps/core.xml":
                stamp = _EPOCH.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
                content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z", stamp, content)
            entry = zipfile.ZipInfo(name, _EPOCH.timetuple()[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            new.writestr(entry, content)
    return written.getvalue()


def _check_archive(data: bytes, shown: str) -> None:
    """Raise InputError where an archive is no workbook, or unfolds to too much."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
    names = {entry.filename for entry in entries}
    if not any(name.startswith("xl/") for name in names):
        kind = "an OpenDocument file" if "content.xml" in names else "a ZIP archive, no workbook"
        raise _fault(shown, kind, "Save it as .xlsx or as CSV UTF-8.")
    size = sum(entry.file_size for entry in entries)
    if size > MOST_BYTES:
        found = f"a workbook that unfolds to {size // 1_000_000:,} MB"
        raise _fault(shown, found, "Delete what is not the sheet, or save it as CSV UTF-8.")


def _fault(shown: str, found: str, hint: str) -> InputError:
    return InputError([Fault("error", shown, None, found, "a sheet as .xlsx or CSV", hint)])


@contextmanager
def _broken_is_told(shown: str) -> Iterator[None]:
    """Raise InputError where a workbook is broken, in whatever way."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what openpyxl leaves out: styles, extensions
            yield
    except InputError:
        raise
    except TooManyCells as error:
        hint = "Delete the rows and columns behind the last paper, or save it as CSV UTF-8."
        raise _fault(shown, str(error), hint) from error
    except Exception as error:  # zipfile and openpyxl raise anything where bytes are damaged
        found = f"a broken workbook ({type(error).__name__}: {error})"
        raise _fault(shown, found, "Save it again, or as CSV UTF-8.") from error


def _sheet_of_labels(book: Workbook, counter: CellCounter) -> Sheet:
    """Return the sheet whose first filled row holds most of the names of our columns."""

    def known(sheet: Sheet) -> int:
        rows = ([_text(cell).strip().lower() for cell in row] for row in counter.rows(sheet))
        return len(_MARKS & set(next(filter(any, rows), ())))

    return max(book.worksheets, key=known)


def _text(cell: Any) -> str:
    """Return what a cell holds, as it was typed."""
    value = cell.value
    if isinstance(value, str):
        return _WRITTEN.sub(lambda found: chr(int(found[1], 16)), value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and str(cell.number_format) == _HUNDREDTHS and round(value, 2) == value:
        return f"{value:.2f}"  # as the cell shows it
    return cell_text(getattr(value, "text", value))  # a formula over several cells has a text
