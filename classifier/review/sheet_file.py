"""A sheet as a file: whatever a spreadsheet saved is read, CSV and workbooks are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from classifier.files.table import Row
from classifier.taxonomy.model import Taxonomy

Kind = Literal["csv", "xlsx"]


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


def read_sheet(path: Path, shown: str = "") -> SheetFile:
    """Read a sheet from CSV or a workbook, told by content and not by name.

    CSV: comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252; any newline. Formulas are text.
    Raises InputError (file, line, wanted, cure) where it is missing, empty, binary, encrypted, too
    large, has a column twice, a quote that is never closed, or no column `id` or `title`.
    """
    raise NotImplementedError


def sheet_file_bytes(
    taxonomy: Taxonomy,
    rows: Iterable[Mapping[str, str] | Row],
    kind: Kind = "csv",
    *,
    mark: bool = False,
    delimiter: str = ",",
    further_columns: Sequence[str] = (),
) -> bytes:
    """Return a sheet: the columns of the taxonomy, then `further_columns`, then nameless cells.

    rows: column -> cell; of a `Row` also the cells behind its last column are written.
    mark: begin with a byte order mark, without which Excel on Windows takes UTF-8 for something
    else; a workbook has none.
    """
    raise NotImplementedError
