"""A file that is written whole, or not at all, by one writer at a time.

A temporary file is written next to it, then renamed. If another process is writing the same file
or folder, the second one waits for some seconds, then refuses.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from classifier.errors import OutputError
from classifier.files.lock import sole_writer

_MAY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
LEFTOVER = ".fieldguide-part"
"""Ending of the name of an incomplete file."""

written: list[Path] = []
"""The files and folders that this process has written, for the report of a command."""


@contextmanager
def refusing(what: str, hint: str = "") -> Iterator[None]:
    """Convert an OSError in the block into an OutputError with `what` and the reason.

    what: such as `out: cannot be written`. hint: a sentence with a blank before it.
    """
    try:
        yield
    except OSError as error:
        raise OutputError(f"{what} ({error.strerror or error}).{hint}") from error


def write_file(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader sees the old bytes or the new ones, never a part.

    Raises OutputError if the folder is missing or not writable.
    """
    with new_file(path) as stream:
        stream.write(data)


@contextmanager
def new_file(path: Path, *, is_cache: bool = False) -> Iterator[IO[bytes]]:
    """Open a stream of bytes that becomes `path` at the end of the block.

    No other process can write `path` meanwhile. If the block raises, `path` is unchanged. For a
    link, its target is written. Permissions are preserved.
    is_cache: the file is not recorded as written. Raises OutputError if the folder is missing or
    not writable, or the disk is full.
    """
    with sole_writer(path):
        clear_leftovers([path])
        place = path.resolve()
        _refuse_protected(path)
        temporary = place.with_name(f"{_started(place)}{os.getpid()}{LEFTOVER}")
        with refusing(f"{path}: cannot be written"):
            stream = temporary.open("xb")
        try:
            with refusing(f"{path}: cannot be written"):
                with stream:
                    yield stream
                    stream.flush()
                    os.fsync(stream.fileno())
                if place.exists():
                    os.chmod(temporary, stat.S_IMODE(place.stat().st_mode))
                os.replace(temporary, place)
        finally:
            if not is_cache and not os.path.lexists(temporary):
                written.append(path)
            with suppress(OSError):
                os.unlink(temporary)
        _settle(place.parent)


def _refuse_protected(path: Path) -> None:
    """Raise OutputError for a read-only file, which a rename would replace nevertheless."""
    if path.is_file() and not stat.S_IMODE(path.stat().st_mode) & _MAY_WRITE:
        raise OutputError(
            f"{path}: cannot be written (the file is read-only). Allow writing with "
            f"`chmod u+w {path}`, then run the command again."
        )


def make_folder(path: Path) -> None:
    """Make a folder and its parents; raises OutputError if that fails."""
    with refusing(f"{path}: cannot be made"):
        path.mkdir(parents=True, exist_ok=True)


def clear_leftovers(paths: Iterable[Path]) -> None:
    """Delete the leftovers of an interrupted `write_file` next to `paths`."""
    for path in paths:
        with sole_writer(path), suppress(OSError):
            place = path.resolve()
            for entry in sorted(os.listdir(place.parent)):
                if entry.startswith(_started(place)) and entry.endswith(LEFTOVER):
                    (place.parent / entry).unlink()


def _started(path: Path) -> str:
    """Return the prefix of the name of the temporary file for `path`."""
    return f".{path.name}."


def _settle(folder: Path) -> None:
    """Flush a rename to the disk before the next file is written: the ledger before the sheet."""
    with suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
