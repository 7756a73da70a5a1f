"""The JSON values of a text, one after another, in flat memory.

One array, one object, one object a line, objects one behind another, arrays one behind another. A
broken value is named and the next one found; of an object that is cut off, or too long to be held,
the first list of records is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from classifier.files.content import Content

MOST_VALUE = 2**26
"""Characters of one value; a longer array is read element by element."""
MOST_WASTED = 2**27
"""Characters read in vain, after which the rest of a file is given up."""

_DECODE = json.JSONDecoder(strict=False).raw_decode
_FACE = re.compile(
    r"\[\s*(?:\[\s*)?(?:\{\s*[\"}]|\]\s*$)|\[\s*\[\s*\"[^\"\\]{1,99}\"\s*,"
    r"|\{\s*(?:\"|\}\s*(?:[\[{]|$))"
)
_OPENING = re.compile(r"\{\s*\"[^\"\\]{0,100}\"")
_BETWEEN = re.compile(r"[\s,;\x1e\ufeff]*")
_LIST = re.compile(r"\[\s*(?=\{)")
_BLOCK = 2**16
# What a value costs whose error says no place, mostly one that is nested too deeply.
_DEEP = 100_000
# Of an error this close behind the end of what is read so far, more text may be the cure.
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
        yield from _values_in_blocks(content, is_record)
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


class _Window:
    """The part of a text that is held, which slides along it."""

    def __init__(self, content: Content) -> None:
        self._blocks = content.blocks(_BLOCK)
        self._line = 1
        self._counted = 0
        self.text = ""
        self.position = 0
        self.whole = False
        """Whether the text ends where `text` does."""

    def line(self) -> int:
        """Return the line of `position`, which only grows."""
        self._line += self.text.count("\n", self._counted, self.position)
        self._counted = self.position
        return self._line

    def grow(self) -> bool:
        """Forget what lies before `position` and double the rest; False at the end of the text."""
        if self.whole:
            return False
        self.line()
        parts = [self.text[self.position :]]
        before = held = len(parts[0])
        while held <= 2 * before and not self.whole:
            block = next(self._blocks, "")
            self.whole = not block
            parts.append(block)
            held += len(block)
        self.text = "".join(parts)
        self.position = self._counted = 0
        return held > before

    def skip(self) -> str:
        """Move behind what stands between values; return the next character, "" at the end."""
        while True:
            match = _BETWEEN.match(self.text, self.position)
            self.position = match.end() if match else self.position
            if self.position < len(self.text):
                return self.text[self.position]
            if not self.grow():
                return ""

    def may_grow(self) -> bool:
        """Say whether what lies behind `position` is short enough to read more of it."""
        return len(self.text) - self.position <= MOST_VALUE


def _values_in_blocks(content: Content, is_record: IsRecord) -> Iterator[tuple[int, object]]:
    """Yield the elements of arrays, and the values beside arrays."""
    window = _Window(content)
    in_array = in_object = False
    first, wasted = True, 0
    while (sign := window.skip()) and not (sign == "]" and in_object):
        if sign == "]" or (sign == "[" and not in_array):
            in_array = sign == "["
            window.position += 1
            continue
        line = window.line()
        value, failed = _next_value(window)
        place = _list_inside(window, is_record) if failed and first and sign == "{" else 0
        if place and not in_array:
            in_array, in_object, window.position = True, True, place
        else:
            wasted += _cost(window.position, failed)
            if failed:
                _move_to_next(window, failed)
            yield line, value
        first = False
        if wasted > MOST_WASTED:
            yield line, Broken("the rest of the file", _wanted("too many broken values"))
            return


def _next_value(window: _Window) -> tuple[object, int]:
    """Return the value at the window's position, and 0; or a Broken, and where it fails."""
    while True:
        failed, near_end = 0, False
        try:
            value, end = _DECODE(window.text, window.position)
        except RecursionError:
            failed, reason = window.position + 1, "nested too deeply"
        except json.JSONDecodeError as error:
            failed, reason = error.pos, _message(error)
            near_end = failed >= len(window.text) - _NEAR_END or reason.startswith("unterminated")
        except ValueError as error:  # a number of thousands of digits
            failed, reason = window.position + 1, _message(error)
        else:
            # A number may go on in the next block.
            if end < len(window.text) or isinstance(value, dict | list | str) or not window.grow():
                window.position = end
                return value, 0
            continue
        if near_end and window.may_grow() and window.grow():
            continue
        if near_end:
            reason = "it breaks off" if window.whole else f"more than {MOST_VALUE:,} characters"
            failed = len(window.text)
        start = window.text[window.position : window.position + 400]
        return Broken(start, _wanted(reason)), max(1, failed)


def _cost(start: int, failed: int) -> int:
    """Return how many characters were read for a value that fails there, 0 where it does not.

    The library counts the lines of all that is held before it raises an error.
    """
    if not failed:
        return 0
    return max(failed - start, failed // 64, _DEEP if failed == start + 1 else 1)


def _list_inside(window: _Window, is_record: IsRecord) -> int:
    """Return the place of the first record in a list of an object that is cut off, or 0."""
    end = window.position + 2**20
    for _, match in zip(range(20), _LIST.finditer(window.text, window.position, end), strict=False):
        try:
            value, _ = _DECODE(window.text, match.end())
        except (ValueError, RecursionError):
            continue
        if is_record(value):
            return match.end()
    return 0


def _move_to_next(window: _Window, failed: int) -> None:
    """Move from a broken value to where the next one begins as it does."""
    opening = _OPENING.match(window.text, window.position)
    sign = opening[0] if opening else "\n{"
    ends_there = failed >= len(window.text)
    line_start = window.text.rfind("\n", window.position + 1, failed)
    after = window.position + 1 if ends_there else line_start if line_start > 0 else failed
    offset = max(after, window.position + 1) - window.position
    while (place := window.text.find(sign, window.position + offset)) < 0:
        offset = max(offset, len(window.text) - window.position - len(sign))
        if not window.may_grow() or not window.grow():
            place = len(window.text)
            break
    window.position = place


def _message(error: ValueError) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return "a number of too many digits"  # Python reads 4,300 of them
    return error.msg[:1].lower() + error.msg[1:100]


def _wanted(reason: str) -> str:
    return f"found no JSON ({reason}); wanted a JSON object"
