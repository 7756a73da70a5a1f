"""Lines that begin with a tag, as entries: what RIS, MEDLINE, Web of Science and EndNote share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TagForm:
    """How a format writes its tags."""

    line: re.Pattern[str]
    """Matches a line that begins with a tag; its groups are the tag and the value."""
    start: str
    """The tag that an entry begins with."""
    end: str = ""
    """The tag that an entry ends with, "" where the next start ends it."""
    passed_over: frozenset[str] = frozenset()
    """Tags of the file, not of an entry."""
    blank_ends: bool = False
    """Whether a blank line ends an entry."""


@dataclass(slots=True)
class Entry:
    """What stands between two entries' starts, by tag, values in file order."""

    line: int
    """1-based line of its first tag."""
    values: dict[str, list[str]] = field(default_factory=dict)
    """Values of each tag; lines without a tag belong to the value before them, behind `\\n`."""
    is_ended: bool = False
    """Whether the tag stood there that ends an entry."""
    _last: list[str] = field(default_factory=list)
    _more: list[str] = field(default_factory=list)

    def add(self, tag: str, value: str) -> None:
        """Add a value of a tag."""
        if self._more:
            self.closed()
        self._last = self.values.setdefault(tag, [])
        self._last.append(value)

    def continues(self, line: str) -> bool:
        """Add a line without a tag to the last value; say whether there was one."""
        if text := line.strip():
            self._more.append(text)
        return bool(text)

    def closed(self) -> Entry:
        """Return the entry with the lines without a tag in their value.

        They are added in one go, since adding each to what is there takes quadratic time.
        """
        if self._more:
            self._last[-1] = "\n".join((self._last[-1], *self._more))
            self._more.clear()
        return self

    def all(self, *tags: str) -> list[str]:
        """Return the values of these tags that say something, each on one line, tag by tag."""
        values = self.values
        found = [_line(value) for tag in tags if tag in values for value in values[tag]]
        return [value for value in found if value]

    def first(self, *tags: str) -> str:
        """Return the first value that says something, on one line, of the first tag that has one.

        >>> Entry(1, {"TI": [""], "T1": ["Rye\\nbread"]}).first("TI", "T1")
        'Rye bread'
        """
        values = self.values
        for tag in tags:
            if tag in values:
                for value in values[tag]:
                    if line := _line(value):
                        return line
        return ""

    def items(self, *tags: str) -> list[str]:
        """Return lists as items: those on lines of their own, and those between semicolons."""
        values = self.values
        items: list[str] = []
        for value in (value for tag in tags if tag in values for value in values[tag]):
            items += re.split(r"[;\n]", value) if ";" in value or "\n" in value else (value,)
        return [text for item in items if (text := item.strip())]

    def lines(self, tag: str) -> list[str]:
        """Return what stands on each line of the values of a tag."""
        return [line for value in self.values.get(tag, ()) for line in value.split("\n") if line]

    def named(self, names: Mapping[str, str]) -> dict[str, str]:
        """Return the first values of tags by the names that `names` gives them, tag to name."""
        return {name: self.first(tag) for tag, name in names.items() if tag in self.values}


def read_entries(lines: Iterable[str], form: TagForm) -> Iterator[Entry]:
    """Yield the entries of a text line by line; what stands between entries is passed over.

    An entry whose start tag is missing begins with its first tag, one whose end tag is missing
    ends before the next start.
    """
    match_line = form.line.match
    entry: Entry | None = None
    for number, line in enumerate(lines, start=1):
        match = match_line(line)
        if match is None:
            if entry is None or entry.continues(line) or not form.blank_ends:
                continue
            yield entry.closed()
            entry = None
            continue
        tag, value = match.groups("")
        if entry is not None and (tag == form.end or (tag == form.start and tag in entry.values)):
            entry.is_ended = tag == form.end
            yield entry.closed()
            entry = None
        if tag == form.end or tag in form.passed_over:
            continue
        if entry is None:
            entry = Entry(number)
        entry.add(tag, value.strip())
    if entry is not None:
        yield entry.closed()


def _line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "  " in text else text


def without_wraps(text: str) -> str:
    """Return a text that was wrapped anywhere with line breaks only where a sentence ends.

    >>> without_wraps("Aim: bread.\\nMethod: an\\noven.")
    'Aim: bread.\\nMethod: an oven.'
    """
    return re.sub(r"\n(?<![.!?:…]\n)", " ", text) if "\n" in text else text
