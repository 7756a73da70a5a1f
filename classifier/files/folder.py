"""An output folder that is replaced as a whole, or stays as it was.

The new folder is made beside the old one (`.fieldguide-out.XXXX/new`), set aside under a name of
its own, and put in the old one's place by two renames: old -> `.out.old`, new -> `out`. Cut off at
any point, the next build finds the old folder or the new one, whole (`recover`).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.atomic import written
from classifier.files.built_folder import (
    MANIFEST_NAME,
    Checked,
    Stamp,
    checked_state,
    foreign_files,
    is_ours,
    manifest_bytes,
    saved_since,
    stamps_of,
)
from classifier.files.lock import sole_writer

PREFIX = ".fieldguide-"
MARKER = "fieldguide-staging"
"""A file in each temporary folder: the name of the folder it is made for."""
NEW = "new"
"""Where in the temporary folder the new one is filled."""
_NOTE = "judged"
"""A file in each temporary folder: what of the last folder its build may replace."""
_RANDOM = re.compile(r"[^.]+")


def write_folder(folder: Path, files: Mapping[str, bytes]) -> dict[str, Stamp]:
    """Replace `folder` by exactly `files` (relative POSIX path -> bytes) plus a manifest.

    Files in `folder` that no build wrote are carried over; one of ours that holds its bytes already
    keeps its time of change. Returns size and time of every file as it was written.

    Raises OutputError where the folder is not ours, cannot be written or is being written by
    another process, or where somebody saved a sheet or a file of their own in it meanwhile.
    """
    shown, folder = folder, folder.resolve()  # a link stays a link; "." has a name
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with sole_writer(folder):
            recover(folder)
            return _replace_folder(folder, shown, files)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{shown}: cannot be written ({reason}). Free the folder or choose another with --out."
        ) from error


def recover(folder: Path) -> None:
    """Bring back the last good folder where a swap was cut off, and clear what such builds left.

    Raises OutputError where the last folder is not ours, or holds a sheet that people changed and
    that no build was told to replace; or where another process is writing `folder`.
    """
    folder = folder.resolve()
    previous = _previous_of(folder)
    if not os.path.lexists(previous) and not any(folder.parent.glob(f"{PREFIX}*")):
        return
    try:
        with sole_writer(folder):
            left = temporary_folders_of(folder)
            checked = [read_note(temporary) for temporary in left]
            if os.path.lexists(previous):
                _refuse_foreign(previous)
                if not folder.exists():
                    os.replace(previous, folder)
                else:
                    _refuse_changed(previous, checked)
                    with temporary_folder(folder) as temporary:
                        os.replace(previous, _aside(temporary))
            for temporary in left:
                if (_aside(temporary) / MANIFEST_NAME).is_file():
                    _refuse_changed(_aside(temporary), checked)
            for temporary in left:  # last: they say what may be replaced
                discard(temporary)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{previous}: cannot be put back ({reason}). Move it away.") from error


@contextmanager
def temporary_folder(folder: Path) -> Iterator[Path]:
    """Make a folder of a name that nobody uses beside `folder`, and discard it in the end."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=_prefix(folder), dir=folder.parent))
    try:
        (temporary / MARKER).write_text(folder.name, encoding="utf-8")
        yield temporary
    finally:
        discard(temporary)


def temporary_folders_of(folder: Path) -> list[Path]:
    """Return what builds of `folder` left that were cut off; those not marked yet are deleted.

    For whoever is the only one to write `folder`.
    """
    left: list[Path] = []
    for temporary in sorted(folder.parent.glob(f"{PREFIX}*")):
        if _marked_for(temporary) == folder.name:
            left.append(temporary)
        elif _is_unmarked(temporary, folder):
            _discard_unmarked(temporary)
    return left


def discard(temporary: Path) -> None:
    """Delete what a build left; what cannot be deleted keeps its mark and is tried again."""
    shutil.rmtree(_aside(temporary), ignore_errors=True)
    shutil.rmtree(temporary / NEW, ignore_errors=True)
    with suppress(OSError):
        (temporary / _NOTE).unlink(missing_ok=True)
    if not _aside(temporary).exists():
        _discard_unmarked(temporary)  # the mark last


def write_note(temporary: Path, note: Mapping[str, object]) -> None:
    """Note in a temporary folder what of the last folder may be replaced."""
    (temporary / _NOTE).write_text(json.dumps(note), encoding="utf-8")


