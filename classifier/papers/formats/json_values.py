"""The JSON values of a text, one after another: of one a line in flat memory.

One array, one object, one object a line, objects one behind another, arrays one behind another. A
broken value is named and the next one found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from classifier.files.content import Content

_MOST_BROKEN: Final = 100
"""Broken values of a text that is read as a whole, after which its rest is given up."""
_DECODE: Final = json.JSONDecoder(strict=False).raw_decode
_FACE: Final = re.compile(r"\[\s*(?:\[\s*)?(?:\{\s*[\"}]|\]\s*$)|\{\s*(?:\"|\}\s*(?:[\[{]|$))")
_OPENING: Final = re.compile(r"\{\s*\"[^\"\\]{0,100}\"")
_BETWEEN: Final = re.compile(r"[\s,;\x1e\ufeff]*")
# An error this close to the end of a text is that it breaks off.
_NEAR_END: Final = 16


class Broken(NamedTuple):
    """What stands where a value should."""

    text: str
    """How it begins."""
    reason: str


def looks_like_json(start: str) -> bool:
    """Say whether a text begins as JSON with objects does."""
    return bool(_FACE.match(start.lstrip()))


def has_value_a_line(start: str) -> bool:
    """Say whether each line is a value of its own, as far as the first two lines show."""
    lines = [line.strip() for line in start.split("\n", 1000)[:1000] if line.strip()][:2]
    if not lines or lines[0][:1] != "{" or isinstance(value_of_line(lines[0]), Broken):
        return False
    return len(lines) > 1 and lines[1][:1] == "{"


def json_values(content: Content) -> Iterator[tuple[int, object]]:
    """Yield the 1-based line on which each value starts and the value: a `Broken` where it is none.

    Of an array its elements are the values.
    """
    if not has_value_a_line(content.start):
        yield from _values(content.text())
        return
    for number, line in enumerate(content.lines(), start=1):
        if text := line.strip(" \t\r,\x1e\ufeff"):
            yield number, value_of_line(text)


def value_of_line(text: str) -> object:
    """Return the JSON value that a line holds, or a `Broken`."""
    try:
        return json.loads(text, strict=False)
    except (RecursionError, ValueError) as error:
        return Broken(text[:400], _wanted(reason_of(error)))


def _values(text: str) -> Iterator[tuple[int, object]]:
    """Yield the elements of arrays, and the values beside arrays."""
    position = counted = broken = 0
    line, in_array = 1, False
    while (position := _behind(text, position)) < len(text):
        sign = text[position]
        if sign == "]" or (sign == "[" and not in_array):
            in_array = sign == "["
            position += 1
            continue
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, position = _DECODE(text, position)
        except (RecursionError, ValueError) as error:
            broken += 1
            if broken > _MOST_BROKEN:
                yield line, Broken("the rest of the file", _wanted("too many broken values"))
                return
            reason, failed = _failure(text, position, error)
            value = Broken(text[position : position + 400], _wanted(reason))
            position = _next_place(text, position, failed)
        yield line, value


def _behind(text: str, position: int) -> int:
    """Return the place behind what stands between values."""
    match = _BETWEEN.match(text, position)
    return match.end() if match else position


def _failure(text: str, position: int, error: Exception) -> tuple[str, int]:
    """Return why there is no value, and where that shows."""
    reason = reason_of(error)
    if not isinstance(error, json.JSONDecodeError):
        return reason, position + 1
    if error.pos >= len(text) - _NEAR_END or reason.startswith("unterminated"):
        return "it breaks off", len(text)
    return reason, max(1, error.pos)


def _next_place(text: str, position: int, failed: int) -> int:
    """Return where the value behind a broken one begins, as that one does."""
    opening = _OPENING.match(text, position)
    line_start = text.rfind("\n", position + 1, failed)
    after = position + 1 if failed >= len(text) else line_start if line_start > 0 else failed
    place = text.find(opening[0] if opening else "\n{", max(after, position + 1))
    return len(text) if place < 0 else place


def reason_of(error: Exception) -> str:
    """Return why a text is no JSON."""
    match error:
        case json.JSONDecodeError():
            return error.msg[:1].lower() + error.msg[1:100]
        case RecursionError():
            return "nested too deeply"
    return "a number of too many digits"  # Python reads 4,300 of them


def _wanted(reason: str) -> str:
    return f"found no JSON ({reason}); wanted a JSON object"
