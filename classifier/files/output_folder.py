"""An output folder that is replaced as a whole, or stays as it was."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Set
from contextlib import suppress
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.atomic import written
from classifier.files.last_folder import SHEETS, foreign_files, is_ours, judged_of, refuse_changed
from classifier.files.lock import sole_writer
from classifier.files.manifest import MANIFEST_NAME, manifest_bytes
from classifier.files.staging import (
    NEW,
    PREFIX,
    discard,
    judged_by,
    note_judged,
    parked,
    staging_for,
    stagings_of,
)
from classifier.files.stamps import STAMPS, Stamp, files_below, stamp_of, stamps_bytes
from classifier.files.standing import Standing
from classifier.files.swap import previous_of, swap
from classifier.files.volume import Volume


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, beside: Mapping[str, bytes | Path] | None = None
) -> None:
    """Replace `folder` by exactly `files` (relative POSIX path -> bytes) plus a manifest.

    Everything is written to a staging folder beside it first, then the two change places in one
    step (in two renames where the system knows no such step), so a failure leaves the last good
    folder as it was. A file that holds its bytes already is not written again: it keeps its time of
    change. Files in `folder` that no build wrote are carried over, unless `beside` has a newer one
    of that name (its bytes, or where it lies: that file is moved); those of `beside` are in no
    manifest. With `beside`, what the files look like in the end is kept there, too
    (`files/stamps.py`). A folder that holds files but no manifest is not ours, and is refused.

    Raises OutputError where the folder is not ours, cannot be written or is being written by
    another process, or where somebody saved a sheet or a file of their own in it meanwhile.
    """
    shown, folder = folder, folder.resolve()  # a link stays a link; "." has a name
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with sole_writer(folder):
            recover(folder)
            volume = files if isinstance(files, Volume) else _volume(folder, files)
            _replace_folder(folder, shown, volume, beside)
            volume.settle()
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{shown}: cannot be written ({reason}). Free the folder or choose another with --out."
        ) from error


def _replace_folder(
    folder: Path, shown: Path, volume: Volume, beside: Mapping[str, bytes | Path] | None
) -> None:
    present = files_below(folder)
    foreign = foreign_files(folder, shown, set(present))
    extra = beside or {}
    with staging_for(folder) as staging:
        judged = judged_of(folder, foreign)
        note_judged(staging, judged)
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
        os.replace(new, parked(staging))
        whole = os.stat(parked(staging))
        try:
            swap(folder, staging, shown, judged)
        finally:
            if os.path.exists(folder) and os.path.samestat(os.stat(folder), whole):
                written.append(shown)


def recover(folder: Path) -> None:
    """Bring back the last good folder where a swap was cut off, and clear what such builds left.

    Raises OutputError where the last folder is not ours, or holds a sheet that people changed and
    that no build was told to replace; or where another process is writing `folder`.
    """
    folder = folder.resolve()
    previous = previous_of(folder)
    if not os.path.lexists(previous) and not any(folder.parent.glob(f"{PREFIX}*")):
        return
    try:
        with sole_writer(folder):
            left = stagings_of(folder)
            judged = [judged_by(staging) for staging in left]
            if os.path.lexists(previous):
                _refuse_foreign(previous)
                if not folder.exists():
                    os.replace(previous, folder)
                else:
                    refuse_changed(previous, judged)
                    with staging_for(folder) as staging:
                        os.replace(previous, parked(staging))
            for staging in left:
                if (parked(staging) / MANIFEST_NAME).is_file():
                    refuse_changed(parked(staging), judged)
            for staging in left:  # last: they say what may be replaced
                discard(staging)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{previous}: cannot be put back ({reason}). Move it away.") from error


def _refuse_foreign(previous: Path) -> None:
    """Raise where what has the name of the last folder was not written by a build."""
    if previous.is_dir() and is_ours(previous, set(files_below(previous))):
        return
    raise OutputError(
        f"{previous}: was not written by Fieldguide, and a build needs this name for the last "
        "folder; nothing was touched. Move it away."
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
