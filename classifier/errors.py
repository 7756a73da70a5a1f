"""Errors of Fieldguide.

FieldguideError
├── InputError        faults in the user's files, each with file, line and hint
├── PendingEditsError out/labels.csv has edits that are not applied yet
├── OutputError       the output cannot be written, or is not a file of Fieldguide
├── WorkerError       a worker process ended early
├── FetchError        a request to a service failed
└── UsageError        a command or function was called with invalid arguments
    └── PluginError   a plug-in cannot be loaded, or its code failed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Severity = Literal["error", "warning", "notice"]
"""Severity of a fault.

- `error`: a file is unreadable or contradicts itself. The command stops, and out/ stays as it is.
- `warning`: the survey may not match its files. A paper, category, decision or page of the user is
  missing, shortened or misread. With `--strict`, the command fails.
- `notice`: the survey matches its files, but a detail of a record was dropped, repaired or chosen
  between equal values, a text could be better, or work such as a conflict of reviewers is open. A
  notice never fails a command, since records from other databases always have small defects.
"""
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "notice")
"""All severities, the worst first."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a file of the user."""

    severity: Severity
    """How serious the fault is (see `Severity`)."""
    file: str
    """Path of the file, as the user would type it."""
    line: int | None
    """Line number from 1, or None if the fault concerns the whole file."""
    actual: str
    """The content that was found."""
    expected: str
    """The content that was expected."""
    hint: str = ""
    """How to fix the fault; "" if `expected` makes it clear."""
    record: str = ""
    """Name of a record that was skipped, such as its title; `actual` is then the reason. Otherwise
    ""."""
    column: str = ""
    """Column of a cell in a sheet; `line` is then the row number in a spreadsheet. Otherwise ""."""

    def __str__(self) -> str:
        file, actual = escape_line(self.file), self.actual
        if self.column:
            row = "" if self.line is None else f"row {self.line}, "
            place = f"{file}: {row}{self.column}" if file else f"{row}{self.column}"
        else:
            place = file if self.line is None else f"{file}:{self.line}"
            place = f"{place}: {self.severity}"
        if self.record:
            actual = f"a record that cannot be read ({self.record}): {actual}"
        hint = f" {self.hint}" if self.hint else ""
        return f"{place}: found {escape_line(actual)}; expected {self.expected}.{hint}"


def escape_line(text: str) -> str:
    """Return a text from a file on one line, with its control characters escaped.

    A very long text is shortened in the middle. Escape codes could change the terminal, direction
    marks could reverse the line, and a separate line could be a command to a CI service.

    >>> escape_line("a" + chr(27) + "[31m" + chr(10) + "b")
    'a\\x1b[31m\\nb'
    """
    if len(text) > _MAX_PRINTED:
        text = f"{text[: _MAX_PRINTED // 2]} … {text[-_MAX_PRINTED // 2 :]}"
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    """Return the Python escape of a character; blanks stay, except line breaks and tabs."""
    return char if char.isspace() and char not in _CONTROL_SPACE else ascii(char)[1:-1]


_MAX_PRINTED = 1_000
_CONTROL_SPACE = "\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"


class FieldguideError(Exception):
    """Base class of all expected errors."""

    exit_code = 1


class InputError(FieldguideError):
    """The user's files have faults that stop the command."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)


def input_error(
    file: str, actual: str, expected: str, hint: str = "", line: int | None = None
) -> InputError:
    """Return an InputError with one error about a file."""
    return InputError([Fault("error", file, line, actual, expected, hint)])


class NoInputError(InputError):
    """A file has no papers: it is empty, or no reader supports its format."""


class PendingEditsError(FieldguideError):
    """The review sheet has edits that would be lost if it were overwritten."""


class OutputError(FieldguideError):
    """The output cannot be written to the chosen place."""


class WorkerError(FieldguideError):
    """A worker process ended before its work was done."""


class FetchError(FieldguideError):
    """A request to a service failed; the message has a hint."""


class UsageError(FieldguideError):
    """A command or function was called with invalid arguments."""

    exit_code = 2


class PluginError(UsageError):
    """A plug-in cannot be loaded, or its code failed."""


def condense(faults: Sequence[Fault], limit: int = 10, *, over_files: bool = False) -> list[Fault]:
    """Return the faults in order, with at most `limit` faults of each kind.

    If a kind is shortened, its last fault says how many more there are. Two faults are of one kind
    if severity, file, expected content and hint are equal; with over_files, if severity, actual and
    expected content and hint are equal in any files.
    """
    numbers: Counter[tuple[str, ...]] = Counter()
    kept: list[Fault] = []
    last: dict[tuple[str, ...], int] = {}
    for fault in faults:
        place = fault.actual if over_files else fault.file
        kind: tuple[str, ...] = (fault.severity, place, fault.expected, fault.hint)
        numbers[kind] += 1
        if numbers[kind] <= limit:
            last[kind] = len(kept)
            kept.append(fault)
    for kind, position in last.items():
        if numbers[kind] > limit:
            more = f"{kept[position].actual}, and {numbers[kind] - limit:,} more like this"
            kept[position] = replace(kept[position], actual=more)
    return kept


def listed(names: Sequence[str], limit: int = 5) -> str:
    """Return the first names, separated by commas, and the number of the others.

    >>> listed(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


def strict_faults(faults: Sequence[Fault]) -> list[Fault]:
    """Return in order the faults that fail a strict command: errors and warnings."""
    return [fault for fault in faults if fault.severity != "notice"]


def sort_faults(faults: Sequence[Fault]) -> list[Fault]:
    """Sort faults in reading order: by file, line and text."""
    return sorted(faults, key=lambda fault: (fault.file, fault.line or 0, str(fault)))
