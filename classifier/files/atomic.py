"""Writes that either happen or do not: a file by rename, a folder by swap."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from classifier.errors import OutputError
from classifier.files.manifest import (
    MANIFEST_NAME,
    digest,
    is_manifest,
    manifest_bytes,
    recorded_files,
)
from classifier.files.stamps import STAMPS, Stamp, files_below, stamp_of, stamps_bytes
from classifier.files.standing import Standing
from classifier.files.volume import Volume

# Kept when the folder is swapped: a tracked placeholder is the repository's, not the build's.
KEPT = (".gitkeep",)
# The files of a build that people type into.
SHEETS = ("labels.csv", "labels.xlsx")

LEFTOVER = ".fieldguide-part"
"""How the name of a file ends that is not yet whole."""
PREFIX = ".fieldguide-"
MARKER = "fieldguide-staging"
"""A file in each staging folder: the name of the folder it is made for."""
JUDGED = "judged"
"""A file in each staging folder: the digests of the sheets that its build may replace."""
NEW = "new"


def write_file(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader sees the old bytes or the new ones, never a part.

    Raises OutputError where the folder is missing or not writable.
    """
    with new_file(path) as stream:
        stream.write(data)


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a stream of bytes that becomes `path` at the end of the block, and not before.

    Where the block raises, `path` stays as it was. Raises OutputError where the folder is missing
    or not writable, or the disk is full.
    """
    try:
        handle, temporary = tempfile.mkstemp(LEFTOVER, _started(path), path.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error}).") from error
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            reason = error.strerror or error
            raise OutputError(f"{path}: cannot be written ({reason}).") from error
        raise
    _settle(path.parent)


def make_folder(path: Path) -> None:
    """Make a folder and those above it; raises OutputError where that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: cannot be made ({error.strerror or error}).") from error


def clear_leftovers(paths: Iterable[Path]) -> None:
    """Delete what `write_file` left beside `paths` where it was cut off."""
    for path in paths:
        with suppress(OSError):
            for entry in sorted(os.listdir(path.parent)):
                if entry.startswith(_started(path)) and entry.endswith(LEFTOVER):
                    (path.parent / entry).unlink()


def _started(path: Path) -> str:
    """Return how the name of the file begins that is to become `path`."""
    return f".{path.name}."


def _settle(folder: Path) -> None:
    """Have a rename on the disk before the next file is written: the ledger before the sheet."""
    with suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, beside: Mapping[str, bytes | Path] | None = None
) -> None:
    """Replace `folder` by exactly `files` (relative POSIX path -> bytes) plus a manifest.

    Everything is written to a staging folder beside it first, then the two are swapped by rename,
    so a failure leaves the last good folder as it was. A file that holds its bytes already is not
    written again: it keeps its time of change. Files in `folder` that no build wrote are carried
    over, unless `beside` has a newer one of that name (its bytes, or where it lies: that file is
    moved); those of `beside` are in no manifest. With `beside`, what the files look like in the end
    is kept there, too (`files/stamps.py`). A folder that holds files but no manifest is not ours,
    and is refused.

    Raises OutputError where the folder is not ours or cannot be written.
    """
    shown, folder = folder, folder.resolve()  # a link stays a link; "." has a name
    recover(folder)
    try:
        present = files_below(folder)
        foreign = _foreign_files(folder, shown, set(present))
        volume = files if isinstance(files, Volume) else _volume(folder, files)
        extra = beside or {}
        with _staging(folder) as staging:
            _judge(folder, staging)
            new = staging / NEW
            linked = {name for name, is_link in present.items() if is_link}
            stamps = _fill(new, volume, folder, linked)
            _write(new, {**extra, MANIFEST_NAME: manifest_bytes(volume.records)})
            for name in foreign - set(volume) - set(extra) - {STAMPS}:
                target = new / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(folder / name, target)
            if beside is not None:
                for name in {*volume.records, MANIFEST_NAME} - stamps.keys():
                    stamps[name] = stamp_of(new / name)
                _write(new, {STAMPS: stamps_bytes(stamps)})
            _swap(folder, staging)
            volume.settle()
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{shown}: cannot be written ({reason}). Free the folder or choose another with --out."
        ) from error


