"""What tells without reading it that a file is still the one that a build wrote: size and time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from classifier.files.kept import digest_line, whole_content
from classifier.files.memo import FOLDER

STAMPS = f"{FOLDER}/stamps.json"
"""Where in the output folder they lie. They hold times, so two builds do not write the same."""

Stamp = tuple[int, int]
"""Bytes, and the time of the last change in nanoseconds since 1970."""


def stamps_of(folder: Path) -> dict[str, Stamp]:
    """Return the stamp of every file below `folder`, by POSIX path from there.

    Empty where there is no such folder. A link counts by what it leads to; one that leads nowhere,
    and whatever is neither file nor folder, is left out.
    """
    stamps: dict[str, Stamp] = {}
    for name, entry in _files(str(folder), ""):
        state = entry.stat()
        stamps[name] = state.st_size, state.st_mtime_ns
    return stamps


def _files(folder: str, above: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path, f"{above}{entry.name}/")
        elif entry.is_file():
            yield above + entry.name, entry


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file; raises OSError where there is none."""
    state = path.stat()
    return state.st_size, state.st_mtime_ns


def files_below(folder: Path) -> dict[str, bool]:
    """Return POSIX path -> whether it is a link, of the files of which there are stamps."""
    return {name: entry.is_symlink() for name, entry in _files(str(folder), "")}


def stamps_bytes(stamps: Mapping[str, Stamp]) -> bytes:
    """Return stamps as they are kept: a digest, then sorted JSON."""
    content = json.dumps(dict(sorted(stamps.items())), separators=(",", ":")).encode()
    return digest_line(content) + content


def read_stamps(path: Path) -> dict[str, Stamp]:
    """Return the stamps that are kept at `path`; none where they are missing or damaged."""
    try:
        kept = json.loads(whole_content(path.read_bytes()) or b"{}")
        return {name: (size, time) for name, (size, time) in kept.items()}
    except (OSError, ValueError):
        return {}
