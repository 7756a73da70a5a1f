"""Bytes as text: of what people keep for Fieldguide, of inputs in any encoding; faults of both."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

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
        found, expected = "a NUL character", "printable text"
        raise InputError([Fault("error", shown, line, found, expected, "Delete it.")])
    return text.lstrip("\ufeff").replace("\r\n", "\n")  # some programs mark a marked text again


def _decoded(data: bytes, shown: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if kind := binary_kind(data):
        raise InputError([Fault("error", shown, None, kind, "a text file")])
    save = "Save the file as UTF-8."
    if utf_16_order(data):
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
    found, expected, hint = (error.strerror or str(error)).lower(), "a readable file", ""
    if isinstance(error, FileNotFoundError):
        found, expected = "no such file", "a file that exists"
        if path is not None and not path.parent.is_dir():
            found = f"no such file: the folder {Path(shown).parent.as_posix()} does not exist"
        elif path is not None:
            hint = _alike(path)
    elif isinstance(error, IsADirectoryError):
        found, expected, hint = "a folder", "a file", f"Name the files: {shown}/*"
    return InputError([Fault("error", shown, None, found, expected, hint)])


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
    found, expected = "a merge conflict that was not solved", "the lines of one side, or of both"
    return [
        Fault("error", shown, first, f"{found}, lines {first} to {last}", expected, _CURE)
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
    if utf_16_order(data):
        return ""
    return "a binary file" if data.count(0) > _MAX_ZEROS * len(data) else ""


def utf_16_order(data: bytes) -> Literal["", "utf-16-le", "utf-16-be"]:
    """Return the encoding of mostly Latin text of two bytes a letter, or "" where it is none.

    Told by the first 4,096 bytes: in UTF-16 without a mark letters and zero bytes take turns.
    """
    data = data[:4096]
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
    pairs = ((path.resolve(), root.resolve()), within)
    inside = (place.relative_to(top) for place, top in pairs if place.is_relative_to(top))
    name = next(inside, path).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


# --- In which encoding an input is: marks, zero bytes, UTF-8, else what its bytes look like ------

MIXED = "fieldguide-mixed"
"""The error handler by which a byte that is no UTF-8 is read as Windows-1252."""

MARKS = (  # the longer first: a mark of UTF-32 begins as one of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What bibliographies come in besides UTF-8 and Windows-1252: Chinese, Japanese, Korean, Cyrillic.
_LEGACY = ["gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251"]
_SAMPLE = 2**16
# What XML, HTML and JabRef's files state of themselves, and what browsers take it for.
_DECLARED = re.compile(
    rb"""<\?xml\s[^<>]{0,200}\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{2,40})"""
    rb"""|<meta\s[^<>]{0,400}\bcharset\s{0,9}=\s{0,9}["']?([\w.:-]{2,40})"""
    rb"""|^%\s{0,9}Encoding:\s{0,9}([\w.:-]{2,40})""",
    re.IGNORECASE | re.MULTILINE,
)
_BELIEVED = re.compile(r"cp\d+|iso8859-\d+|gb18030|big5\w*|euc_\w+|koi8-\w|mac-\w+|tis_620")
_TAKEN_FOR = {
    **dict.fromkeys(("iso8859-1", "ascii"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-9": "cp1254",
}  # fmt: skip
# Letters beyond ASCII that a sample needs before another encoding than Windows-1252 is believed.
_FEWEST = 64
_FEWEST_IN_RUNS = 30
# Share of those letters that are UTF-8, from which a text is UTF-8 with some bytes of another.
_MOSTLY = 0.75
_MAX_CHAOS = 0.2  # the default of charset-normalizer


class Encoding(NamedTuple):
    """How the bytes of a text become characters."""

    name: str
    errors: str
    faults: tuple[Fault, ...]
    """Warnings: that the bytes are no UTF-8, and what they were taken for."""


def find_encoding(blocks: Iterable[bytes], shown: str) -> Encoding:
    """Return the encoding of a text given in blocks; of a file in UTF-8 all of it is looked at.

    What is no UTF-8 is in the encoding that an HTML or XML page declares.
    Bytes that are no UTF-8 in a text that mostly is are read as Windows-1252, one by one.
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
    if not is_marked and (declared := _declared(start, sample)):
        return Encoding(declared, MIXED, ())
    byte, line = broken
    name, title = (utf_8, "Windows-1252") if is_marked else _legacy(sample)
    found, expected = f"byte 0x{byte:02x}", "UTF-8 text"
    hint = f"It is read as {title}; save the file as UTF-8 if letters look wrong."
    return Encoding(name, MIXED, (Fault("notice", shown, line, found, expected, hint),))


def _declared(start: bytes, sample: bytes) -> str:
    """Return the encoding that a page names at its start, or "" where it is not in that."""
    match = _DECLARED.search(start)
    if not match:
        return ""
    try:
        name = codecs.lookup(next(filter(None, match.groups())).decode()).name
        name = _TAKEN_FOR.get(name, name)
        if not _BELIEVED.fullmatch(name):
            return ""
        # A block may end inside a letter. Windows-1252 has five bytes that mean nothing.
        errors = "replace" if name == "cp1252" else "strict"
        codecs.getincrementaldecoder(name)(errors).decode(sample)
    except (LookupError, UnicodeError):
        return ""
    return name


def _legacy(sample: bytes) -> tuple[str, str]:
    """Return the encoding of a text that is no UTF-8, and its name for people."""
    mixed = "utf-8", "Windows-1252"
    beyond = bytes(byte for byte in sample if byte >= 0x80)
    valid = sum(len(sign.encode()) for sign in sample.decode("utf-8", "ignore") if sign >= "\x80")
    fewest = _FEWEST_IN_RUNS if _stand_together(sample, len(beyond)) else _FEWEST
    if len(beyond) < fewest or valid > _MOSTLY * len(beyond):
        return mixed
    import charset_normalizer  # late: few files need it

    found = charset_normalizer.from_bytes(
        sample[:_SAMPLE], cp_isolation=[*_LEGACY, "cp1252"], threshold=_MAX_CHAOS
    ).best()
    if found is None or found.encoding == "cp1252":
        return mixed
    return found.encoding, found.encoding


def _stand_together(sample: bytes, beyond: int) -> bool:
    """Say whether the letters beyond ASCII, so many, form words of their own, as none of Europe."""
    return 3 * sum(map(len, re.findall(rb"[\x80-\xff]{2,}", sample))) > 2 * beyond


def _as_windows_1252(error: Any) -> tuple[str, int]:
    byte = error.object[error.start : error.start + 1]
    # Five bytes mean nothing in Windows-1252.
    return byte.decode("cp1252", "replace"), error.start + 1


codecs.register_error(MIXED, _as_windows_1252)
