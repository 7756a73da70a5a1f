"""A whole text in UTF-8, read strictly: of a file that people keep for Fieldguide alone."""

from __future__ import annotations

from pathlib import Path

from classifier.errors import Fault, InputError
from classifier.files.merge_conflict import conflict_faults
from classifier.files.signature import binary_kind, is_utf_16
from classifier.files.unreadable import unreadable


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
