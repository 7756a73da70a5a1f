"""The content of an input file, unpacked and decoded. It can be read repeatedly.

Compressed files (gzip, bzip2, xz) and the files inside a ZIP archive are unpacked; `-` is standard
input. The format is detected from the content, not from the name. An archive whose unpacked size is
far larger than its packed size is refused, because it could fill memory or disk.
"""

from __future__ import annotations

import atexit
import bz2
import gzip
import hashlib
import io
import lzma
import os
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, cast

from classifier.errors import Fault, InputError, NoInputError, OutputError, input_error
from classifier.files.reading import MARKS, Encoding, binary_kind, find_encoding, read_error

ALWAYS_FINE = 2**27
"""Number of bytes that any archive may unpack to."""
MAX_TIMES = 100
"""Maximum ratio of unpacked to packed size above that. Lists of papers reach 20."""
MAX_FILES = 10_000
"""Maximum number of files in a ZIP archive."""


def _check_size(sizes: Iterable[int], limit: int | None) -> None:
    """Raise BadZipFile if parts of a stream or archive have more than `limit` bytes together."""
    total = 0
    for size in sizes:
        total += size
        if limit is not None and total > limit:
            raise zipfile.BadZipFile(f"its content is more than {MAX_TIMES} times its size")


STANDARD_INPUT = Path("-")
EMPTY = "an empty file"
START = 2**16
"""Number of bytes from which readers recognise a file."""
MAX_WHOLE = 2**30
"""Maximum number of characters of a text that is read as a whole; streams have no limit."""

Open = Callable[[], IO[bytes]]
OpenFile = Callable[[Path], IO[bytes]]

