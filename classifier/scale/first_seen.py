"""Which records of a long stream are the first of their paper: eight bytes a name are held.

A record is passed over where an earlier one, kept or not, has one of its names. So who is kept
depends on the order of the records alone, not on how the stream is cut.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.papers.identity import own_ids
from classifier.papers.paper import Paper
from classifier.text.normalise import title_key

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]


def record_names(paper: Paper) -> dict[str, None]:
    """Return by what a record is known again, each once: its title, then its ids."""
    return dict.fromkeys((title_key(paper.title), *own_ids(paper)))


def hashed_names(named: Sequence[Collection[str]]) -> tuple[Hashes, Positions]:
    """Return the hashes of the names of n records, and the row of each, ascending; both (m,).

    named: n records, each with at least one name and none twice.
    """
    digests = b"".join(_digest(name) for names in named for name in names)
    rows = np.repeat(np.arange(len(named)), [len(names) for names in named])
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64), rows.astype(np.int64)


class FirstSeen:
    """The names that were seen so far."""

    def __init__(self) -> None:
        # Sorted, each at most half as long as the one before it: a look-up is a few searches.
        self._runs: list[Hashes] = []

    def are_new(self, names: Hashes, rows: Positions) -> NDArray[np.bool_]:
        """Return (m,) which names no earlier row has, of these rows and of all before; note them.

        names, rows: (m,) as of `hashed_names`. A record is the first of its paper where all of
        its names are new.
        """
        order = np.argsort(names, kind="stable")
        ordered, owners = names[order], rows[order]
        starts = np.ones(len(ordered), dtype=bool)
        starts[1:] = ordered[1:] != ordered[:-1]
        new = np.empty(len(ordered), dtype=bool)
        first_owner = owners[np.flatnonzero(starts)][np.cumsum(starts) - 1]
        new[order] = (owners == first_owner) & ~self._holds(ordered)
        self._note(ordered[starts])
        return new

    def _holds(self, names: Hashes) -> NDArray[np.bool_]:
        held = np.zeros(len(names), dtype=bool)
        for run in self._runs:
            places = np.minimum(np.searchsorted(run, names), len(run) - 1)
            held |= run[places] == names
        return held

    def _note(self, names: Hashes) -> None:
        if not len(names):
            return
        run = names
        while self._runs and len(self._runs[-1]) < 2 * len(run):
            run = np.union1d(self._runs.pop(), run)
        self._runs.append(run)


def firsts(new: NDArray[np.bool_], rows: Positions, count: int) -> NDArray[np.bool_]:
    """Return (count,) which records are the first of their paper, from `FirstSeen.are_new`."""
    kept = np.ones(count, dtype=bool)
    kept[rows[~new]] = False
    return kept


def _digest(name: str) -> bytes:
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
