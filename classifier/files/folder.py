"""An output folder that is replaced as a whole, or stays as it was.

The new folder is made beside the old one, as `.fieldguide-out.new`, and put in its place by two
renames: out -> `.fieldguide-out.old`, then new -> out. Cut off at any point, the next build finds
the old folder or the new one, whole (`recover`).
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Mapping, Set
from contextlib import suppress
from pathlib import Path, PurePosixPath

from classifier.errors import OutputError, listed
from classifier.files.built_folder import (
    MANIFEST_NAME,
    SHEET,
    Stamp,
    checked_state,
    foreign_entries,
    is_ours,
    manifest_bytes,
    recorded_files,
    saved_since,
    stamps_of,
)
from classifier.files.lock import LOCK, sole_writer
from classifier.files.writing import refusing, written


def _beside(folder: Path, ending: str) -> Path:
    """Return `.fieldguide-out.new`, `.old`, or `.json`: what a build may replace of the last one.

    Beside the folder, not in one of their own: a folder of another owner can be renamed, not moved.
    """
    return folder.with_name(f".fieldguide-{folder.name}.{ending}")


def write_folder(folder: Path, files: Mapping[str, bytes]) -> dict[str, Stamp]:
    """Replace `folder` by exactly `files` (relative POSIX path -> bytes) plus a manifest.

    Files in `folder` that no build wrote are carried over; one of ours that holds its bytes already
    keeps its time of change. Returns size and time of every file as it was written.

    Raises OutputError where the folder is not ours, cannot be written or is being written by
    another process, or where somebody saved a sheet or a file of their own in it meanwhile.
    """
    shown, folder = folder, folder.resolve()  # a link stays a link; "." has a name
    hint = " Free the folder or choose another with --out."
    with refusing(f"{shown}: cannot be written", hint):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with sole_writer(folder):
            recover(folder)
            try:
                return _replace_folder(folder, shown, files)
            finally:
                _discard(folder)


def recover(folder: Path) -> None:
    """Bring back the last good folder where a swap was cut off, and clear what such builds left.

    Raises OutputError where the last folder is not ours, or holds a sheet that people changed and
    that no build was told to replace; or where another process is writing `folder`.
    """
    folder = folder.resolve()
    old = _beside(folder, "old")
    if not any(os.path.lexists(_beside(folder, ending)) for ending in ("new", "old", "json")):
        if folder.with_name(f".{folder.name}{LOCK}").exists():  # of a build that was killed
            with suppress(OutputError), sole_writer(folder, patience=0):
                pass
        return
    with refusing(f"{old}: cannot be put back", " Move it away."), sole_writer(folder):
        if os.path.lexists(old) and not (old.is_dir() and is_ours(old)):
            raise OutputError(
                f"{old}: was not written by Fieldguide, and a build needs this name for the last "
                "folder; nothing was touched. Move it away."
            )
        if old.exists() and not folder.exists():
            os.replace(old, folder)
        for name in saved_since(old, _note(folder)) if old.exists() else ():
            raise OutputError(
                f"{old / name}: was changed, and lies in a folder that a build which was cut off "
                "left behind; nothing was written. Move it away, then build again."
            )
        _discard(folder)


def _note(folder: Path) -> dict[str, object]:
    """Return what the build that was cut off was free to replace; nothing where it did not say."""
    try:
        found = json.loads(_beside(folder, "json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _discard(folder: Path) -> None:
    """Delete what a build left beside `folder`; what cannot be deleted is tried again.

    The last folder is renamed first: half of it would not be known for ours.
    """
    new, old = _beside(folder, "new"), _beside(folder, "old")
    if not folder.exists() and old.exists():
        return  # what was cut off even in taking back waits for `recover`
    _delete(new)
    with suppress(OSError):
        if old.exists():
            os.replace(old, new)
    _delete(new)
    if not old.exists():
        with suppress(OSError):
            _beside(folder, "json").unlink(missing_ok=True)


def _replace_folder(folder: Path, shown: Path, files: Mapping[str, bytes]) -> dict[str, Stamp]:
    foreign = foreign_entries(folder, shown)
    _refuse_clashes(folder, shown, foreign, files)
    checked = checked_state(folder, foreign)
    new, old = _beside(folder, "new"), _beside(folder, "old")
    if os.path.lexists(new):
        raise OutputError(f"{new}: is left from an earlier build and cannot be deleted. Delete it.")
    new.mkdir()
    _beside(folder, "json").write_text(json.dumps(checked), encoding="utf-8")
    for parent in {(new / name).parent for name in files}:
        parent.mkdir(parents=True, exist_ok=True)
    for name, content in (*sorted(files.items()), (MANIFEST_NAME, manifest_bytes(files))):
        _write(new / name, content, folder / name)
    stamps = stamps_of(new)
    _carry_over(folder, new, foreign)
    _copy_folder_states(folder, new, files)
    whole = os.stat(new)
    try:
        if folder.exists():
            os.replace(folder, old)
        os.replace(new, folder)
        for name in saved_since(old, checked) if old.exists() else ():
            raise OutputError(
                f"{shown / name}: was changed while the build ran; nothing was written. "
                "Build again."
            )
    except BaseException:
        with suppress(OSError):  # where even this fails, the next build recovers
            if old.exists() and folder.exists():
                os.replace(folder, new)
            if old.exists():
                os.replace(old, folder)
        raise
    finally:
        if folder.exists() and os.path.samestat(os.stat(folder), whole):
            written.append(shown)
    return stamps


def _refuse_clashes(
    folder: Path, shown: Path, foreign: Set[str], files: Mapping[str, bytes]
) -> None:
    """Raise OutputError where a build needs a name that a foreign entry has.

    That is a link or a file in the place of a folder, a folder in the place of a file, and a file
    of other content. The sheets are checked elsewhere.
    """
    needed = {parent.as_posix() for name in files for parent in PurePosixPath(name).parents}
    is_recorded = bool(recorded_files(folder / MANIFEST_NAME))
    for name in sorted(foreign):
        above = {parent.as_posix() for parent in PurePosixPath(name).parents}
        is_taken = name in needed or name.removesuffix("/") in files or bool(above & files.keys())
        if name in files and not (folder / name).is_symlink():
            is_same = name == SHEET or (folder / name).read_bytes() == files[name]
            # Without a readable manifest our own files count as foreign.
            is_taken = is_recorded and not is_same
        if is_taken:
            raise OutputError(
                f"{shown / name}: was not written by Fieldguide, and the build needs this name; "
                "nothing was written. Move it away, then build again."
            )


def _carry_over(folder: Path, new: Path, foreign: Set[str]) -> None:
    """Put the foreign entries of `folder` into `new` exactly as they are.

    Files become hard links, which keep everything and cost nothing, or copies where the file
    system has no hard links. Links stay links.
    """
    for name in sorted(foreign):
        source, target = folder / name, new / name
        if name.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target, follow_symlinks=False)
        except (OSError, NotImplementedError):
            if not os.path.lexists(target):
                shutil.copy2(source, target, follow_symlinks=False)


def _copy_folder_states(folder: Path, new: Path, files: Mapping[str, bytes]) -> None:
    """Give each folder in `new` the mode of the earlier one, and its time if nothing is ours."""
    ours = {parent.as_posix() for name in files for parent in PurePosixPath(name).parents}
    for place, _, _ in os.walk(new, topdown=False):  # a folder's time changes with its content
        inside = Path(place).relative_to(new)
        if (folder / inside).is_dir():
            copy = shutil.copymode if inside.as_posix() in ours else shutil.copystat
            copy(folder / inside, place)


def _delete(folder: Path) -> None:
    """Delete a folder that a build left, read-only folders in it too, as far as possible."""
    for place, _, _ in os.walk(folder):
        with suppress(OSError):
            os.chmod(place, stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


def _write(path: Path, content: bytes, old: Path) -> None:
    """Write a file; where the old one holds the same bytes it keeps that one's time of change."""
    path.write_bytes(content)
    with suppress(OSError):  # there is no old one
        state = old.stat()
        if state.st_size == len(content) and old.read_bytes() == content:
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def write_new_folder(folder: Path, files: Mapping[str, bytes | Path]) -> None:
    """Make `folder` of files (relative POSIX path -> bytes, or the file to copy).

    Everything is written beside it first. Raises OutputError where the folder holds anything
    already (a hidden file too), is no folder, cannot be written, or is being written by another
    process.
    """
    place = folder.resolve()
    new = _beside(place, "new")
    with refusing(f"{folder}: cannot be written", " Name another folder."):
        place.parent.mkdir(parents=True, exist_ok=True)
        with sole_writer(place):
            refuse_filled(folder)
            is_whole = False
            try:
                shutil.rmtree(new, ignore_errors=True)
                for name, content in files.items():
                    (new / name).parent.mkdir(parents=True, exist_ok=True)
                    if isinstance(content, bytes):
                        (new / name).write_bytes(content)
                    else:
                        shutil.copyfile(content, new / name)
                is_whole = True
                _put(new, place)
            finally:
                if is_whole and not (new.exists() and os.listdir(new)):
                    written.append(folder)
                shutil.rmtree(new, ignore_errors=True)


def _put(new: Path, folder: Path) -> None:
    """Put a whole folder in the place of one that is empty or not there."""
    if folder.exists() and folder != Path.cwd().resolve():
        folder.rmdir()
    if not folder.exists():
        os.rename(new, folder)
        return
    moved: list[str] = []  # a shell that stands in the folder would lose it
    try:
        for name in sorted(os.listdir(new)):
            moved.append(name)
            os.rename(new / name, folder / name)
    except BaseException:
        for name in moved:
            with suppress(OSError):
                os.rename(folder / name, new / name)
        raise


def refuse_filled(folder: Path) -> None:
    """Raise OutputError where `folder` is a file or holds anything, naming what is there."""
    with refusing(f"{folder}: cannot be read", " Name another folder."):
        if os.path.lexists(folder) and not folder.is_dir():
            raise OutputError(f"{folder}: is a file. Name a folder that is not there yet.")
        held = sorted(os.listdir(folder)) if folder.is_dir() else []
    if held:
        raise OutputError(
            f"{folder}: holds {listed(held)}; nothing was written. Name a folder that is not there "
            "yet."
        )
