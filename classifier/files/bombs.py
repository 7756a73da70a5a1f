"""Archives that are made to fill a memory or a disk: how much a file may unpack to."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable

ALWAYS_FINE = 2**27
"""Bytes that any archive may unpack to."""
MAX_TIMES = 100
"""How many times its size an archive may unpack to beyond that; lists of papers reach 20 times."""
MAX_FILES = 10_000
"""Files in one ZIP archive."""


class UnpacksTooMuch(zipfile.BadZipFile):
    """An archive that holds far more than lists of papers do."""


class Allowance:
    """How much a file may unpack to, with all that is packed in it once more."""

    def __init__(self, packed: int | None) -> None:
        """Allow what fits a file of `packed` bytes; None: no bound, where its size is unknown."""
        self._most = None if packed is None else max(ALWAYS_FINE, MAX_TIMES * packed)

    def check(self, sizes: Iterable[int]) -> None:
        """Count pieces of one stream or archive; raises UnpacksTooMuch where they are too much."""
        taken = 0
        for size in sizes:
            taken += size
            if self._most is not None and taken > self._most:
                raise UnpacksTooMuch(f"it unpacks to more than {MAX_TIMES} times its size")
