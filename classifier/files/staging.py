"""A folder that is made beside another one, to take its place as a whole."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = ".fieldguide-"
MARKER = "fieldguide-staging"
"""A file in each staging folder: the name of the folder it is made for."""
JUDGED = "judged"
"""A file in each staging folder: what of the last folder its build may replace."""
NEW = "new"
"""Where in the staging folder the new one is filled."""
_RANDOM = re.compile(r"[^.]+")


def parked(staging: Path) -> Path:
    """Return where a whole folder waits: the new one to be put in place, the old to be deleted.

    Beside the staging folder, not in it: a folder of another owner can be renamed, not moved.
    """
    return staging.with_name(f"{staging.name}.old")


@contextmanager
def staging_for(folder: Path) -> Iterator[Path]:
    """Make a folder of a name that nobody uses beside `folder`, and discard it in the end."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=_prefix(folder), dir=folder.parent))
    try:
        (staging / MARKER).write_text(folder.name, encoding="utf-8")
        yield staging
    finally:
        discard(staging)


def stagings_of(folder: Path) -> list[Path]:
    """Return what builds of `folder` left that were cut off; those not marked yet are deleted.

    For whoever is the only one to write `folder`.
    """
    left: list[Path] = []
    for staging in sorted(folder.parent.glob(f"{PREFIX}*")):
        if _marked_for(staging) == folder.name:
            left.append(staging)
        elif _is_unmarked(staging, folder):
            _discard_unmarked(staging)
    return left


def discard(staging: Path) -> None:
    """Delete what a build left; what cannot be deleted keeps its mark and is tried again."""
    shutil.rmtree(parked(staging), ignore_errors=True)
    shutil.rmtree(staging / NEW, ignore_errors=True)
    with suppress(OSError):
        (staging / JUDGED).unlink(missing_ok=True)
    if not parked(staging).exists():
        _discard_unmarked(staging)  # the mark last


def note_judged(staging: Path, judged: Mapping[str, object]) -> None:
    """Note what of the last folder may be replaced."""
    (staging / JUDGED).write_text(json.dumps(judged), encoding="utf-8")


def judged_by(staging: Path) -> dict[str, object]:
    """Return what `note_judged` noted; nothing where that was cut off."""
    try:
        found = json.loads((staging / JUDGED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _prefix(folder: Path) -> str:
    return f"{PREFIX}{folder.name}."


def _marked_for(staging: Path) -> str | None:
    """Return the name of the folder that `staging` was made for; None where it is not ours."""
    try:
        return (staging / MARKER).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _is_unmarked(staging: Path, folder: Path) -> bool:
    """Return whether a staging folder of `folder` was cut off before it was marked."""
    start = _prefix(folder)
    is_named = staging.name.startswith(start) and _RANDOM.fullmatch(staging.name[len(start) :])
    return bool(is_named)


def _discard_unmarked(staging: Path) -> None:
    """Delete a staging folder that holds nothing yet, or half a mark."""
    with suppress(OSError):
        held = os.listdir(staging)
        if held == [MARKER]:
            (staging / MARKER).unlink()
        if held in ([MARKER], []):
            staging.rmdir()
