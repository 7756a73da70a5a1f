"""What git leaves in a file where two branches changed the same lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.errors import Fault

_START = re.compile(r"<{7} [^\n]*")
_MIDDLE = "======="
_END = re.compile(r">{7} [^\n]*")
_CURE = (
    "Keep the lines that hold, of either side or of both, delete the three lines with the marks, "
    "and commit."
)


def conflict_faults(text: str, shown: str) -> list[Fault]:
    """Return a fault for each merge conflict in a text; `shown` names its file.

    A mark alone is none: three of them in their order are.
    """
    if "<<<<<<< " not in text or ">>>>>>> " not in text:
        return []
    return [
        Fault(
            "error",
            shown,
            first,
            f"a merge conflict that was not solved, lines {first} to {last}",
            "the lines of one side, or of both",
            _CURE,
        )
        for first, last in _conflicts(text)
    ]


def _conflicts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each conflict."""
    first, is_divided = 0, False
    for number, line in enumerate(text.split("\n"), 1):
        if _START.fullmatch(line):
            first, is_divided = number, False
        elif first and line == _MIDDLE:
            is_divided = True
        elif first and is_divided and _END.fullmatch(line):
            yield first, number
            first = 0
