"""A part as bytes, by which it goes from process to process and to the disk."""

from __future__ import annotations

import numpy as np
import pytest

from classifier.errors import Fault
from classifier.papers.reader import ColumnsRead
from classifier.scale.part import Part, PieceNotes, RecordNote, part_of_bytes, shifted

FAULT = Fault("warning", "a.csv", 3, "a loaf", "a paper", "Eat it.")
UNREAD = Fault("warning", "a.csv", 4, "found no title", "a record", "", "Rÿe\n")
COLUMNS = ColumnsRead((("title", "Titel"),))


def part(payload: bytes = b"one\ntwo\n\n", count: int = 2) -> Part:
    return Part(
        payload,
        np.array([4, 8][:count], dtype=np.int64),
        np.array([True, False][:count], dtype=bool),
        np.array([2**64 - 1, 7, 8], dtype=np.uint64),
        np.array([0, 0, 1], dtype=np.int64),
        (RecordNote("p-1", "Rye\n“x”", "a.csv", 1), RecordNote("p-2", "", "b", 0))[:count],
        (
            PieceNotes("a.csv", 2, 5, (FAULT, UNREAD, COLUMNS)),
            PieceNotes("b", 0, 0, (), (FAULT,)),
        ),
    )


@pytest.mark.parametrize("told", [part(), part(b"", 0), part(b"\n\0{}\n")])
def test_bytes_give_the_part_back(told: Part) -> None:
    found = part_of_bytes(told.to_bytes())
    for name in ("ends", "provisional", "names", "name_rows"):
        given, wanted = getattr(found, name), getattr(told, name)
        assert given.dtype == wanted.dtype
        assert given.tolist() == wanted.tolist()
    assert (found.payload, found.records) == (told.payload, told.records)
    assert found.pieces == told.pieces


def test_rows_that_are_not_kept_are_cut_out() -> None:
    assert part(b"one\ntwo\n").row_bytes(np.array([False, True])) == b"two\n"
    assert part(b"one\ntwo\n").row_bytes(np.array([True, True])) == b"one\ntwo\n"


def test_lines_are_told_as_of_the_whole_file() -> None:
    fault, unread, columns = shifted((FAULT, UNREAD, COLUMNS), 10)
    assert isinstance(fault, Fault)
    assert isinstance(unread, Fault)
    assert (fault.line, unread.line, columns) == (13, 14, COLUMNS)
