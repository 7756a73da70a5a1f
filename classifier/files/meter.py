"""How far some files are read, in bytes as they lie on the disk: packed ones as they are packed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import IO


class Meter:
    """Opens files, and knows how far they are read."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """paths: the files, in the order in which they are read; what has no size counts 0."""
        sizes = [path.stat().st_size if path.is_file() else 0 for path in paths]
        self._ends = [0, *accumulate(sizes)]
        self._number = 0
        self._file: IO[bytes] | None = None

    @property
    def total(self) -> int:
        """Bytes of all files."""
        return self._ends[-1]

    @property
    def position(self) -> int:
        """Bytes read of all files, those before the one that is being read as a whole."""
        if self._file is None:
            return self._ends[self._number]
        if self._file.closed:
            return self._ends[self._number + 1]
        return self._ends[self._number] + self._file.tell()

    def begin(self, number: int) -> None:
        """Note that the file of this number, from 0 on, is being read."""
        self._number, self._file = number, None

    def open(self, path: Path) -> IO[bytes]:
        """Open a file to read its bytes."""
        self._file = path.open("rb")
        return self._file
