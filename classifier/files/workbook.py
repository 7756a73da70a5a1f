"""Workbooks (.xlsx, .xls, .ods) as rows of text, read by pandas with its engine calamine.

calamine reserves memory for each cell of the rectangle up to the last filled one: a file of six
kilobytes can take sixteen gigabytes. So `read_sheets` measures the sheets in the archive first. It
also finds the comments there, which calamine does not read.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from itertools import pairwise
from typing import IO, TYPE_CHECKING, Any, Final

from classifier.errors import Fault, InputError
from classifier.files.table import FORMULA_STARTS

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_CELLS: Final = 2**25
"""Maximum number of cells in the rectangles of all sheets; calamine takes 64 bytes for each."""
_MAX_COLUMNS: Final = 2**14
_OLE: Final = b"\xd0\xcf\x11\xe0"
"""How a workbook of Excel 97 to 2003 begins, and an encrypted one of any version."""
_OPEN_DOCUMENT: Final = b"application/vnd.oasis.opendocument.spreadsheet"
_ERRORS: Final = frozenset(("#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!"))
_SAVE: Final = "Open it in Excel or LibreOffice and save it as .xlsx or as CSV UTF-8."
_DELETE: Final = "Delete the rows and columns after the last paper, or save it as CSV UTF-8."
_BLOCK: Final = 2**22


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook."""

    name: str
    rows: list[list[str]]
    """The cells of each row from row 1 on, as people see them; empty rows too."""
    comments: tuple[str, ...]
    """Cells with a comment, such as `B3`."""


@dataclass(slots=True)
class _Extent:
    """The size of a sheet in its archive, up to the last filled cell."""

    n_rows: int = 0
    n_columns: int = 0
    comments: list[str] = field(default_factory=list)


CREATED: Final = datetime(1980, 1, 1)
"""The date in every workbook that is written: the same cells give the same bytes."""
TEXT_OPTIONS: Final = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
}
"""Options of XlsxWriter: text stays text."""
_MAX_CELL: Final = 32_767
"""Maximum length of a cell, in characters; Excel allows no more."""


def workbook_text(text: str) -> str:
    """Return a text as a cell of a workbook, which reads back as the same text.

    The reader takes the apostrophe off `'=`, since CSV that went through a spreadsheet has one.
    """
    is_quoted = text.startswith("'") and text.lstrip("'").startswith(FORMULA_STARTS)
    return f"'{text}"[:_MAX_CELL] if is_quoted else text[:_MAX_CELL]


def text_workbook(table: DataFrame) -> bytes:
    """Return a workbook of one sheet with the columns of a table, written by XlsxWriter."""
    from pandas import ExcelWriter  # late: slow to import

    buffer = io.BytesIO()
    options = {"options": TEXT_OPTIONS}
    with ExcelWriter(buffer, engine="xlsxwriter", engine_kwargs=options) as writer:
        writer.book.set_properties({"author": "Fieldguide", "created": CREATED})
        table.to_excel(writer, sheet_name="Papers", index=False, freeze_panes=(1, 2))
    return buffer.getvalue()


def is_workbook(file: IO[bytes]) -> bool:
    """Return whether a file is a workbook by its content; a broken one counts."""
    if file.read(4) == _OLE:
        return True
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            return any(name.startswith("xl/workbook.") for name in names) or (
                "mimetype" in names and archive.read("mimetype").startswith(_OPEN_DOCUMENT)
            )
    except Exception:  # zipfile raises errors of many kinds where bytes are damaged
        return False


