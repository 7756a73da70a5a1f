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

ENDING = ".parts"
"""What the folder of an output's parts is called behind its name."""
_MANIFEST = "fieldguide-parts.json"
_PART = ".part"
_NEW = ".new"


class PartsFolder:
    """A folder of numbered parts, each whole or absent, and what they were made of.

    Nothing in the folder but what a run wrote is ever deleted.
    """

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(output.name + ENDING)

    def check(self) -> None:
        """Raise OutputError where such a folder is there and no run made it."""
        if os.path.lexists(self.path) and not (self.path / _MANIFEST).is_file():
            if self.path.is_dir() and set(os.listdir(self.path)) <= {_MANIFEST + _NEW}:
                return  # cut off before it held anything
            raise OutputError(
                f"{self.path}: exists and was not written by Fieldguide; name another file with -o."
            )

    def made_of(self) -> dict[str, object] | None:
        """Return what the parts were made of, as `begin` was told; None where there are none."""
        try:
            found = json.loads((self.path / _MANIFEST).read_text(encoding="utf-8"))
        except OSError:
            return None
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def holds_parts(self) -> bool:
        """Return whether a run has kept anything here."""
        return self.made_of() is not None and any(self.path.glob(f"*{_PART}"))

    def begin(self, made_of: Mapping[str, object]) -> None:
        """Make the folder, empty of parts; raises OutputError where that cannot be."""
        self.clear()
        try:
            self.path.mkdir(exist_ok=True)
            manifest = json.dumps(made_of, ensure_ascii=False, indent=1) + "\n"
            self._write(_MANIFEST, manifest.encode())
        except OSError as error:
            raise self._refused(error) from error

    def keep(self, number: int, part: bytes) -> None:
        """Keep a part; raises OutputError where it cannot be written."""
        try:
            self._write(_name(number), digest_line(part) + part)
        except OSError as error:
            raise self._refused(error) from error

    def recall(self, number: int) -> bytes | None:
        """Return a part; None where it is not there, or damaged."""
        try:
            return whole_content((self.path / _name(number)).read_bytes())
        except OSError:
            return None

    def clear(self) -> None:
        """Delete all parts, and the folder where nothing else is in it."""
        if self.made_of() is None and not (self.path / (_MANIFEST + _NEW)).is_file():
            return
        for entry in sorted(self.path.iterdir()):
            if entry.name.endswith((_PART, _NEW)):
                entry.unlink(missing_ok=True)
        (self.path / _MANIFEST).unlink(missing_ok=True)
        with suppress(OSError):
            self.path.rmdir()

    def _write(self, name: str, data: bytes) -> None:
        # No fsync: of a part that a power cut tore the digest is wrong, and it is made again.
        new = self.path / (name + _NEW)
        new.write_bytes(data)
        os.replace(new, self.path / name)

    def _refused(self, error: OSError) -> OutputError:
        return OutputError(f"{self.path}: cannot be written ({error.strerror or error}).")


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
