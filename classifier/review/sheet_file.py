"""Read sheets as spreadsheets save them; write sheets as CSV and workbooks."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal, TypeAlias

from classifier.errors import Fault, InputError, input_error
from classifier.files.reading import binary_kind, read_bytes
from classifier.files.table import (
    Record,
    Row,
    check_header,
    csv_bytes,
    delimiter_of,
    parse_records,
    unescape_formula,
)
from classifier.files.workbook import is_workbook, read_sheets
from classifier.review.columns import HUMAN, HUMAN_END, JOINER
from classifier.review.sheet import SHEET_COLUMNS, sheet_columns
from classifier.review.workbook import PART, is_our_tab, workbook_bytes
from classifier.taxonomy.model import Taxonomy

Kind: TypeAlias = Literal["csv", "xlsx"]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SAVE = "Save it as CSV UTF-8 or as a workbook (.xlsx)."
# First bytes of an .xls file and of an encrypted .xlsx file.
_OLD_OR_ENCRYPTED = b"\xd0\xcf\x11\xe0"
_EXPECTED = "a sheet as CSV or .xlsx"
_HEADER = "Write the header of Fieldguide's sheet into the first row: id,title,…"
_ANSWERS = ("review_", "col_", *HUMAN, *HUMAN_END)
"""Prefixes of the names of columns for answers."""
_MIN_COLUMNS = 5
"""Minimum number of columns of a sheet for the check that its cells were split."""


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A sheet as a reviewer saved it, or one tab of a workbook."""

    path: Path
    file: str
    """The name in messages: that of the file, with the tab if there are several."""
    columns: tuple[str, ...]
    """Column names in the order of the file, in lower case, trimmed, none empty.

    The columns `review_topics`, `review_topics 2`, … of a list are merged into one.
    """
    rows: tuple[Row, ...]
    """Rows that are not empty; `row` is the number in a spreadsheet (the header is 1)."""
    delimiter: str = ","
    """The separator of a CSV; "" for a workbook."""


def add_place_in_sheet(fault: Fault, sheet: SheetFile, row: int | None) -> Fault:
    """Return the fault of a cell with its file and row, numbered as a spreadsheet does."""
    return replace(fault, file=sheet.file, line=row)


def read_sheet(path: Path, file: str = "") -> SheetFile:
    """Return the sheet in a CSV, or the first one in a workbook. Raises as `read_tabs`."""
    return read_tabs(path, file)[0][0]


def read_tabs(
    path: Path, file: str = "", taxonomy: Taxonomy | None = None
) -> tuple[list[SheetFile], list[str]]:
    """Return the sheets of a CSV or workbook, and a line for each part that was not read.

    The content determines the type. A CSV may have commas, semicolons, tabs or bars, any newline,
    and the encoding UTF-8, UTF-16 or Windows-1252; the last one is reported with words of the
    answers. In a workbook, every tab with the columns of a sheet is
    read; other tabs and all comments are reported. taxonomy: the tabs that Fieldguide wrote for it
    are not reported.
    Raises InputError (file, line, expected, hint) if the file is missing, empty, binary,
    encrypted, too large, cut off, has a column twice, a stray quote, or no column `id` or `title`.
    """
    file = file or str(path)
    data = read_bytes(path, file)
    if data.startswith(b"PK") and is_workbook(io.BytesIO(data)):
        return _read_workbook(path, file, data, taxonomy)
    text, is_windows = _decode(data, file)
    del data
    delimiter = delimiter_of(text.lstrip("\r\n"))
    names, rows = _parse_rows(parse_records(text, file, delimiter), file)
    _refuse_damage(text, file, delimiter)
    sheet = SheetFile(path, file, names, rows, delimiter)
    return [sheet], _guessed_letters(sheet) if is_windows else []


def sheet_file_bytes(
    taxonomy: Taxonomy,
    rows: Iterable[Mapping[str, str]],
    kind: Kind = "csv",
    *,
    for_excel: bool = False,
    further_columns: Sequence[str] = (),
) -> bytes:
    """Return a sheet of `rows` (column -> cell), with the taxonomy's columns and `further_columns`.

    for_excel: write semicolons and a byte order mark, so that Excel reads a CSV as UTF-8 and, in
    most of Europe, splits it into columns. A workbook needs neither.
    """
    names = [*sheet_columns(taxonomy), *further_columns]
    table = ([row.get(name, "") for name in names] for row in rows)
    if kind == "xlsx":
        return workbook_bytes(taxonomy, names, table)
    if for_excel:
        return BYTE_ORDER_MARK + csv_bytes(names, table, ";")
    return csv_bytes(names, table)


