"""The hits of many papers, made of arrays when somebody asks for those of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.evidence import Hit

Numbers = NDArray[np.integer]


class HitRows(Sequence[tuple[Hit, ...]]):
    """Per paper: the cues that fired in it, in the order of the taxonomy."""

    def __init__(
        self,
        papers: int,
        rows: Numbers,
        cues: Numbers,
        counts: Numbers,
        names: Sequence[tuple[str, str, str]],
    ) -> None:
        """Keep m hits in n papers.

        rows: (m,) the paper, ascending; cues, counts: (m,) the cue, ascending within a paper, and
        how often it fired; names: category, view and text of each cue.
        """
        self._starts = np.searchsorted(rows, np.arange(papers + 1))
        self._cues, self._counts, self._names = cues, counts, names

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, row: int) -> tuple[Hit, ...]: ...

    @overload
    def __getitem__(self, row: slice) -> tuple[tuple[Hit, ...], ...]: ...

    def __getitem__(self, row: int | slice) -> tuple[Hit, ...] | tuple[tuple[Hit, ...], ...]:
        if isinstance(row, slice):
            return tuple(self[place] for place in range(*row.indices(len(self))))
        if not -len(self) <= row < len(self):
            raise IndexError(f"paper {row} of {len(self)}")
        row %= len(self)
        own = slice(self._starts[row], self._starts[row + 1])
        found = zip(self._cues[own].tolist(), self._counts[own].tolist(), strict=True)
        named = ((*self._names[cue], count) for cue, count in found)
        return tuple(Hit(*values) for values in named)
