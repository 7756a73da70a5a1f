"""Replace an output folder as a whole, or leave it unchanged.

The new folder is written next to the old one, as `.fieldguide-out.new`, and then two renames swap
them: out -> `.fieldguide-out.old`, new -> out. After an interruption at any point, the next build
finds the complete old or new folder (`recover`).
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


def _sibling(folder: Path, ending: str) -> Path:
    """Return the path `.fieldguide-out.new`, `.old` or `.json` next to `folder`.

    They share its parent, because a folder of another owner can be renamed but not moved.
    """
    return folder.with_name(f".fieldguide-{folder.name}.{ending}")


def write_folder(folder: Path, files: Mapping[str, bytes]) -> dict[str, Stamp]:
    """Replace `folder` by exactly `files` (relative POSIX path -> bytes) plus a manifest.

    Files in `folder` that no build wrote are kept; an unchanged file keeps its modification time.
    Returns the size and time of every file as written.

    Raises OutputError if the folder is not ours, cannot be written or is being written by
    another process, or if the user saved a sheet or another file in it meanwhile.
    """
    label, folder = folder, folder.resolve()  # a link stays a link; "." has a name
    hint = " Free the folder or choose another with --out."
    with refusing(f"{label}: cannot be written", hint):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with sole_writer(folder):
            recover(folder)
            try:
                return _replace_folder(folder, label, files)
            finally:
                _discard(folder)


def recover(folder: Path) -> None:
    """Restore the last good folder after an interrupted swap, and delete leftovers.

    Raises OutputError if the last folder is not ours, or contains a changed sheet that no build
    may replace, or if another process is writing `folder`.
    """
    folder = folder.resolve()
    old = _sibling(folder, "old")
    if not any(os.path.lexists(_sibling(folder, ending)) for ending in ("new", "old", "json")):
        if folder.with_name(f".{folder.name}{LOCK}").exists():  # of a build that was killed
            with suppress(OutputError), sole_writer(folder, patience=0):
                pass
        return
    with refusing(f"{old}: cannot be put back", " Move it away."), sole_writer(folder):
        if os.path.lexists(old) and not (old.is_dir() and is_ours(old)):
            raise OutputError(
                f"{old}: was not written by Fieldguide, but a build needs this name for the last "
                "folder; nothing was touched. Move it away."
            )
        if old.exists() and not folder.exists():
            os.replace(old, folder)
        for name in saved_since(old, _note(folder)) if old.exists() else ():
            raise OutputError(
                f"{old / name}: was changed, and is in a folder left by an interrupted build; "
                "nothing was written. Move it away, then build again."
            )
        _discard(folder)


def _note(folder: Path) -> dict[str, object]:
    """Return the state that the interrupted build recorded; empty if there is none."""
    try:
        found = json.loads(_sibling(folder, "json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _discard(folder: Path) -> None:
    """Delete the leftovers of a build next to `folder`; the next build retries failures.

    The last folder is renamed first, because a half-deleted one is not recognised as ours.
    """
    new, old = _sibling(folder, "new"), _sibling(folder, "old")
    if not folder.exists() and old.exists():
        return  # `recover` handles an interrupted rollback
    _delete(new)
    with suppress(OSError):
        if old.exists():
            os.replace(old, new)
    _delete(new)
    if not old.exists():
        with suppress(OSError):
            _sibling(folder, "json").unlink(missing_ok=True)


def _replace_folder(folder: Path, label: Path, files: Mapping[str, bytes]) -> dict[str, Stamp]:
    foreign = foreign_entries(folder, label)
    _refuse_clashes(folder, label, foreign, files)
    checked = checked_state(folder, foreign)
    new, old = _sibling(folder, "new"), _sibling(folder, "old")
    if os.path.lexists(new):
        raise OutputError(
            f"{new}: is left over from an earlier build and cannot be deleted. Delete it."
        )
    new.mkdir()
    _sibling(folder, "json").write_text(json.dumps(checked), encoding="utf-8")
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
                f"{label / name}: was changed while the build ran; nothing was written. "
                "Build again."
            )
    except BaseException:
        with suppress(OSError):  # if this fails too, the next build recovers
            if old.exists() and folder.exists():
                os.replace(folder, new)
            if old.exists():
                os.replace(old, folder)
        raise
    finally:
        if folder.exists() and os.path.samestat(os.stat(folder), whole):
            written.append(label)
    return stamps


def _refuse_clashes(
    folder: Path, label: Path, foreign: Set[str], files: Mapping[str, bytes]
) -> None:
    """Raise OutputError if a build needs the name of a foreign entry.

    Clashes are a link or file in place of a folder, a folder in place of a file, and a file with
    other content. The sheets are checked elsewhere.
    """
    needed = {parent.as_posix() for name in files for parent in PurePosixPath(name).parents}
    is_recorded = bool(recorded_files(folder / MANIFEST_NAME))
    for name in sorted(foreign):
        above = {parent.as_posix() for parent in PurePosixPath(name).parents}
        has_clash = name in needed or name.removesuffix("/") in files or bool(above & files.keys())
        if name in files and not (folder / name).is_symlink():
            is_same = name == SHEET or (folder / name).read_bytes() == files[name]
            # Without a readable manifest our own files count as foreign.
            has_clash = is_recorded and not is_same
        if has_clash:
            raise OutputError(
                f"{label / name}: was not written by Fieldguide, but the build needs this name; "
                "nothing was written. Move it away, then build again."
            )


def _carry_over(folder: Path, new: Path, foreign: Set[str]) -> None:
    """Put the foreign entries of `folder` into `new` exactly as they are.

    Files become hard links, which keep all attributes and need no space, or copies if the file
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
    """Copy the mode of each earlier folder, and its time if it contains none of our files."""
    ours = {parent.as_posix() for name in files for parent in PurePosixPath(name).parents}
    for place, _, _ in os.walk(new, topdown=False):  # a folder's time changes with its content
        inside = Path(place).relative_to(new)
        if (folder / inside).is_dir():
            copy = shutil.copymode if inside.as_posix() in ours else shutil.copystat
            copy(folder / inside, place)


