"""Loaded by a Python at its start: a file system that names files in another order.

FIELDGUIDE_FILE_ORDER says in which: `reversed`, or `shuffled`, the same way in every process.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from typing import Any

_ORDER = os.environ.get("FIELDGUIDE_FILE_ORDER", "")
_listdir, _scandir = os.listdir, os.scandir


def _disordered(entries: Iterable[Any]) -> list[Any]:
    named = sorted(entries, key=lambda entry: os.fsdecode(getattr(entry, "name", entry)))
    if _ORDER == "reversed":
        return named[::-1]
    return sorted(named, key=_hash_of)


def _hash_of(entry: Any) -> bytes:
    return hashlib.sha256(os.fsencode(getattr(entry, "name", entry))).digest()


class _Scan:
    """What `os.scandir` returns, in another order."""

    def __init__(self, *where: Any) -> None:
        with _scandir(*where) as entries:
            self._entries = iter(_disordered(entries))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> _Scan:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is open any more."""


if _ORDER:
    os.listdir = lambda *where: _disordered(_listdir(*where))
    os.scandir = _Scan  # type: ignore[assignment,misc]
