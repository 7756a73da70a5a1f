"""Replace an output folder completely, or leave it unchanged.

The new folder is written next to the old one, as `.fieldguide-out.new`. Then two renames swap them:
out -> `.fieldguide-out.old`, new -> out. After an interruption at any point, the next build finds
the complete old or new folder (`recover`).
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
    changed_entries,
    foreign_entries,
    is_built_folder,
    manifest_bytes,
    record_state,
    recorded_files,
    stamps_of,
)
from classifier.files.lock import LOCK, sole_writer
from classifier.files.writing import convert_write_errors, written


def _sibling(folder: Path, ending: str) -> Path:
    """Return the path `.fieldguide-out.new`, `.old` or `.json` next to `folder`."""
    return folder.with_name(f".fieldguide-{folder.name}.{ending}")


def write_folder(folder: Path, files: Mapping[str, bytes]) -> dict[str, Stamp]:
    """Replace the content of `folder` by `files` (bytes by relative POSIX path) and a manifest.

    Files in `folder` that no build wrote are kept. An unchanged file keeps its modification time.
    Returns the size and time of every file as written.

    Raises OutputError if Fieldguide did not write the folder, if it cannot be written or another
    process is writing it, or if the user saved a sheet or another file in it during the build.
    """
    label, folder = folder, folder.resolve()  # a link stays a link; "." has a name
    hint = " Close programs that use the folder, or choose another folder with --out."
    with convert_write_errors(f"{label}: cannot be written", hint):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with sole_writer(folder):
            recover(folder)
            try:
                return _replace_folder(folder, label, files)
            finally:
                _discard(folder)


def recover(folder: Path) -> None:
    """Restore the last complete folder after an interrupted swap, and delete leftovers.

    Raises OutputError if Fieldguide did not write the last folder, if it contains a changed sheet
    that no build may replace, or if another process is writing `folder`.
    """
    folder = folder.resolve()
    old = _sibling(folder, "old")
    if not any(os.path.lexists(_sibling(folder, ending)) for ending in ("new", "old", "json")):
        if folder.with_name(f".{folder.name}{LOCK}").exists():  # of a build that was killed
            with suppress(OutputError), sole_writer(folder, patience=0):
                pass
        return
    with convert_write_errors(f"{old}: cannot be put back", " Move it away."), sole_writer(folder):
        if os.path.lexists(old) and not (old.is_dir() and is_built_folder(old)):
            raise OutputError(
                f"{old}: was not written by Fieldguide, but a build needs this name for the "
                "previous folder; nothing was written. Move it away."
            )
        if old.exists() and not folder.exists():
            os.replace(old, folder)
        for name in changed_entries(old, _recorded_state(folder)) if old.exists() else ():
            raise OutputError(
                f"{old / name}: was changed, and is in a folder left by an interrupted build; "
                "nothing was written. Move it away, then build again."
            )
        _discard(folder)


def _recorded_state(folder: Path) -> dict[str, object]:
    """Return the state that the interrupted build recorded; {} if there is none."""
    try:
        found = json.loads(_sibling(folder, "json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _discard(folder: Path) -> None:
    """Delete leftovers; the old folder is renamed first, since half of it is not recognised."""
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
    checked = record_state(folder, foreign)
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
        (new / name).write_bytes(content)
        with suppress(OSError):  # no old file
            state = (folder / name).stat()
            if state.st_size == len(content) and (folder / name).read_bytes() == content:
                os.utime(new / name, ns=(state.st_atime_ns, state.st_mtime_ns))
    stamps = stamps_of(new)
    _carry_over(folder, new, foreign)
    _copy_folder_states(folder, new, files)
    whole = os.stat(new)
    try:
        if folder.exists():
            os.replace(folder, old)
        os.replace(new, folder)
        for name in changed_entries(old, checked) if old.exists() else ():
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

    A clash is a link or file in place of a folder, a folder in place of a file, or a file with
    other content. Sheets are checked elsewhere.
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


def _carry_over(folder: Path, new: Path, entries: Set[str]) -> None:
    """Copy the foreign entries of `folder` to `new` without changes.

    Files become hard links, which keep all attributes and need no space, or copies if the file
    system has no hard links. Links stay links.
    """
    for name in sorted(entries):
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
    """Copy the mode of each old folder, and its time unless it contains built files."""
    ours = {parent.as_posix() for name in files for parent in PurePosixPath(name).parents}
    for place, _, _ in os.walk(new, topdown=False):  # a folder's time changes with its content
        inside = Path(place).relative_to(new)
        if (folder / inside).is_dir():
            copy = shutil.copymode if inside.as_posix() in ours else shutil.copystat
            copy(folder / inside, place)


def _delete(folder: Path) -> None:
    """Delete a leftover folder as completely as possible, including read-only subfolders."""
    for place, _, _ in os.walk(folder):
        with suppress(OSError):
            os.chmod(place, stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


def write_new_folder(folder: Path, files: Mapping[str, bytes | Path]) -> None:
    """Create `folder` with files (by relative POSIX path: bytes, or the file to copy).

    All files are first written to a temporary folder. Raises OutputError if the folder contains
    anything (even a hidden file), is not a folder, cannot be written, or is being written by
    another process.
    """
    place = folder.resolve()
    new = _sibling(place, "new")
    with convert_write_errors(f"{folder}: cannot be written", " Choose another folder."):
        place.parent.mkdir(parents=True, exist_ok=True)
        with sole_writer(place):
            refuse_non_empty(folder)
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
                _move(new, place)
            finally:
                if is_whole and not (new.exists() and os.listdir(new)):
                    written.append(folder)
                shutil.rmtree(new, ignore_errors=True)


def _move(source: Path, target: Path) -> None:
    """Move a complete folder to a path that is empty or missing."""
    if target.exists() and target != Path.cwd().resolve():
        target.rmdir()
    if not target.exists():
        os.rename(source, target)
        return
    moved: list[str] = []  # entries are moved: a shell whose working folder it is would lose it
    try:
        for name in sorted(os.listdir(source)):
            moved.append(name)
            os.rename(source / name, target / name)
    except BaseException:
        for name in moved:
            with suppress(OSError):
                os.rename(target / name, source / name)
        raise


def refuse_non_empty(folder: Path) -> None:
    """Raise OutputError, with a list of the entries, if `folder` is a file or not empty."""
    with convert_write_errors(f"{folder}: cannot be read", " Choose another folder."):
        if os.path.lexists(folder) and not folder.is_dir():
            raise OutputError(f"{folder}: is a file. Choose a folder that does not exist yet.")
        found = sorted(os.listdir(folder)) if folder.is_dir() else []
    if found:
        raise OutputError(
            f"{folder}: contains {listed(found)}; nothing was written. Choose a folder that does "
            "not exist yet."
        )
