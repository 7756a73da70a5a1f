"""Numbers of several papers that stand beside each other, without a verdict.

Levels on one version of a benchmark; where no list of benchmarks says what was measured, the words
beside a number do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from classifier.survey.entry import Entry
from classifier.survey.paper_names import short_name
from classifier.text.results import Result

LEAST_PAPERS = 3
"""As many papers print a level of their own on a version of a benchmark before these are shown
beside each other."""


_PART = re.compile(r"\bsubset of\b")
"""A part of a benchmark is another benchmark."""
_OF = re.compile(r"\s(?:for|by|of|from)\s")
_COMPARES = re.compile(
    r"\b(?:than|over|above|below|against|versus|vs|from|compared|ahead of|on an?|improv\w+ on"
    r"|(?:beat|exceed|surpass|outperform|pass|lead)\w*)\b"
)
_OF_OR_WITH = re.compile(r"\s?\(?(?:for|by|of|from|with|using)\s")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A system to which another paper gives another number than its own paper does."""

    benchmark: str
    system: str
    own: tuple[Entry, Result]
    """The paper of the system, and its first level on the benchmark."""
    other: tuple[Entry, Result]


def own_levels(entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Result]]]:
    """Return version of a benchmark -> the levels that papers print of their own, oldest first."""
    levels: dict[str, list[tuple[Entry, Result]]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.paper.published.date, entry.number)):
        for result in entry.results:
            is_level = result.kind == "level" and result.whose == "own"
            if result.benchmark and is_level and not _PART.search(result.sentence.text):
                levels.setdefault(result.benchmark, []).append((entry, result))
    return dict(sorted(levels.items()))


def side_by_side(entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Result]]]:
    """Return the versions on which enough papers print a level of their own, with these."""
    return {
        name: found
        for name, found in own_levels(entries).items()
        if len({entry.number for entry, _ in found}) >= LEAST_PAPERS
    }


def disagreements(entries: Sequence[Entry]) -> list[Disagreement]:
    """Return where a paper gives a system another level than the system's own paper does.

    On the same version of a benchmark; the system is named beside the number.
    """
    found = []
    for benchmark, levels in own_levels(entries).items():
        for own, level in {
            entry.number: (entry, result) for entry, result in levels[::-1]
        }.values():
            name = short_name(own.paper.title_display)
            named = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
            found += [
                Disagreement(benchmark, name, (own, level), (entry, result))
                for entry in entries
                for result in entry.results
                if entry is not own
                and (result.benchmark, result.kind, result.unit) == (benchmark, "level", level.unit)
                and result.whose in ("baseline", "rival")
                and result.value != level.value
                and named.search(_system(result))
            ]
    return found


def system_of(result: Result, own: str, models: Callable[[str], Sequence[str]]) -> str:
    """Return what a clause says was measured: a paper's own name or a known model's, or "".

    Where a model stands there to be compared with nothing is said. own: the paper's own name, ""
    where that is a benchmark's. models: the known models that a text names, in order.
    """
    before, _, behind = result.marked
    if _OF_OR_WITH.match(behind) and (named := models(re.split(r"[,;()]", behind)[0])):
        return named[0]
    if result.whose == "own" and own and own in before:
        return own
    nearest = re.split(r"[,;]\s", before)[-1]
    if result.whose == "own" and _COMPARES.search(nearest):
        return ""
    return next(iter(models(nearest)[::-1]), "")


def _system(result: Result) -> str:
    """Return the words that name whose number it is: behind it after "for", else before it."""
    before, _, behind = result.marked
    if _OF.match(behind):
        return re.split(r"\d", behind, maxsplit=1)[0]
    return re.split(r"\d", before)[-1]


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
