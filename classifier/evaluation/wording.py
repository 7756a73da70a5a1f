"""Figures as words, the same in every table of the report."""

from __future__ import annotations

import math
from collections.abc import Sequence

from classifier.evaluation.metrics import Figure

UNDEFINED = "–"


def number(value: float, digits: int = 2) -> str:
    """Return a value with so many decimals, or a dash where it is undefined."""
    return UNDEFINED if math.isnan(value) else f"{value:.{digits}f}"


def interval(mean: Figure, digits: int = 2) -> str:
    """Return `low–high`, or nothing where the interval is undefined."""
    low, high = (number(end, digits) for end in (mean.low, mean.high))
    return "" if math.isnan(mean.low) else f"{low}–{high}"


def paper_count(n: int) -> str:
    """Return a number of papers with its noun."""
    return f"{n} paper{'' if n == 1 else 's'}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table as lines: the first column to the left, the others to the right.

    >>> aligned([["", "F1"], ["soil", "0.8"]])
    ['       F1', 'soil  0.8']
    """
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
