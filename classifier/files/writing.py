"""Write a file completely or not at all, with one writer at a time.

A temporary file is written next to the file, then renamed. If another process is writing the same
file or folder, the second process waits some seconds, then refuses.
"""

from __future__ import annotations

import errno
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
def convert_write_errors(message: str, hint: str = "") -> Iterator[None]:
    """Convert an OSError in the block into an OutputError with `message` and the reason.

    message: such as `out: cannot be written`. hint: a sentence after a blank; of a full disk it is
    another one.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            hint = " Free some space, then run the command again."
        raise OutputError(f"{message} ({error.strerror or error}).{hint}") from error


def write_file(path: Path, data: bytes) -> None:
    """Write `data` so that a reader sees the old or all new bytes. Raises OutputError."""
    with new_file(path) as stream:
        stream.write(data)


@contextmanager
def new_file(path: Path, *, is_cache: bool = False) -> Iterator[IO[bytes]]:
    """Open a binary stream; at the end of the block, its content becomes the file at `path`.

    Meanwhile, no other process can write `path`. If the block raises an error, `path` is unchanged.
    If `path` is a link, its target is written. Permissions are preserved.
    is_cache: the file is not recorded as written. Raises OutputError if the folder is missing or
    not writable, or if the disk is full.
    """
    with sole_writer(path):
        clear_leftovers([path])
        place = path.resolve()
        # A rename would replace a read-only file.
        if path.is_file() and not stat.S_IMODE(path.stat().st_mode) & _MAY_WRITE:
            raise OutputError(
                f"{path}: cannot be written (the file is read-only). Allow writing with "
                f"`chmod u+w {path}`, then run the command again."
            )
        temporary = place.with_name(f".{place.name}.{os.getpid()}{LEFTOVER}")
        with convert_write_errors(f"{path}: cannot be written"):
            stream = temporary.open("xb")
        try:
            with convert_write_errors(f"{path}: cannot be written"):
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


def make_folder(path: Path) -> None:
    """Create a folder and its parents. Raises OutputError if that fails."""
    with convert_write_errors(f"{path}: cannot be created"):
        path.mkdir(parents=True, exist_ok=True)


def clear_leftovers(paths: Iterable[Path]) -> None:
    """Delete the temporary files next to `paths` that an interrupted `write_file` left."""
    for path in paths:
        with sole_writer(path), suppress(OSError):
            place = path.resolve()
            for entry in sorted(os.listdir(place.parent)):
                if entry.startswith(f".{place.name}.") and entry.endswith(LEFTOVER):
                    (place.parent / entry).unlink()


def _settle(folder: Path) -> None:
    """Flush a rename to the disk before the next file is written (the ledger before the sheet)."""
    with suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
