"""A file that is written whole, or not at all, by one writer at a time.

It is made beside its place, then renamed. Of a file or a folder that another process writes, who
comes second waits a while, then refuses.
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
"""How the name of a file ends that is not yet whole."""

written: list[Path] = []
"""The files and folders that this process has written, for who has to tell what was done."""


@contextmanager
def refusing(what: str, hint: str = "") -> Iterator[None]:
    """Turn what the system raises in the block into an OutputError: what cannot be done, and why.

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
    """Give a stream of bytes that becomes `path` at the end of the block, and not before.

    Nobody else can write `path` meanwhile. Where the block raises, `path` stays as it was. A link
    stays a link: what it leads to is written. Who may read a file stays as it was, too.
    is_cache: nobody is to be told of the file. Raises OutputError if the folder is missing or
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
    """Make a folder and those above it; raises OutputError if that cannot be."""
    with refusing(f"{path}: cannot be made"):
        path.mkdir(parents=True, exist_ok=True)


def clear_leftovers(paths: Iterable[Path]) -> None:
    """Delete what `write_file` left beside `paths` where it was cut off."""
    for path in paths:
        with sole_writer(path), suppress(OSError):
            place = path.resolve()
            for entry in sorted(os.listdir(place.parent)):
                if entry.startswith(_started(place)) and entry.endswith(LEFTOVER):
                    (place.parent / entry).unlink()


def _started(path: Path) -> str:
    """Return how the name of the file begins that is to become `path`."""
    return f".{path.name}."


def _settle(folder: Path) -> None:
    """Have a rename on the disk before the next file is written: the ledger before the sheet."""
    with suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
