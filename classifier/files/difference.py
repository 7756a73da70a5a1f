"""Whether an output folder holds what a build would write, and where it first does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.built_folder import MANIFEST_NAME, manifest_bytes, recorded_files

_SHOWN = 40
"""Characters of a line that are shown, from a little before the first one that is another."""
_BEFORE = 12


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that a build would write otherwise than it lies there."""

    name: str
    """POSIX path in the output folder."""
    how: str
    """Where they part first, and how; or that one of them is not there."""


def differences(files: Mapping[str, bytes], out: Path) -> list[Difference]:
    """Return what in `out` is not as a build writes it, by name.

    files: relative path -> bytes, the manifest not included. A file counts, too, that an earlier
    build wrote and this one would remove. Raises OutputError where a file cannot be read.
    """
    try:
        found = [
            Difference(name, first_difference(there, files[name]))
            for name in sorted(files)
            if (there := _bytes_of(out / name)) != files[name]
        ]
        old = sorted(recorded_files(out / MANIFEST_NAME).keys() - files.keys())
        found += [
            Difference(name, "a build would remove it") for name in old if (out / name).is_file()
        ]
        if found:
            return sorted(found, key=lambda one: one.name)
        manifest = manifest_bytes(files)
        there = _bytes_of(out / MANIFEST_NAME)
    except OSError as error:
        raise OutputError(f"{out}: cannot be read ({error.strerror or error}).") from error
    if there == manifest:
        return []
    return [Difference(MANIFEST_NAME, first_difference(there, manifest))]


def first_difference(there: bytes | None, made: bytes) -> str:
    """Return where a file and what would be written in its place part first.

    >>> first_difference(b"One\\nTow\\n", b"One\\nTwo\\n")
    'line 2 is “Tow”, and would be “Two”'
    """
    if there is None:
        return "is not there"
    try:
        old, new = there.decode("utf-8"), made.decode("utf-8")
    except UnicodeDecodeError:
        return f"byte {_parting(there, made) + 1:,} of {len(there):,} is the first that differs"
    at = _parting(old, new)
    number = old.count("\n", 0, at) + 1
    start = old.rfind("\n", 0, at) + 1
    begin = max(start, at - _BEFORE)
    return (
        f"line {number:,} is {_shown(old, start, begin)}, and would be {_shown(new, start, begin)}"
    )


def _parting(one: bytes | str, other: bytes | str) -> int:
    """Return the first place at which two sequences differ; that of the shorter's end at most."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # equal up to `low`; bisected, since both may be long
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _shown(text: str, start: int, begin: int) -> str:
    """Return a part of a line that starts at `start`, from `begin` on, in quotes."""
    end = text.find("\n", begin)
    line = text[begin : len(text) if end < 0 else end]
    head, tail = ("…" if begin > start else ""), ("…" if len(line) > _SHOWN else "")
    visible = "".join(map(_visible, line[:_SHOWN]))
    return f"“{head}{visible}{tail}”"


def _visible(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")


def _bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
