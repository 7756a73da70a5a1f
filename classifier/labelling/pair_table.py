"""What is known of pairs of numbers, looked up for whole arrays of pairs at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.integer]

NONE = -1
"""The value of a pair that is not in a table."""

_EMPTY = np.uint64(2**64 - 1)
# Knuth, "The Art of Computer Programming" 3, 6.4: multiplication by 2^64 over the golden ratio.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SLOTS_A_PAIR = 4


class PairTable:
    """A hash table in arrays, from pairs of numbers to numbers.

    A pair lies in the slot that its hash names, or in the next one that was free when it came
    (linear probing); three slots in four are empty, so that most look-ups read one. It is several
    times as fast as a binary search among sorted pairs.
    """

    def __init__(self, firsts: Numbers, seconds: Numbers, values: Numbers) -> None:
        """Fill the table with (m,) pairs, all different, of numbers from 0 to 2^31 - 1."""
        bits = max(4, (_SLOTS_A_PAIR * len(values)).bit_length())
        self._shift = np.uint64(64 - bits)
        self._mask = 2**bits - 1
        self._keys = np.full(2**bits, _EMPTY)
        self._values = np.full(2**bits, NONE, dtype=np.int32)
        keys = _keys(firsts, seconds)
        slots = self._slots(keys)
        left = np.arange(len(keys))
        while len(left):
            free = left[self._keys[slots[left]] == _EMPTY]
            taken, first = np.unique(slots[free], return_index=True)
            self._keys[taken] = keys[free[first]]
            self._values[taken] = values[free[first]]
            left = left[self._keys[slots[left]] != keys[left]]
            slots[left] = (slots[left] + 1) & self._mask

    def find(self, firsts: Numbers, seconds: Numbers) -> Numbers:
        """Return (m,) the values of pairs; `NONE` of a pair that is not there."""
        keys = _keys(firsts, seconds)
        slots = self._slots(keys)
        held = self._keys[slots]
        values = np.where(held == keys, self._values[slots], NONE).astype(np.int64)
        left = np.flatnonzero((held != keys) & (held != _EMPTY))
        while len(left):
            slots[left] = (slots[left] + 1) & self._mask
            held = self._keys[slots[left]]
            found = held == keys[left]
            values[left[found]] = self._values[slots[left[found]]]
            left = left[~found & (held != _EMPTY)]
        return values

    def _slots(self, keys: NDArray[np.uint64]) -> Numbers:
        return ((keys * _GOLDEN) >> self._shift).astype(np.int64)


def _keys(firsts: Numbers, seconds: Numbers) -> NDArray[np.uint64]:
    return (firsts.astype(np.uint64) << np.uint64(32)) | seconds.astype(np.uint64)
