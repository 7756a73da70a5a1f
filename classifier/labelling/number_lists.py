"""Lists of numbers, many of them in two arrays, read for a whole array of them at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.integer]


class NumberLists:
    """k lists of numbers; most are of none or of one."""

    def __init__(self, lists: Sequence[Sequence[int]]) -> None:
        self.sizes: Numbers = np.array([len(each) for each in lists], dtype=np.int64)
        """(k,) how long each list is."""
        self._starts = np.cumsum(self.sizes) - self.sizes
        self._members = np.array([one for each in lists for one in each], dtype=np.int64)

    def of(self, lists: Numbers) -> tuple[Numbers, Numbers]:
        """Return the members of (m,) lists one after the other, and for each its place in `lists`.

        >>> places, members = NumberLists([[7], [], [8, 9]]).of(np.array([2, 1, 0]))
        >>> places.tolist(), members.tolist()
        ([0, 0, 2], [8, 9, 7])
        """
        sizes = self.sizes[lists]
        some = np.flatnonzero(sizes)
        sizes = sizes[some]
        places = np.repeat(some, sizes)
        # In the answer a list begins where those before it end: shift it there from its own start.
        shifts = self._starts[lists[some]] - (np.cumsum(sizes) - sizes)
        return places, self._members[np.arange(len(places)) + np.repeat(shifts, sizes)]
