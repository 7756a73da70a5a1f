"""Pieces of files, each of which is read by whoever labels it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from classifier.errors import Fault, InputError
from classifier.files.content import Content, reading, text_content
from classifier.files.encoding import MIXED
from classifier.files.meter import open_file
from classifier.papers.formats import parquet, reader_named
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead, Record

Notice = Fault | ColumnsRead
"""What a reader says beside the papers."""


@dataclass(frozen=True, slots=True)
class PieceRead:
    """What a piece of a file holds."""

    file: str
    papers: tuple[Paper, ...]
    notices: tuple[Notice, ...]
    """Lines in them count from the piece's start."""
    lines: int
    """How many lines the piece is long; 0 where its notices count from the start of the file."""
    refusal: InputError | None = None
    """Why nothing in it was a paper, where its reader refused it."""


class Piece(Protocol):
    """Some records of a file."""

    @property
    def records(self) -> int:
        """Return about how many records it has."""

    def read(self) -> PieceRead:
        """Return the papers in it; raises InputError where the file cannot be read."""


@dataclass(frozen=True, slots=True)
class Records:
    """Records that are read already."""

    file: str
    read_already: tuple[Record, ...]

    @property
    def records(self) -> int:
        """Return how many they are."""
        return len(self.read_already)

    def read(self) -> PieceRead:
        """Return the papers among them."""
        return _piece(self.file, self.read_already, 0)


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a text that nobody has read yet."""

    file: str
    reader: str
    """The name of the reader."""
    start: str
    """The first lines of the file."""
    text: str
    records: int
    """How many lines they are."""

    def read(self) -> PieceRead:
        """Return the papers of these lines."""
        return _of_lines(self.file, self.reader, self.start, self.text, self.records)


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The lines of a text in UTF-8 that begin in a range of its bytes."""

    file: str
    source: Path | str
    """Where it is opened."""
    reader: str
    start: str
    first: int
    end: int
    """The byte behind the range."""
    records: int

    def read(self) -> PieceRead:
        """Return the papers of these lines."""
        with reading(self.file), open_file(self.source) as file:
            begin = max(0, self.first - 1)
            file.seek(begin)
            if self.first and file.read(1) != b"\n":
                file.readline()
            begin = file.tell()
            data = file.read(self.end - begin) if begin < self.end else b""
            if data and not data.endswith(b"\n"):
                data += file.readline()
        encoding = "utf-8" if self.first else "utf-8-sig"
        text = data.decode(encoding, MIXED).replace("\r\n", "\n").replace("\r", "\n")
        lines = text.count("\n") + (text[-1:] not in ("", "\n"))
        return _of_lines(self.file, self.reader, self.start, text, lines)


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Row groups of a Parquet file."""

    file: str
    source: Path | str
    groups: range
    records: int

    def read(self) -> PieceRead:
        """Return the papers of these rows."""
        with reading(self.file):
            content = Content(self.file, lambda: open_file(self.source), "", "")
            return _piece(self.file, tuple(parquet.read(content, self.groups)), 0)


def _of_lines(file: str, reader: str, start: str, text: str, lines: int) -> PieceRead:
    content = replace(text_content(file, text), start=start)
    records, refusal = _all_of(reader_named(reader).read(content))
    return _piece(file, records, lines, refusal)


def _all_of(records: Iterable[Record]) -> tuple[list[Record], InputError | None]:
    found: list[Record] = []
    try:
        found.extend(records)
    except InputError as error:
        return found, error
    return found, None


def _piece(
    file: str, records: Sequence[Record], lines: int, refusal: InputError | None = None
) -> PieceRead:
    papers = tuple(record for record in records if isinstance(record, Paper))
    notices = tuple(record for record in records if not isinstance(record, Paper))
    return PieceRead(file, papers, notices, lines, refusal)
