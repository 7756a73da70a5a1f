"""Read files in out/ for the server, even while a build replaces the folder."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event
from urllib.parse import unquote

from classifier.files.built_folder import MANIFEST_NAME, digest

INDEX = "index.html"
_PAUSE = 0.02
_TRIES = 50
"""Number of tries while a build replaces the folder; together one second."""


def safe_relative_path(target: str) -> str | None:
    """Return the relative path of a request, or None if the path is not safe.

    A path is not safe if it contains `..`, an empty part, a backslash, a colon or a control
    character (plain or encoded), or if it is not UTF-8. A path that ends with `/` is a folder.

    >>> safe_relative_path("/c/rye%20bread.html?q=1")
    'c/rye bread.html'
    >>> safe_relative_path("/%2e%2e/etc/passwd") is None
    True
    """
    path = target.partition("?")[0].partition("#")[0]
    if not path.startswith("/"):
        return None
    try:
        name = unquote(path[1:], errors="strict")
    except UnicodeDecodeError:
        return None
    parts = name.removesuffix("/").split("/") if name else []
    if any(part in ("", ".", "..") for part in parts):
        return None
    if any(char in "\\:" or ord(char) < 32 or ord(char) == 127 for char in name):
        return None
    return name


class SiteFolder:
    """Source of the files in an output folder.

    Hidden files and links out of the folder are never served. A build may replace the folder at any
    time, so a missing file is tried again: a reader gets either the old or the new file.
    """

    def __init__(self, folder: Path) -> None:
        """Create the source.

        folder: it need not exist yet.
        """
        self.folder = folder.resolve()

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file, or None if the file does not exist.

        name: relative path from `safe_relative_path`; "" or a path that ends with `/` is the index
        of a folder.
        """
        if name == "" or name.endswith("/"):
            name += INDEX
        for _ in range(_TRIES):
            before = self._identity()
            found = self._read(name)
            if found is not None or (before and before == self._identity()):
                return found
            Event().wait(_PAUSE)
        return None

    def version(self) -> str:
        """Return an identifier of the current survey; "" if there is none."""
        manifest = self.read(MANIFEST_NAME)
        return digest(manifest)[:16] if manifest is not None else ""

    def _identity(self) -> tuple[int, int] | None:
        """Return an identity of the folder that changes when it is replaced."""
        try:
            found = os.stat(self.folder)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _read(self, name: str) -> bytes | None:
        """Return the bytes of a file, or None."""
        root = os.path.realpath(self.folder)
        try:
            path = Path(os.path.realpath(os.path.join(root, name)))
            parts = (*path.relative_to(root).parts, *name.split("/"))
            # Reading a pipe or a device would block.
            if any(part.startswith(".") for part in parts) or not path.is_file():
                return None
            return path.read_bytes()
        except (OSError, ValueError):  # ValueError: outside the folder
            return None
