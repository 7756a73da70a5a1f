"""A folder that is made whole, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.atomic import written
from classifier.files.built_folder import digest
from classifier.files.folder import (
    NEW,
    PREFIX,
    discard,
    read_note,
    temporary_folder,
    temporary_folders_of,
    write_note,
)
from classifier.files.lock import sole_writer

_MOST_NAMED = 5
_MOVED = "moved"
"""Of the note in a temporary folder: path -> digest of what is about to be moved from there."""


def write_new_folder(folder: Path, files: Mapping[str, bytes | Path]) -> None:
    """Make `folder` of files (relative POSIX path -> bytes, or the file to copy).

    Everything is written beside it first. Raises OutputError where the folder holds anything
    already (a hidden file too), is no folder, cannot be written, or is being written by another
    process.
    """
    place = folder.resolve()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as inside:
            inside.enter_context(sole_writer(place))
            refuse_filled(folder)
            temporary = inside.enter_context(temporary_folder(place))
            new = temporary / NEW
            for name, content in files.items():
                _write(new / name, content)
            try:
                _move(temporary, place)
            except BaseException:  # Ctrl-C behind the last of it
                if not new.exists() or not os.listdir(new):
                    written.append(folder)
                raise
            written.append(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{folder}: cannot be written ({reason}). Name another folder."
        ) from error


def refuse_filled(folder: Path) -> None:
    """Raise OutputError where `folder` is a file or holds anything, naming what is there.

    What a process left that was cut off while it filled the folder is cleared away first.
    """
    try:
        _take_back(folder.resolve())
        if os.path.lexists(folder) and not folder.is_dir():
            raise OutputError(f"{folder}: is a file. Name a folder that is not there yet.")
        held = sorted(os.listdir(folder)) if folder.is_dir() else []
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{folder}: cannot be read ({reason}). Name another folder.") from error
    if held:
        more = f" and {len(held) - _MOST_NAMED} more" if len(held) > _MOST_NAMED else ""
        raise OutputError(
            f"{folder}: holds {', '.join(held[:_MOST_NAMED])}{more}; nothing was written. "
            "Name a folder that is not there yet."
        )


def _take_back(folder: Path) -> None:
    """Clear what was left of a folder that was cut off while it was filled.

    Of what had been moved already, what is still as it was written.
    """
    if not any(folder.parent.glob(f"{PREFIX}*")):
        return
    with sole_writer(folder):
        for temporary in temporary_folders_of(folder):
            moved = read_note(temporary).get(_MOVED)
            if isinstance(moved, dict) and folder.is_dir() and (temporary / NEW).is_dir():
                is_half = any((temporary / NEW).iterdir())
                if is_half and all(moved.get(n) == mark for n, mark in _digests(folder).items()):
                    for entry in sorted(folder.iterdir()):
                        os.rename(entry, temporary / NEW / entry.name)
            discard(temporary)


def _digests(folder: Path) -> dict[str, str]:
    """Return POSIX path -> digest of each file below a folder."""
    files = (path for path in sorted(folder.rglob("*")) if not path.is_dir())
    return {path.relative_to(folder).as_posix(): digest(path.read_bytes()) for path in files}


def _write(path: Path, content: bytes | Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        shutil.copyfile(content, path)


def _move(temporary: Path, folder: Path) -> None:
    """Put what was written in its place: an empty folder stays the same folder, as may be ours."""
    new = temporary / NEW
    if not folder.exists():
        os.rename(new, folder)
        return
    write_note(temporary, {_MOVED: _digests(new)})
    entries = sorted(new.iterdir())
    try:
        for entry in entries:
            os.rename(entry, folder / entry.name)
    except BaseException:
        for entry in entries:
            if not os.path.lexists(entry):
                with suppress(OSError):
                    os.rename(folder / entry.name, entry)
        raise
