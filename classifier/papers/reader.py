"""Reader of a format: its parts, its results, and how messages show values.

A reader is a module-level `Reader` in `papers/readers`: a name, a test that returns why a file is
not of the format, and a function that yields papers and faults in file order. A Fault with a
`record` replaces a record that could not be read; any other reports a detail that was left out. A
reader of tables first yields the columns that it reads. A file that cannot be read at all raises
InputError.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.paper import Paper, Source


@dataclass(frozen=True, slots=True)
class ColumnsRead:
    """Which columns of a foreign table the fields were read from: nothing is wrong with it."""

    pairs: tuple[tuple[str, str], ...]
    """(field, column or columns), in the order of the columns; "" is no field: nothing reads it."""


_MAX_REASONS = 3
"""Maximum number of reasons in the warning on a file without a paper."""

Record = Paper | Fault | ColumnsRead
"""What a reader yields."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How one format is recognised and read."""

    name: str
    """The format's name in `Source.format` and messages."""
    reject_reason: Callable[[Content], str]
    """Why this reader cannot read a file, as “no line 'TY  - '”; "" where it can. Decided by
    content (mostly `Content.start`), then by name."""
    read: Callable[[Content], Iterator[Record]]
    """Records in file order, each Paper with exactly one Source."""
    description: str
    """What a file of this format looks like, for the message when no reader knows a file."""
    examples: tuple[str, ...] = ()
    """Small files of a format that is text, for trying the reader: `@@` stands where a value is, or
    where more of the file may follow."""
    is_by_line: Callable[[Content], bool] = lambda content: False
    """Whether each line of a file can be read without the others; of such a text any lines, with
    the `Content.start` of the whole file, are read as they would be there."""


def require_signatures(reason: str, *signatures: re.Pattern[str]) -> Callable[[Content], str]:
    """Return a `reject_reason` that is `reason` where a signature is not in the file's start."""

    def reject_reason(content: Content) -> str:
        is_known = all(signature.search(content.start) for signature in signatures)
        return "" if is_known else reason

    return reject_reason


class CountedFaults:
    """Faults that many records of a file share: each kind is reported once, with its count."""

    def __init__(self) -> None:
        self._first: dict[object, Fault] = {}
        self._count: Counter[object] = Counter()

    def add(self, fault: Fault) -> None:
        """Count a fault; those of one severity, expected and hint are of one kind."""
        kind = (fault.severity, fault.expected, fault.hint)
        self._first.setdefault(kind, fault)
        self._count[kind] += 1

    def faults(self) -> Iterator[Fault]:
        """Yield the first of each kind, with how many more there are."""
        for kind, first in self._first.items():
            more = self._count[kind] - 1
            told = f", and {more:,} more like it" if more else ""
            yield replace(first, actual=f"{first.actual}{told}")


def quarantined(source: Source, record: str, reason: str) -> Fault:
    """Return the record at `source` as one that is left out, its name cut to what a person reads.

    reason: what was found and what was expected.
    """
    name = _one_line(record, 120) or "an empty record"
    hint = "It is listed in quarantine.csv; the rest is read."
    return Fault("warning", source.file, source.line, reason, "a whole record", hint, name)


def no_paper(
    name: str, quarantined: Sequence[Fault], description: str, n_unread: int | None = None
) -> Fault:
    """Return the warning on a file of which no record could be read, with the first reasons.

    n_unread: number of its records, if `quarantined` has only the first of them.
    """
    n_unread = len(quarantined) if n_unread is None else n_unread
    if not n_unread:
        return Fault("warning", name, None, "no record", description)
    lines: dict[str, list[int | None]] = {}
    for fault in quarantined:
        lines.setdefault(fault.actual.replace("; expected", ", expected"), []).append(fault.line)
    reasons = []
    for reason, places in list(lines.items())[:_MAX_REASONS]:
        place = "" if places[0] is None else f"line {places[0]}: "
        more = f" (and {len(places) - 1:,} more)" if len(places) > 1 else ""
        reasons.append(f"{place}{reason}{more}")
    records = "1 record" if n_unread == 1 else f"{n_unread:,} records"
    found = f"no paper in {records}: {'; '.join(reasons)}"
    return Fault("warning", name, None, found, description)


def name_of(fields: Mapping[str, object]) -> str:
    """Return what names a record for a person: its title, else its id, else its first fields."""
    title = fields.get("title")
    if isinstance(title, str) and title.strip():
        return title
    identity = fields.get("id")
    if isinstance(identity, str) and identity:
        return identity
    filled = {name: value for name, value in fields.items() if value not in (None, "", [], (), {})}
    return ", ".join(f"{name} {_described(filled[name])}" for name in filled) or "an empty record"


def _described(value: object) -> str:
    """Return a value in words; of a list of texts the first, and how many more there are."""
    if isinstance(value, list | tuple) and value and all(isinstance(text, str) for text in value):
        more = f" and {len(value) - 1:,} more" if len(value) > 1 else ""
        return f"{shown(value[0])}{more}"
    return shown(value)


def shown(value: object) -> str:
    """Return `value` as a message shows it: in words, on one line, at most 60 characters.

    >>> shown("Ann's oven"), shown(None), shown(["a"]), shown(True), shown(20000)
    ("'Ann's oven'", 'nothing', 'a list', 'true', '20,000')
    """
    match value:
        case str():
            return f"'{_one_line(value, 58)}'"
        case None | bool():
            return {None: "nothing", True: "true", False: "false"}[value]
        case int():
            return _number(value)
        case Mapping():
            return "a mapping" if value else "an empty mapping"
        case list() | tuple():
            return "a list" if value else "an empty list"
    return str(value)


def _number(value: int) -> str:
    """Return a number as people write it: a year without a comma, a large number with."""
    if abs(value) >= 10**15:
        return "a number of many digits"
    return f"{value:,}" if abs(value) >= 10_000 else str(value)


def _one_line(text: str, most: int) -> str:
    """Return `text` as one printable line of at most `most` characters."""
    start = "".join(sign if sign.isprintable() else " " for sign in text[: 4 * most])
    line = " ".join(start.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
