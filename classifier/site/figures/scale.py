"""Round ends of axes, and numbers read from cells."""

from __future__ import annotations


def round_end(most: float) -> int:
    """Return the first round number that is not below `most`: one digit and zeros, not 7 or 9.

    >>> [round_end(n) for n in (0, 1, 3, 7, 23, 41, 180)]
    [1, 1, 3, 8, 30, 50, 200]
    """
    size = 1
    while True:
        for step in (1, 2, 3, 4, 5, 6, 8):
            if most <= step * size:
                return step * size
        size *= 10


def number(cell: str) -> int:
    """Return the count or the per cent that a cell holds; 0 where it is empty.

    >>> number("12"), number("12%"), number("")
    (12, 12, 0)
    """
    return int(cell.rstrip("%") or 0)
