"""Tables as people and spreadsheets write them; every cell comes back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.files.reading import decode, read_text
from classifier.files.table import (
    Row,
    escape_formula,
    parse_table,
    read_table,
    unescape_formula,
    write_table,
)

COLUMNS = ("id", "title", "note")
CELLS = st.text() | st.text(alphabet="'=+-@;,\"\t\r\n\ufeff a")


def cells(text: str) -> list[list[str]]:
    return [list(row.cells.values()) for row in parse_table(text, "sheet.csv")]


def message_of(text: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        parse_table(decode(text.encode() if isinstance(text, str) else text, "s.csv"), "s.csv")
    return str(caught.value)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS).filter(any)))
@example([("=1+1", '"', "\r"), ("'=1", "a;b;c", "\r\n"), ("\ufeff", "\n\n", "''@x")])
def test_every_text_comes_back(rows: list[tuple[str, str, str]]) -> None:
    data = write_table(COLUMNS, [dict(zip(COLUMNS, row, strict=True)) for row in rows])
    assert cells(data.decode()) == [list(row) for row in rows]


@given(CELLS)
def test_no_cell_is_taken_for_a_formula(cell: str) -> None:
    escaped = escape_formula(cell)
    assert not escaped.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unescape_formula(escaped) == cell


@pytest.mark.parametrize(
    ("cell", "escaped"),
    [
        ("=SUM(A1:A9)", "'=SUM(A1:A9)"),
        ("-0.5", "'-0.5"),
        ("'=1", "''=1"),
        ("it's", "it's"),
        ("'quoted'", "'quoted'"),
        ("", ""),
    ],
)
def test_formulas_get_an_apostrophe(cell: str, escaped: str) -> None:
    assert escape_formula(cell) == escaped


def test_a_column_whose_name_looks_like_a_formula_keeps_its_name() -> None:
    written = write_table(["id", "=mine", "'=yours"], [{"id": "1", "=mine": "a", "'=yours": "b"}])
    assert written == b"id,'=mine,''=yours\n1,a,b\n"
    (row,) = parse_table(written.decode(), "t.csv")
    assert row.cells == {"id": "1", "=mine": "a", "'=yours": "b"}


def test_what_is_written() -> None:
    rows = [{"id": "1", "title": 'a "b", c'}, {"note": "two\nlines", "id": "2", "other": "x"}]
    assert write_table(COLUMNS, rows) == b'id,title,note\n1,"a ""b"", c",\n2,,"two\nlines"\n'


@pytest.mark.parametrize(
    "text",
    [
        "id,title\n1,A loaf\n",
        "id;title\n1;A loaf\n",
        "id\ttitle\n1\tA loaf\n",
        "\ufeffid,title\r\n1,A loaf\r\n",
        ' id , title \n\n,\n1,"A loaf"',
    ],
    ids=["comma", "semicolon", "tab", "BOM and CRLF", "blanks and empty rows"],
)
def test_what_spreadsheets_write(text: str) -> None:
    (row,) = parse_table(decode(text.encode(), "sheet.csv"), "sheet.csv")
    assert row.cells == {"id": "1", "title": "A loaf"}


def test_a_text_may_be_marked_twice() -> None:
    assert decode("\ufeff\ufeffid\n1\n".encode(), "t.csv") == "id\n1\n"


def test_utf_16_as_excel_saves_unicode_text() -> None:
    assert decode("id\ttitle\r\n1\tPão\r\n".encode("utf-16"), "s.txt") == "id\ttitle\n1\tPão\n"


def test_a_row_knows_its_line() -> None:
    rows = parse_table('id,title\n1,"two\nlines"\n\n2,x\n', "s.csv")
    assert rows == [
        Row(3, {"id": "1", "title": "two\nlines"}),
        Row(5, {"id": "2", "title": "x"}),
    ]


def test_a_short_row_is_filled_up() -> None:
    assert cells("id,title,note\n1\n") == [["1", "", ""]]


def test_a_cell_may_hold_a_whole_paper() -> None:
    long = "word " * 100_000
    assert cells(f'id,title\n1,"{long}"\n') == [["1", long]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "s.csv: error: found an empty file; expected some content."),
        (b" \r\n ", "s.csv: error: found an empty file; expected some content."),
        (b"\0\0\1\0\0", "s.csv: error: found a binary file; expected a text file."),
        (b"%PDF-1.7 ", "s.csv: error: found a PDF file; expected a text file."),
        (
            b"PK\x03\x04\0\0",
            "s.csv: error: found a ZIP archive (or an Excel, Word or OpenDocument file); expected a "
            "text file.",
        ),
        (
            b"id,title\n1,Br\0ot\n2,x\0\n",
            "s.csv:2: error: found a NUL character; expected printable text. Delete it.",
        ),
        (
            "id,title\n1,Br\0ot\n".encode("utf-16"),
            "s.csv:2: error: found a NUL character; expected printable text. Delete it.",
        ),
        (
            "id,title\n1,Brot\n".encode("utf-16-le"),
            "s.csv: error: found UTF-16 text without a byte order mark; expected UTF-8 text. Save "
            "the file as UTF-8.",
        ),
        (
            "id: 1\n".encode("utf-16-be"),
            "s.csv: error: found UTF-16 text without a byte order mark; expected UTF-8 text. Save "
            "the file as UTF-8.",
        ),
        (
            b"id,title\n1,Br\xf6t\n",
            "s.csv:2: error: found byte 0xf6; expected UTF-8 text. Save the file as UTF-8.",
        ),
        (",,\n1,2,3\n", "s.csv:1: error: found no header row; expected a row of column names."),
    ],
    ids=[
        "empty",
        "blank",
        "binary",
        "PDF",
        "ZIP",
        "NUL",
        "NUL in UTF-16",
        "UTF-16-LE",
        "UTF-16-BE",
        "Latin-1",
        "no header",
    ],
)
def test_faults(content: str | bytes, message: str) -> None:
    assert message_of(content) == message


OPEN = 'error: found an unclosed quote; expected a closing " at the end of the cell.'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('id,title\n1,"A\n2,B\n', 2),
        ('id,title\n1,"a ""b"\n2,"C\nd\n', 3),
        ('id,title\n1,"A ""\n2,B', 2),
        ('id,title\n1,"A\n2,"B"\n3,C\n', 2),
        ('id,title\n1,"two\nlines"\n"2,B\n3,"C"\n', 4),
        ('id;"title\n1;A\n', 1),
    ],
    ids=["last", "after closed ones", "doubled", "swallows a record", "second", "header"],
)
def test_a_quote_that_is_never_closed_is_named_by_its_line(text: str, line: int) -> None:
    assert message_of(text) == f"s.csv:{line}: {OPEN}"


@pytest.mark.parametrize(
    "text",
    ['id,title\n1,6" pans\n', 'id,title\n1,"A" loaf\n', 'id,title\n1, "A\n', 'id,title\n1,""\n'],
    ids=["inch", "text behind a quote", "blank before it", "empty"],
)
def test_other_quotes_are_kept_as_they_are_read(text: str) -> None:
    assert len(cells(text)) == 1


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_text(tmp_path / "nodir" / "x.csv", "nodir/x.csv")
    assert str(caught.value) == (
        snapshot(
            "nodir/x.csv: error: found no such file: the folder nodir does not exist; expected a file "
            "that exists."
        )
    )


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError) as caught:
        read_text(tmp_path / "x.csv", "x.csv")
    assert str(caught.value) == snapshot(
        "x.csv: error: found permission denied; expected a readable file."
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_text(tmp_path / "none.csv", "none.csv")
    assert str(caught.value) == snapshot(
        "none.csv: error: found no such file; expected a file that exists."
    )
    with pytest.raises(InputError) as caught:
        read_text(tmp_path, "papers")
    assert str(caught.value) == (
        snapshot("papers: error: found a folder; expected a file. Name its files: papers/*")
    )


def test_a_table_on_the_disk_is_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(write_table(COLUMNS, [{"id": "1"}]))
    assert read_table(path) == [Row(2, {"id": "1", "title": "", "note": ""})]
    path.write_bytes(b"")
    with pytest.raises(InputError) as caught:
        read_table(path)
    assert caught.value.faults[0].file == str(path)
