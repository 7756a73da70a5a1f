"""A cell of a sheet that is not taken up, and why."""

from __future__ import annotations

from dataclasses import dataclass

from classifier.errors import in_print


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing that is wrong in a row, in the words that its reviewer needs."""

    column: str
    found: str
    """What stands there."""
    wanted: str
    """What should stand there."""
    cure: str = ""
    """What to do about it; empty where `wanted` already says so."""

    def __str__(self) -> str:
        cure = f" {self.cure}" if self.cure else ""
        return f"{self.column}: found {in_print(self.found)}; wanted {self.wanted}.{cure}"


@dataclass(frozen=True, slots=True)
class RefusedCell:
    """A refusal and its place."""

    sheet: str
    """The file, as the user would type it."""
    row: int
    """The row that a spreadsheet shows; 0 for a whole column."""
    refusal: Refusal

    def __str__(self) -> str:
        row = f"row {self.row}, " if self.row else ""
        return f"{self.sheet}: {row}{self.refusal}"
