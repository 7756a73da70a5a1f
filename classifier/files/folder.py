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
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.atomic import written
from classifier.files.built_folder import (
    MANIFEST_NAME,
    Checked,
    Stamp,
    checked_state,
    digest,
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
                _new_folder_write(new / name, content)
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


def _new_folder_write(path: Path, content: bytes | Path) -> None:
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
