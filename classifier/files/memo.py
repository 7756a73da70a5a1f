"""What earlier builds worked out, kept in the output folder so that it is not worked out again.

A memo is no input: each value is a pure function, and lies under a digest of every argument and of
the code. A file that is foreign, old or damaged is passed over, and all of them may be deleted.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import classifier
from classifier.files.kept import digest_line, whole_content
from classifier.files.manifest import digest
from classifier.files.spool import Spool

FOLDER = ".cache"
"""Where in the output folder they lie; no page links there."""
_MOST_HELD = 2**20
"""Bytes of a memo that is held in memory until the build ends."""


class Memos:
    """The memos of an output folder, and those that this build adds."""

    def __init__(self, out: Path | None = None, spool: Spool | None = None) -> None:
        """out: the output folder of the last build; None remembers nothing.

        spool: where to lay memos down that are too large to hold.
        """
        self._out, self._spool = out, spool
        self.made: dict[str, bytes | Path] = {}
        """Path in the output folder -> the file, or where it lies: what was not remembered."""

    def recall(self, name: str, key: str) -> bytes | None:
        """Return what was kept as `name` under `key`; None where that is not there, or damaged."""
        if self._out is None:
            return None
        path = f"{FOLDER}/{name}"
        kept = self.made.get(path, self._out / path)
        try:
            return whole_content(kept.read_bytes() if isinstance(kept, Path) else kept, key)
        except OSError:
            return None

    def keep(self, name: str, key: str, content: bytes) -> None:
        """Keep `content` as `name` under `key`, in place of what lies there."""
        path, head = f"{FOLDER}/{name}", digest_line(content, key)
        if self._spool is None or len(content) <= _MOST_HELD:
            self.made[path] = head + content
        else:
            self._spool.lay(path, head, content)
            self.made[path] = self._spool.path(path)


def memo_key(parts: Iterable[object], *libraries: str) -> str:
    """Return the key of a value: a digest of its arguments, the code, Python and libraries.

    parts: what JSON can write.
    """
    versions = [(name, _version(name)) for name in libraries]
    run_by = [platform.python_version(), platform.machine(), versions]
    return digest(json.dumps([_code_digest(), run_by, *parts], sort_keys=True).encode())


@cache
def _version(library: str) -> str:
    from importlib.metadata import version  # late: it brings the parser of e-mail along

    return version(library)


@cache
def _code_digest() -> str:
    """Return a digest of the package: every module, and the data that lies among them."""
    root = Path(classifier.__file__).parent
    files = sorted(
        path
        for path in root.rglob("*")
        if path.is_file() and not {"_data", "__pycache__"} & set(path.relative_to(root).parts)
    )
    return digest(b"".join(digest(path.read_bytes()).encode() for path in files))
