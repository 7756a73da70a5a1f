"""The corpus of hostile cases: text files that say what is handed in, and what must come of it.

A case is a name, the input behind `| `, and behind `> ` what must hold, line by line. `«A×1000»`
stands for a thousand A (a JSON escape may stand for the sign), `«U+202E»` for that character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
_TIMES = re.compile(r"«([^«»]*)×(\d+)»")
_CODE = re.compile(r"«U\+([0-9A-F]{4,6})»")


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile input."""

    name: str
    line: int
    """1-based line of its name in the table."""
    input: str
    """Unfolded: as it is handed in."""
    expected: tuple[str, ...]

    def said(self, word: str) -> list[str]:
        """Return what is expected under a word: `warning: the url` -> `the url`."""
        return [text.removeprefix(f"{word}: ") for text in self.expected if text.startswith(word)]


def read_cases(kind: str) -> list[Case]:
    """Return the cases of a table, in its order."""
    cases: list[Case] = []
    name, line, given, expected = "", 0, [], []
    text = (HERE / f"{kind}.txt").read_text(encoding="utf-8")
    for number, row in enumerate([*text.split("\n"), ""], 1):
        if row.startswith("| ") or row == "|":
            given.append(row[2:])
        elif row.startswith("> "):
            expected.append(unfolded(row[2:]))
        elif row.startswith(("#", "==")):
            continue
        elif row:
            name, line = row, number
        elif given:
            cases.append(Case(name, line, unfolded("\n".join(given)), tuple(expected)))
            given, expected = [], []
    return cases


def unfolded(text: str) -> str:
    """Return a text with what its macros stand for.

    >>> unfolded("«ab×3»«U+0021»")
    'ababab!'
    """
    text = _TIMES.sub(lambda times: times[1] * int(times[2]), text)
    return _CODE.sub(lambda code: chr(int(code[1], 16)), text)
