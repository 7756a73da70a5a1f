"""What may be lost and must not lie: files under a name, each with the digest of its bytes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.atomic import new_file
from classifier.files.kept import digest_line, whole_content

VARIABLE = "FIELDGUIDE_CACHE"
"""The environment variable that names another folder."""


def user_cache_folder() -> Path:
    """Return where this system keeps what programs may lose, or the folder of `VARIABLE`.

    Raises OutputError where that is not named and the user has no home folder.
    """
    if told := os.environ.get(VARIABLE):
        return Path(told)
    try:
        home = Path.home()
    except RuntimeError as error:
        raise OutputError(
            "There is no home folder to keep fetched pages in. Name a folder with the environment "
            f"variable {VARIABLE}."
        ) from error
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "fieldguide"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home) / "fieldguide" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "fieldguide"


class Cache:
    """A folder of files that are whole or count as absent."""

    def __init__(self, folder: Path) -> None:
        """folder: made when the first file is kept."""
        self._folder = folder

    def recall(self, name: str) -> bytes | None:
        """Return what was kept as `name`; None where that is not there, or damaged."""
        try:
            return whole_content((self._folder / name).read_bytes())
        except OSError:
            return None

    def keep(self, name: str, content: bytes) -> None:
        """Keep `content` as `name`, at once and whole; raises OutputError where it cannot be."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise OutputError(
                f"{self._folder}: cannot be written ({reason}). Name another folder with the "
                f"environment variable {VARIABLE}."
            ) from error
        with new_file(self._folder / name, is_cache=True) as stream:
            stream.writelines((digest_line(content), content))

    def forget(self, name: str) -> None:
        """Delete what was kept as `name`, if anything."""
        with suppress(OSError):
            (self._folder / name).unlink()

    def forget_older(self, than: float) -> None:
        """Delete what was kept before a moment, in seconds since 1970."""
        for path in self._files():
            with suppress(OSError):
                if path.stat().st_mtime < than:
                    path.unlink()

    def _files(self) -> Iterator[Path]:
        with suppress(OSError):
            yield from sorted(path for path in self._folder.iterdir() if path.is_file())
