"""The manifest of a built folder tells built files, foreign files and changed files apart."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.lock import LOCK
from classifier.files.writing import LEFTOVER, convert_write_errors

MANIFEST_NAME = "manifest.json"
PLACEHOLDERS = (".gitkeep",)
"""Kept when the folder is replaced: a tracked placeholder is the repository's, not the build's."""
SHEET = "labels.csv"
"""The file of a build that reviewers edit."""
_FORMER_WORKBOOK = "labels.xlsx"
"""A workbook that earlier versions wrote and reviewers edit."""
Stamp = tuple[int, int]
"""Size in bytes, and time of the last change in nanoseconds since 1970."""
FileRecord = tuple[int, str]
"""Entry of a manifest: size in bytes, and `digest` of the content."""
Checked = Mapping[str, object]
"""`sheets`: digests of the sheets of a folder; `others`: stamps of the entries that no build wrote.
Both as they were when a build decided that it may replace the folder."""


def digest(data: bytes) -> str:
    """Return the BLAKE2b-128 of `data` in hex (32 characters)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def file_digest(path: Path) -> str:
    """Return the digest of a file; "" if it cannot be read."""
    try:
        return digest(path.read_bytes())
    except OSError:
        return ""


def manifest_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return the manifest of `files` (bytes by relative path) as sorted JSON."""
    lines = [
        f'{json.dumps(name)}: {{"bytes": {len(data)}, "blake2b": "{digest(data)}"}}'
        for name, data in sorted(files.items())
    ]
    return ('{"files": {\n' + ",\n".join(lines) + "\n}}\n").encode()


def is_manifest(path: Path) -> bool:
    """Return whether a file is a manifest of a build, which may have been cut off."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return True
    files = found.get("files") if isinstance(found, dict) else None
    return isinstance(files, dict) and all(
        isinstance(row, dict) and {"bytes", "blake2b"} <= row.keys() for row in files.values()
    )


def recorded_files(path: Path) -> dict[str, FileRecord]:
    """Return the files that the manifest at `path` records; {} if it cannot be read."""
    try:
        return _records(path.read_bytes())
    except OSError:
        return {}


