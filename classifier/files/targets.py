"""Check the path that a user chooses for an output, before anything is computed."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterable, Sequence, Set
from pathlib import Path

from classifier.errors import OutputError, UsageError

SHEET_ENDINGS = (".csv", ".xlsx")
"""Allowed endings of the name of a sheet."""


def check_ending(path: Path, endings: Sequence[str]) -> None:
    """Raise UsageError if a file name has none of these `endings` (such as `.csv`)."""
    if path.suffix in endings:
        return
    found = f"ending '{path.suffix}'" if path.suffix else "no ending"
    expected = endings[0] if len(endings) == 1 else f"one of {', '.join(endings)}"
    raise UsageError(f"{path}: found {found}; expected {expected}.")


def check_target(
    path: Path,
    option: str,
    *,
    is_ours: Callable[[Path], bool],
    inputs: Iterable[Path] = (),
    folders: Iterable[Path] = (),
) -> None:
    """Raise if `path` would replace a file of the user, or is in a folder of hand-written files.

    option: the option that sets the path (`-o`). is_ours: returns whether Fieldguide wrote an
    existing file. inputs: files that the command reads. folders: folders of hand-written files.

    Raises UsageError for an input and for a file in one of the folders. Raises OutputError if the
    folder of `path` is missing, or if a file exists that Fieldguide did not write. An empty file
    may be replaced.
    """
    if any(_is_same(path, file) for file in inputs):
        raise UsageError(f"{path} is also an input. Choose another file with {option}.")
    place = path.parent.resolve()
    for folder in folders:
        if any(_is_same(folder, each) for each in (place, *place.parents)):
            raise UsageError(
                f"{path} is in {folder.name}/, which contains only hand-written files. Choose "
                f"another file with {option}."
            )
    if not place.is_dir():
        reason = os.strerror(errno.ENOTDIR if place.exists() else errno.ENOENT)
        raise OutputError(f"{path}: cannot be written ({reason}).")
    # Reading a pipe or a device would wait for data.
    may_go = path.is_file() and (path.stat().st_size == 0 or is_ours(path))
    if os.path.lexists(path) and not may_go:
        raise OutputError(
            f"{path} exists and was not written by Fieldguide. Choose another file with {option}."
        )


def check_report(
    path: Path, keys: Set[str], *, inputs: Iterable[Path] = (), folders: Iterable[Path] = ()
) -> None:
    """Raise, as `check_target`, if a JSON report with these keys may not be written to `path`."""

    def is_ours(file: Path) -> bool:
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return False
        return isinstance(found, dict) and keys <= found.keys()

    check_target(path, "--json", is_ours=is_ours, inputs=inputs, folders=folders)


def _is_same(first_path: Path, second_path: Path) -> bool:
    """Return whether two paths are the same file, through links or another spelling."""
    try:
        return os.path.samefile(first_path, second_path)
    except OSError:  # one of them does not exist
        return False