def is_sheet(path: Path) -> bool:
    """Return whether a file has the columns of a sheet, as written or as a spreadsheet saves it."""
    try:
        return set(SHEET_COLUMNS) <= set(read_sheet(path).columns)
    except InputError:
        return False


def _read_workbook(
    path: Path, file: str, data: bytes, taxonomy: Taxonomy | None
) -> tuple[list[SheetFile], list[str]]:
    sheets: list[SheetFile] = []
    unread: list[str] = []
    for tab in read_sheets(io.BytesIO(data), file):
        place = f"{file} [{tab.name}]"
        header_row = next((number for number, row in enumerate(tab.rows, 1) if any(row)), 1)
        tab.fill_merged(header_row + 1)
        records = (Record(number, number, cells) for number, cells in enumerate(tab.rows, 1))
        filled = [record for record in records if _is_filled(record)]
        header = [_column_name(name) for name in filled[0].cells] if filled else []
        if _is_header(header):
            names, rows = _parse_rows(iter(filled), place)
            sheets.append(SheetFile(path, place, names, rows, ""))
        elif filled and not (taxonomy and is_our_tab(taxonomy, tab.name, tab.rows)):
            unread.append(f"{place}: skipped, since it has no column id or title.")
        if tab.comments:
            cells = ", ".join(tab.comments[:5]) + (", …" if len(tab.comments) > 5 else "")
            number = len(tab.comments)
            unread.append(
                f"{place}: {number} comment{'' if number == 1 else 's'} skipped ({cells}). To "
                "keep them in the ledger, copy them into the column note or remark."
            )
    if not sheets:
        raise input_error(file, "no tab with the columns of a review sheet", _EXPECTED, _HEADER)
    if len(sheets) == 1:
        sheets = [replace(sheets[0], file=file)]
    return sheets, unread


