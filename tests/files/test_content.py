from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from classifier.errors import InputError
from classifier.files.content import STANDARD_INPUT, Content, contents, text_content

TEXT = "title\nRye — a loaf\n"


def one(path: Path) -> Content:
    (content,) = contents(path, path.name)
    return content


def zipped(**files: str | bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(re.sub("__(?=[a-z])", ".", name), text)
    return data.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_what_is_packed_is_read_as_if_it_were_not(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "papers.csv"  # the name says nothing
    path.write_bytes(pack(TEXT.encode()))
    content = one(path)
    assert (content.name, content.start, content.text()) == ("papers.csv", TEXT, TEXT)
    assert list(content.lines()) == ["title", "Rye — a loaf"]
    assert content.digest() == text_content("x", TEXT).digest()


@pytest.mark.parametrize("pack", [lambda data: zipped(a__zip=data), gzip.compress])
def test_an_archive_inside_an_archive_is_refused(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "papers"
    path.write_bytes(pack(gzip.compress(TEXT.encode())))
    with pytest.raises(InputError) as caught:
        list(contents(path, "papers"))
    assert "found an archive inside an archive" in str(caught.value)
    assert "Unpack the outer archive first." in str(caught.value)


def test_files_of_several_frames_are_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "papers.gz"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert list(one(path).lines()) == ["one", "two"]


def test_an_archive_holds_files(tmp_path: Path) -> None:
    path = tmp_path / "papers.zip"
    path.write_bytes(zipped(a__bib="one", deep="two", __hidden="x", **{"x/__MACOSX/a": "x"}))
    assert [(found.name, found.text()) for found in contents(path, "papers.zip")] == [
        ("papers.zip/a.bib", "one"),
        ("papers.zip/deep", "two"),
    ]


@pytest.mark.parametrize("name", ["_bibliography/papers.bib", "./papers.bib", "/papers.bib"])
def test_no_file_of_an_archive_is_passed_over_for_its_place(tmp_path: Path, name: str) -> None:
    path = tmp_path / "papers.zip"
    path.write_bytes(zipped(**{name: "one"}))
    assert one(path).text() == "one"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_two_files(tmp_path: Path) -> None:
    path = tmp_path / "papers.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.bib", "one")
        archive.writestr("a.bib", "two")
    assert [found.text() for found in contents(path, "papers.zip")] == ["one", "two"]


def test_the_file_of_an_office_program_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "papers.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    content = one(path)
    assert not content.is_text
    assert content.start_bytes.startswith(b"PK")


def _changed(data: bytes, place: int, value: int) -> bytes:
    """Return an archive with one byte of its first entry in the directory changed."""
    start = data.index(b"PK\1\2") + place
    return data[:start] + bytes((value,)) + data[start + 1 :]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (gzip.compress(TEXT.encode() * 99, mtime=0)[:-20], "an archive that cannot be unpacked"),
        (
            gzip.compress(TEXT.encode("utf-16") * 99, mtime=0)[:-20],
            "an archive that cannot be unpacked",
        ),
        (bz2.compress(b"caf\xe9 " * 99)[:-20], "an archive that cannot be unpacked"),
        (lzma.compress(TEXT.encode() * 99)[:-20], "an archive that cannot be unpacked"),
        (gzip.compress(b"PAR1" + bytes(99), mtime=0)[:-9], "an archive that cannot be unpacked"),
        (_changed(zipped(a=TEXT), 6, 200), "an archive that cannot be unpacked"),  # version 20
        (_changed(zipped(a=TEXT), 45, 200), "an archive that cannot be unpacked"),  # its place
        (b"\x1f\x8b\x08\x00rubbish", "an archive that cannot be unpacked"),
        (b"BZhrubbish", "an archive that cannot be unpacked"),
        (b"\xfd7zXZ\0rubbish", "an archive that cannot be unpacked"),
        (b"\x28\xb5\x2f\xfd", "a Zstandard archive; expected gzip, bzip2, xz or ZIP"),
        (b"PK\x03\x04rubbish", "an archive that cannot be unpacked"),
        (zipped(), "an archive without a file"),
        (zipped(__hidden="x"), "an archive without a file"),
        (gzip.compress(b"", mtime=0), "an empty file"),
        (b" \n", "an empty file"),
    ],
)
def test_what_is_broken_is_told(tmp_path: Path, data: bytes, found: str) -> None:
    path = tmp_path / "papers.bib"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(contents(path, "papers.bib"))
    assert str(caught.value).startswith(f"papers.bib: error: found {found}")


def test_an_archive_that_misnames_a_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "papers.zip"
    path.write_bytes(zipped(**{"é.csv": TEXT}).replace("é".encode(), b"\xe9\xe9"))
    with pytest.raises(InputError, match="found an archive that cannot be unpacked"):
        list(contents(path, "papers.zip"))


def test_an_encrypted_archive_is_told(tmp_path: Path) -> None:
    data = bytearray(zipped(a="secret"))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        flags = data.index(mark) + (6 if mark[2] == 3 else 8)
        data[flags] |= 1
    path = tmp_path / "papers.zip"
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="encrypted"):
        list(contents(path, "papers.zip"))


def test_standard_input_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        buffer = io.BytesIO(gzip.compress(TEXT.encode()))

    monkeypatch.setattr(sys, "stdin", Stream())
    (content,) = contents(STANDARD_INPUT, "-")
    assert (content.name, content.text(), content.text()) == ("standard input", TEXT, TEXT)


def test_every_kind_of_line_end_is_one() -> None:
    content = text_content("x", "a\r\nb\rc\nd")
    assert (content.start, content.text()) == ("a\nb\nc\nd", "a\nb\nc\nd")
    assert list(content.lines()) == ["a", "b", "c", "d"]


def test_of_a_long_line_the_beginning_is_given() -> None:
    content = text_content("x", "a" * 5_000_000 + "\nb\n" + "c" * 30)
    assert [len(line) for line in content.lines(10)] == [11, 1, 11]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("length", [1, 2**18 - 2, 2**18 - 1, 2**18, 600_000])
def test_lines_are_whole_wherever_a_block_ends(length: int, end: str) -> None:
    content = text_content("long", f"{'a' * length}{end}b{end}{'c' * length}")
    assert [len(line) for line in content.lines()] == [length, 1, length]
    assert [len(line) for line in content.lines(9)] == [min(length, 10), 1, min(length, 10)]


def test_nul_characters_are_dropped() -> None:
    assert text_content("x", "R\0ye\n\0").text() == "Rye\n"
    assert text_content("x", "\ufeff\ufeffRye\n\ufeffOats\n\x1a").text() == "Rye\nOats\n"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300), st.sampled_from([b"", b"\x1f\x8b\x08", b"PK\x03\x04", b"BZh9"]))
def test_any_bytes_are_opened_or_refused_in_words(
    tmp_path: Path, data: bytes, start: bytes
) -> None:
    path = tmp_path / "papers"
    path.write_bytes(start + data)
    try:
        for content in contents(path, "papers"):
            assert content.digest()
            if content.is_text:
                assert "".join(f"{line}\n" for line in content.lines()).startswith(content.text())
    except InputError as error:
        assert "papers" in str(error)  # noqa: PT017
