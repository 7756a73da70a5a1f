"""What a reader of a format is, and what it yields.

A reader is a module-level `Reader` in `papers/formats`: a name, a test that says why a file is not
its own, and a function that yields what it finds in file order: a Paper, a Quarantined in its
place, or a Fault (always a warning) about something that was left out while the rest was kept; a
reader of tables first says which columns it reads. A file that is broken as a whole raises
InputError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.paper import Paper


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record that could not be read; it is listed, and the rest goes on."""

    file: str
    line: int
    record: str
    """What names the record for a person: its title, or its first characters."""
    reason: str
    """What was found and what was wanted."""


@dataclass(frozen=True, slots=True)
class ColumnsRead:
    """Which columns of a foreign table the fields were read from: nothing is wrong with it."""

    pairs: tuple[tuple[str, str], ...]
    """(field, column or columns), in the order of the columns."""


Record = Paper | Quarantined | Fault | ColumnsRead
"""What a reader yields."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How one format is recognised and read."""

    name: str
    """The format's name in `Source.format` and messages."""
    why_not: Callable[[Content], str]
    """Why this reader cannot read a file, as “no line 'TY  - '”; "" where it can. Decided by
    content (mostly `Content.start`), then by name."""
    read: Callable[[Content], Iterator[Record]]
    """Records in file order, each Paper with exactly one Source."""
    wants: str
    """What a file of this format looks like, for the message when no reader knows a file."""
    streams: bool = False
    """Whether memory stays flat however long the file."""
    is_by_line: Callable[[Content], bool] = lambda content: False
    """Whether each line of a file can be read without the others; of such a text any lines, with
    the `Content.start` of the whole file, are read as they would be there."""