def recover(folder: Path) -> None:
    """Bring back the last good folder where a swap was cut off, and clear what such builds left.

    Raises OutputError where the last folder is not ours, or holds a sheet that people changed and
    that no build was told to replace.
    """
    folder = folder.resolve()
    previous = _previous(folder)
    try:
        staged = sorted(folder.parent.glob(f"{PREFIX}*"))
        for each in staged:
            if not _marked_for(each):
                _discard_unmarked(each)
        left = [each for each in staged if _marked_for(each) == folder.name]
        if os.path.lexists(previous):
            _refuse_foreign(previous)
            if not folder.exists():
                os.replace(previous, folder)
            else:
                _refuse_changed(previous, {mark for each in left for mark in _judged(each)})
                with _staging(folder) as staging:
                    os.replace(previous, _parked(staging))
        for staging in left:  # last: they say what may be replaced
            _discard(staging)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{previous}: cannot be put back ({reason}). Move it away.") from error


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


def _previous(folder: Path) -> Path:
    """Return where the last folder stands between the two renames of a swap."""
    return folder.with_name(f".{folder.name}.old")


def _parked(staging: Path) -> Path:
    """Return where the last folder waits to be deleted.

    Beside the staging folder, not in it: a folder of another owner can be renamed, not moved.
    """
    return staging.with_name(f"{staging.name}.old")


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """Make a folder of a name that nobody uses beside `folder`, and discard it in the end."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder.parent))
    try:
        (staging / MARKER).write_text(folder.name, encoding="utf-8")
        yield staging
    finally:
        _discard(staging)


def _marked_for(staging: Path) -> str | None:
    """Return the name of the folder that `staging` was made for; None where it is not ours."""
    try:
        return (staging / MARKER).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _discard_unmarked(staging: Path) -> None:
    """Delete a staging folder that was cut off before it was marked: it holds nothing."""
    with suppress(OSError):
        marker = staging / MARKER
        if marker.is_file() and marker.stat().st_size == 0:
            marker.unlink()
        staging.rmdir()


def _discard(staging: Path) -> None:
    """Delete what a build left; what cannot be deleted keeps its mark and is tried again."""
    shutil.rmtree(_parked(staging), ignore_errors=True)
    shutil.rmtree(staging / NEW, ignore_errors=True)
    if not _parked(staging).exists():
        shutil.rmtree(staging, ignore_errors=True)


def _swap(folder: Path, staging: Path) -> None:
    """Put the staged folder in the place of `folder`, or leave both as they are and raise."""
    previous = _previous(folder)
    if folder.exists():
        os.replace(folder, previous)
    try:
        os.replace(staging / NEW, folder)
    except BaseException:
        with suppress(OSError):  # where even this fails, the next build recovers
            os.replace(previous, folder)
        raise
    with suppress(OSError):  # the build is done; the next one clears what stays
        os.replace(previous, _parked(staging))


def _refuse_foreign(previous: Path) -> None:
    """Raise where what has the name of the last folder was not written by a build."""
    if previous.is_dir() and _is_ours(previous, set(files_below(previous))):
        return
    raise OutputError(
        f"{previous}: was not written by Fieldguide, and a build needs this name for the last "
        "folder; nothing was touched. Move it away."
    )


def _judge(folder: Path, staging: Path) -> None:
    """Note in `staging` the sheets as they are that the caller lets go."""
    marks = [digest((folder / name).read_bytes()) for name in SHEETS if (folder / name).is_file()]
    (staging / JUDGED).write_text("\n".join(marks), encoding="utf-8")


def _judged(staging: Path) -> list[str]:
    """Return the digests of the sheets that a build was free to replace; none where it is new."""
    try:
        return (staging / JUDGED).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _refuse_changed(previous: Path, judged: Set[str]) -> None:
    """Raise where deleting the last folder would delete what people typed into a sheet.

    judged: digests of the sheets that the build which was cut off was free to replace.
    """
    for sheet in (previous / name for name in SHEETS):
        if not os.path.lexists(sheet) or is_as_built(sheet):
            continue
        if not sheet.is_file() or digest(sheet.read_bytes()) not in judged:
            raise OutputError(
                f"{sheet}: was changed, and lies in a folder that a build which was cut off left "
                "behind; nothing was written. Move the sheet away, then build again."
            )


def _volume(folder: Path, files: Mapping[str, bytes]) -> Volume:
    volume = Volume(Standing(folder), typed=SHEETS)
    for name in files:
        volume.put(name, files[name])
    return volume


def _fill(new: Path, volume: Volume, old: Path, linked: Set[str]) -> dict[str, Stamp]:
    """Make the files of a volume in the folder `new`; those that stand in `old` are kept.

    linked: the files of `old` that are links. Returns the stamps of the files that are the very
    ones of `old`, as they were when these were judged: what was typed since is told by its stamp.
    """
    before, after = os.path.join(old, ""), os.path.join(new, "")
    for folder in sorted({name.rpartition("/")[0] for name in volume.records}):
        os.makedirs(after + folder, exist_ok=True)
    stamps: dict[str, Stamp] = {}
    for name in volume.records:
        if volume.stands(name):
            as_copy = name in SHEETS or name in linked
            is_same = _keep(before + name, after + name, as_copy=as_copy)
            if is_same and (stamp := volume.stamp(name)):
                stamps[name] = stamp
    for name, content in volume.new():
        if isinstance(content, Path):
            os.replace(content, after + name)
        elif name in SHEETS and _holds(before + name, content):
            _keep(before + name, after + name, as_copy=True)
        else:
            Path(after + name).write_bytes(content)
    return stamps


def _holds(path: str, data: bytes) -> bool:
    """Return whether a file of the last folder holds these bytes, now."""
    try:
        with open(path, "rb") as stream:
            return stream.read(len(data) + 1) == data
    except OSError:
        return False


def _write(new: Path, files: Mapping[str, bytes | Path]) -> None:
    for name in sorted(files):
        path, content = new / name, files[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            os.replace(content, path)
        else:
            path.write_bytes(content)


def _keep(old: str, new: str, *, as_copy: bool) -> bool:
    """Make `new` the very file `old`, or a copy of the same age where that cannot or may not be.

    Returns whether it is the very file.

    A sheet is copied: should the last folder outlive the swap, what people type into one of the two
    must not stand in the other. So is what a link leads to.
    """
    if not as_copy:
        with suppress(OSError):  # not every system can
            os.link(old, new)
            return True
    shutil.copy2(old, new)
    return False


def _foreign_files(folder: Path, shown: Path, present: set[str]) -> set[str]:
    """Return those of the files `present` under `folder` that no build wrote."""
    if not folder.exists():
        return set()
    if not folder.is_dir():
        raise OutputError(
            f"{shown}: is a file, and nothing was touched. Choose an empty folder with --out."
        )
    if not _is_ours(folder, present):
        raise OutputError(
            f"{shown}: holds {len(present)} file(s) that Fieldguide did not write (no "
            f"{MANIFEST_NAME} of a build); nothing was touched. Choose an empty folder with --out."
        )
    written = {*recorded_files(folder / MANIFEST_NAME), MANIFEST_NAME}
    return {name for name in present - written if not name.endswith(LEFTOVER)}


def _is_ours(folder: Path, present: set[str]) -> bool:
    """Return whether a folder with these files was written by a build, or holds none."""
    is_built = MANIFEST_NAME in present and is_manifest(folder / MANIFEST_NAME)
    return is_built or present <= set(KEPT)
