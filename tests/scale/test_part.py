"""A part as bytes, by which it goes from process to process and to the disk."""

from __future__ import annotations

import pytest

from classifier.errors import Fault
from classifier.scale.part import Part, PieceNotes, RecordNote, part_of_bytes

FAULT = Fault("warning", "a.csv", 3, "a loaf", "a paper", "Eat it.")
UNREAD = Fault("warning", "a.csv", 4, "found no title", "a record", "", "Rÿe\n")
NOTE = RecordNote([2**64 - 1, 7], True, "p-1", "Rye\n“x”", "a.csv", 1)
PIECES = [
    PieceNotes("a.csv", 2, 5, (FAULT, UNREAD), (("title", "Titel"),)),
    PieceNotes("b", 0, 0, (), (), (FAULT,)),
]


@pytest.mark.parametrize(
    "part",
    [
        Part([], [], PIECES),
        Part([["Rye\n", ""]], [NOTE], PIECES),
        Part([{"id": "p-1", "scores": {"topic": {"rye": 0.1234}}}], [NOTE], []),
    ],
)
def test_bytes_give_the_part_back(part: Part) -> None:
    assert part_of_bytes(part.to_bytes()) == part
