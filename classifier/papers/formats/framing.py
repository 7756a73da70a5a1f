"""JSON values in a text, one after another, in whatever frame they come.

One array, one object, one object a line, objects over several lines without commas, arrays one
behind another, JSON inside a JSON string, and Python's own notation of dicts; a broken value is
named and the next one found. Memory holds one value and a block of text, unless the whole text is
one object; of an object that is too long for that, or cut off, the first list of records is read.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from classifier.files.content import Content, text_content

MOST_VALUE = 2**26
"""Characters of one value; a longer array is read element by element."""
MOST_LITERAL = 2**20
"""Characters of a value in Python's notation, which takes far longer to parse."""
MOST_WASTED = 2**27
"""Characters read in vain, after which the rest of a file is given up."""

_DECODE = json.JSONDecoder(strict=False).raw_decode
_FACE = re.compile(
    r"(?:\[\s*(?:\[\s*)?(?:\{\s*(?:\\?[\"']|\})|\"\s*\{|\]\s*$)|\[\s*\[\s*\"[^\"\\]{1,99}\"\s*,"
    r"|\{\s*(?:\\?[\"']|\}\s*(?:[\[{]|$))|\"(?:\\[nrt]|\s)*(?:\[|\{)(?:\\[nrt]|\s)*(?:[\[{]|\\\"))"
)
_ESCAPED_FACE = re.compile(r"\[?\s*\{(?:\\[nrt]|\s)*\\\"")
_OPENING = re.compile(r"\{\s*(?:\"[^\"\\]{0,100}\"|'[^'\\]{0,100}')")
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


Framed = tuple[int, object]
"""The 1-based line on which a value starts, and the value: a `Broken`, where it is none."""


def is_framed(start: str) -> bool:
    """Say whether a text begins as JSON with objects does, or as Python's notation of it."""
    return bool(_FACE.match(start.lstrip()))


def values(content: Content, is_record: IsRecord) -> Iterator[Framed]:
    """Yield the values of a text: the elements of an array, the objects of lines.

    `is_record` says whether a value is a record, for a look into an object that is cut off.
    """
    if _is_escaped(content.start):
        content = text_content(content.name, _unescaped(content.text()))
    found = _of_lines(content) if _is_lines(content.start) else _of_blocks(content, is_record)
    for line, value in found:
        yield from _inside(line, value, is_record, 0)


def is_by_line(start: str) -> bool:
    """Say whether a text that begins so is read line by line, each without the others."""
    return _is_lines(start) and not _is_escaped(start)


def _is_escaped(start: str) -> bool:
    return bool(_ESCAPED_FACE.match(start.lstrip()))


def _inside(line: int, value: object, is_record: IsRecord, depth: int) -> Iterator[Framed]:
    """Yield a value, or where it is a text that holds JSON, the values in that."""
    if isinstance(value, str) and depth < 3 and value.lstrip()[:1] in ("[", "{"):
        inner = text_content("", value)
        for _, found in _of_blocks(inner, is_record):
            yield from _inside(line, found, is_record, depth + 1)
    else:
        yield line, value


def _unescaped(text: str) -> str:
    try:
        return str(_DECODE(f'"{text.strip()}"')[0])
    except ValueError:
        return text


def _is_lines(start: str) -> bool:
    """Say whether each line is a value of its own, as far as the first two lines show."""
    lines = [line.strip() for line in start.split("\n", 1000)[:1000] if line.strip()][:2]
    if not lines or lines[0][:1] not in '{"' or isinstance(value_of_line(lines[0]), Broken):
        return False
    return len(lines) > 1 and lines[1][:1] == lines[0][:1]


def _of_lines(content: Content) -> Iterator[Framed]:
    for number, line in enumerate(content.lines(), start=1):
        text = line.strip(" \t\r,\x1e\ufeff")
        if text:
            yield number, value_of_line(text)


def value_of_line(text: str) -> object:
    """Return the value that a line holds, in JSON or in Python's notation, or a `Broken`."""
    try:
        return json.loads(text, strict=False)
    except RecursionError:
        return Broken(text[:400], _wanted("nested too deeply"))
    except ValueError as error:
        value = _literal(text)
        return Broken(text[:400], _wanted(_message(error))) if value is None else value


def _literal(text: str) -> object:
    """Return the value of Python's notation of a dict or list; None where it is none."""
    text = text.rstrip(" \t\n,]\x1e") if text[:1] == "{" else text
    if len(text) > MOST_LITERAL or text[:1] not in ("{", "["):
        return None
    try:
        value: object = _evaluated(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _evaluated(text: str) -> object:
    if "\\" not in text:
        return ast.literal_eval(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes that Python does not know
        return ast.literal_eval(text)


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

    def is_short(self) -> bool:
        """Say whether what lies behind `position` may still grow."""
        return len(self.text) - self.position <= MOST_VALUE


def _of_blocks(content: Content, is_record: IsRecord) -> Iterator[Framed]:
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
            yield line, _recovered(window, value, failed) if isinstance(value, Broken) else value
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
        if near_end and window.is_short() and window.grow():
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


def _recovered(window: _Window, broken: Broken, failed: int) -> object:
    """Move to where the next value begins as the broken one does; return what stands before it.

    That is the broken value, unless it is one in Python's notation.
    """
    opening = _OPENING.match(window.text, window.position)
    sign = opening[0] if opening else "\n{"
    ends_there = failed >= len(window.text)
    line_start = window.text.rfind("\n", window.position + 1, failed)
    after = window.position + 1 if ends_there else line_start if line_start > 0 else failed
    offset = max(after, window.position + 1) - window.position
    while (place := window.text.find(sign, window.position + offset)) < 0:
        offset = max(offset, len(window.text) - window.position - len(sign))
        if not window.is_short() or not window.grow():
            place = len(window.text)
            break
    value = _literal(window.text[window.position : min(place, window.position + MOST_LITERAL + 99)])
    window.position = place
    return broken if value is None else value


def _message(error: ValueError) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return "a number of too many digits"  # Python reads 4,300 of them
    return error.msg[:1].lower() + error.msg[1:100]


def _wanted(reason: str) -> str:
    return f"found no JSON ({reason}); wanted a JSON object"
