"""What git leaves in a file where two branches changed the same lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from classifier.errors import Fault

_START = "<<<<<<< "
_MIDDLE = "======="
_END = ">>>>>>> "
_CURE = (
    "Keep the lines that hold, of either side or of both, delete the three lines with the marks, "
    "and commit."
)


def conflict_faults(lines: Iterable[str], shown: str) -> list[Fault]:
    """Return a fault for each merge conflict in the lines of a text; `shown` names its file.

    A mark alone is none: three of them in their order are.
    """
    return [
        Fault(
            "error",
            shown,
            first,
            f"a merge conflict that was not solved, lines {first} to {last}",
            "the lines of one side, or of both",
            _CURE,
        )
        for first, last in _conflicts(lines)
    ]


def _conflicts(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each conflict."""
    first, is_divided = 0, False
    for number, line in enumerate(lines, 1):
        if line.startswith(_START):
            first, is_divided = number, False
        elif first and line == _MIDDLE:
            is_divided = True
        elif first and is_divided and line.startswith(_END):
            yield first, number
            first = 0
