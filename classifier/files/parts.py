"""Finished parts of a long run, kept beside its output until that is whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.built_folder import digest
from classifier.files.cache import digest_line, whole_content

_MANIFEST = "fieldguide-parts.json"
_PART = ".part"
_NEW = ".new"


class PartsFolder:
    """A folder of numbered parts, each whole or absent, and what they were made of.

    Nothing in the folder but what a run wrote is ever deleted.
    """

    def __init__(self, output: Path, made_of: Mapping[str, object] | None = None) -> None:
        """made_of: what parts depend on, each under a name; JSON can write it."""
        self.path = output.with_name(output.name + ".parts")
        self._made_of = dict(made_of or {})

    def open(self, *, restart: bool = False) -> str:
        """Return what has changed since parts were kept; those are deleted then, or if `restart`.

        Raises OutputError where such a folder is there and no run made it.
        """
        before = None
        with suppress(OSError, ValueError):
            before = json.loads((self.path / _MANIFEST).read_text(encoding="utf-8"))
        if before == self._made_of and not restart:
            return ""
        if os.path.lexists(self.path) and not self._is_ours():
            raise OutputError(
                f"{self.path}: exists and was not written by Fieldguide; name another file with -o."
            )
        self.clear()
        if restart or not isinstance(before, dict):
            return ""
        return " and ".join(
            name for name, mark in self._made_of.items() if before.get(name) != mark
        )

    def holds_parts(self) -> bool:
        """Return whether a run has kept anything here."""
        return (self.path / _MANIFEST).is_file() and any(self.path.glob(f"*{_PART}"))

    def keep(self, number: int, part: bytes) -> None:
        """Keep a part; raises OutputError where it cannot be written."""
        try:
            if not (self.path / _MANIFEST).is_file():
                self.path.mkdir(exist_ok=True)
                self._write(_MANIFEST, json.dumps(self._made_of).encode())
            self._write(_name(number), digest_line(part) + part)
        except OSError as error:
            reason = error.strerror or error
            raise OutputError(f"{self.path}: cannot be written ({reason}).") from error

    def recall(self, number: int) -> bytes | None:
        """Return a part; None where it is not there, or damaged."""
        try:
            return whole_content((self.path / _name(number)).read_bytes())
        except OSError:
            return None

    def clear(self) -> None:
        """Delete all parts, and the folder where nothing else is in it."""
        with suppress(OSError):
            for entry in sorted(os.listdir(self.path)):
                if entry.endswith((_PART, _PART + _NEW)) or entry.startswith(_MANIFEST):
                    (self.path / entry).unlink(missing_ok=True)
            self.path.rmdir()

    def _is_ours(self) -> bool:
        if (self.path / _MANIFEST).is_file():
            return True
        return self.path.is_dir() and set(os.listdir(self.path)) <= {_MANIFEST + _NEW}

    def _write(self, name: str, data: bytes) -> None:
        # No fsync: of a part that a power cut tore the digest is wrong, and it is made again.
        new = self.path / (name + _NEW)
        new.write_bytes(data)
        os.replace(new, self.path / name)


def file_mark(path: Path) -> list[object]:
    """Return by what a file is known to be unchanged: size, times of change, and first bytes.

    The time at which anything about it changed, its time of change too, is one nobody can set.
    """
    with path.open("rb") as file:
        start = file.read(2**16)
    told = path.stat()
    return [told.st_size, told.st_mtime_ns, told.st_ctime_ns, digest(start)]


def _name(number: int) -> str:
    return f"{number:06d}{_PART}"
