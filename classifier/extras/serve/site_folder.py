"""The files of out/ that may be served, each whole, also while a build swaps the folder."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event
from urllib.parse import unquote

from classifier.files.built_folder import MANIFEST_NAME, digest

INDEX = "index.html"
_PAUSE = 0.02
_TRIES = 50
"""How often it is looked again while a folder is being swapped: for a second."""


def name_of(target: str) -> str | None:
    """Return the relative path that a request asks for; None where no browser would ask so.

    That is a path with `..`, an empty part, a backslash, a colon or a control character in it,
    plain or encoded, or one that is no UTF-8. A path that ends in `/` is that of a folder.

    >>> name_of("/c/rye%20bread.html?q=1")
    'c/rye bread.html'
    >>> name_of("/%2e%2e/etc/passwd") is None
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
    if any(sign in "\\:" or ord(sign) < 32 or ord(sign) == 127 for sign in name):
        return None
    return name


class SiteFolder:
    """An output folder as a source of files.

    Nothing hidden is served, and nothing to which a link leads out of the folder. A build may put a
    new folder in the place of this one at any time: a file that is not there is then looked for
    again, so that a reader gets it from the old folder or the new one.
    """

    def __init__(self, folder: Path) -> None:
        """folder: it may not be there yet."""
        self.folder = folder.resolve()

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file by its relative path; None where there is none to be served.

        name: as `name_of` returns it; "" and what ends in `/` is the index of a folder.
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
        """Return a word that differs for every survey; "" where there is none."""
        manifest = self.read(MANIFEST_NAME)
        return digest(manifest)[:16] if manifest is not None else ""

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.folder)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _read(self, name: str) -> bytes | None:
        root = os.path.realpath(self.folder)
        try:
            path = Path(os.path.realpath(os.path.join(root, name)))
            parts = (*path.relative_to(root).parts, *name.split("/"))
            # A pipe or a device would keep a reader waiting.
            if any(part.startswith(".") for part in parts) or not path.is_file():
                return None
            return path.read_bytes()
        except (OSError, ValueError):  # ValueError: it lies elsewhere
            return None