def read_note(temporary: Path) -> dict[str, object]:
    """Return what `write_note` noted; nothing where that was cut off."""
    try:
        found = json.loads((temporary / _NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _replace_folder(folder: Path, shown: Path, files: Mapping[str, bytes]) -> dict[str, Stamp]:
    foreign = foreign_files(folder, shown)
    with temporary_folder(folder) as temporary:
        checked = checked_state(folder, foreign)
        write_note(temporary, checked)
        new = temporary / NEW
        new.mkdir()
        for name in foreign - set(files):
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(folder / name, new / name)
        for name, content in (*sorted(files.items()), (MANIFEST_NAME, manifest_bytes(files))):
            _write(new / name, content, folder / name)
        stamps = stamps_of(new)
        os.replace(new, _aside(temporary))
        whole = os.stat(_aside(temporary))
        try:
            _swap(folder, temporary, shown, checked)
        finally:
            if os.path.exists(folder) and os.path.samestat(os.stat(folder), whole):
                written.append(shown)
    return {name: stamps[name] for name in (*files, MANIFEST_NAME)}


def _write(path: Path, content: bytes, old: Path) -> None:
    """Write a file; where the old one holds the same bytes it keeps that one's time of change."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    with suppress(OSError):  # there is no old one
        state = old.stat()
        if state.st_size == len(content) and old.read_bytes() == content:
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def _swap(folder: Path, temporary: Path, shown: Path, checked: Checked) -> None:
    """Put the whole folder in the place of `folder`, or leave that as it is and raise.

    The last folder then waits to be deleted. Somebody may have saved a file in it up to now.
    """
    new = _aside(temporary)
    if not folder.exists():
        os.replace(new, folder)
        return
    previous = _previous_of(folder)
    try:
        os.replace(folder, previous)
        os.replace(new, folder)
        for each in saved_since(previous, [checked]):
            raise OutputError(
                f"{shown / each}: was changed while the build ran; nothing was written. "
                "Build again."
            )
    except BaseException:
        with suppress(OSError):  # where even this fails, the next build recovers
            if previous.exists() and folder.exists():
                os.replace(folder, new)
            if not folder.exists():
                os.replace(previous, folder)
        raise
    with suppress(OSError):  # the build is done; the next one clears what stays
        os.replace(previous, new)


def _refuse_changed(previous: Path, checked: list[dict[str, object]]) -> None:
    """Raise where deleting the last folder would delete what people typed into a sheet.

    checked: what builds that were cut off were free to replace.
    """
    for each in saved_since(previous, checked):
        raise OutputError(
            f"{previous / each}: was changed, and lies in a folder that a build which was cut off "
            "left behind; nothing was written. Move the sheet away, then build again."
        )


def _refuse_foreign(previous: Path) -> None:
    """Raise where what has the name of the last folder was not written by a build."""
    if previous.is_dir() and is_ours(previous):
        return
    raise OutputError(
        f"{previous}: was not written by Fieldguide, and a build needs this name for the last "
        "folder; nothing was touched. Move it away."
    )


def _previous_of(folder: Path) -> Path:
    """Return where the last folder stands between the two renames of a swap."""
    return folder.with_name(f".{folder.name}.old")


def _aside(temporary: Path) -> Path:
    """Return where a whole folder waits: the new one to be put in place, the old to be deleted.

    Beside the temporary folder, not in it: a folder of another owner can be renamed, not moved.
    """
    return temporary.with_name(f"{temporary.name}.old")


def _prefix(folder: Path) -> str:
    return f"{PREFIX}{folder.name}."


def _marked_for(temporary: Path) -> str | None:
    """Return the name of the folder that `temporary` was made for; None where it is not ours."""
    try:
        return (temporary / MARKER).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _is_unmarked(temporary: Path, folder: Path) -> bool:
    """Return whether a temporary folder of `folder` was cut off before it was marked."""
    start = _prefix(folder)
    is_named = temporary.name.startswith(start) and _RANDOM.fullmatch(temporary.name[len(start) :])
    return bool(is_named)


def _discard_unmarked(temporary: Path) -> None:
    """Delete a temporary folder that holds nothing yet, or half a mark."""
    with suppress(OSError):
        held = os.listdir(temporary)
        if held == [MARKER]:
            (temporary / MARKER).unlink()
        if held in ([MARKER], []):
            temporary.rmdir()