def read_sheets(file: IO[bytes], name: str, max_cells: int = MAX_CELLS) -> list[Sheet]:
    """Return the sheets of a workbook; a formula is read as its last result.

    name: of the file, for messages.
    Raises InputError if the file is encrypted, broken or has too many cells.
    """
    import pandas as pd  # late: slow to import

    try:
        data = file.read()
        extents = _extents_of_records(data) if data.startswith(_OLE) else _extents(data)
        n_cells = sum(extent.n_rows * extent.n_columns for extent in extents.values())
        if n_cells > max_cells:
            found = f"a workbook of {n_cells:,} cells, most of them empty"
            raise _refused(name, found, f"at most {max_cells:,}", _DELETE)
        # dtype=object and not str: pandas would write TRUE as “True” and a day with its hours.
        frames = pd.read_excel(
            io.BytesIO(data), sheet_name=None, header=None, dtype=object, keep_default_na=False,
            engine="calamine",
        )  # fmt: skip
    except InputError:
        raise
    except Exception as error:  # the libraries raise errors of many kinds where bytes are damaged
        found = f"an encrypted or broken workbook ({type(error).__name__}: {error})"
        raise _refused(name, found, "a whole workbook", _SAVE) from error
    return [
        Sheet(
            str(title),
            [[cell_text(value) for value in row] for row in frame.to_numpy().tolist()],
            tuple(extents[title].comments if title in extents else ()),
        )
        for title, frame in frames.items()
    ]


def cell_text(value: object) -> str:
    """Return the text of a cell as people see it.

    >>> cell_text(2024.0), cell_text(datetime(2024, 5, 1)), cell_text(True), cell_text("#N/A")
    ('2024', '2024-05-01', 'TRUE', '')
    """
    match value:
        case None:
            return ""
        case str():
            return "" if value in _ERRORS else value
        case bool():
            return str(value).upper()
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
        case date() | time():
            return value.isoformat()
    return str(value)


def _refused(name: str, found: str, expected: str, hint: str) -> InputError:
    return InputError([Fault("error", name, None, found, expected, hint)])


def _extents(data: bytes) -> dict[str, _Extent]:
    """Return the size of each sheet of a .xlsx or .ods file by its name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if "content.xml" in archive.namelist():
            with archive.open("content.xml") as content:
                return _extents_of_tables(content)
        return {
            title: _extent_of_part(archive, part) for title, part in _sheet_parts(archive).items()
        }


# --- .xlsx: each sheet is a part of the archive, its comments are another ------------------------

_CELL: Final = re.compile(rb'<(?:\w+:)?c\s(?:[^<>]*?\s)?r="([A-Z]{1,7})(\d{1,12})"[^<>/]*>')
"""A cell that is not empty: an empty one closes itself (`<c r="A1" s="2"/>`)."""
_ANY_CELL: Final = re.compile(rb"<(?:\w+:)?c[\s>]")
_CELL_WITH_PLACE: Final = re.compile(rb'<(?:\w+:)?c\s[^<>]*\br="')
_ROW: Final = re.compile(rb"<(?:\w+:)?row[\s/>]")
_COMMENT: Final = re.compile(rb'<(?:\w+:)?comment\s[^<>]*\bref="([A-Z]+\d+)"')
_LAST_TAG: Final = re.compile(rb"<[^<>]*\Z")


def _xml(archive: zipfile.ZipFile, part: str) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    return etree.fromstring(archive.read(part), parser)


def _targets(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Return relation id -> (kind, part) of the parts to which a part refers."""
    folder, name = posixpath.split(part)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.namelist():
        return {}
    return {
        str(one.get("Id")): (
            str(one.get("Type")).rpartition("/")[2],
            posixpath.normpath(posixpath.join("/", folder, str(one.get("Target"))))[1:],
        )
        for one in _xml(archive, relations)
    }


