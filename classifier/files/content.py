"""What an input file holds: unpacked, decoded, and opened as often as a reader likes.

Compressed files (gzip, bzip2, xz, Zstandard) and the files inside a ZIP archive are read as if
they lay there unpacked; `-` is standard input. All of it by content, never by name. An
archive that is made to fill a memory or a disk is refused.
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
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, cast

from classifier.errors import Fault, InputError, NoInputError, OutputError
from classifier.files.reading import MARKS, Encoding, binary_kind, find_encoding, unreadable

ALWAYS_FINE = 2**27
"""Bytes that any archive may unpack to."""
MAX_TIMES = 100
"""How many times its size an archive may unpack to beyond that; lists of papers reach 20 times."""
MAX_FILES = 10_000
"""Files in one ZIP archive."""


class UnpacksTooMuch(zipfile.BadZipFile):
    """An archive that holds far more than lists of papers do."""


class Allowance:
    """How much a file may unpack to, with all that is packed in it once more."""

    def __init__(self, packed: int | None) -> None:
        """Allow what fits a file of `packed` bytes; None: no bound, where its size is unknown."""
        self._most = None if packed is None else max(ALWAYS_FINE, MAX_TIMES * packed)

    def check(self, sizes: Iterable[int]) -> None:
        """Count pieces of one stream or archive; raises UnpacksTooMuch where they are too much."""
        taken = 0
        for size in sizes:
            taken += size
            if self._most is not None and taken > self._most:
                raise UnpacksTooMuch(f"it unpacks to more than {MAX_TIMES} times its size")


STANDARD_INPUT = Path("-")
EMPTY = "an empty file"
START = 2**16
"""How many bytes of a file readers look at to say whether it is theirs."""
MAX_WHOLE = 2**30
"""Characters of a text that is read as a whole; formats that stream have no limit."""

Open = Callable[[], IO[bytes]]
OpenFile = Callable[[Path], IO[bytes]]

_BLOCK = 2**20
_SPLIT = 2**18
"""Characters that are split into lines at a time, many times faster than line by line."""
_BROKEN = (  # the last of zipfile: it wants a later program, or a name is no UTF-8
    EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile, NotImplementedError,
    UnicodeDecodeError,
)  # fmt: skip
_FEW = 1024
"""Packed bytes of Zstandard that are unpacked at a time: a thousand may hold 32 MB."""
_NO_ZSTANDARD = "pip install 'fieldguide[scale]'."


@dataclass(frozen=True, slots=True)
class Content:
    """What one file holds, or one file in an archive."""

    name: str
    """As the user would type it; of an archive with the file inside: `papers.zip/list.bib`."""
    open: Open
    """Opens the unpacked bytes from their start."""
    start: str
    """The first characters of a text, its line ends made `\\n`; "" of a binary file."""
    encoding: str = "utf-8"
    """"" of a binary file."""
    errors: str = "strict"
    faults: tuple[Fault, ...] = ()
    """Warnings about the encoding."""

    @property
    def is_text(self) -> bool:
        """Whether it is a text."""
        return bool(self.encoding)

    @property
    def start_bytes(self) -> bytes:
        """The first bytes, for formats that are no text."""
        with self.open() as file:
            return file.read(START)

    def lines(self, most: int = 2**24) -> Iterator[str]:
        """Yield the lines of a text without their ends, in constant memory.

        Of a line longer than `most` characters the first `most` + 1 are given. A line ends at LF,
        CR LF or CR.
        """
        rest = ""
        for block in self.blocks(_SPLIT):
            if len(rest) > most and "\n" not in block:
                continue
            *lines, rest = (rest + block).split("\n")
            for line in lines:
                yield line[: most + 1]
            rest = rest[: most + 1]
        if rest:
            yield rest

    def blocks(self, size: int = _BLOCK) -> Iterator[str]:
        """Yield a text in blocks of about `size` characters."""
        with self._characters() as file:
            while block := file.read(size):
                yield _clean(block)

    def text(self) -> str:
        """Return the whole text; raises InputError where it is too long to be held in memory."""
        with self._characters() as file:
            text = file.read(MAX_WHOLE + 1)
        if len(text) > MAX_WHOLE:
            found = f"more than {MAX_WHOLE:,} characters in a format that is read as a whole"
            raise InputError([Fault("error", self.name, None, found, "a shorter file", "Part it.")])
        return _clean(text)

    def digest(self) -> str:
        """Return BLAKE2b-128 in hex: of a text as UTF-8 with LF, else of the bytes."""
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
    """Return a text that lies in memory as the content of a file."""
    data = text.encode("utf-8", "surrogatepass")
    start = io.StringIO(text[:START], newline=None).read()
    return Content(name, lambda: io.BytesIO(data), _clean(start), "utf-8", "surrogatepass")


def contents(
    path: Path, shown: str, open_file: OpenFile = lambda path: path.open("rb")
) -> Iterator[Content]:
    """Yield what a file holds: itself, unpacked, or each file of an archive in its order.

    open_file: opens the bytes of a path as they lie there.
    Raises InputError where it is missing, unreadable, empty, or broken as an archive.
    """
    if path == STANDARD_INPUT:
        path, shown = _spooled(sys.stdin.buffer), "standard input"
    with reading(shown, path):
        with open_file(path) as file:
            file.read(1)
        with open_file(path) as file:
            allowance = Allowance(_size_of(file))
        yield from _unpacked(lambda: open_file(path), shown, allowance)


@contextmanager
def reading(shown: str, path: Path | None = None) -> Iterator[None]:
    """Turn what the libraries raise where a file cannot be read, or unpacked, into InputError.

    path: where it lies, for a hint at what else may be meant.
    """
    try:
        yield
    except _broken() as error:
        raise _torn(shown, error) from error
    except OSError as error:
        if error.errno is None:  # bz2 says so of what it cannot unpack
            raise _torn(shown, error) from error
        raise unreadable(path, shown, error) from error


def _broken() -> tuple[type[Exception], ...]:
    """Return what the libraries raise for an archive that is cut off or damaged."""
    zstandard = sys.modules.get("zstandard")
    return (*_BROKEN, zstandard.ZstdError) if zstandard else _BROKEN


def _torn(shown: str, error: Exception) -> InputError:
    reason = str(error).rstrip(".").lower() or "it ends too early"
    found = f"an archive that cannot be unpacked ({reason})"
    return _refused(shown, found, "a whole archive", "Copy or download it again.")


def _unpacked(
    opened: Open, shown: str, allowance: Allowance, *, is_inside: bool = False
) -> Iterator[Content]:
    """Yield the files in a file; is_inside: whether it lies in an archive."""
    if is_inside:  # read to its end: a torn archive is reported before its papers are read
        allowance.check(map(len, _bytes_of(opened)))
    with opened() as file:
        start = file.read(START)
    unpack = _unpacker(start, shown)
    is_zip = start.startswith((b"PK\x03\x04", b"PK\x05\x06"))
    is_archive = unpack is not None or (is_zip and not _is_document(opened, allowance))
    if is_archive and is_inside:
        found, hint = "an archive inside an archive", "Unpack the outer archive first."
        raise _refused(shown, found, "a file with papers", hint)
    if unpack is not None:
        yield from _unpacked(lambda: unpack(opened()), shown, allowance, is_inside=True)
    elif is_archive:
        yield from _members(opened, shown, allowance)
    else:
        yield _content(opened, start, shown)


def _unpacker(start: bytes, shown: str) -> Callable[[IO[bytes]], IO[bytes]] | None:
    """Return what unpacks a compressed file that starts so, or None where it is none."""
    if start.startswith(b"\x1f\x8b"):
        return lambda file: _owning(gzip.GzipFile(fileobj=file, mode="rb"), file)
    if start.startswith(b"BZh"):
        return lambda file: _owning(bz2.BZ2File(file), file)
    if start.startswith(b"\xfd7zXZ\0"):
        return lambda file: _owning(lzma.LZMAFile(file), file)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        try:
            import zstandard  # late: an extra
        except ImportError as error:
            found = "a Zstandard archive, which needs the package zstandard"
            raise _refused(shown, found, "that package", _NO_ZSTANDARD) from error
        frames = zstandard.ZstdDecompressor().decompressobj
        return lambda file: cast("IO[bytes]", io.BufferedReader(_Zstandard(frames, file)))
    return None


def _owning(unpacked: gzip.GzipFile | IO[bytes], packed: IO[bytes]) -> IO[bytes]:
    """Return `unpacked`, which closes `packed` with itself; the libraries leave it open."""
    close = unpacked.close

    def close_both() -> None:
        close()
        packed.close()

    unpacked.close = close_both  # type: ignore[method-assign]
    return cast("IO[bytes]", unpacked)


class _Zstandard(io.RawIOBase):
    """Frames, unpacked; the library's own reader takes a file that is cut off for a whole one."""

    def __init__(self, new_frame: Callable[[], Any], file: IO[bytes]) -> None:
        self._new_frame, self._file = new_frame, file
        self._frame: Any = None
        self._packed = self._unpacked = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._unpacked:
            self._packed = self._packed or self._file.read(_FEW)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError("compressed file ended before the end of its last frame")
                return 0
            frame = self._frame or self._new_frame()
            self._unpacked = frame.decompress(self._packed)
            self._packed, self._frame = (frame.unused_data, None) if frame.eof else (b"", frame)
        size = min(len(buffer), len(self._unpacked))
        buffer[:size], self._unpacked = self._unpacked[:size], self._unpacked[size:]
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


