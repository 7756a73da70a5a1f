"""A folder that is made whole, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from classifier.errors import OutputError

_MOST_NAMED = 5


def write_new_folder(folder: Path, files: Mapping[str, bytes | Path]) -> None:
    """Make `folder` of files (relative POSIX path -> bytes, or the file to copy).

    Everything is written beside it first. Raises OutputError where the folder holds anything
    already (a hidden file too), is no folder, or cannot be written.
    """
    refuse_filled(folder)
    try:
        parent = folder.resolve().parent
        parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".fieldguide-new-", dir=parent))
        try:
            for name, content in files.items():
                _write(staging / name, content)
            _move(staging, folder.resolve())
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{folder}: cannot be written ({reason}). Name another folder."
        ) from error


def refuse_filled(folder: Path) -> None:
    """Raise OutputError where `folder` is a file or holds anything, naming what is there."""
    try:
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


def _write(path: Path, content: bytes | Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        shutil.copyfile(content, path)


def _move(staging: Path, folder: Path) -> None:
    """Put what was written in its place: an empty folder stays the same folder, as may be ours."""
    if not folder.exists():
        os.chmod(staging, 0o755)
        os.rename(staging, folder)
        return
    for entry in sorted(staging.iterdir()):
        os.rename(entry, folder / entry.name)
