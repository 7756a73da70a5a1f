"""Where the terms of thousands of papers stand: in the title, the contribution, the whole text.

The terms of a text are its words and its pairs of neighbours, without those of function words
alone (`features.terms`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from classifier.labelling.passages import Passages, Vocabulary

Numbers = NDArray[np.integer]
Keys = NDArray[np.uint64]

TEXT_VIEWS = ("title", "contribution", "whole")
"""The texts of a paper in which terms are counted."""

PLACE_BITS = np.uint64(2)
PLACE = np.uint64(3)
"""The bits of a spot that tell the place; those above them tell the paper."""
# The places: outside of title and contribution; in one of them; where a sentence of the
# contribution ends and the next one begins, while in the whole text others stand between them.
_ELSEWHERE, _TITLE, _CONTRIBUTION, _SEAM = range(4)


@dataclass(frozen=True, slots=True)
class TermPlaces:
    """The places of a words and b pairs; a term that stands twice has two."""

    words: Numbers
    """(a,) position of a word."""
    firsts: Numbers
    """(b,) position of the first word of a pair."""
    seconds: Numbers
    """(b,) position of its second word."""
    spots: Keys
    """(a + b,) paper and place of the words, and then of the pairs."""


def term_places(passages: Passages, is_plain: NDArray[np.bool_]) -> TermPlaces:
    """Return where the terms of papers stand.

    is_plain: (words of the vocabulary + 1,) whether a word is a function word.
    """
    places = np.where(passages.headings, _TITLE, passages.stated * _CONTRIBUTION)
    heads = passages.owners.astype(np.uint64) << PLACE_BITS | places.astype(np.uint64)
    heads = np.repeat(heads, np.diff(passages.starts))
    plain = is_plain[passages.words]
    words = np.flatnonzero(~plain)
    before = heads[:-1]
    changes = before ^ heads[1:]
    firsts = np.flatnonzero(~(plain[:-1] & plain[1:]) & (changes <= PLACE))
    # A pair stands in the title or the contribution if both of its words do.
    within = before[firsts]
    within = np.where(changes[firsts] == 0, within, within & ~PLACE)
    ends, begins = _seams(heads, plain)
    return TermPlaces(
        words,
        np.concatenate([firsts, ends]),
        np.concatenate([firsts + 1, begins]),
        np.concatenate([heads[words], within, heads[ends] | np.uint64(_SEAM)]),
    )


def _seams(heads: Keys, plain: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Return the positions of the words of the pairs that are neighbours in contributions alone."""
    stated = np.flatnonzero(heads & PLACE == _CONTRIBUTION)
    at = np.flatnonzero(np.diff(stated) > 1)
    firsts, seconds = stated[at], stated[at + 1]
    pairs = (heads[firsts] == heads[seconds]) & ~(plain[firsts] & plain[seconds])
    return firsts[pairs], seconds[pairs]


def in_views(spots: Keys) -> tuple[NDArray[np.bool_], ...]:
    """Return, for each of `TEXT_VIEWS`, (m,) whether some spots are in it."""
    places = spots & PLACE
    return places == _TITLE, places >= _CONTRIBUTION, places != _SEAM


def plain_words(vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Return (words + 1,) whether the word of each number is a function word."""
    return np.array([False, *(word in ENGLISH_STOP_WORDS for word in vocabulary.words)])


def sums_between(values: NDArray[np.bool_], bounds: Numbers) -> Numbers:
    """Return (m,) how many of some values hold between one of (m + 1,) bounds and the next."""
    before = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])  # faster than add.reduceat
    return np.diff(before[bounds])


def begins(keys: Keys, changes: np.uint64 = PLACE) -> Numbers:
    """Return where keys, sorted, begin to differ from the one before in the bits above some."""
    return np.flatnonzero(np.concatenate([[len(keys) > 0], keys[1:] ^ keys[:-1] > changes]))
