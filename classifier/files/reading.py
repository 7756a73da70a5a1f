"""Decode files as text: UTF-8 files of a project, and inputs in any encoding."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from classifier.errors import Fault, InputError, input_error


def read_text(path: Path, display_name: str = "") -> str:
    """Read a complete UTF-8 file (a BOM is dropped, CRLF becomes LF).

    display_name: name of the file for messages. Raises InputError if the file is missing,
    unreadable, empty or binary, or contains the markers of a merge conflict.
    """
    display_name = display_name or str(path)
    text = decode(read_bytes(path, display_name), display_name)
    if conflicts := conflict_faults(text.split("\n"), display_name):
        raise InputError(conflicts)
    return text


def read_bytes(path: Path, label: str) -> bytes:
    """Read the bytes of a file. Raises InputError if it is missing or unreadable."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise read_error(path, label, error) from error


def decode(data: bytes, label: str) -> str:
    """Decode `data` in the same way as `read_text`."""
    if not data.strip():
        raise input_error(label, "an empty file", "some content")
    text = _decode_utf_8(data, label)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        found, expected = "a NUL character", "printable text"
        raise input_error(label, found, expected, "Delete it.", line=line)
    return text.lstrip("\ufeff").replace("\r\n", "\n")  # some programs write the mark twice


