"""All cues in one tree of arrays, walked from every word of thousands of texts at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.number_lists import NumberLists
from classifier.labelling.pair_table import NONE, PairTable
from classifier.labelling.passages import UNKNOWN, Vocabulary
from classifier.taxonomy.cue import Cue, CueMatcher, State

Numbers = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class CueMatches:
    """m places where cues match, by cue and then by start."""

    cues: Numbers
    """(m,) index of the cue."""
    starts: Numbers
    """(m,) position of its first word."""
    ends: Numbers
    """(m,) position behind its last word."""


class CueTree:
    """Finds what `CueMatcher.find` finds, in many passages at once.

    It is the matcher's tree with its states numbered: what follows a state is a look-up of (state,
    number of the next word). All places where a cue may begin go down the tree together, a word at
    a time; at each word most of them drop out.
    """

    def __init__(self, cues: Sequence[Cue], vocabulary: Vocabulary) -> None:
        """Lay out the tree. vocabulary: it holds every word of the cues."""
        self.longest = max((len(each) for cue in cues for each in cue.alternatives), default=0)
        """The number of words of the longest pattern."""
        states, begin = _numbered(CueMatcher(cues).root)
        self._begin = np.full(len(vocabulary.words) + 1, NONE, dtype=np.int32)
        for word, state in begin.items():
            self._begin[vocabulary.numbers[word]] = state
        # Most edges lead to one state, and often to the same: equal targets are one list.
        lists: dict[tuple[int, ...], int] = {}
        edges = [
            (number, vocabulary.numbers[word], lists.setdefault(targets, len(lists)))
            for number, state in enumerate(states)
            for word, targets in state.after.items()
        ]
        self._edges = PairTable(*np.array(edges, dtype=np.int64).reshape(-1, 3).T)
        self._leads_on = np.zeros(len(vocabulary.words) + 1, dtype=bool)
        self._leads_on[[word for _, word, _ in edges]] = True
        self._targets = NumberLists(list(lists))
        self._opened = NumberLists([state.opened for state in states])
        ends = list(dict.fromkeys(end for state in states for end in state.ends))
        numbers = {end: number for number, end in enumerate(ends)}
        self._ends = NumberLists([[numbers[end] for end in state.ends] for state in states])
        self._cues, self._offsets = np.array(ends, dtype=np.int64).reshape(-1, 2).T

    def find(self, words: NDArray[np.int32], passages: Numbers) -> CueMatches:
        """Return the matches in (t,) words; of each cue the leftmost, none in another one's words.

        passages: (t,) which passage a word is of, ascending; no cue runs across two.
        """
        cues, starts, ends = self.everywhere(words, passages)
        longest, size = self.longest + 1, len(words) + 1
        keys = np.sort((cues * size + starts) * longest + (ends - starts))
        keys = keys[np.diff(keys, prepend=-1) != 0]  # two spellings of a cue may match alike
        places, lengths = np.divmod(keys, longest)
        cues, starts = np.divmod(places, size)
        kept = _apart(places, places + lengths)
        return CueMatches(cues[kept], starts[kept], (starts + lengths)[kept])

    def everywhere(self, words: NDArray[np.int32], passages: Numbers) -> Numbers:
        """Return (3, m) cue, start, end of every match, overlapping ones of one cue too."""
        nothing = np.zeros((3, 0), dtype=np.int64)
        return np.concatenate([nothing, *self._walk(words, passages)], axis=1)

    def _walk(self, words: NDArray[np.int32], passages: Numbers) -> Iterator[Numbers]:
        """Yield (3, …) cue, start, end of the matches of one word, of two, of three, …"""
        begin = self._begin[words]
        words, passages = np.append(words, UNKNOWN), np.append(passages, NONE)  # what ends the last
        firsts = np.flatnonzero(begin != NONE)
        states, ends = begin[firsts], firsts + 1
        while len(states):
            yield self._ended(states, firsts, ends, passages)
            by_word, following = self._by_word(states, words[ends])
            by_any, opened = self._opened.of(states)
            came = np.concatenate([by_word, by_any])
            firsts, ends = firsts[came], ends[came]
            inside = np.flatnonzero(passages[ends] == passages[firsts])
            states = np.concatenate([following, opened])[inside]
            firsts, ends = firsts[inside], ends[inside] + 1

    def _by_word(self, states: Numbers, words: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
        """Return which of some states the next words lead on from, and the states they lead to."""
        places = np.flatnonzero(self._leads_on[words])
        lists = self._edges.find(states[places], words[places])
        there = np.flatnonzero(lists != NONE)
        came, following = self._targets.of(lists[there])
        return places[there[came]], following

    def _ended(self, states: Numbers, firsts: Numbers, ends: Numbers, passages: Numbers) -> Numbers:
        """Return (3, …) cue, start, end of the patterns that end in some states.

        Open words at the beginning of a pattern are no part of the tree: it starts before `firsts`.
        """
        places, at = self._ends.of(states)
        firsts = firsts[places]
        starts = firsts - self._offsets[at]
        # Before the first word is where the last passage is followed by none.
        inside = np.flatnonzero(passages[np.maximum(starts, NONE)] == passages[firsts])
        return np.stack([self._cues[at[inside]], starts[inside], ends[places[inside]]])


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A state with numbers in place of the states behind it."""

    after: Mapping[str, tuple[int, ...]]
    opened: tuple[int, ...]
    ends: Sequence[tuple[int, int]]


def _numbered(root: State) -> tuple[list[_Numbered], dict[str, int]]:
    """Return the states of a tree, and the first state behind each word with which a cue begins.

    The states behind a first word are one, made of all of them: half of the words of a text begin
    some cue, and few go on.
    """
    below = _below(root)
    numbers = {id(state): number for number, state in enumerate(below)}

    def numbered(states: Sequence[State]) -> _Numbered:
        after: dict[str, list[int]] = {}
        for state in states:
            for word, following in state.after.items():
                after.setdefault(word, []).extend(numbers[id(each)] for each in following)
        opened = tuple(numbers[id(each.after_open)] for each in states if each.after_open)
        ends = [end for state in states for end in state.ends]
        return _Numbered({word: tuple(each) for word, each in after.items()}, opened, ends)

    merged = {tuple(map(id, states)): numbered(states) for states in root.after.values()}
    places = {key: len(below) + place for place, key in enumerate(merged)}
    begin = {word: places[tuple(map(id, states))] for word, states in root.after.items()}
    return [*(numbered([state]) for state in below), *merged.values()], begin


def _below(root: State) -> list[State]:
    """Return all states of a tree but its root."""
    found: list[State] = []
    waiting = [root]
    while waiting:
        state = waiting.pop()
        following = [*state.branches.values(), *([state.after_open] if state.after_open else [])]
        found += following
        waiting += following
    return found


def _apart(starts: Numbers, ends: Numbers) -> NDArray[np.bool_]:
    """Return (m,) which of some spans, in the order of start and end, to keep: leftmost, disjoint.

    Spans seldom overlap: those that do are settled one by one.
    """
    reach = np.maximum.accumulate(ends)
    overlaps = np.concatenate([[False], starts[1:] < reach[:-1]])[: len(starts)]
    kept = np.ones(len(starts), dtype=bool)
    behind = 0
    for row in np.flatnonzero(overlaps).tolist():
        if not overlaps[row - 1]:  # the first of a group is kept
            behind = int(ends[row - 1])
        kept[row] = starts[row] >= behind
        if kept[row]:
            behind = int(ends[row])
    return kept
