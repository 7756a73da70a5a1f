"""Parse a JSON text into values, each with the line on which it starts.

A text may be one array, one object, one object per line, or several objects or arrays in a row. If
each line is a value, the lines are parsed one by one, and a broken line does not stop the reading.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from classifier.files.content import Content

_DECODE: Final = json.JSONDecoder(strict=False).raw_decode
_START: Final = re.compile(r"\[\s*(?:\[\s*)?(?:\{\s*[\"}]|\]\s*$)|\{\s*(?:\"|\}\s*(?:[\[{]|$))")
_BETWEEN: Final = re.compile(r"[\s,;\x1e\ufeff]*")
_MAX_EXCERPT: Final = 400
"""Maximum number of characters of a broken text that are kept for the message."""
_MAX_LINE: Final = 2**24
"""Maximum number of characters of a line."""


class InvalidJson(NamedTuple):
    """A text that is not JSON."""

    text: str
    """Its first characters."""
    reason: str
    """What was found and what was expected."""


def reject_reason(content: Content) -> str:
    """Return why a file does not contain JSON objects; "" if it may."""
    is_json = _START.match(content.start.lstrip())
    return "" if is_json else "it does not begin with a JSON object or list"


def has_value_per_line(start: str) -> bool:
    """Return whether each line of a text is a JSON value, judged by its first two lines."""
    lines = [line.strip() for line in start.split("\n", 1000)[:1000] if line.strip()][:2]
    if len(lines) < 2 or any(line[0] != "{" for line in lines):
        return False
    return not isinstance(value_of_line(lines[0]), InvalidJson)


def values_of(content: Content) -> Iterator[tuple[int, object]]:
    """Yield each value with its 1-based line; for an array, each of its elements."""
    if has_value_per_line(content.start):
        return values_of_lines(content)
    return _values_of_text(content.text())


def values_of_lines(content: Content, max_line: int = _MAX_LINE) -> Iterator[tuple[int, object]]:
    """Yield the value and the 1-based number of each line that is not empty."""
    for number, line in enumerate(content.lines(max_line), start=1):
        text = line.strip(" \t\r,\x1e\ufeff")
        if len(line) > max_line:
            reason = f"found a line of more than {max_line:,} characters; expected a shorter line"
            yield number, InvalidJson(line[:_MAX_EXCERPT], reason)
        elif text:
            yield number, value_of_line(text)


def value_of_line(text: str) -> object:
    """Return the JSON value of a line, or a `InvalidJson`."""
    try:
        return json.loads(text, strict=False)
    except (RecursionError, ValueError) as error:
        return InvalidJson(text[:_MAX_EXCERPT], _error_message(error))


def _values_of_text(text: str) -> Iterator[tuple[int, object]]:
    """Yield the values of a text that spans lines, each with its 1-based line."""
    position = counted = 0
    line, in_array = 1, False
    while match := _BETWEEN.match(text, position):
        position = match.end()
        if position == len(text):
            return
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
            reason = _error_message(error, "; the rest of the file was not read")
            yield line, InvalidJson(text[position : position + _MAX_EXCERPT], reason)
            return
        yield line, value


def _error_message(error: Exception, suffix: str = "") -> str:
    reason = "a number of too many digits"  # Python reads 4,300 of them
    if isinstance(error, json.JSONDecodeError):
        reason = error.msg[:1].lower() + error.msg[1:100]
    elif isinstance(error, RecursionError):
        reason = "nested too deeply"
    return f"found no JSON ({reason}{suffix}); expected a JSON object"
