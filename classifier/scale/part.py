"""What comes of one chunk: its rows as they will be written, and all that joining them takes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from classifier.errors import Fault, InputError
from classifier.files.content import Content, reading, text_content
from classifier.files.encoding import MIXED
from classifier.files.meter import open_file
from classifier.papers.formats import parquet, reader_named
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead, Record
from classifier.scale.first_seen import Hashes, Positions

_ARRAYS = ("<i8", "u1", "<u8", "<i8")
_KINDS = {"fault": Fault, "columns": ColumnsRead}


@dataclass(frozen=True, slots=True)
class PieceNotes:
    """What was found in one piece of a file beside the labels."""

    file: str
    papers: int
    lines: int
    """How far the lines of later pieces of the file are off; see `PieceRead`."""
    notices: tuple[Notice, ...]
    refusal: tuple[Fault, ...] = ()
    """Why nothing in the piece was a paper, where its reader refused it."""


class RecordNote(NamedTuple):
    """By what a person knows a record that is passed over."""

    id: str
    title: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Part:
    """The labelled records of a chunk, n rows; which of them are written is not known yet."""

    payload: bytes
    """The rows in the form of the output."""
    ends: Positions
    """(n,) where each row ends in a payload of text; (0,) in any other."""
    provisional: NDArray[np.bool_]
    """(n,)"""
    names: Hashes
    """(m,) and `name_rows`: by what each record is known again (`hashed_names`)."""
    name_rows: Positions
    records: tuple[RecordNote, ...]
    """(n,)"""
    pieces: tuple[PieceNotes, ...]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.provisional)

    def row_bytes(self, kept: NDArray[np.bool_]) -> bytes:
        """Return the rows that are kept of a payload of text; kept: (n,)."""
        if kept.all():
            return self.payload
        starts = [0, *self.ends[:-1].tolist()]
        spans = zip(starts, self.ends.tolist(), kept.tolist(), strict=True)
        return b"".join(self.payload[start:end] for start, end, keep in spans if keep)

    def to_bytes(self) -> bytes:
        """Return the part as bytes: a line of JSON, then the arrays, then the payload."""
        columns = (self.ends, self.provisional, self.names, self.name_rows)
        arrays = [
            column.astype(kind).tobytes() for column, kind in zip(columns, _ARRAYS, strict=True)
        ]
        head = {
            "sizes": [len(array) for array in arrays],
            "records": self.records,
            "pieces": [_piece_json(piece) for piece in self.pieces],
        }
        return b"".join([json.dumps(head).encode(), b"\n", *arrays, self.payload])


def part_of_bytes(data: bytes) -> Part:
    """Return the part that `Part.to_bytes` gave."""
    start = data.index(b"\n") + 1
    head = json.loads(data[:start])
    arrays = []
    for size, kind in zip(head["sizes"], _ARRAYS, strict=True):
        count = size // np.dtype(kind).itemsize
        arrays.append(np.frombuffer(data, kind, count, start))
        start += size
    ends, provisional, names, name_rows = arrays
    return Part(
        data[start:],
        ends.astype(np.int64),
        provisional.astype(bool),
        names.astype(np.uint64),
        name_rows.astype(np.int64),
        tuple(RecordNote(*note) for note in head["records"]),
        tuple(_piece_of(piece) for piece in head["pieces"]),
    )


def shifted(notices: Iterable[Notice], lines: int) -> list[Notice]:
    """Return notices of which the lines count from `lines` lines further up."""
    return [
        notice
        if isinstance(notice, ColumnsRead) or notice.line is None
        else replace(notice, line=notice.line + lines)
        for notice in notices
    ]


def _piece_json(piece: PieceNotes) -> dict[str, object]:
    kinds = {kind: name for name, kind in _KINDS.items()}
    notices = [[kinds[type(notice)], asdict(notice)] for notice in piece.notices]
    return {**asdict(piece), "notices": notices}


def _piece_of(found: dict[str, Any]) -> PieceNotes:
    notices = tuple(_notice(kind, fields) for kind, fields in found["notices"])
    refusal = tuple(Fault(**fault) for fault in found["refusal"])
    return PieceNotes(found["file"], found["papers"], found["lines"], notices, refusal)


def _notice(kind: str, fields: dict[str, Any]) -> Notice:
    if kind == "columns":
        return ColumnsRead(tuple((field, column) for field, column in fields["pairs"]))
    notice: Notice = _KINDS[kind](**fields)
    return notice


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
