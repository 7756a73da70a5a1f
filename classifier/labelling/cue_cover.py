"""Which forms of acronyms the cues of a taxonomy could cover, were they put into a text.

Most papers define an acronym, and most of these are nobody's cue: what is told here of the last
words of a long form spares reading the rest of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.passages import UNKNOWN, Vocabulary
from classifier.taxonomy.cue import Pattern, parse_cue
from classifier.text.acronyms import tokens_of_short
from classifier.text.bulk.characters import Places
from classifier.text.bulk.word_table import Hashes, WordTable, hashes_of

_MOST_KNOWN = 2**14
"""Definitions of which the forms are kept."""
_PAIR = np.uint64(0x9FB21C651E98DF25)


class Neighbours(NamedTuple):
    """The words beside a form with which cues cover it."""

    pairs: frozenset[tuple[str, str]]
    """(before, behind) of a place; "" where any word may stand, or none."""
    alone: bool
    """Whether some cue asks for no word beside."""

    def may_be(self, before: str, behind: str) -> bool:
        """Tell whether two words, "" for none, may be the neighbours of a form that is covered."""
        pairs = self.pairs
        return ("", behind) in pairs or (before, "") in pairs or (before, behind) in pairs


class Form(NamedTuple):
    """One form of an acronym, and where cues could cover the other one in its place."""

    written: tuple[str, ...]
    """Its tokens."""
    is_cased: bool
    """Whether it counts in this case only."""
    other: tuple[str, ...]
    """What is put in for it."""
    neighbours: Neighbours
    """Of what is put in."""


class CueCover:
    """Which forms of acronyms cues could cover; made once, pure."""

    def __init__(self, vocabulary: Vocabulary, cues: Iterable[str]) -> None:
        """vocabulary: it holds every word of the cues."""
        self.names = ("", *vocabulary.words)
        """The words by their numbers; "" for that of no word."""
        patterns = dict.fromkeys(way for cue in cues for way in parse_cue(cue).alternatives)
        self._at_word: dict[str, list[tuple[Pattern, int]]] = {}
        for pattern in patterns:
            for place, words in enumerate(pattern):
                for word in words or ():
                    self._at_word.setdefault(word, []).append((pattern, place))
        self._open = [pattern for pattern in patterns if None in pattern]
        openings = {
            pair
            for pattern in self._open
            for place, words in enumerate(pattern)
            if words is None
            for pair in _beside(pattern, place, place + 1)
        }
        self._beside_any_word = _neighbours_of(openings)
        self._beside_word = {
            word: _neighbours_of(
                openings.union(*(_beside(pattern, place, place + 1) for pattern, place in places))
            )
            for word, places in self._at_word.items()
        }
        self._at_pair = _places_of_pairs(patterns)
        forms = chain.from_iterable(map(_numbers, self._at_word))
        self._words = WordTable(list(dict.fromkeys(forms)))
        self._pairs = np.unique(_pair_keys(_word_pairs(patterns)))
        self.has_open = bool(self._open)
        """Whether some cue has an open word."""
        behind = list(dict.fromkeys(chain.from_iterable(map(_behind_open, self._open))))
        before = chain.from_iterable(_behind_open(pattern[::-1]) for pattern in self._open)
        self._behind_open = _table(vocabulary, behind)
        either = chain.from_iterable(map(_numbers, behind))
        self._behind_open_words = WordTable(list(dict.fromkeys(either)))
        self._before_open_words = WordTable(list(dict.fromkeys(before)))
        loose = [pattern for pattern in self._open if _has_loose_end(pattern)]
        self._loose = [
            [_table(vocabulary, place) for place in pattern if place] for pattern in loose
        ]
        loose_words = {word for pattern in loose for place in pattern for word in place or ()}
        self._is_loose = _table(vocabulary, loose_words)
        self._forms: dict[tuple[str, tuple[str, ...]], tuple[Form, ...]] = {}

    def may_end_a_form(self, last_but_one: Hashes, last: Hashes) -> NDArray[np.bool_]:
        """Return whether a form that ends with two words, in either number, might be covered.

        Two open words beside each other cover any: see `has_loose_cue`.
        """
        ends = _among(self._pairs, _keys(last_but_one, last))
        ends |= self._before_open_words.numbers(last_but_one) > 0
        return np.asarray(ends | (self._behind_open_words.numbers(last) > 0))

    def knows(self, words: Hashes) -> NDArray[np.bool_]:
        """Return whether each word stands in a cue, in either number."""
        return np.asarray(self._words.numbers(words) > 0)

    def stands_behind_open(self, words: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return which words, by their numbers, some cue has right behind an open word."""
        return np.asarray(self._behind_open[words])

    def has_loose_cue(self, words: NDArray[np.int32], starts: Places) -> NDArray[np.bool_]:
        """Return (q,) whether passages hold the words of a cue with nothing certain behind `_`.

        words: the numbers of all words; starts: (q + 1,) where each passage begins among them.
        """
        holds = np.zeros(len(starts) - 1, dtype=bool)
        at = np.flatnonzero(self._is_loose[words])
        passages, own = np.searchsorted(starts, at, "right") - 1, words[at]
        for places in self._loose:
            holds_all = np.ones(len(holds), dtype=bool)
            for place in places:
                holds_one = np.zeros(len(holds), dtype=bool)
                holds_one[passages[place[own]]] = True
                holds_all &= holds_one
            holds |= holds_all
        return holds

    def forms(self, short: str, long: tuple[str, ...]) -> tuple[Form, ...]:
        """Return those forms of an acronym in whose place a cue could cover the other one."""
        if (short, long) not in self._forms:
            cased, lower = tokens_of_short(short)
            found = ((cased, True, long), (long, False, lower))
            if len(self._forms) == _MOST_KNOWN:
                self._forms.clear()
            self._forms[short, long] = tuple(
                Form(written, is_cased, other, neighbours)
                for written, is_cased, other in found
                if (neighbours := self._neighbours(other)).alone or neighbours.pairs
            )
        return self._forms[short, long]

    def _neighbours(self, form: tuple[str, ...]) -> Neighbours:
        """Return what has to stand beside a form for a cue to cover it."""
        if len(form) == 1:
            return self._beside_word.get(form[0], self._beside_any_word)
        pairs: set[tuple[str, str]] = set()
        first, second, *others = form
        for pair in ((first, second), (first, ""), ("", second), ("", "")):
            for pattern, start in self._at_pair.get(pair, ()):
                end = start + len(form)
                if end > len(pattern):
                    continue
                for words, word in zip(pattern[start + 2 : end], others, strict=True):
                    if words is not None and word not in words:
                        break
                else:
                    pairs |= _beside(pattern, start, end)
        return _neighbours_of(pairs)


