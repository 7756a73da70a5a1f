"""The last folder of a build: what in it is ours to replace, and what people saved there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.atomic import LEFTOVER
from classifier.files.lock import ENDING as LOCK
from classifier.files.manifest import (
    MANIFEST_NAME,
    digest,
    is_manifest,
    recorded_files,
    records_of,
)
from classifier.files.memo import FOLDER
from classifier.files.stamps import STAMPS, stamps_of

KEPT = (".gitkeep",)
"""Kept when the folder is swapped: a tracked placeholder is the repository's, not the build's."""
SHEETS = ("labels.csv", "labels.xlsx")
"""The files of a build that people type into."""

Judged = Mapping[str, object]
"""`sheets`: digests of the sheets of a folder; `others`: stamps of the files that no build wrote.
Both as they were when their loss was judged to be none."""


def foreign_files(folder: Path, shown: Path, present: set[str]) -> set[str]:
    """Return those of the files `present` under `folder` that no build wrote."""
    if not folder.exists():
        return set()
    if not folder.is_dir():
        raise OutputError(
            f"{shown}: is a file, and nothing was touched. Choose an empty folder with --out."
        )
    if not is_ours(folder, present):
        raise OutputError(
            f"{shown}: holds {len(present)} file(s) that Fieldguide did not write (no "
            f"{MANIFEST_NAME} of a build); nothing was touched. Choose an empty folder with --out."
        )
    # One that cannot be read now stops the build: all files would pass for those of others.
    manifest = (folder / MANIFEST_NAME).read_bytes() if MANIFEST_NAME in present else b""
    recorded = {*records_of(manifest), MANIFEST_NAME}
    return {name for name in present - recorded if not name.endswith((LEFTOVER, LOCK))}


def is_ours(folder: Path, present: set[str]) -> bool:
    """Return whether a folder with these files was written by a build, or holds none."""
    is_built = MANIFEST_NAME in present and is_manifest(folder / MANIFEST_NAME)
    return is_built or present <= set(KEPT)


def is_as_built(path: Path) -> bool | None:
    """Return whether a file holds the bytes that the manifest beside it records; None: no record.

    A recorded file that is gone or cannot be read is not as it was built.
    """
    try:
        manifest = json.loads((path.parent / MANIFEST_NAME).read_text(encoding="utf-8"))
        recorded = manifest["files"][path.name]["blake2b"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    try:
        return digest(path.read_bytes()) == str(recorded)
    except OSError:
        return False


def judged_of(folder: Path, foreign: Set[str]) -> Judged:
    """Return the sheets and the files of others as they are now, which the caller lets go."""
    sheets = [digest((folder / name).read_bytes()) for name in SHEETS if (folder / name).is_file()]
    stamps = stamps_of(folder)
    others = {name: list(stamps[name]) for name in sorted(foreign) if name in stamps}
    return {"sheets": sheets, "others": others}


def refuse_changed(previous: Path, judged: Sequence[Judged]) -> None:
    """Raise where deleting the last folder would delete what people typed into a sheet.

    judged: what builds that were cut off were free to replace.
    """
    for each in _saved(previous, judged):
        raise OutputError(
            f"{previous / each}: was changed, and lies in a folder that a build which was cut off "
            "left behind; nothing was written. Move the sheet away, then build again."
        )


def refuse_saved(previous: Path, shown: Path, judged: Judged) -> None:
    """Raise where somebody saved a file in the last folder while the new one was made."""
    for each in _saved(previous, [judged]):
        raise OutputError(
            f"{shown / each}: was changed while the build ran; nothing was written. Build again."
        )


def _saved(previous: Path, judged: Sequence[Judged]) -> Iterator[str]:
    """Yield the files of the last folder that are neither as built nor as they were judged."""
    sheets = {mark for each in judged for mark in _texts(each.get("sheets"))}
    for name in SHEETS:
        sheet = previous / name
        if not os.path.lexists(sheet) or is_as_built(sheet):
            continue
        if not sheet.is_file() or digest(sheet.read_bytes()) not in sheets:
            yield name
    known = [others for each in judged if isinstance(others := each.get("others"), dict)]
    stamps = stamps_of(previous) if known else {}
    recorded = {*recorded_files(previous / MANIFEST_NAME), MANIFEST_NAME, STAMPS}
    for name in sorted(stamps.keys() - recorded):
        is_ours = name.endswith((LEFTOVER, LOCK)) or name.startswith(f"{FOLDER}/")
        if not is_ours and not any(others.get(name) == list(stamps[name]) for others in known):
            yield name


def _texts(found: object) -> list[str]:
    return [str(each) for each in found] if isinstance(found, list) else []