def _delete(folder: Path) -> None:
    """Delete a leftover folder as far as possible, including read-only folders in it."""
    for place, _, _ in os.walk(folder):
        with suppress(OSError):
            os.chmod(place, stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


def _write(path: Path, content: bytes, old: Path) -> None:
    """Write a file; if the bytes are unchanged, keep the old modification time."""
    path.write_bytes(content)
    with suppress(OSError):  # no old file
        state = old.stat()
        if state.st_size == len(content) and old.read_bytes() == content:
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def write_new_folder(folder: Path, files: Mapping[str, bytes | Path]) -> None:
    """Make `folder` of files (relative POSIX path -> bytes, or the file to copy).

    All files are written to a temporary folder first. Raises OutputError if the folder contains
    anything (even a hidden file), is not a folder, cannot be written, or is being written by
    another process.
    """
    place = folder.resolve()
    new = _sibling(place, "new")
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
    """Move a complete folder to the place of an empty or missing one."""
    if folder.exists() and folder != Path.cwd().resolve():
        folder.rmdir()
    if not folder.exists():
        os.rename(new, folder)
        return
    moved: list[str] = []  # entries are moved: a shell whose working folder it is would lose it
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
    """Raise OutputError, with the entries, if `folder` is a file or not empty."""
    with refusing(f"{folder}: cannot be read", " Name another folder."):
        if os.path.lexists(folder) and not folder.is_dir():
            raise OutputError(f"{folder}: is a file. Name a folder that does not exist yet.")
        found = sorted(os.listdir(folder)) if folder.is_dir() else []
    if found:
        raise OutputError(
            f"{folder}: contains {listed(found)}; nothing was written. Name a folder that does not "
            "exist yet."
        )