def _size_of(file: IO[bytes]) -> int | None:
    """Return how many bytes a file holds; None where it does not say so before it is read."""
    try:
        return file.seek(0, os.SEEK_END)
    except (OSError, AttributeError, ValueError):
        return None


def _is_document(opened: Open, allowance: Allowance) -> bool:
    """Say whether a ZIP archive is the file of an office program, to be read as one."""
    with opened() as file, zipfile.ZipFile(file) as archive:
        if len(names := archive.namelist()) > MAX_FILES:
            said = f"it holds {len(names):,} files, {MAX_FILES:,} at most are read"
            raise UnpacksTooMuch(said)
        allowance.check(info.file_size for info in archive.infolist())
    return "[Content_Types].xml" in names or "mimetype" in names


def _members(opened: Open, shown: str, allowance: Allowance) -> Iterator[Content]:
    with opened() as file, zipfile.ZipFile(file) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
    usable = [info for info in infos if not _is_hidden(info.filename)]
    if not usable:
        raise _refused(shown, "an archive without a file", "an archive with papers")
    for info in usable:
        name = f"{shown}/{info.filename}"
        yield from _unpacked(_member(opened, info), name, allowance, is_inside=True)


def _is_hidden(name: str) -> bool:
    """Say whether a file of an archive is hidden, or one that macOS adds; `./a` is not."""
    parts = name.split("/")
    return "__MACOSX" in parts or any(part.startswith(".") and part != "." for part in parts)


