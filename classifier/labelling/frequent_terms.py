"""Which terms some papers share: what TF-IDF is learned from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.passages import Passages, Vocabulary
from classifier.labelling.term_places import (
    PLACE_BITS,
    begins,
    in_views,
    plain_words,
    sums_between,
    term_places,
)

Numbers = NDArray[np.integer]


def frequent_terms(
    passages: Passages, vocabulary: Vocabulary, least: int
) -> tuple[tuple[list[str], Numbers], ...]:
    """Return, for each of `TEXT_VIEWS`, the terms of at least `least` papers, and of how many.

    They are in alphabetical order. vocabulary: it holds every word of the passages.
    """
    found = term_places(passages, plain_words(vocabulary))
    words = passages.words.astype(np.uint64)
    size = np.uint64(len(vocabulary.words) + 1)
    # A word is a pair without a second one: no word has the number 0.
    terms = np.concatenate(
        [words[found.words] * size, words[found.firsts] * size + words[found.seconds]]
    )
    spot_bits = PLACE_BITS + np.uint64(max(passages.papers, 1).bit_length())
    keys = np.sort(terms << spot_bits | found.spots)
    papers = begins(keys)
    firsts = begins(keys[papers], (np.uint64(1) << spot_bits) - np.uint64(1))
    terms = keys[papers[firsts]] >> spot_bits
    bounds = np.append(papers, len(keys)), np.append(firsts, len(papers))
    there = [sums_between(inside, bounds[0]) > 0 for inside in in_views(keys)]
    return tuple(_named(terms, sums_between(each, bounds[1]), vocabulary, least) for each in there)


def _named(
    terms: NDArray[np.uint64], papers: Numbers, vocabulary: Vocabulary, least: int
) -> tuple[list[str], Numbers]:
    kept = np.flatnonzero(papers >= least)
    firsts, seconds = np.divmod(terms[kept].astype(np.int64), len(vocabulary.words) + 1)
    words = ("", *vocabulary.words)
    names = [
        f"{words[first]} {words[second]}" if second else words[first]
        for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True)
    ]
    order = sorted(range(len(names)), key=names.__getitem__)
    return [names[place] for place in order], papers[kept][order]
