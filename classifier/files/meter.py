"""How far some files are read, in bytes as they lie on the disk: packed ones as they are packed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, cast

from classifier.errors import Fault, FieldguideError, InputError, UsageError


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


_NO_FSSPEC = "An address needs fsspec: pip install 'fieldguide[scale]'."


def is_address(name: str) -> bool:
    """Say whether a file is named by an address, not by a path."""
    return "://" in name


def is_seen_everywhere(address: str) -> bool:
    """Say whether every machine sees the same file at an address, as far as its owner says so."""
    return not address.startswith("memory://")


def open_address(address: str) -> IO[bytes]:
    """Open a file to read its bytes; raises InputError where that cannot be."""
    with _told(address):
        return cast("IO[bytes]", _file_system(address).open(address, "rb"))


def address_size(address: str) -> int:
    """Return how many bytes a file has; 0 where nobody says."""
    with _told(address):
        return int(_file_system(address).size(address) or 0)


def address_mark(address: str) -> str:
    """Return by what a file is known to be unchanged."""
    with _told(address):
        return str(_file_system(address).ukey(address))


def _file_system(address: str) -> Any:
    try:
        import fsspec  # late: an extra
    except ImportError as error:
        raise UsageError(_NO_FSSPEC) from error
    return fsspec.core.url_to_fs(address)[0]


@contextmanager
def _told(address: str) -> Iterator[None]:
    """Turn whatever a file system raises, each its own, into a fault."""
    try:
        yield
    except FieldguideError:
        raise
    except FileNotFoundError:
        raise InputError([_fault(address, "no such file", "a file that exists")]) from None
    except ImportError as error:  # fsspec names the package
        raise UsageError(f"{address}: {error}.") from error
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError([_fault(address, reason, "a readable file")]) from error


def _fault(address: str, found: str, wanted: str) -> Fault:
    return Fault("error", address, None, found, wanted)
