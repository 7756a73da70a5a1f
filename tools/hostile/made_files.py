"""How the files of the table are made: archives that burst, links, pipes, names that act."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import re
import socket
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

from openpyxl import Workbook

RECORD = b'{"title": "Bread in an archive"}\n'
_BLOCK = 2**20
_LINES = b"\n" * _BLOCK * 16


def make_file(folder: Path, text: str) -> None:
    """Make the file of a case: `NAME KIND REST`, the further lines being its text."""
    name, kind, rest = _parted(text)
    MAKERS[kind](folder / name, rest)


def _parted(text: str) -> tuple[str, str, str]:
    """Return name, kind and rest of a case; a name may hold blanks and line breaks."""
    if " text\n" in text:
        name, _, body = text.partition(" text\n")
        return name, "text", body
    name, _, behind = text.partition(" ")
    kind, *rest = re.split(r"[ \n]", behind, maxsplit=1)
    return name, kind, "".join(rest)


def _text(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8") + b"\n")


def _blanks(file: object, number: int) -> None:
    file.write(RECORD)  # type: ignore[attr-defined]
    block = b"\n" * _BLOCK
    for _ in range(number // _BLOCK):
        file.write(block)  # type: ignore[attr-defined]


def _gzip_of_blanks(path: Path, number: str) -> None:
    with gzip.open(path, "wb", compresslevel=9) as file:
        _blanks(file, int(number))


def _bzip2_of_blanks(path: Path, number: str) -> None:
    once = bz2.compress(_LINES)
    path.write_bytes(bz2.compress(RECORD) + once * (int(number) // len(_LINES)))  # streams follow


def _xz_of_blanks(path: Path, number: str) -> None:
    once = lzma.compress(_LINES, preset=0)
    path.write_bytes(lzma.compress(RECORD) + once * (int(number) // len(_LINES)))


def _gzip_in_gzip(path: Path, depth: str) -> None:
    data = RECORD
    for _ in range(int(depth)):
        data = gzip.compress(data)
    path.write_bytes(data)


def _zip(path: Path, text: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for line in filter(None, text.split("\n")):
            name, _, content = (
                line.partition(".jsonl ") if ".jsonl " in line else line.partition(" ")
            )
            info = zipfile.ZipInfo(f"{name}.jsonl" if ".jsonl " in line else name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a name that stands twice, which is meant
                archive.writestr(info, content)


def _zip_of_blanks(path: Path, number: str) -> None:
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("a.jsonl", "w", force_zip64=True) as file,
    ):
        _blanks(file, int(number))


def _zip_in_zip(path: Path, depth: str) -> None:
    name, data = "a.jsonl", RECORD
    for _ in range(int(depth)):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, data)
        name, data = "a.zip", packed.getvalue()
    path.write_bytes(data)


def _zip_of_many(path: Path, number: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for each in range(int(number)):
            archive.writestr(f"{each}.jsonl", b"")


def _zip_with_link(path: Path, target: str) -> None:
    info = zipfile.ZipInfo("a.jsonl")
    info.create_system, info.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, target)


def _changed(data: bytes, start: bytes, offset: int, value: bytes) -> bytes:
    """Return an archive with other bytes at an offset behind a signature."""
    place = data.index(start) + offset
    return data[:place] + value + data[place + len(value) :]


def _zip_encrypted(path: Path, _: str) -> None:
    _zip(path, 'a.jsonl {"title": "Bread"}')
    data = _changed(path.read_bytes(), b"PK\x03\x04", 6, b"\x01\x00")
    path.write_bytes(_changed(data, b"PK\x01\x02", 8, b"\x01\x00"))


def _zip_cut(path: Path, number: str) -> None:
    _zip(path, 'a.jsonl {"title": "Bread"}')
    path.write_bytes(path.read_bytes()[: int(number)])


def _zip_that_lies(path: Path, number: str) -> None:
    _zip(path, 'a.jsonl {"title": "Bread"}')
    size = int(number).to_bytes(4, "little")
    path.write_bytes(_changed(path.read_bytes(), b"PK\x01\x02", 24, size))


def _gzip_and_rubbish(path: Path, _: str) -> None:
    path.write_bytes(gzip.compress(RECORD) + b"rubbish")


def _gzip_cut(path: Path, _: str) -> None:
    path.write_bytes(gzip.compress(RECORD * 100)[:-9])


def _workbook(path: Path, sheet: Callable[[zipfile.ZipFile, str], None]) -> None:
    """Write a workbook whose sheet is replaced."""
    whole = io.BytesIO()
    book = Workbook()
    book.active.append(["title", "abstract"])
    book.active.append(["Bread", "x"])
    book.save(whole)
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name == "xl/worksheets/sheet1.xml":
                sheet(new, name)
            else:
                new.writestr(name, old.read(name))


def _workbook_of_blanks(path: Path, number: str) -> None:
    def sheet(archive: zipfile.ZipFile, name: str) -> None:
        with archive.open(name, "w", force_zip64=True) as file:
            _blanks(file, int(number))

    _workbook(path, sheet)


def _workbook_of_laughs(path: Path, _: str) -> None:
    entities = "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    laughs = (
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{entities}]>'
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        '<row r="1"><c r="A1" t="inlineStr"><is><t>title</t></is></c></row>'
        '<row r="2"><c r="A2" t="inlineStr"><is><t>&i;</t></is></c></row></sheetData></worksheet>'
    )
    _workbook(path, lambda archive, name: archive.writestr(name, laughs))


class _Pwned:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch pwned",)


def _pickle(path: Path, _: str) -> None:
    path.write_bytes(pickle.dumps(_Pwned()))


def _link(path: Path, target: str) -> None:
    path.symlink_to(target)


def _link_outside(path: Path, text: str) -> None:
    outside = path.parents[2] / "outside.jsonl"
    _text(outside, text)
    path.symlink_to(outside)


def _fifo(path: Path, _: str) -> None:
    os.mkfifo(path)


def _socket(path: Path, _: str) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket may have a hundred bytes
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _folder(path: Path, _: str) -> None:
    path.mkdir()
    _text(path / "a.jsonl", '{"title": "Bread in a folder"}')


MAKERS: dict[str, Callable[[Path, str], None]] = {
    "text": _text,
    "gzip-of-blanks": _gzip_of_blanks,
    "bzip2-of-blanks": _bzip2_of_blanks,
    "xz-of-blanks": _xz_of_blanks,
    "gzip-in-gzip": _gzip_in_gzip,
    "zip": _zip,
    "zip-of-blanks": _zip_of_blanks,
    "zip-in-zip": _zip_in_zip,
    "zip-of-many": _zip_of_many,
    "zip-with-link": _zip_with_link,
    "zip-encrypted": _zip_encrypted,
    "zip-cut": _zip_cut,
    "zip-that-lies": _zip_that_lies,
    "gzip-and-rubbish": _gzip_and_rubbish,
    "gzip-cut": _gzip_cut,
    "workbook-of-blanks": _workbook_of_blanks,
    "workbook-of-laughs": _workbook_of_laughs,
    "pickle": _pickle,
    "link": _link,
    "link-outside": _link_outside,
    "fifo": _fifo,
    "socket": _socket,
    "folder": _folder,
}
"""Kind -> what makes a file of it of a path and the rest of the case."""