_BLOCK = 2**20
_SPLIT = 2**18
"""Number of characters that are split into lines at a time: much faster than line by line."""
_BROKEN = (  # the last from zipfile: an unsupported version, or a name that is not UTF-8
    EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile, NotImplementedError,
    UnicodeDecodeError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a file, or of a file in an archive."""

    name: str
    """Path as the user would type it; in an archive `papers.zip/list.bib`."""
    open: Open
    """Function that opens the unpacked bytes at their start."""
    start: str
    """The first characters of a text, with `\\n` as line end; "" for a binary file."""
    encoding: str = "utf-8"
    """Name of the encoding; "" for a binary file."""
    errors: str = "strict"
    faults: tuple[Fault, ...] = ()
    """Warnings about the encoding."""

    @property
    def is_text(self) -> bool:
        """Return whether the file is text."""
        return bool(self.encoding)

    @property
    def start_bytes(self) -> bytes:
        """Return the first bytes, for binary formats."""
        with self.open() as file:
            return file.read(START)

    def lines(self, max_length: int = 2**24) -> Iterator[str]:
        """Yield the lines of a text without their line ends, in constant memory.

        A line longer than `max_length` characters is cut to `max_length` + 1 characters. Lines end
        with LF, CR LF or CR.
        """
        rest = ""
        for block in self.blocks(_SPLIT):
            if len(rest) > max_length and "\n" not in block:
                continue
            *lines, rest = (rest + block).split("\n")
            for line in lines:
                yield line[: max_length + 1]
            rest = rest[: max_length + 1]
        if rest:
            yield rest

    def blocks(self, size: int = _BLOCK) -> Iterator[str]:
        """Yield a text in blocks of about `size` characters."""
        with self._characters() as file:
            while block := file.read(size):
                yield _clean(block)

    def text(self) -> str:
        """Return the complete text, or raise InputError if it is too long for memory."""
        with self._characters() as file:
            text = file.read(MAX_WHOLE + 1)
        if len(text) > MAX_WHOLE:
            found = f"more than {MAX_WHOLE:,} characters in a format that is read as a whole"
            raise input_error(self.name, found, "a smaller file", "Split it into several files.")
        return _clean(text)

    def digest(self) -> str:
        """Return the BLAKE2b-128 digest in hex: of a text in UTF-8 with LF, else of the bytes."""
        found = hashlib.blake2b(digest_size=16)
        if self.is_text:
            for block in self.blocks():
                found.update(block.encode("utf-8", "surrogatepass"))
        else:
            with self.open() as file:
                while data := file.read(_BLOCK):
                    found.update(data)
        return found.hexdigest()

    def _characters(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(self.open(), self.encoding, self.errors, newline=None)


def text_content(name: str, text: str) -> Content:
    """Return a `Content` for a text that is already in memory."""
    data = text.encode("utf-8", "surrogatepass")
    start = io.StringIO(text[:START], newline=None).read()
    return Content(name, lambda: io.BytesIO(data), _clean(start), "utf-8", "surrogatepass")


def contents(
    path: Path, label: str, open_file: OpenFile = lambda path: path.open("rb")
) -> Iterator[Content]:
    """Yield the content of a file, unpacked, or of each file in an archive in order.

    open_file: opens the packed bytes of a path.
    Raises InputError if the file is missing, unreadable, empty or a broken archive.
    """
    if path == STANDARD_INPUT:
        path, label = _copy_to_temporary_file(sys.stdin.buffer), "standard input"
    with convert_read_errors(label, path):
        with open_file(path) as file:
            file.read(1)
        with open_file(path) as file:
            limit = None  # if the size is not known before reading
            with suppress(OSError, AttributeError, ValueError):
                limit = max(ALWAYS_FINE, MAX_TIMES * file.seek(0, os.SEEK_END))
        yield from _unpack(lambda: open_file(path), label, limit)


@contextmanager
def convert_read_errors(label: str, path: Path | None = None) -> Iterator[None]:
    """Convert errors while reading or unpacking into InputError; `path` is for similar names."""
    try:
        yield
    except _BROKEN as error:
        raise _archive_error(label, error) from error
    except OSError as error:
        if error.errno is None:  # bz2 raises this for damaged data
            raise _archive_error(label, error) from error
        raise read_error(path, label, error) from error


def _archive_error(label: str, error: Exception) -> InputError:
    reason = str(error).rstrip(".").lower() or "it is truncated"
    found = f"an archive that cannot be unpacked ({reason})"
    return input_error(label, found, "a complete archive", "Copy or download it again.")


def _unpack(
    source: Open, label: str, limit: int | None, *, is_inside: bool = False
) -> Iterator[Content]:
    """Yield the contents of a file; `is_inside` tells that it is in an archive."""
    if (
        is_inside
    ):  # read to the end, so that a damaged archive is reported before its papers are read
        _check_size(map(len, _bytes_of(source)), limit)
    with source() as file:
        start = file.read(START)
    unpack = _unpacker(start, label)
    is_zip = start.startswith((b"PK\x03\x04", b"PK\x05\x06"))
    is_archive = unpack is not None or (is_zip and not _is_document(source, limit))
    if is_archive and is_inside:
        found, hint = "an archive inside an archive", "Unpack the outer archive first."
        raise input_error(label, found, "a file with papers", hint)
    if unpack is not None:
        yield from _unpack(lambda: unpack(source()), label, limit, is_inside=True)
    elif is_archive:
        yield from _members(source, label, limit)
    else:
        yield _content(source, start, label)


def _unpacker(start: bytes, label: str) -> Callable[[IO[bytes]], IO[bytes]] | None:
    """Return the function that unpacks a file with this start; None if it is not compressed."""
    if start.startswith(b"\x1f\x8b"):
        return lambda file: _close_together(gzip.GzipFile(fileobj=file, mode="rb"), file)
    if start.startswith(b"BZh"):
        return lambda file: _close_together(bz2.BZ2File(file), file)
    if start.startswith(b"\xfd7zXZ\0"):
        return lambda file: _close_together(lzma.LZMAFile(file), file)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        hint = f"Unpack it first: unzstd {label}"
        raise input_error(label, "a Zstandard archive", "gzip, bzip2, xz or ZIP", hint)
    return None


def _close_together(
    unpacked_stream: gzip.GzipFile | IO[bytes], packed_stream: IO[bytes]
) -> IO[bytes]:
    """Return `unpacked_stream`, changed so that closing it also closes `packed_stream`."""
    close = unpacked_stream.close

    def close_both() -> None:
        close()
        packed_stream.close()

    unpacked_stream.close = close_both  # type: ignore[method-assign]
    return cast("IO[bytes]", unpacked_stream)


def _is_document(source: Open, limit: int | None) -> bool:
    with source() as file, zipfile.ZipFile(file) as archive:
        if len(names := archive.namelist()) > MAX_FILES:
            reason = f"it contains {len(names):,} files; the maximum is {MAX_FILES:,}"
            raise zipfile.BadZipFile(reason)
        _check_size((info.file_size for info in archive.infolist()), limit)
    return "[Content_Types].xml" in names or "mimetype" in names


def _members(source: Open, label: str, limit: int | None) -> Iterator[Content]:
    with source() as file, zipfile.ZipFile(file) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
    usable = [info for info in infos if not _is_hidden(info.filename)]
    if not usable:
        raise input_error(label, "an archive without a file", "an archive with papers")
    for info in usable:
        name = f"{label}/{info.filename}"
        yield from _unpack(_member(source, info), name, limit, is_inside=True)


def _is_hidden(name: str) -> bool:
    """Return whether a file in an archive is hidden or was added by macOS; `./a` is not hidden."""
    parts = name.split("/")
    return "__MACOSX" in parts or any(part.startswith(".") and part != "." for part in parts)


def _member(source: Open, info: zipfile.ZipInfo) -> Open:
    def open_member() -> IO[bytes]:
        file = source()
        try:
            return _close_together(zipfile.ZipFile(file).open(info), file)
        except Exception as error:  # encrypted, unknown compression, or an impossible offset
            file.close()
            # zipfile prints the whole entry; its name is enough.
            reason = str(error).replace(repr(info), repr(info.filename))
            raise zipfile.BadZipFile(reason) from error

    return open_member


def _content(file: Open, start: bytes, label: str) -> Content:
    if not start.strip():
        raise NoInputError(input_error(label, EMPTY, "some content").faults)
    is_text = not binary_kind(start) or start.startswith(tuple(mark for mark, _ in MARKS))
    encoding = find_encoding(_bytes_of(file), label) if is_text else Encoding("", "", ())
    content = Content(label, file, "", encoding.name, encoding.errors, encoding.faults)
    return replace(content, start=next(content.blocks(START), "")) if is_text else content


def _bytes_of(source: Open) -> Iterator[bytes]:
    with source() as file:
        while block := file.read(_BLOCK):
            yield block


def _clean(text: str) -> str:
    """Return text without characters that no format uses.

    They are NUL, byte order marks of joined files, and the end of file of DOS, which `copy a+b` of
    Windows appends.
    """
    for character in "\0\ufeff\x1a":
        if character in text:
            text = text.replace(character, "")
    return text


def _copy_to_temporary_file(stream: IO[bytes]) -> Path:
    """Copy a stream into a file that is deleted at exit. Raises OutputError if the disk is full."""
    try:
        handle, name = tempfile.mkstemp(prefix="fieldguide-")
        atexit.register(lambda: Path(name).unlink(missing_ok=True))
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(stream, file)
    except OSError as error:
        raise OutputError(
            f"Standard input cannot be saved to a temporary file ({error.strerror or error}). Free "
            "some space or name another folder with the environment variable TMPDIR."
        ) from error
    return Path(name)
