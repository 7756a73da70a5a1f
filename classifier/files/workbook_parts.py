"""Read from workbooks what calamine does not: sizes, comments, errors, formats and merges.

No sheet is unpacked into memory, so that a decompression bomb can be refused.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import IO, Any, Final, NamedTuple

_MAX_COLUMNS: Final = 2**14
_BLOCK: Final = 2**22
ERRORS: Final = (
    "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A",
)  # fmt: skip
"""Values of formulas that a spreadsheet could not compute."""


class Merge(NamedTuple):
    """A cell that is merged over several rows: its rows, and its first column, from 1."""

    first_row: int
    last_row: int
    column: int


@dataclass(slots=True)
class SheetParts:
    """The size of a sheet up to its last filled cell; its comments, errors and merged cells."""

    n_rows: int = 0
    n_columns: int = 0
    comments: list[str] = field(default_factory=list)
    """Cells with a comment, such as `B3`."""
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    """Row and column, from 1 -> the text of an error, of a formula without a result (`#N/A`), of a
    percentage, or of a truth value that has no type."""
    merges: list[Merge] = field(default_factory=list)


def parts_of_archive(data: bytes) -> dict[str, SheetParts]:
    """Return the parts of each sheet in a .xlsx or .ods file, by sheet name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if "content.xml" in archive.namelist():
            with archive.open("content.xml") as content:
                return _parts_of_tables(content)
        percents = _percent_styles(archive)
        return {
            title: _parts_of_sheet(archive, part, percents)
            for title, part in _sheet_files(archive).items()
        }


# --- .xlsx: each sheet is a file of the archive, its comments are another ------------------------

_CELL: Final = re.compile(rb'<(?:\w+:)?c\s(?:[^<>]*?\s)?r="([A-Z]{1,7})(\d{1,12})"[^<>/]*>')
"""A cell that is not empty: an empty one closes itself (`<c r="A1" s="2"/>`)."""
_ANY_CELL: Final = re.compile(rb"<(?:\w+:)?c[\s>]")
_CELL_WITH_PLACE: Final = re.compile(rb'<(?:\w+:)?c\s[^<>]*\br="')
_ROW: Final = re.compile(rb"<(?:\w+:)?row[\s/>]")
_COMMENT: Final = re.compile(rb'<(?:\w+:)?comment\s[^<>]*\bref="([A-Z]+\d+)"')
_ERROR: Final = re.compile(
    rb'<(?:\w+:)?c\s(?=[^<>]*\bt="e")[^<>]*?\br="([A-Z]{1,7})(\d{1,12})"[^<>]*>'
    rb"(?:<(?:\w+:)?f\b[^<>]*(?:/>|>[^<]*</(?:\w+:)?f>))?<(?:\w+:)?v>([^<]{1,40})<"
)
_NO_RESULT: Final = re.compile(
    rb'<(?:\w+:)?c\s(?![^<>]*\bt="str")[^<>]*?\br="([A-Z]{1,7})(\d{1,12})"[^<>]*>'
    rb"<(?:\w+:)?f\b[^<>]*(?:/>|>[^<]*</(?:\w+:)?f>)"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?</(?:\w+:)?c>"
)
"""A formula that a script wrote, without the result; Excel writes `t="str"` for an empty one."""
_STYLED_NUMBER: Final = re.compile(
    rb'<(?:\w+:)?c\s(?![^<>]*\bt="[^n])(?=[^<>]*\bs="(\d{1,6})")[^<>]*?\br="([A-Z]{1,7})(\d{1,12})"[^<>]*>'
    rb"(?:<(?:\w+:)?f\b[^<>]*(?:/>|>[^<]*</(?:\w+:)?f>))?<(?:\w+:)?v>([-+.\dEe]{1,40})<"
)
_PERCENT_FORMATS: Final = frozenset({"9", "10"})
"""Ids of the built-in formats 0% and 0.00%."""
_MERGE: Final = re.compile(rb'<(?:\w+:)?mergeCell\s[^<>]*\bref="([A-Z]+)(\d+):[A-Z]+(\d+)"')
_LAST_TAG: Final = re.compile(rb"<[^<>]*\Z")


