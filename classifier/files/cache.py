"""The cache of builds: files that may be deleted, each with a key and a digest in its first line.

A file that is truncated, damaged, or stored by another version or under another key is treated as
missing. So the cache is not an input: deleting it costs only time.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.built_folder import digest
from classifier.files.writing import new_file

_PACKAGE = Path(__file__).resolve().parents[1]


class BuildCache:
    """A folder with results of builds, ignored by Git; a failure to store a result is ignored."""

    def __init__(self, folder: Path | None) -> None:
        """Create a cache.

        folder: created when the first file is stored; None stores nothing.
        """
        self._folder = folder

    def load(self, name: str, key: str = "") -> bytes | None:
        """Return the content stored as `name` under `key`; None if it is missing or damaged."""
        if self._folder is None:
            return None
        with suppress(OSError):
            return verified_content((self._folder / name).read_bytes(), key)
        return None

    def store(self, name: str, content: bytes, key: str = "") -> None:
        """Store `content` as `name` under `key`."""
        if self._folder is None:
            return
        with suppress(OutputError, OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with new_file(self._folder / name, is_cache=True) as stream:
                stream.writelines((digest_line(content, key), content))
            if not (self._folder / ".gitignore").exists():
                (self._folder / ".gitignore").write_text("*\n", encoding="utf-8")


def cache_key(parts: Iterable[object], *libraries: str) -> str:
    """Return the key of a cached value: a digest of its arguments, the code, Python and libraries.

    parts: arguments that can be written as JSON.
    """
    versions = [(name, _version(name)) for name in libraries]
    run_by = [platform.python_version(), platform.machine(), versions]
    return digest(json.dumps([_code_digest(), run_by, *parts], sort_keys=True).encode())


def digest_line(content: bytes, key: str = "") -> bytes:
    """Return the first line of a cache file: the key, if any, and the digest of `content`."""
    return f"{key} {digest(content)}".lstrip().encode() + b"\n"


def verified_content(stored: bytes, key: str = "") -> bytes | None:
    """Return the content after the first line; None if it does not match the digest or `key`.

    >>> line = digest_line(b"rye")
    >>> verified_content(line + b"rye"), verified_content(line + b"ry")
    (b'rye', None)
    """
    head, end, content = stored.partition(b"\n")
    return content if head + end == digest_line(content, key) else None


@cache
def _version(library: str) -> str:
    from importlib.metadata import version  # late: it brings the parser of e-mail along

    return version(library)


@cache
def _code_digest() -> str:
    """Return a digest of the package: all modules, and the data files next to them."""
    files = sorted(
        path
        for path in _PACKAGE.rglob("*")
        if path.is_file() and not {"_data", "__pycache__"} & set(path.relative_to(_PACKAGE).parts)
    )
    return digest(b"".join(digest(path.read_bytes()).encode() for path in files))
