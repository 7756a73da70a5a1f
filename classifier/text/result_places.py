"""The benchmark that a number is stated for: named behind it, or before the first of a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from classifier.text.numbers import Number

_CLAUSE_END = re.compile(
    r"[;.:]|,\s(?:and (?![A-Z])|but|while|which|with|whereas|a|an|the|compared|\w+ing)\b"
)
_PLACED = re.compile(
    r"\b(?P<at>on|in|for|over|across)\s"
    r"(?P<names>(?:(?!\b(?:on|in|for|over|across)\s)[^;])*)"
)
_AT_A_BENCHMARK = frozenset(["on", "across"])
"""Other words as often stand before a system: “53.6 % for RFT”."""
_UNKNOWN = re.compile(r"(?:the\s)?(?:[a-z]+\s)?[A-Z]")
"""What follows "on" may be a benchmark that no list has; "on nearly all tasks" is none."""
_STUDY = re.compile(r"\b(?:study|annotations?|analysis)\son\s")
_PART_OF = re.compile(r"(?:\s\([^)]*\))?\sof\s(?:the\s)?(?P<names>[^,;]{1,40})")
_PLACED_FROM = re.compile(r"\b(?:on|in) (?P<names>[^,;]{1,40}) from (?:[\w.-]+ ){0,2}$")
_AND_ANOTHER = re.compile(r"(?:\s\([^()]*\))?,?\s(?:and|or)\s")
_AND_ELSEWHERE = re.compile(r",?\sand (?:on|in)\b")
_LEAD = re.compile(
    r"(?:On|In) (?P<names>[^,;]{1,60}?)(?:,|(?<=set)|(?<=benchmark))(?!\s[A-Z][\w-]*(?:,|\sand\b))"
)
_ASIDE = re.compile(
    r"\b(?:(?<!-)steps?(?!\ssuccess)|costs?|tokens?|time|latency|runtime|samples|faster|cheaper"
    r"|efficien\w+)\b"
)
_MODEL = re.compile(r"(?:the\s)?(?:GPT|Claude|Gemini|Qwen|Llama|DeepSeek|Mistral|[\w.-]+-\d+B)")
_NAMED_LAST = re.compile(
    r"(?P<names>\b(?:on|across)\s[^,;]{1,60}),(?!\sand\b)(?!.*\b(?:on|in|across)\s)"
)
_ELSEWHERE = re.compile(r"\bother (?:domains|benchmarks|tasks)\b")
_SEVERAL = re.compile(r"(?:,|\band|&)\s(?:the\s)?[A-Z]")


def places_of(
    text: str, numbers: Sequence[Number], benchmarks: Callable[[str], Sequence[str]]
) -> list[str]:
    """Return the benchmark of each number of a sentence, or "".

    Of "18.9 % (15 steps) and 32.7 % on OSWorld" both are on OSWorld.
    """
    places: list[str] = []
    ends = [*(number.start for number in numbers[1:]), len(text)]
    for index, number in enumerate(numbers):
        between = text[numbers[index - 1].end if index else 0 : number.start]
        earlier = places[-1] if places else ""
        places.append(_place(text, number, between, ends[index], earlier, benchmarks))
    for index in range(len(numbers) - 2, -1, -1):
        between = text[numbers[index].end : numbers[index + 1].start]
        if not places[index] and _AND_ANOTHER.fullmatch(between):
            places[index] = places[index + 1]
    return places


def _place(
    text: str,
    number: Number,
    between: str,
    behind: int,
    earlier: str,
    benchmarks: Callable[[str], Sequence[str]],
) -> str:
    """Return the benchmark of a number: named behind it, else that of the number before it."""
    beside = re.split(r"[),;]|\swith\s", text[number.end : number.end + 30])[0]
    if _ASIDE.search(text[max(number.start - 30, 0) : number.start] + " " + beside):
        return ""
    if _STUDY.search(text):
        return ""
    if part := _PART_OF.match(text[:behind], number.end):
        named = benchmarks(part["names"])
        if len(named) == 1:
            return named[0]
    if placed := _PLACED_FROM.search(between):
        named = benchmarks(placed["names"])
        return named[0] if len(named) == 1 else ""
    clause = _CLAUSE_END.split(text[number.end : behind], maxsplit=1)[0]
    clause = "" if _AND_ELSEWHERE.match(clause) else clause
    if _ELSEWHERE.search(between):
        return ""
    last = _NAMED_LAST.search(between)
    for piece in (clause, last["names"] if last else "", between):
        for placed in _PLACED.finditer(piece):
            named = benchmarks(placed["names"])
            is_name = _UNKNOWN.match(placed["names"]) and not _MODEL.match(placed["names"])
            if named or (is_name and placed["at"] in _AT_A_BENCHMARK):
                several = _SEVERAL.search(placed["names"])
                return named[0] if len(named) == 1 and not several else ""
    lead = _LEAD.match(text)
    if lead and ";" not in text[: number.start]:
        named = benchmarks(lead["names"])
        return named[0] if len(named) == 1 else ""
    named = benchmarks(text[: number.start])
    return earlier or (named[0] if len(named) == 1 == len(benchmarks(text)) else "")
