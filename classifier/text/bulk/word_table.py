"""Words as 64-bit numbers read off their bytes, and a table that finds them by these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import Codes, Places

Hashes = NDArray[np.uint64]

_BLOCK = 8
_FIRST, _SECOND, _BEHIND = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xD6E8FEB86659FD93),
    np.uint64(0xC2B2AE3D27D4EB4F),
)
_MASKS = np.array([256**length - 1 for length in range(_BLOCK + 1)], dtype=np.uint64)
"""For each length a number whose first bytes, so many, are all ones."""
_SLOTS_A_WORD = 4
"""Room in the table for each word, so that few look-ups meet another word."""


def blocks_at(codes: Codes, places: Places, lengths: Places) -> Hashes:
    """Return the first eight bytes, at most, of each word as one number; 0 behind its end.

    codes: eight bytes may be read at each place; lengths: in bytes; 0 or less gives 0.
    """
    windows: Hashes = np.ndarray((len(codes) - _BLOCK + 1,), "<u8", codes, strides=(1,))
    return np.asarray(windows[places] & _MASKS[np.clip(lengths, 0, _BLOCK)])


def word_blocks(codes: Codes, places: Places, lengths: Places) -> tuple[Hashes, Hashes, Hashes]:
    """Return (hash, first eight bytes, next eight bytes) of each word of bytes.

    Equal words have equal hashes. Words of eight bytes at most have different ones; of longer words
    two have the same with a probability of 2^-64. The same on every machine.
    """
    first = blocks_at(codes, places, lengths)
    second = np.zeros(len(places), dtype=np.uint64)
    hashes = _mixed(first)
    longer, read = np.flatnonzero(lengths > _BLOCK), _BLOCK
    while len(longer):
        block = blocks_at(codes, places[longer] + read, lengths[longer] - read)
        if read == _BLOCK:
            second[longer] = block
        hashes[longer] = _mixed(hashes[longer] ^ (block * _BEHIND))
        read += _BLOCK
        longer = longer[lengths[longer] > read]
    return hashes, first, second


def _mixed(numbers: Hashes) -> Hashes:
    """Return numbers spread over all their bits; different ones stay different."""
    mixed = numbers * _FIRST
    mixed ^= mixed >> np.uint64(32)
    mixed *= _SECOND
    mixed ^= mixed >> np.uint64(29)
    return np.asarray(mixed)


def hashes_of(words: Sequence[str]) -> Hashes:
    """Return the hashes of words as they are in UTF-8."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    lengths = np.array([len(word) for word in encoded], dtype=np.int64)
    codes = np.frombuffer(b"".join(encoded) + bytes(_BLOCK), dtype=np.uint8)
    return word_blocks(codes, np.cumsum(lengths) - lengths, lengths)[0]


class WordTable:
    """Finds words by their hashes: open addressing, so that one pass of arrays asks for all."""

    def __init__(self, words: Sequence[str]) -> None:
        """words: each once, none of them empty."""
        bits = max(8, (_SLOTS_A_WORD * len(words)).bit_length())
        self._shift = np.uint64(64 - bits)
        self._hashes = np.zeros(2**bits, dtype=np.uint64)
        self._numbers = np.zeros(2**bits, dtype=np.int32)
        hashes = hashes_of(words)
        waiting = np.arange(len(words))
        slots = self._slots(hashes)
        while len(waiting):
            free = waiting[self._hashes[slots[waiting]] == 0]
            _, first = np.unique(slots[free], return_index=True)
            taken = free[first]
            self._hashes[slots[taken]] = hashes[taken]
            self._numbers[slots[taken]] = taken + 1
            waiting = np.setdiff1d(waiting, taken, assume_unique=True)
            slots[waiting] = (slots[waiting] + 1) % len(self._hashes)

    def _slots(self, hashes: Hashes) -> Places:
        return np.asarray((hashes >> self._shift).view(np.int64))

    def numbers(self, hashes: Hashes) -> NDArray[np.int32]:
        """Return, for each hash, the place of its word from 1; 0 where it is none of the words."""
        slots = self._slots(hashes)
        found = self._hashes[slots]
        numbers = self._numbers[slots]
        is_other = found != hashes
        numbers *= ~is_other
        # What met another word looks on, slot by slot, until it meets itself or nothing.
        astray = np.flatnonzero(is_other & (found != 0))
        slots = slots[astray]
        while len(astray):
            slots = (slots + 1) % len(self._hashes)
            found = self._hashes[slots]
            is_there = found == hashes[astray]
            numbers[astray[is_there]] = self._numbers[slots[is_there]]
            goes_on = ~is_there & (found != 0)
            astray, slots = astray[goes_on], slots[goes_on]
        return numbers
