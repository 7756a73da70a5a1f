"""Archives that are made to fill a memory or a disk: how much a file may unpack to."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

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
        self._taken = 0

    def take(self, infos: Sequence[zipfile.ZipInfo]) -> None:
        """Count the files of an archive in; raises UnpacksTooMuch where they are too much."""
        if len(infos) > MAX_FILES:
            raise UnpacksTooMuch(f"it holds {len(infos):,} files, {MAX_FILES:,} at most are read")
        self._taken += sum(info.file_size for info in infos)
        if self._most is not None and self._taken > self._most:
            raise _too_much()

    def bounded(self, file: IO[bytes]) -> IO[bytes]:
        """Return a stream that raises UnpacksTooMuch where it goes on for too long."""
        if self._most is None:
            return file
        return cast("IO[bytes]", io.BufferedReader(_Bounded(file, self._most)))


class _Bounded(io.RawIOBase):
    """A stream that is watched while it is read."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._file, self._most = file, most

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._watched(self._file.seek(offset, whence))

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        data = self._file.read(len(view))
        view[: len(data)] = data
        self._watched(self._file.tell())
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()

    def _watched(self, place: int) -> int:
        if place > self._most:
            raise _too_much()
        return place


def _too_much() -> UnpacksTooMuch:
    return UnpacksTooMuch(f"it unpacks to more than {MAX_TIMES} times its size")