def _beside(pattern: Pattern, start: int, end: int) -> set[tuple[str, str]]:
    """Return the words that a pattern has right before a place, and right behind its end."""
    before = pattern[start - 1] if start else None
    behind = pattern[end] if end < len(pattern) else None
    return set(product(before or ("",), behind or ("",)))


def _neighbours_of(pairs: set[tuple[str, str]]) -> Neighbours:
    return Neighbours(frozenset(pairs), ("", "") in pairs)


def _places_of_pairs(
    patterns: Iterable[Pattern],
) -> dict[tuple[str, str], list[tuple[Pattern, int]]]:
    """Return two words side by side, "" for an open one -> where they stand: pattern and place."""
    found: dict[tuple[str, str], list[tuple[Pattern, int]]] = {}
    for pattern in patterns:
        for place, (first, second) in enumerate(pairwise(pattern)):
            for pair in product(first or ("",), second or ("",)):
                found.setdefault(pair, []).append((pattern, place))
    return found


def _table(vocabulary: Vocabulary, words: Iterable[str]) -> NDArray[np.bool_]:
    """Return, for each number of a word, whether it is of one of some words."""
    table = np.zeros(len(vocabulary.words) + 1, dtype=bool)
    table[[vocabulary.number(word) for word in words]] = True
    table[UNKNOWN] = False
    return table


def _behind_open(pattern: Pattern) -> Iterator[str]:
    """Yield the words that may stand right behind an open one."""
    for place, behind in pairwise(pattern):
        if place is None:
            yield from behind or ()


def _has_loose_end(pattern: Pattern) -> bool:
    """Tell whether an open word is the last, or before another open one."""
    return any(place is None and not behind for place, behind in pairwise((*pattern, None)))


def _word_pairs(patterns: Iterable[Pattern]) -> list[tuple[str, str]]:
    """Return words side by side in patterns, the second one in singular and plural."""
    return [
        (first, form)
        for pattern in patterns
        for before, behind in pairwise(pattern)
        for first in sorted(before or ())
        for second in sorted(behind or ())
        for form in _numbers(second)
    ]


def _numbers(word: str) -> tuple[str, ...]:
    """Return a word and all of which it is the singular or plural, as acronyms have them."""
    shorter = (word[:-1],) if word.endswith("s") else ()
    return (word, f"{word}s", *shorter, *((f"{word[:-1]}ies",) if word.endswith("y") else ()))


def _pair_keys(pairs: list[tuple[str, str]]) -> Hashes:
    hashes = hashes_of([word for pair in pairs for word in pair]).reshape(-1, 2)
    return _keys(hashes[:, 0], hashes[:, 1])


def _keys(first: Hashes, second: Hashes) -> Hashes:
    """Return a number for each pair of words; two pairs may share one, which costs time alone."""
    return np.asarray(first * _PAIR + second)


def _among(ascending: Hashes, keys: Hashes) -> NDArray[np.bool_]:
    if not len(ascending):
        return np.zeros(len(keys), dtype=bool)
    place = np.minimum(np.searchsorted(ascending, keys), len(ascending) - 1)
    return np.asarray(ascending[place] == keys)
