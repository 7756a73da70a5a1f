"""How often terms stand in the views of papers, counted for thousands of papers at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from classifier.labelling.pair_table import NONE, PairTable
from classifier.labelling.passages import Passages, Vocabulary
from classifier.labelling.term_places import (
    PLACE,
    PLACE_BITS,
    TEXT_VIEWS,
    begins,
    in_views,
    plain_words,
    sums_between,
    term_places,
)

Numbers = NDArray[np.integer]
Keys = NDArray[np.uint64]

# An odd number without pattern: what is multiplied by it differs in its high bits.
_MIXER = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, slots=True)
class TermCounts:
    """The terms of an index in n papers, where they stand at all."""

    index: TermIndex
    papers: int
    """n."""
    rows: Numbers
    """(m,) a paper, ascending."""
    terms: Numbers
    """(m,) the number of a term that stands in it, ascending within a paper."""
    counts: tuple[Numbers, ...]
    """For each of `TEXT_VIEWS` (m,) how often; 0 where it stands in another view alone."""
    different: tuple[Numbers, ...]
    """For each of `TEXT_VIEWS` (n,) how many different terms it has, those without a number too."""

    def logs(self, view: int, columns: Numbers) -> tuple[sparse.csr_matrix, Numbers]:
        """Return (n, c) 1 + ln of how often some terms stand in a view, and which columns they are.

        columns: (terms,) of `TermIndex.columns`; the c of them that are not NONE, in the order of
        terms, are the columns of the answer.
        """
        chosen = np.flatnonzero(columns != NONE)
        places = np.full(len(columns), NONE, dtype=np.int32)
        places[chosen] = np.arange(len(chosen))
        own = places[self.terms]
        there = np.flatnonzero((own != NONE) & (self.counts[view] > 0))
        values = np.log(self.counts[view][there].astype(np.float64)) + 1
        ends = np.searchsorted(self.rows[there], np.arange(self.papers + 1)).astype(np.int32)
        shape = (self.papers, len(chosen))
        return sparse.csr_matrix((values, own[there], ends), shape=shape), columns[chosen]


def feature_terms(names: Iterable[str]) -> list[str]:
    """Return the terms of features that are called `view:term`, each once, in alphabetical order.

    >>> feature_terms(["title:oven", "vote:bread", "whole:oven", "whole:a loaf"])
    ['a loaf', 'oven']
    """
    parts = (name.partition(":") for name in names)
    return sorted({term for view, _, term in parts if view in TEXT_VIEWS})


def term_words(terms: Iterable[str]) -> list[str]:
    """Return the words by which some terms are counted: their own, and all function words."""
    own = {word for term in terms for word in term.split(" ")}
    return sorted(own | ENGLISH_STOP_WORDS)


class TermIndex:
    """Numbers for the terms that have weight, in the order of their names."""

    def __init__(self, terms: Sequence[str], vocabulary: Vocabulary) -> None:
        """Number terms, of `feature_terms`. vocabulary: it holds their `term_words`."""
        self.terms = tuple(terms)
        size = len(vocabulary.words) + 1
        self._is_plain = plain_words(vocabulary)
        self._words = np.full(size, NONE, dtype=np.int64)
        pairs = []
        for number, term in enumerate(self.terms):
            words = [vocabulary.numbers[word] for word in term.split(" ")]
            if len(words) == 1:
                self._words[words[0]] = number
            elif len(words) == 2:
                pairs.append((*words, number))
        firsts, seconds, numbers = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
        self._pairs = PairTable(firsts, seconds, numbers)
        self._is_first, self._is_second = np.zeros((2, size), dtype=bool)
        self._is_first[firsts] = self._is_second[seconds] = True
        self._columns: dict[tuple[str, ...], tuple[Numbers, ...]] = {}

    def columns(self, names: tuple[str, ...]) -> tuple[Numbers, ...]:
        """Return, for each of `TEXT_VIEWS`, (terms,) the place of `view:term` in `names`, or NONE.

        It is made once for the same names.
        """
        if names not in self._columns:
            numbers = {term: number for number, term in enumerate(self.terms)}
            found = {view: np.full(len(self.terms), NONE) for view in TEXT_VIEWS}
            for column, name in enumerate(names):
                view, _, term = name.partition(":")
                if view in found and term in numbers:
                    found[view][numbers[term]] = column
            self._columns[names] = tuple(found.values())
        return self._columns[names]

    def count(self, passages: Passages) -> TermCounts:
        """Return how often each term stands in each paper, and how many terms a paper has."""
        paper_shift = np.uint64(64 - max(passages.papers, 1).bit_length())
        keys = np.sort(self._keys(passages, paper_shift))
        return _counted(self, passages.papers, keys, paper_shift)

    def _keys(self, passages: Passages, paper_shift: np.uint64) -> Keys:
        """Return a key of every place where a term stands: paper | term | place."""
        found = term_places(passages, self._is_plain)
        words, hashes = passages.words, passages.hashes
        firsts, seconds = words[found.firsts], words[found.seconds]
        maybe = np.flatnonzero(self._is_first[firsts] & self._is_second[seconds])
        pairs = np.full(len(firsts), NONE)
        pairs[maybe] = self._pairs.find(firsts[maybe], seconds[maybe])
        numbers = np.concatenate([self._words[words[found.words]], pairs])
        pair_hashes = hashes[found.firsts] * _MIXER ^ hashes[found.seconds] + _MIXER
        keys = _middles(numbers, np.concatenate([hashes[found.words], pair_hashes]), paper_shift)
        keys |= found.spots >> PLACE_BITS << paper_shift
        keys |= found.spots & PLACE
        return keys


def _middles(numbers: Numbers, hashes: Keys, paper_shift: np.uint64) -> Keys:
    """Return the middle of keys: the number of a term; of one that has none a bit and a hash.

    The bit is the highest. One hash in a million million meets another one in the same paper.
    """
    middles = hashes ^ hashes >> np.uint64(32)
    middles *= _MIXER
    middles >>= np.uint64(65) - paper_shift
    middles |= _unknown(paper_shift)
    middles &= ~PLACE
    known = np.flatnonzero(numbers != NONE)
    middles[known] = numbers[known].astype(np.uint64) << PLACE_BITS
    return middles


def _unknown(paper_shift: np.uint64) -> np.uint64:
    """Return the bit that is set in the keys of terms without a number."""
    return np.uint64(1) << (paper_shift - np.uint64(1))


def _counted(index: TermIndex, papers: int, keys: Keys, paper_shift: np.uint64) -> TermCounts:
    """Return the counts of the terms whose keys these are, sorted."""
    firsts = begins(keys)
    bounds = np.append(firsts, len(keys))
    terms = keys[firsts]
    rows = (terms >> paper_shift).astype(np.int64)
    counts = [sums_between(inside, bounds) for inside in in_views(keys)]
    of_papers = np.searchsorted(rows, np.arange(papers + 1))
    known = np.flatnonzero(terms & _unknown(paper_shift) == 0)
    numbers = (terms[known] & _unknown(paper_shift) - np.uint64(1)) >> PLACE_BITS
    return TermCounts(
        index,
        papers,
        rows[known],
        numbers.astype(np.int64),
        tuple(of[known] for of in counts),
        tuple(sums_between(of > 0, of_papers) for of in counts),
    )
