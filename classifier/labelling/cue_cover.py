"""Which forms of acronyms the cues of a taxonomy could cover, were they put into a text.

Most papers define an acronym, and most of these are nobody's cue: what is told here of the last
words of a long form spares reading the rest of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.passages import UNKNOWN, Vocabulary
from classifier.taxonomy.cue import Pattern, parse_cue
from classifier.text.bulk.word_table import Hashes, WordTable, hashes_of
from classifier.text.normalise import cased_tokens

_MOST_PLACES = 62
"""Places of patterns with open words that are told apart, one bit each."""
_MOST_KNOWN = 2**14
"""Definitions of which the forms are kept."""
_PAIR = np.uint64(0x9FB21C651E98DF25)


class Context(NamedTuple):
    """What a pattern that covers a form has around it."""

    before: Pattern
    behind: Pattern

    def may_stand_in(self, lower: str) -> bool:
        """Tell whether a text holds, in some word, one of the words of each place."""
        return all(
            any(word in lower for word in words) for words in self.before + self.behind if words
        )

    def may_stand_at(
        self, words: Sequence[str], start: int, end: int, moved: Collection[str]
    ) -> bool:
        """Tell whether the words beside `words[start:end]` are those beside the form.

        moved: words that may be others in the other spelling.
        """
        return _fits(self.before[-1:], words[max(0, start - 1) : start], moved) and _fits(
            self.behind[:1], words[end : end + 1], moved
        )


def _fits(place: Pattern, words: Sequence[str], moved: Collection[str]) -> bool:
    if not place:
        return True
    return bool(words) and (place[0] is None or words[0] in place[0] or words[0] in moved)


class Form(NamedTuple):
    """One form of an acronym, and where cues could cover the other one in its place."""

    written: tuple[str, ...]
    """Its tokens."""
    is_cased: bool
    """Whether it counts in this case only."""
    contexts: tuple[Context, ...]

    def stands_twice(self, text: str, lower: str) -> bool:
        """Tell whether it may stand anywhere but where it is defined, in either number.

        lower: the text in lower case.
        """
        if self.is_cased:
            return text.count(self.written[0].removesuffix("s")) > 1
        return all(lower.count(word) > 1 for word in self.written[:-1])

    def may_stand_in(self, text: str, lower: str) -> bool:
        """Tell whether it, and what has to be around it, may stand in a text."""
        there = self.written[0] in text if self.is_cased else _all_in(self.written, lower)
        return there and any(context.may_stand_in(lower) for context in self.contexts)

    def fires(self, cased: Sequence[str], words: Sequence[str], moved: Collection[str]) -> bool:
        """Tell whether a cue may cover the other form at a place where this one stands.

        cased, words: the tokens of a text, as written and in lower case; moved: those of them that
        may be others in the other spelling.
        """
        source, size = cased if self.is_cased else words, len(self.written)
        return any(
            tuple(source[at : at + size]) == self.written
            and any(way.may_stand_at(words, at, at + size, moved) for way in self.contexts)
            for at, word in enumerate(source)
            if word == self.written[0]
        )


def _all_in(words: Sequence[str], text: str) -> bool:
    return all(word in text for word in words)


class CueCover:
    """Which forms of acronyms cues could cover; made once, pure."""

    def __init__(self, vocabulary: Vocabulary, cues: Iterable[str]) -> None:
        """vocabulary: it holds every word of the cues."""
        patterns = dict.fromkeys(way for cue in cues for way in parse_cue(cue).alternatives)
        self._at_word: dict[str, list[tuple[Pattern, int]]] = {}
        for pattern in patterns:
            for place, words in enumerate(pattern):
                for word in words or ():
                    self._at_word.setdefault(word, []).append((pattern, place))
        self._open = [pattern for pattern in patterns if None in pattern]
        self._words = WordTable(list(self._at_word))
        self._pairs = np.unique(_pair_keys(_word_pairs(patterns)))
        self._places = np.zeros(len(vocabulary.words) + 1, dtype=np.int64)
        self._wanted = self._lay_out_places(vocabulary)
        self._forms: dict[tuple[str, tuple[str, ...]], tuple[Form, ...]] = {}

    def _lay_out_places(self, vocabulary: Vocabulary) -> list[int]:
        """Give each place of a pattern with an open word a bit; return the bits of each pattern."""
        wanted, bit = [], 0
        for pattern in self._open:
            bits = 0
            for words in pattern:
                if words is None or bit == _MOST_PLACES:
                    continue
                numbers = [vocabulary.number(word) for word in words]
                self._places[[number for number in numbers if number != UNKNOWN]] |= 1 << bit
                bits |= 1 << bit
                bit += 1
            wanted.append(bits)
        return wanted

    def may_end_a_form(self, last_but_one: Hashes, last: Hashes) -> NDArray[np.bool_]:
        """Return whether a form that ends with two words, in either number, might be covered.

        By a pattern without an open word.
        """
        return _among(self._pairs, _keys(last_but_one, last))

    def knows(self, words: Hashes) -> NDArray[np.bool_]:
        """Return whether each word stands in a cue."""
        return np.asarray(self._words.numbers(words) > 0)

    def may_open(self, words: NDArray[np.int32], starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return (n,) whether papers hold all words of a pattern with an open place.

        words: numbers of all their words; starts: (n,) where each paper begins, with no words none.
        """
        opens = np.zeros(len(starts), dtype=bool)
        if not self._open or not len(words):
            return opens
        ends = np.append(starts[1:], len(words))
        filled = np.flatnonzero(ends > starts)
        there = np.bitwise_or.reduceat(self._places[words], starts[filled])
        for bits in self._wanted:
            opens[filled] |= (there & bits) == bits
        return opens

    def forms(self, short: str, long: tuple[str, ...]) -> tuple[Form, ...]:
        """Return those forms of an acronym in whose place a cue could cover the other one."""
        if (short, long) not in self._forms:
            cased = tuple(cased_tokens(short))
            lower = tuple(word.lower() for word in cased)
            forms = (
                Form(cased, True, tuple(dict.fromkeys(self._contexts(long)))),
                Form(long, False, tuple(dict.fromkeys(self._contexts(lower)))),
            )
            if len(self._forms) == _MOST_KNOWN:
                self._forms.clear()
            self._forms[short, long] = tuple(form for form in forms if form.contexts)
        return self._forms[short, long]

    def _contexts(self, form: tuple[str, ...]) -> Iterator[Context]:
        """Yield what has to stand around a form, for each way in which a cue could cover it."""
        openings = (
            (pattern, place)
            for pattern in self._open
            for place, words in enumerate(pattern)
            if words is None
        )
        for pattern, start in (*self._at_word.get(form[0], ()), *openings):
            window = pattern[start : start + len(form)]
            if len(window) == len(form) and all(
                words is None or word in words for words, word in zip(window, form, strict=True)
            ):
                yield Context(pattern[:start], pattern[start + len(form) :])


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
