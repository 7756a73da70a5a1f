"""Which of some beginnings words have: "introduc" of "introducing"."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.word_table import Hashes

_BITS = 16
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_FOUR = np.uint64(0xFFFFFFFF)


def _number(text: str) -> np.uint64:
    return np.uint64(int.from_bytes(text.encode(), "little"))


def _mask(text: str) -> np.uint64:
    return np.uint64(256 ** len(text) - 1)


def starts_with(prefix: str, first: Hashes, second: Hashes) -> NDArray[np.bool_]:
    """Return whether words begin with sixteen letters at most.

    first, second: (n,) the first eight letters of each word, and the next, as `blocks_at` has them.
    """
    begins = (first & _mask(prefix[:8])) == _number(prefix[:8])
    if len(prefix) > 8:
        begins &= (second & _mask(prefix[8:])) == _number(prefix[8:])
    return np.asarray(begins)


class PrefixFinder:
    """Finds which of many prefixes words have, by a table of their first four letters."""

    def __init__(self, prefixes: Mapping[str, int]) -> None:
        """prefixes: each with its flags, the bits of one byte."""
        self._short = {text: flags for text, flags in prefixes.items() if len(text) < 4}
        groups: dict[int, list[str]] = {}
        for text in prefixes:
            if text not in self._short:
                slot = int(_slots(np.array([_number(text[:4])]))[0])
                groups.setdefault(slot, []).append(text)
        self._group = np.zeros(2**_BITS, dtype=np.uint8)
        depth = max(map(len, groups.values()), default=0)
        shape = (depth, len(groups) + 1)
        self._masks, self._values = (np.zeros((2, *shape), dtype=np.uint64) for _ in range(2))
        self._has_more = np.zeros(shape, dtype=bool)
        self._flags = np.zeros(shape, dtype=np.uint8)
        for group, (slot, texts) in enumerate(sorted(groups.items()), 1):
            self._group[slot] = group
            for row, text in enumerate(texts):
                for block, part in enumerate((text[:8], text[8:])):
                    self._masks[block, row, group] = _mask(part)
                    self._values[block, row, group] = _number(part)
                self._flags[row, group] = prefixes[text]
                self._has_more[row, group] = row + 1 < len(texts)

    def flags(self, first: Hashes, second: Hashes) -> NDArray[np.uint8]:
        """Return (n,) the flags of all prefixes that each word has; words as in `starts_with`."""
        flags = np.zeros(len(first), dtype=np.uint8)
        for text, bits in self._short.items():
            flags |= starts_with(text, first, second).view(np.uint8) * np.uint8(bits)
        group = self._group[_slots(first)]
        at = np.flatnonzero(group != 0)
        group, first, second = group[at], first[at], second[at]
        for row, has_more in enumerate(self._has_more):
            masks, values = self._masks[:, row][:, group], self._values[:, row][:, group]
            has = ((first & masks[0]) == values[0]) & ((second & masks[1]) == values[1])
            flags[at] |= has.view(np.uint8) * self._flags[row][group]
            more = np.flatnonzero(has_more[group])
            at, group, first, second = at[more], group[more], first[more], second[more]
        return flags


def _slots(first: Hashes) -> NDArray[np.int64]:
    return np.asarray((((first & _FOUR) * _SPREAD) >> np.uint64(64 - _BITS)).view(np.int64))
