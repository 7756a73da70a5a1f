"""Files at an address of any file system that fsspec knows: `s3://…`, `gs://…`, `file:///…`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from classifier.errors import Fault, FieldguideError, InputError, UsageError

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
