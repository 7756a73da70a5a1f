"""New files of a build that are too many to hold in memory, laid down beside its folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from classifier.errors import OutputError

_PREFIX = ".fieldguide-spool-"
_MARKER = "spool-of"
"""A file in each spool: the name of the folder that its files are for."""
_FILES = "files"


class Spool:
    """Files on the disk that are to become part of a folder."""

    def __init__(self, folder: Path) -> None:
        """folder: the folder of which they will be part; nothing is made before it is needed."""
        self._folder = folder.resolve()
        self._root: Path | None = None
        self._files = ""
        self._names: set[str] = set()

    def lay(self, name: str, *parts: bytes) -> None:
        """Lay a file down, the parts one behind the other; raises OutputError where it cannot."""
        try:
            path = os.path.join(self._open(), name)
            try:
                _write(path, parts)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                _write(path, parts)
        except OSError as error:
            raise OutputError(
                f"{self._folder}: cannot be written ({error.strerror or error}). Free the folder "
                "or choose another with --out."
            ) from error
        self._names.add(name)

    def path(self, name: str) -> Path:
        """Return where a file lies that was laid down."""
        return Path(self._open(), name)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def discard(self) -> None:
        """Delete what is left of it."""
        if self._root is not None:
            _delete(self._root)

    def _open(self) -> str:
        """Return the folder in which the files lie."""
        if self._root is None:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            root = Path(tempfile.mkdtemp(prefix=_prefix(self._folder), dir=self._folder.parent))
            (root / _MARKER).write_text(self._folder.name, encoding="utf-8")
            self._root, self._files = root, str(root / _FILES)
        return self._files


def _write(path: str, parts: Iterable[bytes]) -> None:
    with open(path, "wb") as stream:
        stream.writelines(parts)


@contextmanager
def spool_for(folder: Path) -> Iterator[Spool]:
    """Give a spool for a folder, and delete it in the end; clear what killed builds left.

    For whoever is the only one to write the folder.
    """
    folder = folder.resolve()
    for left in sorted(folder.parent.glob(f"{_PREFIX}*")):
        if _is_for(left, folder):
            _delete(left)
    spool = Spool(folder)
    try:
        yield spool
    finally:
        spool.discard()


def _delete(spool: Path) -> None:
    """Delete a spool; one that cannot be emptied keeps its mark and is tried again."""
    shutil.rmtree(spool / _FILES, ignore_errors=True)
    if not (spool / _FILES).exists():
        shutil.rmtree(spool, ignore_errors=True)


def _prefix(folder: Path) -> str:
    return f"{_PREFIX}{folder.name}."


def _is_for(spool: Path, folder: Path) -> bool:
    """Return whether a spool is that of a folder, or was cut off before it was marked so."""
    try:
        if (spool / _MARKER).read_text(encoding="utf-8") == folder.name:
            return True
    except (OSError, ValueError):
        pass
    start = _prefix(folder)
    is_named = spool.name.startswith(start) and "." not in spool.name[len(start) :]
    return is_named and spool.is_dir() and set(os.listdir(spool)) <= {_MARKER}