def _sheet_parts(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the name of each sheet -> its part of the archive."""
    targets = _targets(archive, "xl/workbook.xml")
    parts: dict[str, str] = {}
    for sheet in _xml(archive, "xl/workbook.xml").iter("{*}sheet"):
        ids = [value for key, value in sheet.items() if key.endswith("}id")]
        if ids and ids[0] in targets:
            parts[str(sheet.get("name"))] = targets[ids[0]][1]
    return parts


def _extent_of_part(archive: zipfile.ZipFile, part: str) -> _Extent:
    extent = _Extent()
    n_rows = n_unplaced = 0
    with archive.open(part) as file:
        for block in _whole_tags(file):
            columns, rows = set(), set()
            for column, row in _CELL.findall(block):
                columns.add(column)
                rows.add(row)
            extent.n_columns = max(extent.n_columns, *map(_column_number, columns), 0)
            extent.n_rows = max(extent.n_rows, *map(int, rows), 0)
            n_rows += len(_ROW.findall(block))
            n_unplaced += len(_ANY_CELL.findall(block)) - len(_CELL_WITH_PLACE.findall(block))
    if n_unplaced:  # a cell without its place stands next to the one before it
        extent.n_rows = max(extent.n_rows, n_rows)
        extent.n_columns = max(extent.n_columns, min(n_unplaced, _MAX_COLUMNS))
    for kind, target in _targets(archive, part).values():
        if kind == "comments" and target in archive.namelist():
            found = _COMMENT.findall(archive.read(target))
            extent.comments += [reference.decode() for reference in found]
    return extent


def _whole_tags(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks that do not end within a tag."""
    rest = b""
    while block := file.read(_BLOCK):
        block = rest + block
        torn = _LAST_TAG.search(block, max(0, len(block) - 1000))
        end = torn.start() if torn else len(block)
        rest = block[end:]
        yield block[:end]
    yield rest


def _column_number(letters: bytes) -> int:
    """Return the 1-based number of a column.

    >>> _column_number(b"A"), _column_number(b"AA"), _column_number(b"XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


# --- .ods: all sheets and their comments are in one part; equal cells and rows are written once --

_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_ANNOTATION: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}annotation"
_VALUE_TYPES: Final = (
    "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value-type",
    "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type",
)


def _extents_of_tables(content: IO[bytes]) -> dict[str, _Extent]:
    from lxml import etree

    extents: dict[str, _Extent] = {}
    extent = _Extent()
    row_number, width = 0, 0
    tags = [
        f"{_TABLE}{name}" for name in ("table", "table-row", "table-cell", "covered-table-cell")
    ]
    events = etree.iterparse(
        content, ("start", "end"), tag=tags, resolve_entities=False, no_network=True, huge_tree=True
    )
    column = 0
    for event, element in events:
        name = element.tag.removeprefix(_TABLE)
        if event == "start":
            if name == "table":
                extent = extents.setdefault(str(element.get(f"{_TABLE}name")), _Extent())
                row_number = 0
            elif name == "table-row":
                column = width = 0
        elif name == "table-row":
            row_number += _repeats(element, "number-rows-repeated")
            if width:
                extent.n_rows = row_number
                extent.n_columns = max(extent.n_columns, width)
            element.clear()
        elif name != "table":
            if element.find(_ANNOTATION) is not None:
                extent.comments.append(f"{_column_letters(column + 1)}{row_number + 1}")
            column += _repeats(element, "number-columns-repeated")
            if any(element.get(key) for key in _VALUE_TYPES):
                width = column
    return extents


def _repeats(element: Any, name: str) -> int:
    text = str(element.get(f"{_TABLE}{name}") or "1")
    return int(text) if text.isdecimal() and len(text) < 12 else 1


def _column_letters(number: int) -> str:
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


def _extents_of_records(data: bytes) -> dict[str, _Extent]:
    """Return the sizes of the sheets of a .xls file by their position."""
    starts = [match.start() for match in _BEGIN_SHEET.finditer(data)]
    extents: dict[str, _Extent] = {}
    for number, (start, end) in enumerate(pairwise([*starts, len(data)])):
        extent = extents[f"#{number}"] = _Extent()
        for match in _CELL_RECORD.finditer(data, start, end):
            extent.n_rows = max(extent.n_rows, int.from_bytes(match[1], "little") + 1)
            extent.n_columns = max(extent.n_columns, int.from_bytes(match[2], "little") + 1)
    return extents
