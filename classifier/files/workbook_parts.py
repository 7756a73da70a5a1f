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

ERRORS: Final = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A")
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
        targets = _targets(archive, "xl/workbook.xml")
        return {
            str(sheet.get("name")): _parts_of_sheet(archive, targets[relation][1], percents)
            for sheet in _xml(archive, "xl/workbook.xml").iter("{*}sheet")
            for key, relation in sheet.items()
            if key.endswith("}id") and relation in targets
        }


# --- .xlsx: each sheet is a file of the archive, its comments are another ------------------------

_PLACE: Final = re.compile(r"([A-Z]{1,7})(\d{1,12})(?::[A-Z]{1,7}(\d{1,12}))?")
_PERCENT_FORMATS: Final = frozenset({"9", "10"})
"""Ids of the built-in formats 0% and 0.00%."""
_SAFE: Final = {"resolve_entities": False, "no_network": True, "huge_tree": True}


def _xml(archive: zipfile.ZipFile, name: str) -> Any:
    from lxml import etree

    return etree.fromstring(archive.read(name), etree.XMLParser(**_SAFE))


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


def _percent_styles(archive: zipfile.ZipFile) -> frozenset[str]:
    """Return the numbers of the cell styles that show a number as a percentage."""
    if "xl/styles.xml" not in archive.namelist():
        return frozenset()
    styles = _xml(archive, "xl/styles.xml")
    own = (each for each in styles.iter("{*}numFmt") if "%" in str(each.get("formatCode")))
    formats = _PERCENT_FORMATS.union(each.get("numFmtId") for each in own)
    used = enumerate(styles.findall("{*}cellXfs/{*}xf"))
    return frozenset(str(number) for number, each in used if each.get("numFmtId") in formats)


def _parts_of_sheet(
    archive: zipfile.ZipFile, name: str, percents: frozenset[str] = frozenset()
) -> SheetParts:
    parts = SheetParts()
    row = column = 0
    with archive.open(name) as file:
        for kind, element in _elements(file, "end", "{*}row", "{*}c", "{*}mergeCell"):
            if kind == "row":
                row, column = int(element.get("r") or row + 1), 0
                element.clear()
                continue
            place = _PLACE.fullmatch(element.get("ref") or element.get("r") or "")
            # A cell without its place follows the one before it.
            at = int(place[2]) if place else row + 1
            column = _column_number(place[1]) if place else column + 1
            if kind == "mergeCell":
                if place and int(place[3] or 0) > at:
                    parts.merges.append(Merge(at, int(place[3]), column))
            elif len(element):
                parts.n_rows, parts.n_columns = max(parts.n_rows, at), max(parts.n_columns, column)
                if text := _text_of_special_cell(element, percents):
                    parts.texts[at, column] = text
    for kind, target in _targets(archive, name).values():
        if kind == "comments" and target in archive.namelist():
            found = _xml(archive, target).iter("{*}comment")
            parts.comments += [str(comment.get("ref")) for comment in found]
    return parts


def _elements(file: IO[bytes], events: str, *tags: str) -> Iterator[tuple[str, Any]]:
    """Yield the elements of an XML file with these tags, each after its local name."""
    from lxml import etree

    for event, element in etree.iterparse(file, events.split(), tag=tags, **_SAFE):
        name = element.tag.rpartition("}")[2]
        yield (name if event == "end" else f"start {name}"), element


def _text_of_special_cell(cell: Any, percents: frozenset[str]) -> str:
    """Return the text of an error, a formula without a result, or a percentage; else ""."""
    kind, number = cell.get("t") or "n", cell.findtext("{*}v") or ""
    if kind == "e":
        return number
    if not number and kind != "str" and cell.find("{*}f") is not None:
        return "#N/A"  # a script wrote the formula; Excel writes the type of an empty result
    is_percentage = kind == "n" and number and cell.get("s") in percents
    return f"{100 * float(number):.10g}%" if is_percentage else ""


def _column_number(letters: str) -> int:
    """Return the 1-based number of a column from its letters.

    >>> _column_number("A"), _column_number("AA"), _column_number("XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


# --- .ods: all sheets and their comments are in one file; equal cells and rows are written once --

_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_CALC: Final = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}p"
_TRUTH_VALUES: Final = {"of:=TRUE()": "TRUE", "of:=FALSE()": "FALSE"}


def _parts_of_tables(content: IO[bytes]) -> dict[str, SheetParts]:
    """Return the parts of each sheet of a .ods file, by sheet name."""
    all_parts: dict[str, SheetParts] = {}
    parts = SheetParts()
    row, column, width = 1, 0, 0
    names = ("table", "table-row", "table-cell", "covered-table-cell")
    for kind, element in _elements(content, "start end", *(f"{_TABLE}{name}" for name in names)):
        if kind == "start table":
            parts = all_parts.setdefault(str(element.get(f"{_TABLE}name")), SheetParts())
            row = 1
        elif kind == "start table-row":
            column = width = 0
        elif kind == "table-row":
            row += _count(element, "number-rows-repeated")
            if width:
                parts.n_rows = row - 1
                parts.n_columns = max(parts.n_columns, width)
            element.clear()
        elif kind.endswith("cell") and not kind.startswith("start"):
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
    text = str(element.get(f"{_TABLE}{name}") or "1")
    return int(text) if text.isdecimal() and len(text) < 12 else 1


def _column_letters(number: int) -> str:
    letters = ""
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


# --- .xls: records of bytes; only the size of a sheet is read ------------------------------------

_BEGIN_SHEET: Final = re.compile(rb"\x09\x08(?:\x10\x00\x00\x06|\x08\x00\x00\x05)\x10\x00")
_CELL_RECORD: Final = re.compile(
    rb"(?:\xfd\x00\x0a\x00|\x7e\x02\x0a\x00|\x03\x02\x0e\x00|\x05\x02\x08\x00)(..)(..)", re.DOTALL
)
"""A cell with a text, a short number, a number or a truth value: its row and column."""


def parts_of_records(data: bytes) -> dict[str, SheetParts]:
    """Return the size of each sheet in a .xls file, by its position: `#0`, `#1`, …"""
    starts = [match.start() for match in _BEGIN_SHEET.finditer(data)]
    all_parts: dict[str, SheetParts] = {}
    for number, (start, end) in enumerate(pairwise([*starts, len(data)])):
        parts = all_parts[f"#{number}"] = SheetParts()
        for cell in _CELL_RECORD.finditer(data, start, end):
            row, column = (int.from_bytes(each, "little") + 1 for each in cell.groups())
            parts.n_rows, parts.n_columns = max(parts.n_rows, row), max(parts.n_columns, column)
    return all_parts