def _xml(archive: zipfile.ZipFile, name: str) -> Any:
    """Parse an XML file in the archive."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    return etree.fromstring(archive.read(name), parser)


def _targets(archive: zipfile.ZipFile, name: str) -> dict[str, tuple[str, str]]:
    """Return type and name of each file to which a file refers, by relation id."""
    folder, file = posixpath.split(name)
    relations = f"{folder}/_rels/{file}.rels"
    if relations not in archive.namelist():
        return {}
    return {
        str(one.get("Id")): (
            str(one.get("Type")).rpartition("/")[2],
            posixpath.normpath(posixpath.join("/", folder, str(one.get("Target"))))[1:],
        )
        for one in _xml(archive, relations)
    }


def _sheet_files(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return each sheet's file in the archive, by sheet name."""
    targets = _targets(archive, "xl/workbook.xml")
    files: dict[str, str] = {}
    for sheet in _xml(archive, "xl/workbook.xml").iter("{*}sheet"):
        ids = [value for key, value in sheet.items() if key.endswith("}id")]
        if ids and ids[0] in targets:
            files[str(sheet.get("name"))] = targets[ids[0]][1]
    return files


def _percent_styles(archive: zipfile.ZipFile) -> frozenset[bytes]:
    """Return the numbers of the cell styles that show a number as a percentage."""
    if "xl/styles.xml" not in archive.namelist():
        return frozenset()
    styles = _xml(archive, "xl/styles.xml")
    formats = {
        *_PERCENT_FORMATS,
        *(
            str(each.get("numFmtId"))
            for each in styles.iter("{*}numFmt")
            if "%" in str(each.get("formatCode"))
        ),
    }
    used = styles.findall("{*}cellXfs/{*}xf")
    return frozenset(
        b"%d" % number for number, each in enumerate(used) if each.get("numFmtId") in formats
    )


def _parts_of_sheet(
    archive: zipfile.ZipFile, name: str, percents: frozenset[bytes] = frozenset()
) -> SheetParts:
    """Read the parts of one sheet of a .xlsx file."""
    parts = SheetParts()
    n_rows = n_unplaced = 0
    with archive.open(name) as file:
        for block in _blocks_of_cells(file):
            columns, rows = set(), set()
            for column, row in _CELL.findall(block):
                columns.add(column)
                rows.add(row)
            parts.n_columns = max(parts.n_columns, *map(_column_number, columns), 0)
            parts.n_rows = max(parts.n_rows, *map(int, rows), 0)
            n_rows += len(_ROW.findall(block))
            n_unplaced += len(_ANY_CELL.findall(block)) - len(_CELL_WITH_PLACE.findall(block))
            for column, row, text in _ERROR.findall(block):
                parts.texts[int(row), _column_number(column)] = text.decode("utf-8", "replace")
            for column, row in _NO_RESULT.findall(block):
                parts.texts[int(row), _column_number(column)] = "#N/A"
            for style, column, row, number in _STYLED_NUMBER.findall(block) if percents else ():
                if style in percents:
                    text = f"{100 * float(number):.10g}%"
                    parts.texts[int(row), _column_number(column)] = text
            for column, first, last in _MERGE.findall(block):
                if int(first) < int(last):
                    parts.merges.append(Merge(int(first), int(last), _column_number(column)))
    if n_unplaced:  # a cell without its place follows the one before it
        parts.n_rows = max(parts.n_rows, n_rows)
        parts.n_columns = max(parts.n_columns, min(n_unplaced, _MAX_COLUMNS))
    for kind, target in _targets(archive, name).values():
        if kind == "comments" and target in archive.namelist():
            found = _COMMENT.findall(archive.read(target))
            parts.comments += [reference.decode() for reference in found]
    return parts


