"""Which records of a long stream are the first of their paper: eight bytes a name are held.

A record is passed over where an earlier one, kept or not, has one of its names. So who is kept
depends on the order of the records alone, not on how the stream is cut.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.papers.identity import own_ids
from classifier.papers.paper import Paper
from classifier.text.normalise import title_key


def record_names(paper: Paper) -> list[str]:
    """Return by what a record is known again, each once: its title, then its ids."""
    return list(dict.fromkeys((title_key(paper.title), *own_ids(paper))))


def name_hash(name: str) -> int:
    """Return 64 bits of BLAKE2b of a name."""
    found = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(found.digest(), "little")


class FirstSeen:
    """The names that were seen so far."""

    def __init__(self) -> None:
        # Sorted, each at most half as long as the one before it: a look-up is a few searches.
        self._runs: list[NDArray[np.uint64]] = []

    def known_names(self, named: Sequence[Sequence[int]]) -> list[list[bool]]:
        """Return which names of each record an earlier record has; they are known from then on."""
        names = np.unique(np.array([name for each in named for name in each], dtype=np.uint64))
        held = np.zeros(len(names), dtype=bool)
        for run in self._runs:
            held |= run[np.minimum(np.searchsorted(run, names), len(run) - 1)] == names
        known = set(names[held].tolist())
        found = []
        for each in named:
            found.append([name in known for name in each])
            known.update(each)
        self._note(names[~held])
        return found

    def _note(self, run: NDArray[np.uint64]) -> None:
        if not len(run):
            return
        while self._runs and len(self._runs[-1]) < 2 * len(run):
            run = np.union1d(self._runs.pop(), run)
        self._runs.append(run)
