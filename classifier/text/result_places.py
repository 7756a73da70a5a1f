"""The benchmark that a number is stated for: named behind it, or before the first of a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_CLAUSE_END = re.compile(
    r"[;.:]|,\s(?:and (?![A-Z])|but|while|which|with|whereas|a|an|the|compared|\w+ing)\b"
)
_PLACED = re.compile(r"\b(?P<at>on|in|for|over|across)\s(?P<names>.*)", re.DOTALL)
_OF_SYSTEMS = frozenset(["for", "over"])
"""Words that as often stand before a system: “53.6 % for RFT”."""
_PLACED_FROM = re.compile(r"\b(?:on|in) (?P<names>[^,;]{1,40}) from (?:[\w.-]+ ){0,2}$")
_AND_ELSEWHERE = re.compile(r",?\sand (?:on|in)\b")
_LEAD = re.compile(r"(?:On|In) (?P<names>[^,;]{1,60}),(?!\s[A-Z][\w-]*(?:,|\sand\b))")
_ASIDE = re.compile(
    r"\b(?:steps?|costs?|tokens?|time|latency|runtime|samples|faster|cheaper|efficien\w+)\b"
)
_SEVERAL = re.compile(r"(?:,|\band|&)\s(?:the\s)?[A-Z]")


def place_of(
    text: str,
    match: re.Match[str],
    between: str,
    behind: int,
    earlier: str,
    benchmarks: Callable[[str], Sequence[str]],
) -> str:
    """Return the benchmark of a number: named behind it, else that of the number before it."""
    if _ASIDE.search(text[max(match.start() - 30, 0) : match.end() + 30]):
        return ""
    if placed := _PLACED_FROM.search(between):
        named = benchmarks(placed["names"])
        return named[0] if len(named) == 1 else ""
    clause = _CLAUSE_END.split(text[match.end() : behind], maxsplit=1)[0]
    clause = "" if _AND_ELSEWHERE.match(clause) else clause
    for piece in (clause, between):
        if placed := _PLACED.search(piece):
            named = benchmarks(placed["names"])
            if named or placed["at"] not in _OF_SYSTEMS:
                several = _SEVERAL.search(placed["names"])
                return named[0] if len(named) == 1 and not several else ""
    lead = _LEAD.match(text)
    if lead and ";" not in text[: match.start()]:
        named = benchmarks(lead["names"])
        return named[0] if len(named) == 1 else ""
    named = benchmarks(text[: match.start()])
    return earlier or (named[0] if len(named) == 1 == len(benchmarks(text)) else "")
