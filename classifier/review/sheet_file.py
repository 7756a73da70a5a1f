"""A sheet as a file: whatever a spreadsheet saved is read, CSV and workbooks are written.

What a reader reports of a paper is a sheet of one row as text, written into an issue or a mail and
read back: a line `column: value` for each column that a reader may fill. An issue form that asks
for the same columns gives them as headings, `### review_primary`, with the value below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal, TypeAlias

from classifier.errors import Fault, InputError
from classifier.files.reading import binary_kind, read_bytes, read_text, utf_16_order
from classifier.files.table import (
    Record,
    Row,
    check_header,
    csv_bytes,
    delimiter_of,
    parse_records,
    unescape_formula,
    write_table,
)
from classifier.labelling.labels import PaperLabels
from classifier.papers.paper import Paper
from classifier.review.columns import JOINER
from classifier.review.sheet import (
    MARKS,
    checksum,
    columns,
    human_columns,
    label_columns,
    machine_cells,
    with_checksum,
)
from classifier.review.workbook import (
    PART,
    WORKBOOK_START,
    edited_workbook,
    read_workbook,
    workbook_bytes,
)
from classifier.taxonomy.model import Taxonomy

Kind: TypeAlias = Literal["csv", "xlsx"]

MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""
SAVE = "Save it as CSV UTF-8 or as a workbook (.xlsx)."
# Three letters of the header tell UTF-16: they are ASCII, whatever the rows are.
_FIRST_LETTERS = 6
# The container of .xls, and of an .xlsx that is encrypted.
_OLD_OR_ENCRYPTED = b"\xd0\xcf\x11\xe0"
_WANTED = "a sheet as CSV or .xlsx"
# The line by which Excel is told what separates cells; it shows no row for it.
_SEPARATOR = re.compile(r'"?sep=(.)"?[\r\n]', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A sheet as a person left it: its rows, and how it was stored."""

    path: Path
    shown: str
    """The file, as messages name it."""
    columns: tuple[str, ...]
    """Names of the columns in the order of the file, in lower case, trimmed, none empty.

    A list that is spread over `review_topics`, `review_topics 2`, … is one column.
    """
    rows: tuple[Row, ...]
    """Rows that hold anything; `row` is the number that a spreadsheet shows (the header is 1)."""
    kind: Kind = "csv"
    delimiter: str = ","
    """What separates cells; "" in a workbook."""
    encoding: str = "utf-8"
    """utf-8, utf-16-le, utf-16-be or cp1252; "" in a workbook."""
    mark: bool = False
    """Whether it began with a byte order mark."""


def in_sheet(fault: Fault, sheet: SheetFile, row: int | None) -> Fault:
    """Return the fault of a cell with its place; row: that a spreadsheet shows."""
    return replace(fault, file=sheet.shown, line=row)


_SECOND_MARK = "\ufeff"
"""What a program puts before a text that begins with a mark already."""


def read_sheet(path: Path, shown: str = "") -> SheetFile:
    """Read a sheet from CSV or a workbook, told by content and not by name.

    CSV: comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252; any newline. Formulas are text.
    Raises InputError (file, line, expected, hint) where it is missing, empty, binary, encrypted,
    too large, has a column twice, a quote that is never closed, or no column `id` or `title`.
    """
    shown = shown or str(path)
    data = read_bytes(path, shown)
    if data.startswith(WORKBOOK_START):
        names, rows = _named_rows(iter(read_workbook(data, shown)), shown)
        return SheetFile(path, shown, names, rows, "xlsx", "", "")
    text, encoding, mark = _decode(data, shown)
    del data
    told = _SEPARATOR.match(text)
    delimiter = told[1] if told else delimiter_of(text.lstrip("\r\n"))
    records = parse_records(text, shown, delimiter)
    if told:
        next(records)
        records = (record._replace(row=record.row - 1) for record in records)
    names, rows = _named_rows(records, shown)
    return SheetFile(path, shown, names, rows, "csv", delimiter, encoding, mark)


def sheet_file_bytes(
    taxonomy: Taxonomy,
    rows: Iterable[Mapping[str, str]],
    kind: Kind = "csv",
    *,
    mark: bool = False,
    further_columns: Sequence[str] = (),
) -> bytes:
    """Return a sheet of `rows` (column -> cell): the columns of the taxonomy, `further_columns`.

    mark: begin with a byte order mark, without which Excel on Windows takes UTF-8 for something
    else; a workbook has none.
    """
    names = [*columns(taxonomy), *further_columns]
    if kind == "xlsx":
        table = ([row.get(name, "") for name in names] for row in rows)
        return workbook_bytes(taxonomy, names, table)
    return (MARK if mark else b"") + write_table(names, rows)


def rewritten_bytes(sheet: SheetFile, rows: Mapping[int, Row]) -> bytes:
    """Return the file of a sheet with some of its rows replaced, the rest as it stands.

    rows: row number -> the row in its place. Columns and rows keep their order; a CSV keeps its
    delimiter and becomes UTF-8, a workbook keeps its other sheets.
    Raises InputError where the file is gone or no longer a sheet.
    """
    if sheet.kind == "xlsx":
        before = {row.row: row.cells for row in sheet.rows}
        changes = {
            number: {name: c for name, c in row.cells.items() if c != before[number].get(name, "")}
            for number, row in rows.items()
        }
        return edited_workbook(read_bytes(sheet.path, sheet.shown), sheet.shown, changes)
    mark = sheet.mark or sheet.encoding != "utf-8"  # whoever needed another encoding needs a mark
    names, kept = sheet.columns, [rows.get(row.row, row) for row in sheet.rows]
    table = [[*(row.cells.get(name, "") for name in names), *row.extra] for row in kept]
    nameless = [""] * max((len(row.extra) for row in kept), default=0)
    written = csv_bytes([*names, *nameless], table, sheet.delimiter)
    return MARK + written if mark else written


