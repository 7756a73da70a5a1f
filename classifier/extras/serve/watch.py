"""Whether anything changed of which the survey is made: looked at twice a second.

Times and sizes are compared, nothing is read. It needs no library and works on network drives and
in containers, where systems tell nobody of changes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from classifier.files.built_folder import MANIFEST_NAME, SHEETS

EVERY = 0.5
"""Seconds between two looks."""
_QUIET = 0.15
"""Seconds in which nothing may change before what changed is built."""
_MOST_ROUNDS = 40
"""How often quiet is waited for: a file that grows without end is built in the end."""
_OF_A_BUILD = (*SHEETS, MANIFEST_NAME)
_WILD = frozenset("*?[")

Look = dict[str, tuple[int, ...]]
"""Path -> what tells that a file is no other."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder whose files count, down to a depth."""

    folder: Path
    depth: int
    """How many levels of files: 1 for those that lie in the folder itself."""


ANY_DEPTH = 64


def place_of(root: Path, pattern: str) -> Place:
    """Return where files lie that a pattern of `survey.sources` can match."""
    parts = Path(pattern).parts
    fixed = 0
    while fixed < len(parts) - 1 and not set(parts[fixed]) & _WILD:
        fixed += 1
    depth = ANY_DEPTH if "**" in pattern else max(1, len(parts) - fixed)
    return Place(root.joinpath(*parts[:fixed]), depth)


class Watch:
    """An eye on folders and on what people and other builds change in an output folder."""

    def __init__(self, places: Sequence[Place], out: Path) -> None:
        """places: the folders; out: of it only sheets and the manifest count."""
        self.places = tuple(places)
        self._out = out.resolve()

    def look(self) -> Look:
        """Return how everything is now."""
        seen: Look = {}
        for place in self.places:
            for entry in _files(place.folder, place.depth, _identity(self._out)):
                seen[entry] = _mark(entry)
        for name in _OF_A_BUILD:
            path = str(self._out / name)
            seen[path] = _mark(path)
        return seen

    def wait(self, before: Look, seconds: float | None = None) -> list[str]:
        """Wait until something is otherwise than `before`, and quiet again; return which files.

        seconds: at most so long; then it may be nothing. Sleeps between two looks.
        """
        rounds = None if seconds is None else max(1, round(seconds / EVERY))
        while rounds is None or rounds > 0:
            now = self.look()
            if now != before:
                return changed(before, self._quiet(now))
            rounds = None if rounds is None else rounds - 1
            Event().wait(EVERY)
        return []

    def _quiet(self, now: Look) -> Look:
        """Return how everything is once nothing changes any more: many files may be saved."""
        for _ in range(_MOST_ROUNDS):
            Event().wait(_QUIET)
            later = self.look()
            if later == now:
                break
            now = later
        return now


def changed(before: Look, now: Look) -> list[str]:
    """Return the files that came, went or are others, sorted."""
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def _identity(folder: Path) -> set[tuple[int, int]]:
    """Return by what a folder is known, whatever path leads there; nothing where it is not."""
    try:
        told = os.stat(folder)
    except OSError:
        return set()
    return {(told.st_dev, told.st_ino)}


def _files(folder: Path | str, depth: int, seen: set[tuple[int, int]]) -> Iterator[str]:
    """Yield the files below a folder, hidden ones aside; a link that leads upwards ends there.

    seen: the folders that are passed over.
    """
    try:
        told = os.stat(folder)
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    if (told.st_dev, told.st_ino) in seen:
        return
    seen.add((told.st_dev, told.st_ino))
    for entry in entries:
        if entry.name.startswith("."):
            continue
        try:
            is_folder = entry.is_dir()
        except OSError:
            is_folder = False
        if not is_folder:
            yield entry.path
        elif depth > 1:
            yield from _files(entry.path, depth - 1, seen)


def _mark(path: str) -> tuple[int, ...]:
    try:
        told = os.stat(path)
    except OSError:
        return ()
    return told.st_mtime_ns, told.st_size, told.st_ino, told.st_mode
