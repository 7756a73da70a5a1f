"""What comes of one chunk: its rows as they will be written, and all that joining them takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from classifier.errors import Fault


class PieceNotes(NamedTuple):
    """What was found in one piece of a file beside the labels."""

    file: str
    papers: int
    lines: int
    """How far the lines of later pieces of the file are off; see `PieceRead`."""
    faults: tuple[Fault, ...]
    columns: tuple[tuple[str, str], ...] = ()
    """(field, column) as `ColumnsRead` has them."""
    refusal: tuple[Fault, ...] = ()
    """Why nothing in the piece was a paper, where its reader refused it."""


class RecordNote(NamedTuple):
    """What joining takes of a record: whether it is passed over, and how a person knows it."""

    names: Sequence[int]
    """Hashes of the names by which it is known again, that of its title first."""
    is_provisional: bool
    """Whether nobody, neither a person nor the classifier, stands by its first label."""
    id: str
    title: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Part:
    """The labelled records of a chunk, n rows; which of them are written is not known yet."""

    rows: Sequence[Any]
    """(n,) in the form of the output: a line of text, or the cells of a row."""
    records: Sequence[RecordNote]
    """(n,)"""
    pieces: Sequence[PieceNotes]
