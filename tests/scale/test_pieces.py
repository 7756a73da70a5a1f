"""What workers read by themselves is what would have been sent to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifier.errors import InputError
from classifier.scale import chunks
from classifier.scale.chunks import InputTexts, Source, cut
from classifier.scale.part import ByteRange, Lines, Notice, Piece, Records, RowGroups, shifted

RECORDS = st.lists(
    st.sampled_from(
        [
            {"title": "Rye", "abstract": "We bake."},
            {"title": "Crème brûlée — “2 °C”", "abstract": "é" * 30, "mood": 1},
            {"title": "", "abstract": "x"},
            {"title": "A\rB\r\nC"},
            7,
        ]
    ).map(lambda record: json.dumps(record, ensure_ascii=False)),
    max_size=9,
)


def pieces_of(sources: Sequence[Source], size: int, *, shared: bool) -> Iterator[Piece]:
    texts = InputTexts(sources, Path.cwd(), lambda source: shared)
    for chunk in cut(texts, size, lambda: texts.meter.position):
        yield from chunk.pieces


def said(pieces: Iterator[Piece]) -> tuple[list[str], set[Notice]]:
    """Return the titles of some pieces, and what is said of their records."""
    titles: list[str] = []
    notices: set[Notice] = set()
    line = 0
    for piece in pieces:
        read = piece.read()
        titles += [paper.title for paper in read.papers]
        notices |= set(shifted(read.notices, line))
        line += read.lines
    return titles, notices


@settings(max_examples=60)
@given(RECORDS, st.sampled_from(["\n", "\r\n", "\r", "\n\n"]), st.booleans(), st.integers(1, 3))
def test_every_line_is_in_the_range_in_which_it_begins(
    lines: list[str], newline: str, ends: bool, size: int
) -> None:
    lines = ['{"title": "First", "abstract": "of all"}', *lines]
    data = (newline.join(lines) + newline * ends).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "_BYTES_A_RECORD", 40)
        address = in_memory("new.jsonl", data)
        whole = said(pieces_of([address], 1000, shared=False))
        ranges = list(pieces_of([address], size, shared=True))
    assert {type(piece) for piece in ranges} == {ByteRange}
    titles, notices = said(iter(ranges))
    assert titles == whole[0]
    # What is said of the whole file is said of each piece, at the line where it begins.
    assert {n for n in notices if "unknown field" not in str(n)} == {
        n for n in whole[1] if "unknown field" not in str(n)
    }


def in_memory(name: str, data: bytes) -> str:
    """Write a file into fsspec's memory and return its address."""
    fsspec = pytest.importorskip("fsspec")
    address = f"memory://{name}"
    with fsspec.open(address, "wb") as file:
        file.write(data)
    return address


def test_a_packed_file_is_read_from_its_start(tmp_path: Path) -> None:
    gzip = pytest.importorskip("gzip")
    path = tmp_path / "new.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"title": "Rye"}\n' * 3))
    assert {type(piece) for piece in pieces_of([path], 2, shared=True)} == {Lines}


def test_row_groups_are_read_as_among_all(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "new.parquet"
    rows = [
        {"Titel": f"Rye {n}", "Text": f"We bake loaf {n}. " * 9, "link": "nowhere" if n % 7 else ""}
        for n in range(600)
    ]
    parquet.write_table(arrow.Table.from_pylist(rows), path, row_group_size=50)
    whole = said(pieces_of([path], 1000, shared=False))
    groups = list(pieces_of([path], 120, shared=True))
    assert [piece.groups for piece in groups if isinstance(piece, RowGroups)] == [
        range(3), range(3, 6), range(6, 9), range(9, 12),
    ]  # fmt: skip
    titles, _ = said(iter(groups))
    assert titles == whole[0]
    assert len(titles) == 600


def test_long_row_groups_are_sent_as_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "new.parquet"
    table = arrow.Table.from_pylist([{"title": f"Rye {n}"} for n in range(30)])
    parquet.write_table(table, path)
    monkeypatch.setattr(chunks, "_MOST_GROUP_ROWS", 30)
    assert {type(piece) for piece in pieces_of([path], 10, shared=True)} == {Records}


def test_an_address_is_read_like_a_file(tmp_path: Path) -> None:
    data = b'{"title": "Rye"}\n{"title": "Cr\xc3\xa8me"}\n'
    path = tmp_path / "new.jsonl"
    path.write_bytes(data)
    assert said(pieces_of([in_memory("new.jsonl", data)], 9, shared=False)) == said(
        pieces_of([path], 9, shared=False)
    )


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://none.jsonl", "memory://none.jsonl: error: found no such file; wanted a file"),
        ("memory://empty.jsonl", "memory://empty.jsonl: error: found an empty file; wanted some"),
        ("odd://bucket/a.jsonl", "odd://bucket/a.jsonl: error: found Protocol not known: odd; wa"),
    ],
)
def test_an_address_that_cannot_be_read_is_named(address: str, message: str) -> None:
    in_memory("empty.jsonl", b"")
    with pytest.raises(InputError) as error:
        InputTexts([address], Path.cwd())
    assert str(error.value).startswith(message)


def test_a_file_that_breaks_off_far_away_is_named() -> None:
    gzip = pytest.importorskip("gzip")
    lines = "".join(json.dumps({"title": f"Rye {n * 7919}"}) + "\n" for n in range(20_000))
    torn = gzip.compress(lines.encode())[:-1000]
    with pytest.raises(InputError, match="found an archive that cannot be unpacked"):
        said(pieces_of([in_memory("torn.jsonl.gz", torn)], 999, shared=False))
