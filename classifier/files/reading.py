"""Whole texts that people keep for Fieldguide, and what is told where one cannot be read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal

from classifier.errors import Fault, InputError


def read_text(path: Path, shown: str = "") -> str:
    """Read a whole UTF-8 file (a BOM is dropped, CRLF becomes LF).

    Raises InputError, in the user's words, where it is missing, unreadable, empty or binary, or
    holds what git leaves of a merge.
    """
    shown = shown or str(path)
    text = decode(read_bytes(path, shown), shown)
    if conflicts := conflict_faults(text.split("\n"), shown):
        raise InputError(conflicts)
    return text


def read_bytes(path: Path, shown: str) -> bytes:
    """Read a whole file; raises InputError where it is missing or unreadable."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, shown, error) from error


def decode(data: bytes, shown: str) -> str:
    """Return `data` as text; see `read_text`."""
    if not data.strip():
        raise InputError([Fault("error", shown, None, "an empty file", "some content")])
    text = _decoded(data, shown)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        found, wanted = "a NUL character", "printable text"
        raise InputError([Fault("error", shown, line, found, wanted, "Delete it.")])
    return text.lstrip("\ufeff").replace("\r\n", "\n")  # some programs mark a marked text again


def _decoded(data: bytes, shown: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    kind = binary_kind(data)
    if kind:
        raise InputError([Fault("error", shown, None, kind, "a text file")])
    save = "Save the file as UTF-8."
    if is_utf_16(data):
        found = "UTF-16 text without a byte order mark"
        raise InputError([Fault("error", shown, None, found, "UTF-8 text", save)])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x}"
        raise InputError([Fault("error", shown, line, found, "UTF-8 text", save)]) from error


def keys_of(path: Path) -> set[str]:
    """Return the keys of the first record of JSON Lines, or the columns of a Parquet file.

    Nothing where the file, told by its ending, is none.
    """
    try:
        if path.suffix == ".parquet":
            import pyarrow.parquet  # late: an extra, and slow

            return set(pyarrow.parquet.read_schema(path).names)
        with path.open(encoding="utf-8") as lines:
            record = json.loads(lines.readline())
    except (ImportError, OSError, ValueError, RecursionError):  # ArrowInvalid is a ValueError
        return set()
    return set(record) if isinstance(record, dict) else set()


_ALIKE = 0.75
"""How alike, 0 to 1, the name of a file must be to be proposed for one that is not there."""


def unreadable(path: Path | None, shown: str, error: OSError) -> InputError:
    """Return what to raise where `error` came of reading a file.

    path: where it should lie; None where that is no folder of this machine. shown: its name for
    messages.
    """
    found, wanted, cure = (error.strerror or str(error)).lower(), "a readable file", ""
    if isinstance(error, FileNotFoundError):
        found, wanted = "no such file", "a file that exists"
        if path is not None and not path.parent.is_dir():
            found = f"no such file: the folder {Path(shown).parent.as_posix()} does not exist"
        elif path is not None:
            cure = _alike(path)
    elif isinstance(error, IsADirectoryError):
        found, wanted, cure = "a folder", "a file", f"Name the files: {shown}/*"
    return InputError([Fault("error", shown, None, found, wanted, cure)])


def _alike(path: Path) -> str:
    """Return the question whether another file of the folder was meant, or ""."""
    try:
        names = sorted(os.listdir(path.parent))
    except OSError:  # a folder may be entered and not be listed
        return ""
    alike = get_close_matches(path.name, names, n=1, cutoff=_ALIKE)
    return f"Did you mean {alike[0]}?" if alike else ""


_START = "<<<<<<< "
_MIDDLE = "======="
_END = ">>>>>>> "
_CURE = (
    "Keep the lines that hold, of either side or of both, delete the three lines with the marks, "
    "and commit."
)


def conflict_faults(lines: Iterable[str], shown: str) -> list[Fault]:
    """Return a fault for each merge conflict in the lines of a text; `shown` names its file.

    A mark alone is none: three of them in their order are.
    """
    return [
        Fault(
            "error",
            shown,
            first,
            f"a merge conflict that was not solved, lines {first} to {last}",
            "the lines of one side, or of both",
            _CURE,
        )
        for first, last in _conflicts(lines)
    ]


def _conflicts(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each conflict."""
    first, is_divided = 0, False
    for number, line in enumerate(lines, 1):
        if line.startswith(_START):
            first, is_divided = number, False
        elif first and line == _MIDDLE:
            is_divided = True
        elif first and is_divided and line.startswith(_END):
            yield first, number
            first = 0


# From the table of file signatures that the `file` command uses (man 5 magic).
_SIGNATURES: Final = (
    (b"%PDF", "a PDF file"),
    (b"PK\x03\x04", "a ZIP archive (or an Excel, Word or OpenDocument file)"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
)
# A share of zero bytes that no text reaches in which a few slipped in.
_MAX_ZEROS = 0.25


def binary_kind(data: bytes) -> str:
    """Return what a binary file is, for "found …", or "" where `data` may be text."""
    for start, kind in _SIGNATURES:
        if data.startswith(start):
            return kind
    if is_utf_16(data):
        return ""
    return "a binary file" if data.count(0) > _MAX_ZEROS * len(data) else ""


def is_utf_16(data: bytes) -> bool:
    """Say whether `data` looks like UTF-16 without a mark: letters and zero bytes take turns."""
    return bool(utf_16_order(data[:4096]))


def utf_16_order(data: bytes) -> Literal["", "utf-16-le", "utf-16-be"]:
    """Return the encoding of mostly Latin text of two bytes a letter, or "" where it is none."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    if len(data) < 4 or min(even, odd) or max(even, odd) <= len(data) // 4:
        return ""
    return "utf-16-le" if odd else "utf-16-be"


def shown_name(path: Path, root: Path) -> str:
    """Return a file's name for messages and sources: relative to `root` where inside it.

    POSIX style. A link that leads out of `root` is named by its place there, since what it leads to
    lies elsewhere on other machines. A byte that is no UTF-8 is written `\\xe9`: no file of ours
    could hold it.
    """
    within = Path(os.path.abspath(path)), Path(os.path.abspath(root))
    name = path.as_posix()
    for place, top in ((path.resolve(), root.resolve()), within):
        if place.is_relative_to(top):
            name = place.relative_to(top).as_posix()
            break
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
