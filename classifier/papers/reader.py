"""Readers of formats: their attributes, their results, and how messages show values.

A reader is a module-level `Reader` in `papers/readers`. It has a name, a test that returns why a
file is not in the format, and a function that yields papers and faults in file order. A Fault with
a `record` replaces a record that could not be read; any other Fault reports a detail that was left
out. A reader of tables first yields the columns that it reads. If a file cannot be read at all, the
reader raises InputError.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.paper import Paper, Source


@dataclass(frozen=True, slots=True)
class ColumnsRead:
    """The columns of a foreign table and their fields, shown to the user for information."""

    pairs: tuple[tuple[str, str], ...]
    """(field, column or columns), in the order of the columns; the field "" marks unread ones."""


_MAX_REASONS = 3
"""Maximum number of reasons in the warning on a file without a paper."""

Record = Paper | Fault | ColumnsRead
"""What a reader yields."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A format: how to recognise it and how to read it."""

    name: str
    """The format's name in `Source.format` and messages."""
    reject_reason: Callable[[Content], str]
    """Returns why this reader cannot read a file, such as “no line 'TY  - '”; "" if it can. It is
    decided by content (mostly `Content.start`), then by name."""
    read: Callable[[Content], Iterator[Record]]
    """Records in file order, each Paper with exactly one Source."""
    description: str
    """Description of the format, for the message about a file without a readable paper, or a file
    that no reader recognises but whose name ends with the format's name."""
    examples: tuple[str, ...] = ()
    """Small files for tests of a text format; `@@` marks the place of a value, or of more text."""
    is_by_line: Callable[[Content], bool] = lambda content: False
    """Returns whether each line of a file can be read without the others, if `Content.start` is
    that of the whole file."""


def require_signatures(reason: str, *signatures: re.Pattern[str]) -> Callable[[Content], str]:
    """Return a `reject_reason` that returns `reason` if a file's start lacks a signature."""

    def reject_reason(content: Content) -> str:
        is_known = all(signature.search(content.start) for signature in signatures)
        return "" if is_known else reason

    return reject_reason


def quarantine_fault(source: Source, record: str, reason: str) -> Fault:
    """Return the Fault that replaces the record at `source`; a long name is shortened.

    record: name of the record. reason: the actual and the expected content.
    """
    name = _one_line(record, 120) or "an empty record"
    hint = "The record is listed in quarantine.csv; all others were read."
    return Fault("warning", source.file, source.line, reason, "a complete record", hint, name)


def no_paper_fault(
    name: str, faults: Sequence[Fault], description: str, n_unread: int | None = None
) -> Fault:
    """Return the warning about a file without any readable record, with the first reasons.

    n_unread: number of unread records, if `faults` has only the first of them.
    """
    n_unread = len(faults) if n_unread is None else n_unread
    if not n_unread:
        return Fault("warning", name, None, "no record", description)
    places: dict[str, int | None] = {}
    for fault in faults:
        places.setdefault(fault.actual.replace("; expected", ", expected"), fault.line)
    reasons = [
        f"line {line}: {reason}" if line else reason
        for reason, line in list(places.items())[:_MAX_REASONS]
    ]
    records = "1 record" if n_unread == 1 else f"{n_unread:,} records"
    found = f"no paper in {records}: {'; '.join(reasons)}"
    return Fault("warning", name, None, found, description)


def record_name(fields: Mapping[str, object]) -> str:
    """Return a name of a record for messages: its title, else its id, else its fields."""
    title = fields.get("title")
    if isinstance(title, str) and title.strip():
        return title
    identity = fields.get("id")
    if isinstance(identity, str) and identity:
        return identity
    filled = [item for item in fields.items() if item[1] not in (None, "", [], (), {})]
    firsts = ((name, value[0] if isinstance(value, list) else value) for name, value in filled)
    return (
        ", ".join(f"{name} {display_value(first)}" for name, first in firsts) or "an empty record"
    )


def display_value(value: object) -> str:
    """Return `value` for a message: in words, on one line, in at most 60 characters.

    >>> [display_value(value) for value in ("Ann's oven", None, ["a"], True, 20000)]
    ["'Ann's oven'", 'nothing', 'a list', 'true', '20,000']
    """
    match value:
        case str():
            return f"'{_one_line(value, 58)}'"
        case None | bool():
            return {None: "nothing", True: "true", False: "false"}[value]
        case int() if abs(value) >= 10**15:
            return "a number of many digits"
        case int():
            return f"{value:,}" if abs(value) >= 10_000 else str(value)  # years have no comma
        case Mapping():
            return "a mapping" if value else "an empty mapping"
        case list() | tuple():
            return "a list" if value else "an empty list"
    return str(value)


def _one_line(text: str, limit: int) -> str:
    """Return `text` as one printable line of at most `limit` characters."""
    start = "".join(char if char.isprintable() else " " for char in text[: 4 * limit])
    line = " ".join(start.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
