"""Writes that either happen or do not: a file by rename, a folder by swap."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.manifest import MANIFEST_NAME, manifest_bytes, recorded_files

# Kept when the folder is swapped: a tracked placeholder is the repository's, not the build's.
KEPT = (".gitkeep",)


def write_file(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader sees the old bytes or the new ones, never a part.

    Raises OutputError where the folder is missing or not writable.
    """
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error}).") from error
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written ({error.strerror or error}).") from error


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace `folder` by exactly `files` (relative POSIX path -> bytes) plus a manifest.

    Everything is written to a sibling folder first, then the two are swapped by rename, so a
    failure leaves the last good folder as it was. Files in `folder` that no build wrote are
    carried over. A folder that holds files but no manifest is not ours, and is refused.

    Raises OutputError where the folder is not ours or cannot be written.
    """
    shown, folder = folder, folder.resolve()  # a link stays a link; "." has a name
    staging = folder.with_name(f".{folder.name}.new")
    previous = folder.with_name(f".{folder.name}.old")
    try:
        recover(folder)
        foreign = _foreign_files(folder, shown)
        shutil.rmtree(staging, ignore_errors=True)
        _fill(staging, {**files, MANIFEST_NAME: manifest_bytes(files)})
        for name in foreign - set(files):
            target = staging / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(folder / name, target)
        if folder.exists():
            os.replace(folder, previous)
        os.replace(staging, folder)
        shutil.rmtree(previous, ignore_errors=True)
    except OSError as error:
        with suppress(OSError):  # where even this fails, the next build recovers
            recover(folder)
        shutil.rmtree(staging, ignore_errors=True)
        reason = error.strerror or str(error)
        raise OutputError(
            f"{shown}: cannot be written ({reason}). Free the folder or choose another with --out."
        ) from error


def recover(folder: Path) -> None:
    """Bring back the last good folder where a swap was cut off between its two renames."""
    previous = folder.with_name(f".{folder.name}.old")
    if previous.exists() and not folder.exists():
        os.replace(previous, folder)
    elif previous.exists():
        shutil.rmtree(previous, ignore_errors=True)


def _fill(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name in sorted(files):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[name])


def _foreign_files(folder: Path, shown: Path) -> set[str]:
    """Files under `folder` that no build wrote."""
    if not folder.exists():
        return set()
    if not folder.is_dir():
        raise OutputError(
            f"{shown}: is a file, and nothing was touched. Choose an empty folder with --out."
        )
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    if not present - set(KEPT):
        return present
    if MANIFEST_NAME not in present:
        raise OutputError(
            f"{shown}: holds {len(present)} file(s) that Fieldguide did not write (no "
            f"{MANIFEST_NAME}); nothing was touched. Choose an empty folder with --out."
        )
    return present - recorded_files(folder / MANIFEST_NAME) - {MANIFEST_NAME}
