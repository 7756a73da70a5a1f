"""How far some files are read, in bytes as they lie on the disk: packed ones as they are packed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import IO

from classifier.errors import InputError
from classifier.files.remote import address_size, open_address


class Meter:
    """Opens files, and knows how far they are read."""

    def __init__(self, paths: Sequence[Path | str]) -> None:
        """paths: files and addresses, in the order in which they are read."""
        self._ends = [0, *accumulate(map(_size, paths))]
        self._number = self._passed = 0
        self._file: IO[bytes] | None = None

    @property
    def total(self) -> int:
        """Bytes of all files."""
        return self._ends[-1]

    @property
    def position(self) -> int:
        """Bytes read of all files, those before the one that is being read as a whole."""
        if self._file is None:
            return self._ends[self._number] + self._passed
        if self._file.closed:
            return self._ends[self._number + 1]
        return self._ends[self._number] + self._file.tell()

    def begin(self, number: int) -> None:
        """Note that the file of this number, from 0 on, is being read."""
        self._number, self._file, self._passed = number, None, 0

    def pass_over(self, end: int) -> None:
        """Note that the file which is being read is left to somebody else up to a byte."""
        self._file, self._passed = None, end

    def open(self, path: Path | str) -> IO[bytes]:
        """Open a file to read its bytes; raises InputError where an address cannot be read."""
        self._file = open_file(path)
        return self._file


def open_file(path: Path | str) -> IO[bytes]:
    """Open the file at a path or an address."""
    return open_address(path) if isinstance(path, str) else path.open("rb")


def _size(path: Path | str) -> int:
    """Return the bytes of a file; 0 where it has none, or cannot be read."""
    try:
        if isinstance(path, str):
            return address_size(path)
        return path.stat().st_size if path.is_file() else 0
    except InputError:
        return 0
