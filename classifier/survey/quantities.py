"""What was measured, where no list of benchmarks says it: by the words beside a number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.survey.entry import Entry
from classifier.text.results import Result

LEAST_PAPERS = 3
"""A quantity that fewer papers give has nothing beside it."""
_MOST_WORDS = 2
_BEHIND = re.compile(
    r"\s((?:[a-z]+\s)?(?:accuracy|precision|recall|sensitivity|specificity|mortality|prevalence"
    r"|efficiency|rate|score))\b"
)
_BEFORE = re.compile(
    r"((?:[A-Za-z][\w-]*\s){1,4})(?:\([^()]*\)\s)?"
    r"(?:(?:is|was|were|are|of|to be|reached|reaches|=|∼|~)\s)+"
    r"(?:about |around |approximately |only |up to |over )*$"
)
_NO_NAME = frozenset(
    "a an the of in on at with by for to and or is was were are as that this which its their our"
    " mean average median overall total high higher low lower highest best maximum minimum value"
    " values order size found calculated increases estimated achieved achieves state-of-the-art"
    " impressive remarkable superior ×".split()
)


def quantities(entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Result]]]:
    """Return quantity -> the numbers that papers report of it, newest paper first.

    The paper's own numbers, of quantities that at least `LEAST_PAPERS` papers give; the one that
    most give first.
    """
    found: dict[str, list[tuple[Entry, Result]]] = {}
    for entry in sorted(entries, key=lambda entry: entry.paper.published.date, reverse=True):
        for result in entry.results:
            name = _quantity(result) if result.whose == "own" and result.unit != "p" else ""
            if name:
                found.setdefault(name, []).append((entry, result))
    papers = {name: len({entry.number for entry, _ in rows}) for name, rows in found.items()}
    often = sorted((-number, name) for name, number in papers.items() if number >= LEAST_PAPERS)
    return {name: found[name] for _, name in often}


def _quantity(result: Result) -> str:
    """Return the words that name what was measured, lower case, or ""."""
    before, _, behind = result.marked
    if match := _BEHIND.match(behind) or _BEFORE.search(before):
        words = match[1].lower().split()
    else:
        words = [result.unit.lower()] if len(result.unit) > 1 and result.unit.isalpha() else []
    named = []
    for word in reversed(words):
        if word in _NO_NAME:
            break
        named.append(word)
    return " ".join(reversed(named[:_MOST_WORDS]))
