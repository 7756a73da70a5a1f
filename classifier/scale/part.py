"""What comes of one chunk: its rows as they will be written, and all that joining them takes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.errors import Fault
from classifier.papers.first_seen import Hashes, Positions
from classifier.papers.reader import ColumnsRead
from classifier.scale.pieces import Notice

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