def _decode_utf_8(data: bytes, label: str) -> str:
    """Decode `data` as UTF-8, or raise InputError."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if kind := binary_kind(data):
        raise input_error(label, kind, "a text file")
    save = "Save the file as UTF-8."
    if utf_16_order(data):
        found = "UTF-16 text without a byte order mark"
        raise input_error(label, found, "UTF-8 text", save)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x}"
        raise input_error(label, found, "UTF-8 text", save, line=line) from error


def record_keys_of(path: Path) -> set[str]:
    """Return the keys of the first record of JSON Lines, or the columns of Parquet."""
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
"""Minimum similarity, 0 to 1, of a file name that is proposed for a missing file."""


def read_error(path: Path | None, label: str, error: OSError) -> InputError:
    """Return the InputError for an error while reading a file.

    path: the expected path; None if the file is not in a folder of this machine. label: name of the
    file for messages.
    """
    found, expected, hint = (error.strerror or str(error)).lower(), "a readable file", ""
    if isinstance(error, FileNotFoundError):
        found, expected = "no such file", "a file that exists"
        if path is not None and not path.parent.is_dir():
            found = f"no such file: the folder {Path(label).parent.as_posix()} does not exist"
        elif path is not None:
            hint = _similar_name_hint(path)
    elif isinstance(error, IsADirectoryError):
        found, expected, hint = ("a folder", "a file", f"Name its files: {label}/*")
    return input_error(label, found, expected, hint)


def _similar_name_hint(path: Path) -> str:
    """Return a hint with the name of a similar file in the same folder, or ""."""
    try:
        names = sorted(os.listdir(path.parent))
    except OSError:  # a folder can be accessible but not listable
        return ""
    alike = get_close_matches(path.name, names, n=1, cutoff=_ALIKE)
    return f"Did you mean {alike[0]}?" if alike else ""


_START = "<<<<<<< "
_MIDDLE = "======="
_END = ">>>>>>> "
_CONFLICT_HINT = (
    "Keep the correct lines of one side or both, delete the three marker lines, and commit."
)


def conflict_faults(lines: Iterable[str], label: str) -> list[Fault]:
    """Return a fault for each merge conflict in a text.

    A conflict consists of three markers in order; one marker alone is not a conflict. label: name
    of the file for messages.
    """
    found, expected = "an unresolved Git merge conflict", "the lines of one side, or of both"
    return [
        Fault("error", label, first, f"{found}, lines {first} to {last}", expected, _CONFLICT_HINT)
        for first, last in _conflicts(lines)
    ]


def _conflicts(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
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
# Maximum share of zero bytes in a text.
_MAX_ZEROS = 0.25


def binary_kind(data: bytes) -> str:
    """Return the kind of a binary file as a noun phrase; "" if `data` may be text."""
    for start, kind in _SIGNATURES:
        if data.startswith(start):
            return kind
    if utf_16_order(data):
        return ""
    return "a binary file" if data.count(0) > _MAX_ZEROS * len(data) else ""


def utf_16_order(data: bytes) -> Literal["", "utf-16-le", "utf-16-be"]:
    """Return the UTF-16 encoding of a mostly Latin text; "" if `data` is not UTF-16.

    Without a byte order mark, UTF-16 is recognised by letters and zero bytes that alternate in the
    first 4,096 bytes.
    """
    data = data[:4096]
    even, odd = data[::2].count(0), data[1::2].count(0)
    if len(data) < 4 or min(even, odd) or max(even, odd) <= len(data) // 4:
        return ""
    return "utf-16-le" if odd else "utf-16-be"


def display_path(path: Path, root: Path) -> str:
    r"""Return a file's name for messages and sources: relative to `root` if the file is inside it.

    The name is in POSIX style. A link that leads out of `root` keeps its own path, because its
    target differs between machines. A byte that is not UTF-8 is written as `\xe9`.
    """
    within = Path(os.path.abspath(path)), Path(os.path.abspath(root))
    pairs = ((path.resolve(), root.resolve()), within)
    inside = (place.relative_to(top) for place, top in pairs if place.is_relative_to(top))
    name = next(inside, path).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


# --- Encoding of an input: byte order mark, zero bytes, UTF-8, otherwise a guess ----------------

MIXED = "fieldguide-mixed"
"""Error handler that decodes a byte that is not UTF-8 as Windows-1252."""

MARKS = (  # longer marks first: a mark of UTF-32 begins like one of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Other encodings of bibliographies: Chinese, Japanese, Korean, Cyrillic.
_LEGACY = ["gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251"]
_SAMPLE = 2**16
# Encodings that XML, HTML and JabRef files declare, and those that browsers use instead.
_DECLARED = re.compile(
    rb"""<\?xml\s[^<>]{0,200}\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{2,40})"""
    rb"""|<meta\s[^<>]{0,400}\bcharset\s{0,9}=\s{0,9}["']?([\w.:-]{2,40})"""
    rb"""|^%\s{0,9}Encoding:\s{0,9}([\w.:-]{2,40})""",
    re.IGNORECASE | re.MULTILINE,
)
_BELIEVED = re.compile(r"cp\d+|iso8859-\d+|gb18030|big5\w*|euc_\w+|koi8-\w|mac-\w+|tis_620")
_REPLACEMENTS = {
    **dict.fromkeys(("iso8859-1", "ascii"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-9": "cp1254",
}  # fmt: skip
# Minimum number of non-ASCII letters to accept an encoding other than Windows-1252.
_MIN_LETTERS = 64
_MIN_LETTERS_IN_RUNS = 30
# Minimum share of those letters in UTF-8 for a text in UTF-8 with some foreign bytes.
_MOSTLY = 0.75
_MAX_CHAOS = 0.2  # the default of charset-normalizer


class Encoding(NamedTuple):
    """The encoding of a text, with its error handler."""

    name: str
    errors: str
    faults: tuple[Fault, ...]
    """Notices: the bytes are not UTF-8, and which encoding is used."""


def find_encoding(blocks: Iterable[bytes], label: str) -> Encoding:
    """Find the encoding of a text that is given in blocks. UTF-8 is checked up to the end.

    If a text is not UTF-8, the encoding that it declares as HTML or XML is used. If a text is
    mostly UTF-8, all other bytes are decoded as Windows-1252.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    lines, sample, broken, start, utf_8 = 1, b"", None, b"", "utf-8"
    for number, block in enumerate(blocks):
        if number == 0:
            start = block[:_SAMPLE]
            marked = next((name for mark, name in MARKS if block.startswith(mark)), "")
            if marked and marked != "utf-8-sig":
                return Encoding(marked, "replace", ())
            utf_8 = marked or utf_8
            if order := utf_16_order(block):
                return Encoding(order, "replace", ())
        try:
            decoder.decode(block)
        except UnicodeDecodeError as error:
            broken = error.object[error.start], lines + error.object.count(b"\n", 0, error.start)
            sample = block
            break
        lines += block.count(b"\n")
    if broken is None:
        return Encoding(utf_8, MIXED, ())
    is_marked = utf_8 != "utf-8"
    if not is_marked and (declared := _declared_encoding(start, sample)):
        return Encoding(declared, MIXED, ())
    byte, line = broken
    name, title = (utf_8, "Windows-1252") if is_marked else _legacy_encoding(sample)
    found, expected = f"byte 0x{byte:02x}", "UTF-8 text"
    hint = f"It is read as {title}; save the file as UTF-8 if letters look wrong."
    return Encoding(name, MIXED, (Fault("notice", label, line, found, expected, hint),))


def _declared_encoding(start: bytes, sample: bytes) -> str:
    """Return the encoding that a page declares at its start; "" if it cannot decode the sample."""
    match = _DECLARED.search(start)
    if not match:
        return ""
    try:
        name = codecs.lookup(next(filter(None, match.groups())).decode()).name
        name = _REPLACEMENTS.get(name, name)
        if not _BELIEVED.fullmatch(name):
            return ""
        # A block may end inside a letter. Five bytes are undefined in Windows-1252.
        errors = "replace" if name == "cp1252" else "strict"
        codecs.getincrementaldecoder(name)(errors).decode(sample)
    except (LookupError, UnicodeError):
        return ""
    return name


def _legacy_encoding(sample: bytes) -> tuple[str, str]:
    """Return the encoding of a text that is not UTF-8, and its display name."""
    mixed = "utf-8", "Windows-1252"
    beyond = bytes(byte for byte in sample if byte >= 0x80)
    valid = sum(len(sign.encode()) for sign in sample.decode("utf-8", "ignore") if sign >= "\x80")
    # In non-Latin scripts, most non-ASCII bytes are next to each other.
    n_in_runs = sum(map(len, re.findall(rb"[\x80-\xff]{2,}", sample)))
    min_letters = _MIN_LETTERS_IN_RUNS if 3 * n_in_runs > 2 * len(beyond) else _MIN_LETTERS
    if len(beyond) < min_letters or valid > _MOSTLY * len(beyond):
        return mixed
    import charset_normalizer  # late: few files need it

    found = charset_normalizer.from_bytes(
        sample[:_SAMPLE], cp_isolation=[*_LEGACY, "cp1252"], threshold=_MAX_CHAOS
    ).best()
    if found is None or found.encoding == "cp1252":
        return mixed
    return found.encoding, found.encoding


def _decode_windows_1252(error: Any) -> tuple[str, int]:
    byte = error.object[error.start : error.start + 1]
    # Five bytes are undefined in Windows-1252.
    return byte.decode("cp1252", "replace"), error.start + 1


codecs.register_error(MIXED, _decode_windows_1252)
