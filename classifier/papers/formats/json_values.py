"""The JSON values of a text, one after another: of one a line in flat memory.

One array, one object, one object a line, objects one behind another, arrays one behind another. A
broken value is named and the next one found; of an object that is cut off the first list of
records is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from classifier.files.content import Content

MOST_WASTED = 2**25
"""Characters read in vain beside 16 times a file's own, after which its rest is given up."""

_DECODE = json.JSONDecoder(strict=False).raw_decode
_FACE = re.compile(
    r"\[\s*(?:\[\s*)?(?:\{\s*[\"}]|\]\s*$)|\[\s*\[\s*\"[^\"\\]{1,99}\"\s*,"
    r"|\{\s*(?:\"|\}\s*(?:[\[{]|$))"
)
_OPENING = re.compile(r"\{\s*\"[^\"\\]{0,100}\"")
_BETWEEN = re.compile(r"[\s,;\x1e\ufeff]*")
_LIST = re.compile(r"\[\s*(?=\{)")
# What a value costs whose error says no place, mostly one that is nested too deeply.
_DEEP = 100_000
# An error this close to the end of a text is that it breaks off.
_NEAR_END = 16

IsRecord = Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Broken:
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


def json_values(content: Content, is_record: IsRecord) -> Iterator[tuple[int, object]]:
    """Yield the 1-based line on which each value starts and the value: a `Broken` where it is none.

    Of an array its elements are the values. `is_record` says whether a value is a record, for a
    look into an object that is cut off.
    """
    if not has_value_a_line(content.start):
        yield from _values(content.text(), is_record)
        return
    for number, line in enumerate(content.lines(), start=1):
        if text := line.strip(" \t\r,\x1e\ufeff"):
            yield number, value_of_line(text)


def value_of_line(text: str) -> object:
    """Return the JSON value that a line holds, or a `Broken`."""
    try:
        return json.loads(text, strict=False)
    except RecursionError:
        return Broken(text[:400], _wanted("nested too deeply"))
    except ValueError as error:
        return Broken(text[:400], _wanted(_message(error)))


def _values(text: str, is_record: IsRecord) -> Iterator[tuple[int, object]]:
    """Yield the elements of arrays, and the values beside arrays."""
    position = counted = wasted = 0
    line, in_array, in_object, first = 1, False, False, True
    while (position := _behind(text, position)) < len(text):
        sign = text[position]
        if sign == "]" and in_object:
            return
        if sign == "]" or (sign == "[" and not in_array):
            in_array = sign == "["
            position += 1
            continue
        line += text.count("\n", counted, position)
        counted = position
        value, end, failed = _value(text, position)
        inside = _list_inside(text, position, is_record) if failed and first and sign == "{" else 0
        if inside and not in_array:
            in_array, in_object, position = True, True, inside
        else:
            yield line, value
            wasted += _cost(position, failed)
            position = _next_place(text, position, failed) if failed else end
        first = False
        if wasted > MOST_WASTED + 16 * len(text):
            yield line, Broken("the rest of the file", _wanted("too many broken values"))
            return


def _behind(text: str, position: int) -> int:
    """Return the place behind what stands between values."""
    match = _BETWEEN.match(text, position)
    return match.end() if match else position


def _value(text: str, position: int) -> tuple[object, int, int]:
    """Return a value, where it ends, and 0; or a Broken, 0, and where it fails."""
    try:
        value, end = _DECODE(text, position)
    except RecursionError:
        failed, reason = position + 1, "nested too deeply"
    except json.JSONDecodeError as error:
        failed, reason = max(1, error.pos), _message(error)
        if failed >= len(text) - _NEAR_END or reason.startswith("unterminated"):
            failed, reason = len(text), "it breaks off"
    except ValueError as error:  # a number of thousands of digits
        failed, reason = position + 1, _message(error)
    else:
        return value, end, 0
    return Broken(text[position : position + 400], _wanted(reason)), 0, failed


def _cost(start: int, failed: int) -> int:
    """Return how many characters were read for a value that fails there, 0 where it does not.

    The library counts the lines of all that stands before it raises an error.
    """
    if not failed:
        return 0
    return max(failed - start, failed // 64, _DEEP if failed == start + 1 else 1)


def _list_inside(text: str, position: int, is_record: IsRecord) -> int:
    """Return the place of the first record in a list of an object that is cut off, or 0."""
    for _, match in zip(range(20), _LIST.finditer(text, position, position + 2**20), strict=False):
        try:
            value, _ = _DECODE(text, match.end())
        except (ValueError, RecursionError):
            continue
        if is_record(value):
            return match.end()
    return 0


def _next_place(text: str, position: int, failed: int) -> int:
    """Return where the value behind a broken one begins, as that one does."""
    opening = _OPENING.match(text, position)
    line_start = text.rfind("\n", position + 1, failed)
    after = position + 1 if failed >= len(text) else line_start if line_start > 0 else failed
    place = text.find(opening[0] if opening else "\n{", max(after, position + 1))
    return len(text) if place < 0 else place


def _message(error: ValueError) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return "a number of too many digits"  # Python reads 4,300 of them
    return error.msg[:1].lower() + error.msg[1:100]


def _wanted(reason: str) -> str:
    return f"found no JSON ({reason}); wanted a JSON object"