def _decode(data: bytes, file: str) -> tuple[str, bool]:
    """Return the text of a CSV, and whether it is read as Windows-1252, as Excel saves it."""
    if not data.strip():
        raise input_error(file, "an empty file", _EXPECTED)
    marks = {BYTE_ORDER_MARK: "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
    mark = next(filter(data.startswith, marks), b"")
    encoding = marks.get(mark)
    kind = "" if encoding else binary_kind(data)
    if data.startswith(_OLD_OR_ENCRYPTED):
        kind = "an Excel file of the old format or with a password"
        raise input_error(file, kind, _EXPECTED, f"{_SAVE[:-1]} without a password.")
    if data.startswith(b"PK\3\4"):
        kind = "a damaged workbook or another ZIP archive"
    if kind:
        raise input_error(file, kind, _EXPECTED, _SAVE)
    is_windows = False
    try:
        text = data[len(mark) :].decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        text = data.decode("cp1252", errors="replace")
        is_utf_8 = not data.decode(errors="ignore").isascii()  # with a damaged byte
        is_windows = not (encoding or is_utf_8 or _ODD.search(text))
        if not is_windows:
            line, byte = data.count(b"\n", 0, error.start) + 1, error.object[error.start]
            raise input_error(file, f"byte 0x{byte:02x}", "UTF-8 text", _SAVE, line) from error
    if text.lstrip()[:1] in ("<", "{", "["):
        kind = "an HTML, XML or JSON file"
        raise InputError([Fault("error", file, None, kind, _EXPECTED, _SAVE)])
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise input_error(file, "a NUL character", _EXPECTED, _SAVE, line)
    return text.replace("\r\n", "\n"), is_windows


# Characters that appear in a word if the text is decoded wrongly: `†bung`, `donÕt`.
_ODD = re.compile(
    "\ufffd|Ÿ|(?<=[A-Za-z])(?:[„‚]|[À-ÖØ-Þ](?=[a-z])|[”‹¤](?=[^\\W\\d_]))|(?<=[A-Za-z])[ŠŽŒ](?=[a-z])"
    "|(?<=[a-z])[À-ÖØ-Þ](?![A-ZÀ-Þ])|[†‡‰ˆ¸](?=[a-z])|(?<=\\s)[ÐÑ](?=\\s)"
)


def _guessed_letters(sheet: SheetFile) -> list[str]:
    """Return a line with the words of answers whose letters depend on a guessed encoding."""
    answers = [name for name in sheet.columns if name.startswith(_ANSWERS)]
    cells = (row.cells[name] for row in sheet.rows for name in answers)
    words = dict.fromkeys(word for cell in cells for word in cell.split() if not word.isascii())
    if not words:
        return []
    listed = ", ".join(list(words)[:5]) + (", …" if len(words) > 5 else "")
    return [
        f"{sheet.file}: read as Windows-1252: {listed}. If letters are wrong, save it "
        "as CSV UTF-8 and apply it again."
    ]


def _refuse_damage(text: str, file: str, delimiter: str) -> None:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    first: list[str] = []
    last: list[str] = []
    try:
        for last in reader:
            first = first or last
    except csv.Error as error:
        found, hint = "text after a closing quote", 'Write a quote in a cell as "", or remove it.'
        expected = "the end of the cell"
        raise input_error(file, found, expected, hint, reader.line_num) from error
    if any(map(str.strip, last)) and len(last) < len(first) and not text.endswith(("\n", "\r")):
        found = f"the end of the file after {len(last)} of {len(first)} cells of the row"
        hint = (
            "The file was cut off: save it again. If it is complete, add a line break at its end."
        )
        raise input_error(file, found, "a complete row", hint, reader.line_num)


def _is_header(names: Sequence[str]) -> bool:
    """Return whether `names` are columns of a sheet; the tab of definitions also has an id."""
    has_answers = any(name in HUMAN + HUMAN_END or name.startswith("review_") for name in names)
    return "title" in names or ("id" in names and has_answers)


def _column_name(cell: str) -> str:
    name = unescape_formula(cell.replace("\ufeff", "").strip())
    return " ".join(name.split()).lower()


def _parse_rows(records: Iterator[Record], file: str) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    header = next((record for record in records if _is_filled(record)), Record(1, 1, []))
    names = [_column_name(cell) for cell in header.cells]
    _refuse_one_column(header, names, file)
    if not {"id", "title"} & set(names):
        found = f"no column id or title in '{', '.join(filter(None, names))[:80]}'"
        raise input_error(file, found, "the sheet's header", _HEADER, header.line)
    check_header(names, file, header.line, "Move the cells of one into the other, and delete it.")
    # A list may be split into several columns: `review_topics 2` belongs to `review_topics`.
    merged = [part[1] if (part := PART.fullmatch(name)) else name for name in names]
    rows: list[Row] = []
    for record in records:
        if _is_filled(record):
            _refuse_one_column(record, names, file)
            rows.append(_row_of_record(record, merged))
    return tuple(dict.fromkeys(filter(None, merged))), tuple(rows)


def _refuse_one_column(record: Record, names: Sequence[str], file: str) -> None:
    """Raise InputError if a spreadsheet did not split the cells of a CSV at commas."""
    filled = [cell for cell in record.cells if cell.strip()]
    is_header_unsplit = len(names) >= _MIN_COLUMNS and re.fullmatch(r"\w+[;\t]+", names[-1])
    n_commas = filled[0].count(",") if len(filled) == 1 else 0
    is_unsplit = n_commas >= max(_MIN_COLUMNS, len(names) // 2) and len(names) not in (2, 3, 4)
    if not (is_header_unsplit or is_unsplit):
        return
    hint = (
        "The spreadsheet did not split the cells at commas. Copy your answers into a sheet of "
        "`fieldguide build --excel` or `fieldguide review sheet FILE.xlsx`."
    )
    found = "all cells of a row in its first column"
    raise input_error(file, found, "one cell per column", hint, record.line)


def _is_filled(record: Record) -> bool:
    return any(cell and not cell.isspace() for cell in record.cells)


def _row_of_record(record: Record, names: Sequence[str]) -> Row:
    cells = dict.fromkeys(names, "")
    extra = []
    for name, cell in zip(chain(names, [""] * len(record.cells)), record.cells, strict=False):
        if not cell:
            continue
        text = unescape_formula(cell)
        if name:
            before = cells[name]
            cells[name] = f"{before}{JOINER}{text}" if before and text.strip() else before or text
        elif text.strip():
            extra.append(text)
    cells.pop("", None)
    return Row(record.line, cells, tuple(extra), record.row)
