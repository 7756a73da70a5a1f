r"""Finds phrases of whole words in runs of word characters: one tree, walked for all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import Codes, Places
from classifier.text.bulk.prefixes import starts_with
from classifier.text.bulk.runs import Runs


@dataclass(frozen=True, slots=True)
class Found:
    """m places where phrases stand, in no order."""

    first: Places
    """(m,) the run that the phrase begins with."""
    last: Places
    """(m,) the run that it ends with."""
    meanings: NDArray[np.int64]
    """(m,) one bit for each meaning that the phrase has."""

    def of(self, meaning: int) -> tuple[Places, Places]:
        """Return (first, last) of the phrases of one meaning."""
        at = np.flatnonzero((self.meanings & (1 << meaning)) != 0)
        return self.first[at], self.last[at]


@dataclass(frozen=True, slots=True)
class _Shape:
    r"""Words of an open place: `th\w+`, `\w+ing`, `forward\w*`."""

    begins: str
    ends: str
    least: int
    """Characters that it has at least."""

    def fits(self, lower: Codes, runs: Runs, at: Places) -> NDArray[np.bool_]:
        """Return whether each of some runs is such a word."""
        fits = runs.ends[at] - runs.starts[at] >= self.least
        fits &= starts_with(self.begins, runs.first[at], runs.second[at])
        for back, letter in enumerate(reversed(self.ends), 1):
            fits &= lower[runs.ends[at] - back] == ord(letter)
        return np.asarray(fits)


def _shape(text: str) -> _Shape | None:
    for sign, more in ((r"\w+", 1), (r"\w*", 0)):
        begins, found, ends = text.partition(sign)
        if found:
            return _Shape(begins, ends, len(begins) + more + len(ends))
    return None


class PhraseFinder:
    r"""Finds phrases: words with one blank between, where `\w+` and `\w*` stand for any letters.

    `words` are those that phrases are made of; the number of the first one is 1.
    """

    def __init__(self, phrases: Mapping[str, Sequence[int]]) -> None:
        """phrases: each with its meanings, numbers below 63."""
        parts = {text: text.split(" ") for text in phrases}
        plain = (part for text in parts.values() for part in text if _shape(part) is None)
        self.words = tuple(dict.fromkeys(plain))
        number = {word: place for place, word in enumerate(self.words, 1)}
        edges: list[dict[int, int]] = [{}]
        open_edges: dict[int, tuple[_Shape, int]] = {}
        meanings = [0]
        for text, bits in phrases.items():
            state = 0
            for part in parts[text]:
                shape = _shape(part)
                known = edges[state].get(number[part], 0) if shape is None else 0
                if shape is not None and state in open_edges:
                    if open_edges[state][0] != shape:
                        raise ValueError(f"{text!r} has another open place than its like.")
                    known = open_edges[state][1]
                if not known:
                    known = len(edges)
                    edges.append({})
                    meanings.append(0)
                    if shape is None:
                        edges[state][number[part]] = known
                    else:
                        open_edges[state] = (shape, known)
                state = known
            for bit in bits:
                meanings[state] |= 1 << bit
        self._next = np.zeros((len(edges), len(self.words) + 1), dtype=np.int16)
        for state, after in enumerate(edges):
            for word, following in after.items():
                self._next[state, word] = following
        self._open = open_edges
        self._meanings = np.array(meanings, dtype=np.int64)

    def find(self, lower: Codes, runs: Runs, words: NDArray[np.int32]) -> Found:
        """Return where phrases stand.

        lower: the characters; words: (r,) the number of each run's word, 0 if it has none.
        """
        states = self._next[0][words]
        first = np.flatnonzero(states != 0)
        last, states = first, states[first]
        found = []
        while len(states):
            meant = self._meanings[states]
            at = np.flatnonzero(meant != 0)
            found.append((first[at], last[at], meant[at]))
            at = np.flatnonzero(runs.blank[last])
            first, last, states = first[at], last[at] + 1, states[at]
            following = [(first, last, self._next[states, words[last]])]
            for state, (shape, behind) in self._open.items():
                here = np.flatnonzero(states == state)
                here = here[shape.fits(lower, runs, last[here])]
                following.append((first[here], last[here], np.full(len(here), behind, np.int16)))
            first, last, states = map(np.concatenate, zip(*following, strict=True))
            at = np.flatnonzero(states != 0)
            first, last, states = first[at], last[at], states[at]
        if not found:
            nothing = np.empty(0, dtype=np.int64)
            return Found(nothing, nothing, nothing)
        return Found(*map(np.concatenate, zip(*found, strict=True)))
