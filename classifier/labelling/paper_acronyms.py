"""The acronyms that the papers of a reading define, bracket by bracket, read when asked for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

import numpy as np

from classifier.text.acronyms import MOST_BRACKETED, definition_at, tokens_of_short
from classifier.text.bulk.brackets import Brackets
from classifier.text.bulk.reading import Reading

Definition = tuple[str, tuple[str, ...]]
"""A short form, and the tokens of the long one."""
Definitions = Mapping[str, tuple[str, ...]]


class PaperAcronyms:
    """What papers define, read where it is asked for."""

    def __init__(self, reading: Reading, texts: Sequence[str], brackets: Brackets) -> None:
        characters = reading.characters
        opening = np.searchsorted(characters.ends, brackets.starts)
        closing = np.searchsorted(characters.ends, brackets.ends - 1)
        # Between title and abstract one character stands here, and two in what defines acronyms.
        shift = characters.starts[0::2]
        starts = brackets.starts - shift[opening // 2] + opening % 2
        ends = brackets.ends - shift[closing // 2] + closing % 2
        is_one = (opening // 2 == closing // 2) & (ends - starts <= MOST_BRACKETED + 2)
        self._texts = texts
        self._rows = (opening // 2).tolist()
        self._places = list(zip(starts.tolist(), ends.tolist(), strict=True))
        self._is_one = is_one.tolist()
        self._read: dict[int, tuple[Definition, ...]] = {}
        self._known: dict[int, Definitions] = {}
        self._words: dict[int, frozenset[str]] = {}

    def in_bracket(self, at: int) -> tuple[int, tuple[Definition, ...]]:
        """Return the row of a bracket's paper, and what it defines, in both numbers."""
        row = self._rows[at]
        if at not in self._read:
            is_read = self._is_one[at]
            self._read[at] = definition_at(self._text(row), *self._places[at]) if is_read else ()
        return row, self._read[at]

    def in_paper(self, row: int) -> Definitions:
        """Return all that a paper defines; of one short form the first long one."""
        if row not in self._known:
            own = range(bisect_left(self._rows, row), bisect_right(self._rows, row))
            found: dict[str, tuple[str, ...]] = {}
            for at in own:
                for short, long in self.in_bracket(at)[1]:
                    found.setdefault(short, long)
            self._known[row] = found
        return self._known[row]

    def words_of_forms(self, row: int) -> frozenset[str]:
        """Return the words, in lower case, of all that a paper defines."""
        if row not in self._words:
            words: set[str] = set()
            for short, long in self.in_paper(row).items():
                words.update(long, tokens_of_short(short)[1])
            self._words[row] = frozenset(words)
        return self._words[row]

    def _text(self, row: int) -> str:
        return f"{self._texts[2 * row]}. {self._texts[2 * row + 1]}"