def _records(manifest: bytes) -> dict[str, FileRecord]:
    """Return the files that a manifest records; {} if the manifest is damaged."""
    try:
        rows = json.loads(manifest)["files"]
        return {
            name: (int(row["bytes"]), str(row["blake2b"]))
            for name, row in rows.items()
            if name != _FORMER_WORKBOOK
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def stamps_of(folder: Path) -> dict[str, Stamp]:
    """Return size and time of everything below `folder`, by relative POSIX path.

    A link is listed as itself and is never followed. A folder is listed only if it is empty, with a
    `/` at its end. If `folder` does not exist, the result is empty. Raises OSError if a folder
    below it cannot be read.
    """
    stamps: dict[str, Stamp] = {}
    for name in entries_below(folder):
        state = os.lstat(folder / name)
        stamps[name] = (0, 0) if name.endswith("/") else (state.st_size, state.st_mtime_ns)
    return stamps


def entries_below(folder: Path) -> set[str]:
    """Return the relative paths of everything below `folder`, as in `stamps_of`."""
    return set(_entries(str(folder))) if folder.is_dir() else set()


def _entries(folder: str, prefix: str = "") -> Iterator[str]:
    for entry in list(os.scandir(folder)):
        if not entry.is_dir(follow_symlinks=False):
            yield prefix + entry.name
            continue
        inside = f"{prefix}{entry.name}/"
        yield from _entries(entry.path, inside)
        if not os.listdir(entry.path):
            yield inside


def foreign_entries(folder: Path, label: Path) -> set[str]:
    """Return the entries below `folder` that no build wrote, named as in `stamps_of`.

    label: name of the folder for messages. Raises OutputError if `folder` is a file, or has files
    but no manifest of a build.
    """
    if not folder.exists():
        return set()
    if not folder.is_dir():
        raise OutputError(
            f"{label}: is a file; nothing was written. Choose an empty folder with --out."
        )
    present = entries_below(folder)
    if not is_built_folder(folder):
        n_files = sum(not name.endswith("/") for name in present)
        raise OutputError(
            f"{label}: contains {n_files} file(s) that Fieldguide did not write (no "
            f"{MANIFEST_NAME} of a build); nothing was written. Choose an empty folder with --out."
        )
    # A manifest that cannot be read stops the build: every file would count as foreign.
    manifest = (folder / MANIFEST_NAME).read_bytes() if MANIFEST_NAME in present else b""
    recorded = _records(manifest)
    # The user created a link in place of one of our files.
    links = {name for name in recorded if (folder / name).is_symlink()}
    return _unrecorded(present, recorded) | links


def _unrecorded(entries: Set[str], recorded_files: Mapping[str, FileRecord]) -> set[str]:
    return {
        name
        for name in entries - {*recorded_files, MANIFEST_NAME}
        if not name.endswith((LEFTOVER, LOCK))
    }


def is_built_folder(folder: Path) -> bool:
    """Return whether a build wrote `folder`, or the folder has only placeholders."""
    files = {name for name in entries_below(folder) if not name.endswith("/")}
    is_built = MANIFEST_NAME in files and is_manifest(folder / MANIFEST_NAME)
    return is_built or files <= set(PLACEHOLDERS)


def matches_manifest(path: Path) -> bool | None:
    """Return whether a file matches the manifest next to it; None if it is not listed."""
    record = recorded_files(path.parent / MANIFEST_NAME).get(path.name)
    return None if record is None else file_digest(path) == record[1]


def record_state(folder: Path, foreign: Set[str]) -> Checked:
    """Return the current state of the sheets and of the foreign entries."""
    sheet = folder / SHEET
    sheets = [digest(sheet.read_bytes())] if sheet.is_file() else []
    stamps = stamps_of(folder)
    others = {name: list(stamps[name]) for name in sorted(foreign) if name in stamps}
    return {"sheets": sheets, "others": others}


def changed_entries(previous_build: Path, checked_state: Checked) -> Iterator[str]:
    """Yield the entries of `previous_build` that changed since `checked_state` was recorded."""
    sheets, others = checked_state.get("sheets"), checked_state.get("others")
    sheet = previous_build / SHEET
    if os.path.lexists(sheet) and not matches_manifest(sheet):
        known = sheets if isinstance(sheets, list) else []
        if not sheet.is_file() or digest(sheet.read_bytes()) not in known:
            yield SHEET
    if isinstance(others, dict):
        stamps = stamps_of(previous_build)
        for name in sorted(
            _unrecorded(stamps.keys(), recorded_files(previous_build / MANIFEST_NAME))
        ):
            if others.get(name) != list(stamps[name]):
                yield name


_MAX_EXCERPT = 40
"""Maximum length of the excerpt of a changed line, in characters."""
_BEFORE = 12


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that differs from the file that a build would write."""

    name: str
    """POSIX path in the output folder."""
    how: str
    """The first difference, or that one of the files is missing."""


def differences(files: Mapping[str, bytes], out: Path) -> list[Difference]:
    """Return the files in `out` that differ from those of a build, sorted by name.

    files: bytes by relative path, without the manifest. A file of an earlier build that this build
    would remove also counts. Raises OutputError if a file cannot be read.
    """
    with convert_write_errors(f"{out}: cannot be read"):
        found = [*_find_differences(files, out)]
        old = recorded_files(out / MANIFEST_NAME).keys() - files.keys()
        found += [
            Difference(name, "a build would remove it") for name in old if (out / name).is_file()
        ]
        found = found or [*_find_differences({MANIFEST_NAME: manifest_bytes(files)}, out)]
    return sorted(found, key=lambda one: one.name)


def _find_differences(files: Mapping[str, bytes], out: Path) -> Iterator[Difference]:
    for name, content in files.items():
        there = (out / name).read_bytes() if (out / name).is_file() else None
        if there != content:
            yield Difference(name, first_difference(there, content))


def first_difference(old_bytes: bytes | None, new_bytes: bytes) -> str:
    r"""Describe the first difference between a file and the bytes that would replace it.

    >>> first_difference(b"One\nTow\n", b"One\nTwo\n")
    'line 2 is “Tow”, and would be “Two”'
    """
    if old_bytes is None:
        return "does not exist"
    try:
        lines = zip_longest(
            old_bytes.decode().split("\n"), new_bytes.decode().split("\n"), fillvalue=""
        )
        number, (old, new) = next(
            (n, pair) for n, pair in enumerate(lines, 1) if len(set(pair)) > 1
        )
    except (UnicodeDecodeError, StopIteration):
        return "has different bytes"
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    begin = max(0, at - _BEFORE)
    return f"line {number:,} is {_excerpt(old, begin)}, and would be {_excerpt(new, begin)}"


def _excerpt(line: str, start: int) -> str:
    """Return part of a line in quotes, from position `start`."""
    part = line[start : start + _MAX_EXCERPT]
    visible = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in part)
    return f"“{'…' * (start > 0)}{visible}{'…' * (len(line) > start + _MAX_EXCERPT)}”"