def is_sheet(path: Path) -> bool:
    """Return whether a file has the columns of a sheet, as written or as a spreadsheet saves it."""
    try:
        return set(MARKS) <= set(read_sheet(path).columns)
    except InputError:
        return False


def _decode(data: bytes, shown: str) -> tuple[str, str, bool]:
    """Return the text of a CSV, the encoding that a spreadsheet chose, and whether it is marked."""
    if not data.strip():
        raise InputError([Fault("error", shown, None, "an empty file", _WANTED)])
    marks = {MARK: "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
    mark = next(filter(data.startswith, marks), b"")
    encoding = marks.get(mark) or utf_16_order(data[:_FIRST_LETTERS])
    kind = "" if encoding else binary_kind(data)
    if data.startswith(_OLD_OR_ENCRYPTED):
        kind = "an Excel file of the old format or with a password"
        hint = f"{SAVE[:-1]} without a password."
        raise InputError([Fault("error", shown, None, kind, _WANTED, hint)])
    if kind:
        raise InputError([Fault("error", shown, None, kind, _WANTED, SAVE)])
    try:
        text = data[len(mark) :].decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        if encoding or not _is_windows(data):
            raise _damaged(error, shown) from error
        encoding = "cp1252"
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as undefined:
            raise _damaged(undefined, shown) from undefined
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError([Fault("error", shown, line, "a NUL character", _WANTED, SAVE)])
    text = text.lstrip(_SECOND_MARK).replace("\r\n", "\n")
    return text, encoding or "utf-8", bool(mark)


def _is_windows(data: bytes) -> bool:
    """Say whether bytes that are not all UTF-8 are no damaged UTF-8 either: little of it fits."""
    guess = data.decode("utf-8", errors="replace")
    wrong = guess.count("\N{REPLACEMENT CHARACTER}")
    return wrong > sum(character > "\x7f" for character in guess) - wrong


def _damaged(error: UnicodeDecodeError, shown: str) -> InputError:
    line = error.object.count(b"\n", 0, error.start) + 1
    found = f"byte 0x{error.object[error.start]:02x}"
    return InputError([Fault("error", shown, line, found, "UTF-8 text", SAVE)])


def _named_rows(records: Iterator[Record], shown: str) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    """Return the columns and the rows of a sheet; the first record that is not empty names them."""
    header = next((record for record in records if _is_filled(record)), Record(1, 1, []))
    cells = (unescape_formula(name.replace(_SECOND_MARK, "").strip()) for name in header.cells)
    names = [" ".join(name.split()).lower() for name in cells]
    hint = "The header is as Fieldguide wrote it: id,title,…"
    check_header(names, shown, header.line, "Rename one of them." if any(names) else hint)
    if not {"id", "title"} & set(names):
        found = f"no column id or title in '{', '.join(filter(None, names))[:80]}'"
        raise InputError([Fault("error", shown, header.line, found, "the sheet's header", hint)])
    # A part belongs to its column: `review_topics 2` to `review_topics`.
    merged = [part[1] if (part := PART.fullmatch(name)) else name for name in names]
    rows = tuple(_row(record, merged) for record in records if _is_filled(record))
    return tuple(dict.fromkeys(filter(None, merged))), rows


def _is_filled(record: Record) -> bool:
    return any(cell and not cell.isspace() for cell in record.cells)


def _row(record: Record, names: Sequence[str]) -> Row:
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
    expected = "What is right? Write it behind the colons; what stays empty changes nothing."
    asked = (f"{column}: " for column in _asked(taxonomy))
    return "\n".join((*shown, "", expected, *asked))


def new_paper_text() -> str:
    """Return the begun report of a paper that is missing."""
    return "\n".join(f"{name}: " for name in _NEW_PAPER)


def read_report(path: Path, shown: str, taxonomy: Taxonomy) -> SheetFile:
    """Read a report as a sheet of one row.

    Raises InputError where it names no paper, asks for one to add, or answers something twice.
    """
    names = (*_shown(taxonomy), *_asked(taxonomy))
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
        if name not in (*names, *_NEW_PAPER):
            name, value = heading, text
        if name in _NEW_PAPER and value:
            hint = "A paper is added in papers/: as a line of a list, or a record of a file."
            found = "a paper to add"
            raise InputError([Fault("error", shown, number, found, "a report of a label", hint)])
        if name not in names or not value or value.lower() == _NO_ANSWER:
            continue
        if cells.setdefault(name, value) != value:
            found, expected = f"'{cells[name]}' and '{value}' as {name}", "one answer"
            faults.append(Fault("error", shown, number, found, expected, "Delete one of the two."))
        last = last if name != "id" else number
    if not cells.get("id") and not cells.get("title"):
        hint = "Save the text of the issue or mail as it was sent."
        faults.append(
            Fault("error", shown, None, "no line 'id: …'", "the paper that is meant", hint)
        )
    if faults:
        raise InputError(faults)
    row = Row(last, {name: cells.get(name, "") for name in names}, row=last)
    return SheetFile(path, shown, names, (row,))


def _shown(taxonomy: Taxonomy) -> tuple[str, ...]:
    return "id", "title", *label_columns(taxonomy), "why"


def _asked(taxonomy: Taxonomy) -> tuple[str, ...]:
    return tuple(name for name in human_columns(taxonomy) if name not in _NOT_ASKED)
