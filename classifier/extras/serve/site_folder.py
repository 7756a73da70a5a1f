"""The files of out/ that may be served, each whole, also while a build swaps the folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from threading import Event
from urllib.parse import unquote

from classifier.files.built_folder import MANIFEST_NAME, digest

INDEX = "index.html"
_PAUSE = 0.02
_TRIES = 50
"""How often it is looked again while a folder is being swapped: for a second."""

_Identity = tuple[int, int] | None


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
        self._digest: tuple[tuple[int, ...], str] = ((), "")

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file by its relative path; None where there is none to be served.

        name: as `name_of` returns it; "" and what ends in `/` is the index of a folder.
        """
        if name == "" or name.endswith("/"):
            name += INDEX
        for _ in range(_TRIES):
            before = self._identity()
            path = self._real(name)
            found = _bytes(path) if path else None
            if found is not None or self._is_settled(before):
                return found
            Event().wait(_PAUSE)
        return None

    def is_folder(self, name: str) -> bool:
        """Return whether a path without `/` at its end leads to a folder that has an index."""
        return bool(name) and self.read(f"{name}/") is not None

    def version(self) -> str:
        """Return a word that differs for every survey; "" where there is none."""
        mark, known = self._digest
        try:
            told = (self.folder / MANIFEST_NAME).stat()
        except OSError:
            now: tuple[int, ...] = ()
        else:
            now = (told.st_ino, told.st_mtime_ns, told.st_size)
        if not now or now != mark:
            manifest = self.read(MANIFEST_NAME)
            known = digest(manifest)[:16] if manifest is not None else ""
            self._digest = (now, known)
        return known

    def _is_settled(self, before: _Identity) -> bool:
        """Return whether the folder was there, and no other, all the time; before: which it was."""
        return before is not None and before == self._identity()

    def _identity(self) -> _Identity:
        try:
            told = os.stat(self.folder)
        except OSError:
            return None
        return told.st_dev, told.st_ino

    def _real(self, name: str) -> str | None:
        """Return where a name leads; None where that is hidden, or beyond the folder."""
        root = os.path.realpath(self.folder)
        try:
            real = os.path.realpath(os.path.join(root, name))
        except (OSError, ValueError):
            return None
        inside = os.path.relpath(real, root) if _lies_below(real, root) else ".."
        hidden = (part.startswith(".") for path in (inside, name) for part in _parts(path))
        return None if any(hidden) else real


def _parts(path: str) -> list[str]:
    return path.replace(os.sep, "/").split("/")


def _lies_below(path: str, root: str) -> bool:
    return path.startswith(os.path.join(root, ""))


def _bytes(path: str) -> bytes | None:
    """Return what a regular file holds; a pipe or a device would keep a reader waiting."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None