def _member(opened: Open, info: zipfile.ZipInfo) -> Open:
    def open_member() -> IO[bytes]:
        file = opened()
        try:
            return _owning(zipfile.ZipFile(file).open(info), file)
        except Exception as error:  # encrypted, packed in a way unknown, or its place is impossible
            file.close()
            # Of an entry zipfile says all that it knows, where a name is enough.
            said = str(error).replace(repr(info), repr(info.filename))
            raise zipfile.BadZipFile(said) from error

    return open_member


def _content(opened: Open, start: bytes, shown: str) -> Content:
    if not start.strip():
        raise NoInputError(_refused(shown, EMPTY, "some content").faults)
    is_text = not binary_kind(start) or start.startswith(tuple(mark for mark, _ in MARKS))
    encoding = find_encoding(_bytes_of(opened), shown) if is_text else Encoding("", "", ())
    content = Content(shown, opened, "", encoding.name, encoding.errors, encoding.faults)
    return replace(content, start=next(content.blocks(START), "")) if is_text else content


def _bytes_of(opened: Open) -> Iterator[bytes]:
    with opened() as file:
        while block := file.read(_BLOCK):
            yield block


def _clean(text: str) -> str:
    """Return text without NUL characters, which no format means."""
    return text.replace("\0", "") if "\0" in text else text


def _spooled(stream: IO[bytes]) -> Path:
    """Return a file that holds all that a stream gives, deleted when the process ends.

    Raises OutputError where there is no room for it.
    """
    try:
        handle, name = tempfile.mkstemp(prefix="fieldguide-")
        atexit.register(lambda: Path(name).unlink(missing_ok=True))
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(stream, file)
    except OSError as error:
        raise OutputError(
            f"Standard input cannot be laid down for now ({error.strerror or error}). Make room, "
            "or name a folder with the environment variable TMPDIR."
        ) from error
    return Path(name)


def _refused(shown: str, found: str, expected: str, hint: str = "") -> InputError:
    return InputError([Fault("error", shown, None, found, expected, hint)])
