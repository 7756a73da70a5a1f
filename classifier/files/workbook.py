"""Read workbooks (.xlsx, .xls, .ods) as rows of text, with pandas and its engine calamine.

calamine reserves memory for every cell of the rectangle up to the last filled cell, so a file of
six kilobytes can take sixteen gigabytes. Therefore `read_sheets` first measures the sheets in the
archive (`workbook_parts`). This step also finds what calamine does not read: comments, errors and
merged cells.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import IO, TYPE_CHECKING, Final

from classifier.errors import InputError, input_error
from classifier.files.table import FORMULA_STARTS
from classifier.files.workbook_parts import Merge, SheetParts, parts_of_archive, parts_of_records

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_CELLS: Final = 2**25
"""Maximum number of cells in the rectangles of all sheets; calamine takes 64 bytes for each."""
_OLE: Final = b"\xd0\xcf\x11\xe0"
"""How a workbook of Excel 97 to 2003 begins, and an encrypted one of any version."""
_OPEN_DOCUMENT: Final = b"application/vnd.oasis.opendocument.spreadsheet"
_SAVE: Final = "Open it in Excel or LibreOffice and save it as .xlsx or as CSV UTF-8."
_DELETE: Final = "Delete the empty rows and columns after the last paper, or save it as CSV UTF-8."


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook."""

    name: str
    rows: list[list[str]]
    """The cells of each row from row 1 on, as people see them; empty rows too."""
    comments: tuple[str, ...] = ()
    """Cells with a comment, such as `B3`."""
    merges: tuple[Merge, ...] = ()
    """Cells that are merged over several rows."""

    def fill_merged(self, first_row: int) -> None:
        """Copy each merged text into all its rows, unless it begins above `first_row` (from 1)."""
        for merge in self.merges:
            if merge.first_row < first_row or merge.first_row > len(self.rows):
                continue
            cells = self.rows[merge.first_row - 1]
            text = cells[merge.column - 1] if merge.column <= len(cells) else ""
            for row in self.rows[merge.first_row : merge.last_row]:
                if text and not row[merge.column - 1]:
                    row[merge.column - 1] = text


CREATED: Final = datetime(1980, 1, 1)
"""The date in every workbook that is written: the same cells give the same bytes."""
TEXT_OPTIONS: Final = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
"""Options of XlsxWriter: text stays text."""
_MAX_CELL: Final = 32_767
"""Maximum length of a cell, in characters; Excel allows no more."""


def escape_for_workbook(text: str) -> str:
    """Return a text as a workbook cell that is read back as the same text.

    The reader removes the apostrophe before `=`, because CSV files that were saved by a spreadsheet
    have one.
    """
    is_quoted = text.startswith("'") and text.lstrip("'").startswith(FORMULA_STARTS)
    return f"'{text}"[:_MAX_CELL] if is_quoted else text[:_MAX_CELL]


def text_workbook(table: DataFrame) -> bytes:
    """Return a workbook of one sheet with the columns of a table."""
    from pandas import ExcelWriter  # late: slow to import

    buffer = io.BytesIO()
    options = {"options": TEXT_OPTIONS}
    with ExcelWriter(buffer, engine="xlsxwriter", engine_kwargs=options) as writer:
        writer.book.set_properties({"author": "Fieldguide", "created": CREATED})
        table.to_excel(writer, sheet_name="Papers", index=False, freeze_panes=(1, 2))
    return buffer.getvalue()


def is_workbook(file: IO[bytes]) -> bool:
    """Return whether a file is a workbook, judged by its content; it may be broken."""
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
    """Read the sheets of a workbook; a formula is read as its last result.

    name: name of the file, for messages. Raises InputError if the file is encrypted, broken or has
    too many cells.
    """
    import pandas as pd  # late: slow to import

    try:
        data = file.read()
        parts = parts_of_records(data) if data.startswith(_OLE) else parts_of_archive(data)
        n_cells = sum(part.n_rows * part.n_columns for part in parts.values())
        if n_cells > max_cells:
            found = f"a workbook of {n_cells:,} cells, most of them empty"
            raise input_error(name, found, f"at most {max_cells:,}", _DELETE)
        # dtype=object and not str: pandas would write TRUE as “True” and a day with its hours.
        frames = pd.read_excel(
            io.BytesIO(data), sheet_name=None, header=None, dtype=object, keep_default_na=False,
            engine="calamine",
        )  # fmt: skip
    except InputError:
        raise
    except Exception as error:  # the libraries raise errors of many kinds where bytes are damaged
        found = f"an encrypted or broken workbook ({type(error).__name__}: {error})"
        raise input_error(name, found, "a complete workbook", _SAVE) from error
    sheets = []
    for number, (title, frame) in enumerate(frames.items()):
        part = parts.get(str(title)) or parts.get(f"#{number}") or SheetParts()
        rows = [[cell_text(value) for value in row] for row in frame.to_numpy().tolist()]
        for (row, column), text in part.texts.items():
            if row <= len(rows) and column <= len(rows[row - 1]):
                rows[row - 1][column - 1] = text
        sheets.append(Sheet(str(title), rows, tuple(part.comments), tuple(part.merges)))
    return sheets


def cell_text(value: object) -> str:
    """Return the text of a cell as a spreadsheet displays it.

    >>> cell_text(2024.0), cell_text(datetime(2024, 5, 1)), cell_text(True)
    ('2024', '2024-05-01', 'TRUE')
    """
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return str(value).upper()
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
        case date() | time():
            return value.isoformat()
    return str(value)
