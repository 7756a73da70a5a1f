"""The direction of a number (a rise or a fall), from its sign or the words around it."""

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
    r"|loss"
)
_CHANGE_AFTER = re.compile(
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
_CHANGE_BEFORE = re.compile(rf"\b(?:(?P<up>{_RISING})|(?P<down>{_FALLING}))\b", re.IGNORECASE)
_ABOUT = (
    r"(?:\s?(?:an?|up to|as much as|nearly|over|more than|approximately|about|around|roughly|almost"
    r"|at least|at most|average|mean|absolute|additional|relative|of|another|further|factors?"
    r"|[~≈≥>]))*\s?"
)
# "About 60 % of GPU hours are saved."
SAVED_AFTER = re.compile(
    r"\sof\s[^,;.()\d]{1,40}\s(?:is|are|was|were)\s(?:saved|avoided|cut|eliminated)\b"
)
# "11 % faster execution in steps" is a fall of the number of steps.
IN_STEPS = re.compile(r"\sfaster\s(?:[\w-]+\s){0,2}in (?:the number of )?steps\b")
# "By 63 % (on rye) to 116 % (on wheat)", "by 10 % to as much as 30 %".
_RANGE = re.compile(r"\s?\([^()]{0,60}\)\sto\s|\sto\s(?:as much as|up to)\s")
# Between a verb of change and its number: "by about", " in time of", " (".
_BY = re.compile(
    rf"(?:.*\bby{_ABOUT}|\s(?:[\w-]+\s){{0,3}}of{_ABOUT}|\sin\s[^,;]{{0,60}}?\bof{_ABOUT}|{_ABOUT}"
    r"|\s?\()",
    re.DOTALL,
)
_AND = re.compile(
    r"(?:[^,;]*(?:,|\band|\bor)(?:\sand)?(?:\sby)?|[^;]*\band\s[^;]*\sby)(?=\s)"
    rf"{_ABOUT}"
)
# In "among all cases, 28 % reduced it" the 28 is a share.
_AMONG = re.compile(r"\b(?:[Aa]mong|[Oo]f) (?:all|the)\s[^,;]{2,60},\s(?:only |about )?$")
_COST = re.compile(rf"\b(?:costs?|cost-of-pass|latency|runtime|errors?)\s(?:by|of){_ABOUT}$")
_COST_BEFORE = re.compile(r"\b(?:costs?|latency|runtimes?|time)\s$")
_ENDS_WITH_BY = re.compile(rf"\bby{_ABOUT}$")
_ONLY_AND = re.compile(r",?\s(?:(?:and|or)\s)?")
_TO = re.compile(
    r"\b(?:(?<!up )to|at|is|reaches|reaching|exceed(?:s|ed|ing)|achiev\w+|attain\w+)\s"
    r"(?:only |just |below |under |above |over |nearly |about |around |an? )*[<>≥≤~≈]?$",
    re.IGNORECASE,
)


def number_directions(numbers: Sequence[Number], text: str) -> list[Direction]:
    """Return the direction of each number in a sentence; a list has one direction."""
    found: list[Direction] = []
    by: Direction = ""  # of the last number after "by"
    for index, number in enumerate(numbers):
        previous_end = numbers[index - 1].end if index else 0
        between = text[previous_end : number.start]
        end = numbers[index + 1].start if index + 1 < len(numbers) else len(text)
        direction = _find_direction(number, text, between, end)
        ends_with_by = _ENDS_WITH_BY.search(between) is not None
        if not direction and index and _AND.fullmatch(between) and not _TO.search(between):
            direction = by if ends_with_by and by else found[-1]
        elif not direction and index and _RANGE.fullmatch(between):
            direction = found[-1]
        found.append(direction)
        if ends_with_by:
            by = direction
    for index in range(len(numbers) - 2, -1, -1):
        between = text[numbers[index].end : numbers[index + 1].start]
        if not found[index] and _ONLY_AND.fullmatch(between):
            found[index] = found[index + 1]
    return found


def _find_direction(number: Number, text: str, preceding_text: str, end: int) -> Direction:
    """Return the direction of one number, from the text between its neighbours."""
    if number.sign:
        return "up" if number.sign == "+" else "down"
    if _AMONG.search(preceding_text):
        return ""
    if SAVED_AFTER.match(text, number.end) or IN_STEPS.match(text, number.end):
        return "down"
    last = next(reversed(list(_CHANGE_BEFORE.finditer(preceding_text))), None)
    between = preceding_text[last.end() :] if last else ""
    is_by = last is not None and _BY.fullmatch(between) is not None
    after = _CHANGE_AFTER.match(text, number.end, end)
    if after and not (is_by and after.group().endswith("over")):  # "reduced by 3 % over"
        return "up" if after["up"] else "down"
    if last and is_by and not _TO.search(preceding_text):
        # "improves latency by 5 ms" and "a latency improvement of 5 ms" are falls.
        is_of_cost = _COST.search(between) or _COST_BEFORE.search(preceding_text, 0, last.start())
        is_cost = is_of_cost and (last["up"] or "").lower().startswith("improv")
        return "up" if last["up"] and not is_cost else "down"
    return ""
