"""Everything that can go wrong, as one tree.

FieldguideError
├── InputError        faults in the user's files: every one of them, with file, line and hint
├── PendingEditsError out/labels.csv holds edits that no decision has been made of
├── OutputError       the output folder cannot be written, or is not ours to replace
├── WorkerError       a process that labels for this one was lost
├── FetchError        the network did not give what was asked for
└── UsageError        the command was called in a way that makes no sense
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Severity = Literal["error", "warning", "notice"]
"""What a fault is worth, by one question: is the survey what its files say?

- `error`: a file cannot be meant as written, or not be read. The command stops, out/ stays.
- `warning`: it may not be. A paper, a category, a decision or a page that a person put in is
  missing, cut, or counts for something else than was meant. `--strict` lets it fail the command.
- `notice`: it is. A detail of a record was left out, mended or chosen between equals; a text could
  say more; work waits that another command lists, such as reviewers who disagree. It never fails
  anything: a job at night, fed by strangers' records, would be red for trifles.
"""
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "notice")
"""The worst first."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a user's file, in the words that its owner needs."""

    severity: Severity
    """See `Severity`."""
    file: str
    """The file, as the user would type it."""
    line: int | None
    """1-based line, or None where the fault has no single place."""
    actual: str
    """What stands there."""
    expected: str
    """What should stand there."""
    hint: str = ""
    """What to do about it; empty where `expected` already says so."""
    record: str = ""
    """Of a record of the user's that was left out: what names it for a person, such as its title;
    `actual` then says why. "" of all else."""
    column: str = ""
    """Of a cell of a sheet: its column. `line` is then the row that a spreadsheet shows."""

    def __str__(self) -> str:
        file, found = in_print(self.file), self.actual
        if self.column:
            row = "" if self.line is None else f"row {self.line}, "
            place = f"{file}: {row}{self.column}" if file else f"{row}{self.column}"
        else:
            place = file if self.line is None else f"{file}:{self.line}"
            place = f"{place}: {self.severity}"
        if self.record:
            found = f"a record that cannot be read ({self.record}): {found}"
        hint = f" {self.hint}" if self.hint else ""
        return f"{place}: found {in_print(found)}; expected {self.expected}.{hint}"


def in_print(text: str) -> str:
    """Return a text of a file as a terminal may show it: on one line, without signs that act.

    Of a very long one the beginning and the end are given. Escape codes would colour, move or
    rename a terminal, marks of direction turn the line around, and a line of its own might be a
    command to a CI service.

    >>> in_print("a" + chr(27) + "[31m" + chr(10) + "b")
    'a\\x1b[31m\\nb'
    """
    if len(text) > _MOST_SHOWN:
        text = f"{text[: _MOST_SHOWN // 2]} … {text[-_MOST_SHOWN // 2 :]}"
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    """Return a sign that is not printed as Python writes it; blanks of other widths stay."""
    return sign if sign.isspace() and sign not in _ACTING else ascii(sign)[1:-1]


_MOST_SHOWN = 1_000
_ACTING = "\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"


class FieldguideError(Exception):
    """Base of every error that Fieldguide raises on purpose."""

    exit_code = 1


class InputError(FieldguideError):
    """The user's files hold faults that stop the command."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)


class NoInputError(InputError):
    """A file holds nothing that could be papers: it is empty, or no reader knows it."""


class PendingEditsError(FieldguideError):
    """The review sheet holds edits that would be lost if it were overwritten."""


class OutputError(FieldguideError):
    """The output cannot be written where the user wants it."""


class WorkerError(FieldguideError):
    """A process that works for this one ended before its work was done."""


class FetchError(FieldguideError):
    """The network did not give what was asked for; the message says what to do."""


class UsageError(FieldguideError):
    """The command line asks for something that makes no sense."""

    exit_code = 2


def condense(faults: Sequence[Fault], most: int = 10, *, over_files: bool = False) -> list[Fault]:
    """Return the faults in their order, of many of one kind the first ones and how many follow.

    Faults are of one kind where the same was expected in one file, with the same hint; over_files:
    where the same was found and expected in any file.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    kept: list[Fault] = []
    last: dict[tuple[str, ...], int] = {}
    for fault in faults:
        about = fault.actual if over_files else fault.file
        kind: tuple[str, ...] = (fault.severity, about, fault.expected, fault.hint)
        seen[kind] += 1
        if seen[kind] <= most:
            last[kind] = len(kept)
            kept.append(fault)
    for kind, place in last.items():
        if seen[kind] > most:
            more = f"{kept[place].actual}, and {seen[kind] - most:,} more like this"
            kept[place] = replace(kept[place], actual=more)
    return kept


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names with commas, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def doubtful(faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults that fail a strict command, in their order: all but the notices."""
    return [fault for fault in faults if fault.severity != "notice"]


def sort_faults(faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults in reading order: by file, line, then text."""
    return sorted(faults, key=lambda fault: (fault.file, fault.line or 0, str(fault)))
