"""The places where cues match in the other spellings of papers that define acronyms."""

from __future__ import annotations

from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_tree import CueTree
from classifier.labelling.passages import UNKNOWN, Passages, Vocabulary
from classifier.text.acronyms import Respelling

Numbers = NDArray[np.integer]


class RespelledPassages:
    """The passages of a chunk that have another spelling, and the words of that."""

    def __init__(self, passages: Passages) -> None:
        found = sorted(passages.respelled.items())
        self._texts: list[Respelling] = [text for _, text in found]
        lengths = np.array([len(text.words) for text in self._texts], dtype=np.int64)
        self.places = np.array([place for place, _ in found], dtype=np.int64)
        """(r,) which of the passages it is."""
        self._begin = passages.starts[self.places]
        self._owners = np.repeat(np.arange(len(found)), lengths)
        self._starts = np.cumsum(lengths) - lengths

    def matches(self, tree: CueTree, vocabulary: Vocabulary) -> tuple[Numbers, ...]:
        """Return (m,) passages, cues, starts and ends: what holds a whole form that was put in.

        Positions are in the respelled words of all passages, one after the other.
        """
        words = chain.from_iterable(text.words for text in self._texts)
        numbers = list(map(vocabulary.numbers.get, words, repeat(UNKNOWN)))
        found = tree.find(np.array(numbers, dtype=np.int32), self._owners)
        put_in = chain.from_iterable(chain.from_iterable(text.places for text in self._texts))
        sizes = [len(text.places) for text in self._texts]
        firsts, lasts = np.array(list(put_in), dtype=np.int64).reshape(-1, 2).T + np.repeat(
            self._starts, sizes
        )
        # Of the forms that do not begin before the match the first one ends first.
        following = np.searchsorted(firsts, found.starts)
        whole = following < len(firsts)
        whole[whole] = lasts[following[whole]] <= found.ends[whole]
        starts, ends = found.starts[whole], found.ends[whole]
        return self._owners[starts], found.cues[whole], starts, ends

    def as_written(self, texts: Numbers, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
        """Return (m,) starts and ends of matches among the words of the chunk as written."""
        before = self._starts[texts]
        spans = [
            self._texts[text].as_written(start, end)
            for text, start, end in zip(
                *(each.tolist() for each in (texts, starts - before, ends - before)), strict=True
            )
        ]
        written = np.array(spans, dtype=np.int64).reshape(-1, 2) + self._begin[texts][:, None]
        return written[:, 0], written[:, 1]
