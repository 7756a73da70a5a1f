"""How often terms stand in the views of papers, counted for thousands of papers at once.

The terms of a text are its words and its pairs of neighbours, without those of function words
alone (`features.terms`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from classifier.labelling.pair_table import NONE, PairTable
from classifier.labelling.passages import Passages, Vocabulary

Numbers = NDArray[np.integer]
Keys = NDArray[np.uint64]

TEXT_VIEWS = ("title", "contribution", "whole")
"""The texts of a paper in which terms are counted."""

# Where a term stands, in the lowest bits of its key: outside of title and contribution, in one of
# them, or where one sentence of the contribution ends and the next begins, with others between them
# in the whole text.
_ELSEWHERE, _TITLE, _CONTRIBUTION, _SEAM = range(4)
_PLACE_BITS = np.uint64(2)
_PLACE = np.uint64(3)
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
        self._is_plain = np.zeros(size, dtype=bool)
        self._is_plain[[vocabulary.numbers[word] for word in sorted(ENGLISH_STOP_WORDS)]] = True
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
        places = np.where(passages.headings, _TITLE, passages.stated * _CONTRIBUTION)
        heads = passages.owners.astype(np.uint64) << paper_shift | places.astype(np.uint64)
        heads = np.repeat(heads, np.diff(passages.starts))
        plain = self._is_plain[passages.words]
        own = np.flatnonzero(~plain)
        firsts, pair_heads = _neighbours(heads, plain, paper_shift)
        seams, behind = _seams(heads, plain, paper_shift)
        stems = np.concatenate([firsts, seams])
        return np.concatenate(
            [
                heads[own] | self._word_parts(passages, own, paper_shift),
                np.concatenate([pair_heads, heads[seams] | np.uint64(_SEAM)])
                | self._pair_parts(
                    passages, stems, np.concatenate([firsts + 1, behind]), paper_shift
                ),
            ]
        )

    def _word_parts(self, passages: Passages, at: Numbers, paper_shift: np.uint64) -> Keys:
        """Return the middle of the keys of the words at some positions."""
        return _parts(self._words[passages.words[at]], passages.hashes[at], paper_shift)

    def _pair_parts(
        self, passages: Passages, firsts: Numbers, seconds: Numbers, paper_shift: np.uint64
    ) -> Keys:
        """Return the middle of the keys of pairs of words at some positions."""
        first_words, second_words = passages.words[firsts], passages.words[seconds]
        maybe = np.flatnonzero(self._is_first[first_words] & self._is_second[second_words])
        numbers = np.full(len(firsts), NONE)
        numbers[maybe] = self._pairs.find(first_words[maybe], second_words[maybe])
        hashes = (passages.hashes[firsts] * _MIXER) ^ (passages.hashes[seconds] + _MIXER)
        return _parts(numbers, hashes, paper_shift)


def _parts(numbers: Numbers, hashes: Keys, paper_shift: np.uint64) -> Keys:
    """Return the middle of keys: the number of a term; of one that has none a bit and a hash.

    The bit is the highest. One hash in a million million meets another one in the same paper.
    """
    unknown = np.uint64(1) << (paper_shift - np.uint64(1))
    mixed = (hashes ^ hashes >> np.uint64(32)) * _MIXER
    hashed = unknown | (mixed >> (np.uint64(65) - paper_shift)) & ~_PLACE
    return np.where(numbers != NONE, numbers.astype(np.uint64) << _PLACE_BITS, hashed)


def _neighbours(
    heads: Keys, plain: NDArray[np.bool_], paper_shift: np.uint64
) -> tuple[Numbers, Keys]:
    """Return the first positions of the pairs in whole texts, and their keys without the term.

    A pair stands in the title or the contribution if both of its words do.
    """
    before, behind = heads[:-1], heads[1:]
    firsts = np.flatnonzero(
        ~(plain[:-1] & plain[1:]) & (before >> paper_shift == behind >> paper_shift)
    )
    before, behind = before[firsts], behind[firsts]
    return firsts, np.where(before == behind, before, before & ~_PLACE)


def _seams(
    heads: Keys, plain: NDArray[np.bool_], paper_shift: np.uint64
) -> tuple[Numbers, Numbers]:
    """Return the positions of the words of the pairs that are neighbours in contributions alone."""
    stated = np.flatnonzero(heads & _PLACE == _CONTRIBUTION)
    at = np.flatnonzero(np.diff(stated) > 1)
    firsts, seconds = stated[at], stated[at + 1]
    pairs = (heads[firsts] == heads[seconds]) & ~(plain[firsts] & plain[seconds])
    return firsts[pairs], seconds[pairs]


def _counted(index: TermIndex, papers: int, keys: Keys, paper_shift: np.uint64) -> TermCounts:
    """Return the counts of the terms whose keys these are, sorted."""
    firsts = np.flatnonzero(np.concatenate([[len(keys) > 0], keys[1:] ^ keys[:-1] > _PLACE]))
    rows = (keys[firsts] >> paper_shift).astype(np.int64)
    middle = keys[firsts] & (~np.uint64(0) >> np.uint64(64) - paper_shift)
    places = keys & _PLACE
    counts = [
        np.add.reduceat(inside, firsts, dtype=np.int64) if len(firsts) else np.zeros(0, np.int64)
        for inside in (places == _TITLE, places >= _CONTRIBUTION, places != _SEAM)
    ]
    different = tuple(np.bincount(rows[of > 0], minlength=papers) for of in counts)
    known = np.flatnonzero(middle < np.uint64(1) << (paper_shift - np.uint64(1)))
    return TermCounts(
        index,
        papers,
        rows[known],
        (middle[known] >> _PLACE_BITS).astype(np.int64),
        tuple(of[known] for of in counts),
        different,
    )
