"""Which way a number points: a rise or a fall, by its sign or by the words beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from classifier.text.numbers import Number

Direction = Literal["up", "down", ""]

_RISING = (
    r"improv\w*|advances|enhanc\w*|prolong\w*|lengthen\w*|gain\w*|increas\w*|rais\w+|boost\w*"
    r"|lift\w*|outperform\w*|surpass\w*|beat\w*|exceed\w*|speed-?ups?|accelerat\w*|adds?|adding"
    r"|ris(?:es|ing)|rose|grow\w*|grew|margins?|advantages?|leads?|leading"
)
_FALLING = (
    r"reduc\w*|shorten\w*|lowers?|lowering|decreas\w*|cuts?|cutting|drop\w*|declin\w*"
    r"|sav\w+(?!\srates?)|shrink\w*|degrad\w*|falls?|fell|underperform\w*"
    r"|(?<!weight )(?<!hearing )(?<!blood )(?<!bone )loss"
)
CHANGE_BEHIND = re.compile(
    r"(?:\s?\([^()]{0,60}\)|\s\[[^\[\]]{0,60}\])?\s?(?:points?\s)?"
    r"(?:(?!(?:and|or|but|while|with|that|which|as|compared|for|on|in|of|to|by|from|at)\b)"
    r"(?:[\w-]+|\([A-Z]{2,6}\))\s){0,3}?"
    r"(?!(?:improved|increased|decreased|declined|rose|fell|dropped|gained) (?:on|over|from|in)\b"
    r"|(?:de|in)creases? (?:its|our|the|their)\b)"
    rf"(?:(?P<up>{_RISING}|higher|ahead|faster|more|better|greater|longer|larger|over"
    r"|above(?!\s(?:the\s)?(?:threshold|MIC)))"
    rf"|(?P<down>{_FALLING}|lower|fewer|less|smaller|slower|cheaper|shorter|worse|below))\b",
    re.IGNORECASE,
)
# "(20%-50%) reductions in error".
_NOUN_BEHIND = re.compile(
    r"\)\s(?:(?P<up>increases?|improvements?|gains?)|(?P<down>reductions?|decreases?|drops?))\b"
)
_CHANGE_BEFORE = re.compile(
    rf"\b(?:(?P<up>{_RISING})|(?P<down>{_FALLING}))\b(?P<between>[^;]*)$", re.IGNORECASE
)
_ABOUT = (
    r"(?:\s?(?:an?|up to|as much as|nearly|over|more than|approximately|about|around|roughly|almost"
    r"|at least|at most|average|mean|absolute|additional|relative|of|another|further|factors?"
    r"|[~≈≥>]))*\s?"
)
_BY = re.compile(
    rf"^(?:.*\bby{_ABOUT}|\s(?:[\w-]+\s){{0,3}}(?:of{_ABOUT})|\sin\s[^,;]{{0,60}}?\bof{_ABOUT}|{_ABOUT}|\s?\("
    r"|\s(?:risk|odds|mortality|rates?)\b[^,;]{0,60}[\[(])$"
)
_AND = re.compile(
    r"^(?:[^,;]*(?:,|\band|\bor)(?:\sand)?(?:\sby)?|(?:,|,?\sand)\s[\w\s-]+\sby)(?=\s)"
    rf"{_ABOUT}$"
)
_PARENTHESIS = re.compile(r"\s?\([^()]{0,60}\)")
_SAVED = re.compile(r"\s?of\s[^,;]{1,30}\s(?:is|are|was|were)\ssaved\b")
_AMONG = re.compile(r"\b(?:[Aa]mong|[Oo]f) (?:all|the)\s[^,;]{2,60},\s(?:only |about )?$")
"""Of "among all cases, 28 % reduced it" the 28 is a share."""
_OF_THE_SAME = re.compile(r"\s(?:on average|relative)\)")
_OF_COST = re.compile(rf"\b(?:costs?|cost-of-pass|latency|runtime|errors?)\s(?:by|of){_ABOUT}$")
_GAIN_IS = re.compile(r"\bgains? of [^,;]{1,40} is (?:only )?$")
_TO_ANOTHER = re.compile(r"^\s\([^()]*\)\sto\s$")
_LAST_BY = re.compile(rf"\band\b[^;]*\bby{_ABOUT}$")
_ONLY_AND = re.compile(r"^,?\s(?:(?:and|or)\s)?$")
_TO = re.compile(
    r"\b(?:(?<!up )to|at|is|reaches|reaching|exceed(?:s|ed|ing)|achiev\w+|attain\w+)\s"
    r"(?:only |just |below |under |above |over |nearly |about |around |an? )*[<>≥≤~≈]?$",
    re.IGNORECASE,
)


def directions(numbers: Sequence[Number], text: str) -> list[Direction]:
    """Return which way each number points; what is said of one holds for a list of them."""
    found: list[Direction] = []
    by: Direction = ""
    for index, number in enumerate(numbers):
        beside = _PARENTHESIS.match(text, number.end)
        behind = beside.end() if beside else number.end
        later = (other.start for other in numbers[index + 1 : index + 9])
        end = next((start for start in later if start >= behind), len(text))
        between = text[numbers[index - 1].end if index else 0 : number.start]
        said = _direction(number, text, between, end)
        is_behind_bracket = between.startswith(")") and not number.sign
        in_list = (_AND.match(between) and not is_behind_bracket) or _LAST_BY.search(between)
        if _TO_ANOTHER.match(between):  # "by 63 % (Maze) to 116 % (Grid)"
            said = said or found[-1]
        elif not said and index and between.endswith(" (") and _OF_THE_SAME.match(text, number.end):
            said = found[-1]
        elif not said and index and in_list and not _TO.search(between):
            said = by if _LAST_BY.search(between) and by else found[-1]
        found.append(said)
        if re.search(rf"\bby{_ABOUT}$", between):
            by = said
    for index in range(len(numbers) - 2, -1, -1):
        between = text[numbers[index].end : numbers[index + 1].start]
        if not found[index] and _ONLY_AND.match(between):
            found[index] = found[index + 1]
    return found


def _direction(number: Number, text: str, before: str, end: int) -> Direction:
    """Return which way a number points, by its sign or by the words beside it.

    Args:
        before: the text between the number before it, or the start of the sentence, and itself.
        end: where the next number starts.
    """
    if number.sign:
        return "up" if number.sign == "+" else "down"
    if _AMONG.search(before):
        return ""
    places = (text, number.end, end)
    last = _last_change(before)
    is_by = last is not None and _BY.match(last["between"]) is not None
    behind = CHANGE_BEHIND.match(*places) or _NOUN_BEHIND.match(*places)
    if behind and not (is_by and behind.group().endswith("over")):  # "reduced by 3 % over"
        return "up" if behind["up"] else "down"
    if _SAVED.match(*places):
        return "down"
    if number.unit == "points" and _GAIN_IS.search(before):
        return "up"
    if "→" in number.value or _TO.search(before):
        return ""
    if last and is_by:
        is_cost = _OF_COST.search(last["between"]) and (last["up"] or "").startswith("improv")
        return "up" if last["up"] and not is_cost else "down"
    return ""


def _last_change(before: str) -> re.Match[str] | None:
    """Return the last word of change in a text, with all that stands behind it."""
    last, start = None, 0
    while found := _CHANGE_BEFORE.search(before, start):
        last, start = found, found.start() + 1
    return last
