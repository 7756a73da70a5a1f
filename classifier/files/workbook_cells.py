"""Rows of workbooks: a few bytes may say that they stand at the end of an endless sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

MOST_CELLS: Final = 2**28
"""Cells of a workbook up to which it is read, those before a cell and rows before a row counted."""
MOST_ROWS: Final = 2**20
"""Rows of a sheet: Excel and LibreOffice have no more."""
_A_ROW: Final = 32
"""Looking at an empty row takes as long as at so many cells."""


class TooManyCells(Exception):  # noqa: N818
    """A workbook has more cells than it is read to; says what was found."""


class CellCounter:
    """Counts the cells of one workbook, over all of its sheets and however often they are read."""

    def __init__(self, most: int = MOST_CELLS) -> None:
        self._left = most

    def rows(self, sheet: Any, *, values_only: bool = False) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an openpyxl sheet, empty ones too; raises TooManyCells."""
        for number, row in enumerate(sheet.iter_rows(values_only=values_only), start=1):
            if number > MOST_ROWS:
                raise TooManyCells(f"a row behind the last one of any sheet, {MOST_ROWS:,}")
            self._left -= len(row) + _A_ROW
            if self._left < 0:
                raise TooManyCells("a sheet with hundreds of millions of cells, most of them empty")
            yield row
