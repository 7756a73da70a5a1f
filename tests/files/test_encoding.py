from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.files.content import Content, contents
from classifier.files.reading import find_encoding

FRENCH = "title\nCrème brûlée à l’œuf – façon château\n"
CHINESE = "题名,作者\n" + "面包与黄油的关系研究，以及盐在面团发酵过程中的作用,张三\n" * 4
JAPANESE = "題名\n" + "パンとバターの関係について、ならびに塩の役割に関する研究\n" * 4
KOREAN = "제목\n" + "빵과 버터의 관계 및 소금의 역할에 관한 연구\n" * 4
RUSSIAN = "Название\n" + "Хлеб и соль: о роли закваски в деревенской пекарне\n" * 4


def read(tmp_path: Path, data: bytes) -> Content:
    path = tmp_path / "papers.csv"
    path.write_bytes(data)
    (content,) = contents(path, "papers.csv")
    return content


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marks_and_unicode(tmp_path: Path, encoding: str) -> None:
    content = read(tmp_path, FRENCH.encode(encoding))
    assert (content.text(), content.start, content.faults) == (FRENCH, FRENCH, ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(tmp_path: Path, encoding: str) -> None:
    text = "title\nBread and butter\n"
    assert read(tmp_path, text.encode(encoding)).text() == text


def test_windows_1252_is_read_and_told(tmp_path: Path) -> None:
    content = read(tmp_path, FRENCH.encode("cp1252"))
    assert content.text() == FRENCH
    assert [str(fault) for fault in content.faults] == snapshot(
        [
            "papers.csv:2: notice: found byte 0xe8; expected UTF-8 text. It is read as Windows-1252; "
            "save the file as UTF-8 if letters look wrong."
        ]
    )


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_few_bytes_of_windows_1252_in_utf_8(tmp_path: Path, mark: str) -> None:
    content = read(tmp_path, (mark + FRENCH * 3).encode() + "pâté\n".encode("cp1252"))
    assert content.text() == FRENCH * 3 + "pâté\n"
    assert [fault.line for fault in content.faults] == [7]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "gb18030"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (RUSSIAN, "cp1251"),
    ],
)
def test_what_databases_of_other_scripts_export(tmp_path: Path, text: str, encoding: str) -> None:
    assert read(tmp_path, text.encode(encoding)).text() == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("标题;作者;摘要;年份\n面包的历史;张三;我们研究面包。;2020\n", "gb18030"),
        ("標題,作者\n麵包的歷史以及鹽在麵團發酵中的作用,張三\n", "big5"),
        ("Хлеб и соль в деревенской пекарне; Иванов\n", "cp1251"),
        ("title\nCrème brûlée à la façon\n", "cp1252"),
    ],
)
def test_a_few_lines_are_enough_where_letters_form_words(
    tmp_path: Path, text: str, encoding: str
) -> None:
    assert read(tmp_path, text.encode(encoding)).text() == text


@given(st.text())
def test_utf_8_is_always_utf_8(text: str) -> None:
    data = text.encode()
    found = find_encoding([data] if data else [], "x")
    if not data.startswith((b"\xff", b"\xfe", b"\xef\xbb\xbf")) and "\0" not in text:
        assert (found.name, found.faults) == ("utf-8", ())


@given(st.lists(st.binary(max_size=50)))
def test_any_bytes_have_an_encoding(blocks: list[bytes]) -> None:
    found = find_encoding(blocks, "x")
    assert isinstance(b"".join(blocks).decode(found.name, found.errors), str)