def _blocks_of_cells(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks that end before a cell or, if there is none, a tag."""
    rest = b""
    while block := file.read(_BLOCK):
        block = rest + block
        end = max(block.rfind(b"<c "), block.rfind(b"<x:c "))
        if end <= 0:
            torn = _LAST_TAG.search(block, max(0, len(block) - 1000))
            end = torn.start() if torn else len(block)
        rest = block[end:]
        yield block[:end]
    yield rest


def _column_number(letters: bytes) -> int:
    """Return the 1-based number of a column from its letters.

    >>> _column_number(b"A"), _column_number(b"AA"), _column_number(b"XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


# --- .ods: all sheets and their comments are in one file; equal cells and rows are written once --

_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_CALC: Final = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}p"
_TRUTH_VALUES: Final = {"of:=TRUE()": "TRUE", "of:=FALSE()": "FALSE"}


def _parts_of_tables(content: IO[bytes]) -> dict[str, SheetParts]:
    """Return the parts of each sheet of a .ods file, by sheet name."""
    from lxml import etree

    all_parts: dict[str, SheetParts] = {}
    parts = SheetParts()
    row, column, width = 1, 0, 0
    names = ("table", "table-row", "table-cell", "covered-table-cell")
    events = etree.iterparse(
        content, ("start", "end"), tag=[f"{_TABLE}{name}" for name in names],
        resolve_entities=False, no_network=True, huge_tree=True,
    )  # fmt: skip
    for event, element in events:
        name = element.tag.removeprefix(_TABLE)
        if event == "start":
            if name == "table":
                parts = all_parts.setdefault(str(element.get(f"{_TABLE}name")), SheetParts())
                row = 1
            elif name == "table-row":
                column = width = 0
        elif name == "table-row":
            row += _count(element, "number-rows-repeated")
            if width:
                parts.n_rows = row - 1
                parts.n_columns = max(parts.n_columns, width)
            element.clear()
        elif name != "table":
            if element.find(f"{_OFFICE}annotation") is not None:
                parts.comments.append(f"{_column_letters(column + 1)}{row}")
            if text := _text_of_special_value(element):
                parts.texts[row, column + 1] = text
            if (height := _count(element, "number-rows-spanned")) > 1:
                parts.merges.append(Merge(row, row + height - 1, column + 1))
            column += _count(element, "number-columns-repeated")
            if element.get(f"{_OFFICE}value-type") or element.get(f"{_CALC}value-type"):
                width = column
    return all_parts


def _text_of_special_value(cell: Any) -> str:
    """Return the text of an error, a percentage, or a boolean stored as a number; else ""."""
    shown = "".join("".join(part.itertext()) for part in cell.findall(_TEXT)).strip()
    if cell.get(f"{_OFFICE}value-type") == "percentage":
        return shown
    if cell.get(f"{_CALC}value-type") == "error":
        return shown or "#VALUE!"
    return _TRUTH_VALUES.get(cell.get(f"{_TABLE}formula") or "", "")


def _count(element: Any, name: str) -> int:
    """Return the repeat count of an element."""
    text = str(element.get(f"{_TABLE}{name}") or "1")
    return int(text) if text.isdecimal() and len(text) < 12 else 1


def _column_letters(number: int) -> str:
    """Return the letters of a column from its 1-based number."""
    letters = ""
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


# --- .xls: records of bytes; the file is not unpacked, so a record may be torn between two blocks -

_BEGIN_SHEET: Final = re.compile(rb"\x09\x08(?:\x10\x00\x00\x06|\x08\x00\x00\x05)\x10\x00")
_CELL_RECORD: Final = re.compile(
    rb"(?:\xfd\x00\x0a\x00|\x7e\x02\x0a\x00|\x03\x02\x0e\x00|\x05\x02\x08\x00)(..)(..)", re.DOTALL
)
"""A cell with a text, a short number, a number or a truth value: its row and column."""
_ERROR_RECORD: Final = re.compile(
    rb"(?:\x05\x02\x08\x00(....)..([\x00\x07\x0f\x17\x1d\x24\x2a])\x01"
    rb"|\x06\x00..(....)..\x02.([\x00\x07\x0f\x17\x1d\x24\x2a])...\xff\xff)",
    re.DOTALL,
)
"""An error, or a formula with an error: its row and column, and its code."""
_ERROR_CODES: Final = dict(zip(b"\x00\x07\x0f\x17\x1d\x24\x2a", ERRORS, strict=True))
_MERGE_RECORD: Final = re.compile(rb"\xe5\x00(..)(..)", re.DOTALL)


def parts_of_records(data: bytes) -> dict[str, SheetParts]:
    """Return the parts of each sheet in a .xls file, by its position: `#0`, `#1`, …"""
    starts = [match.start() for match in _BEGIN_SHEET.finditer(data)]
    all_parts: dict[str, SheetParts] = {}
    for number, (start, end) in enumerate(pairwise([*starts, len(data)])):
        parts = all_parts[f"#{number}"] = SheetParts()
        for match in _CELL_RECORD.finditer(data, start, end):
            parts.n_rows = max(parts.n_rows, _number(match[1]) + 1)
            parts.n_columns = max(parts.n_columns, _number(match[2]) + 1)
        for match in _ERROR_RECORD.finditer(data, start, end):
            place, code = match[1] or match[3], match[2] or match[4]
            row, column = _number(place[:2]) + 1, _number(place[2:]) + 1
            parts.texts[row, column] = _ERROR_CODES[code[0]]
        for match in _MERGE_RECORD.finditer(data, start, end):
            size, count = _number(match[1]), _number(match[2])
            if size == 2 + 8 * count:
                parts.merges += _merges_in(data[match.end() : match.start() + 4 + size])
    return all_parts


def _merges_in(data: bytes) -> Iterator[Merge]:
    """Yield the merged cells in a record."""
    for at in range(0, len(data) - 7, 8):
        first, last, column = (_number(data[at + n : at + n + 2]) for n in (0, 2, 4))
        if first < last:
            yield Merge(first + 1, last + 1, column + 1)


def _number(data: bytes) -> int:
    """Return a little-endian number."""
    return int.from_bytes(data, "little")
