"""Files cut into chunks: what is read does not depend on where they are cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.errors import InputError
from classifier.files.content import text_content
from classifier.papers.load import read_content
from classifier.papers.readers import reader_for
from classifier.scale.chunks import Chunk, InputText, InputTexts, cut_chunks

Write = Callable[[str, Sequence[object]], Path]

RYE, OATS, SALT = ({"title": title, "abstract": "We bake."} for title in ("Rye", "Oats", "Salt"))


def chunks_of(paths: Sequence[Path], size: int) -> list[Chunk]:
    texts = InputTexts(paths, paths[0].parent)
    return list(cut_chunks(texts, size))


def titles(chunk: Chunk) -> list[str]:
    return [paper.title for piece in chunk.pieces for paper in piece.read()[0]]


def test_a_chunk_may_hold_records_of_several_files(write: Write) -> None:
    files = [write("a.jsonl", [RYE, OATS]), write("b.jsonl", [SALT])]
    assert [titles(chunk) for chunk in chunks_of(files, 3)] == [["Rye", "Oats", "Salt"]]
    assert [titles(chunk) for chunk in chunks_of(files, 1)] == [["Rye"], ["Oats"], ["Salt"]]
    assert [chunk.number for chunk in chunks_of(files, 2)] == [0, 1]


def test_lines_that_stand_for_themselves_are_cut_unread(write: Write) -> None:
    (chunk,) = chunks_of([write("a.jsonl", [RYE, OATS])], 9)
    (piece,) = chunk.pieces
    assert piece.text.splitlines() == [json.dumps(RYE), json.dumps(OATS)]
    assert (piece.lines, piece.records) == (2, ())


def test_other_files_are_read_where_they_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "papers.csv"
    path.write_text('title,abstract\nRye,"We\nbake."\nOats,We cook.\n', encoding="utf-8")
    assert [titles(chunk) for chunk in chunks_of([path], 1)] == [["Rye"], ["Oats"]]


def test_every_file_that_cannot_be_read_is_named_before_anything_is_read(write: Write) -> None:
    rye = write("rye.jsonl", [RYE])
    with pytest.raises(InputError) as error:
        InputTexts([rye, rye.with_name("none.csv"), write("empty.jsonl", [])], rye.parent)
    assert [fault.file for fault in error.value.faults] == ["empty.jsonl", "none.csv"]


def test_the_position_is_in_bytes_of_all_files(write: Write) -> None:
    files = [write("a.jsonl", [RYE, OATS]), write("b.jsonl", [SALT])]
    ends = [chunk.position for chunk in chunks_of(files, 2)]
    assert ends == [files[0].stat().st_size, sum(path.stat().st_size for path in files)]


LINES = st.lists(
    st.sampled_from(
        [
            '{"title": "Rye", "abstract": "We bake."}',
            '{"title": "Crème brûlée", "authors": ["Ann"], "doi": "10.1000/1"}',
            '{"title": "Torn, "abstract": 1}',
            '{"title": "Cut off", "abstract": "',
            '{"title": ""}',
            '{"mood": "good"}',
            "[]",
            "7",
            "",
            "   ",
        ]
    ),
    max_size=12,
)
FIRST = st.sampled_from(
    [
        '{"title": "First", "abstract": "Own fields."}',
        '{"id": "2401.00001", "title": "arXiv", "abstract": "x", "categories": "cs.AI"}',
        '{"paper_title": "Guessed", "abstract": "By its keys.", "writers": ["Ann"]}',
    ]
)


@given(FIRST, LINES, st.integers(1, 5))
def test_papers_and_unread_records_do_not_depend_on_the_cut(
    first: str, lines: list[str], size: int
) -> None:
    content = text_content("papers.json", "\n".join([first, first.replace("F", "G"), *lines]))
    reader = reader_for(content)
    assert reader is not None
    whole = read_content(content)
    chunks = cut_chunks([InputText(content, reader)], size)
    pieces = [piece.read() for piece in chain.from_iterable(chunk.pieces for chunk in chunks)]
    papers = [paper for found, _ in pieces for paper in found]
    assert [paper.title for paper in papers] == [paper.title for paper in whole.papers]
