"""Which papers speak of the same things: cosine over TF-IDF of title and text."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np
import numpy.typing as npt

from classifier.survey.entry import Entry
from classifier.text.normalise import tokens

MOST = 5
_SHORTEST_SHARED, _STEM = 5, 5
LEAST_COSINE = 0.05
"""Below it two texts share little but function words."""
_MOST_COMMON = 0.2
"""A word in a larger share of the texts tells them apart too little for what it costs."""
_FEW_TEXTS = 50
"""Of fewer texts every word counts."""
_MANY_TEXTS = 1_000
"""A word in more texts than this is not looked at, so that the time that a text takes does not
grow with their number: from 5,000 texts on fewer words count than the share allows."""

Numbers = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Weights:
    """The weights of words in texts, text by text, words in the order of the alphabet."""

    starts: Sequence[int]
    """(n + 1,) where the words of each text start, and where the last ones end."""
    words: Numbers
    """(pairs of text and word,) the number of the word."""
    weights: Floats
    """(pairs,) its weight in the text; those of a text are a vector of length 1."""


def related_papers(entries: Sequence[Entry], most: int = MOST) -> Mapping[str, tuple[str, ...]]:
    """Return paper id -> ids of the papers whose title and text are nearest, the nearest first.

    The weight of a word in a text is (1 + ln tf) * ln(n / df), the title counted twice, rows scaled
    to length 1 (Salton and Buckley, "Term-weighting approaches in automatic text retrieval",
    Information Processing & Management 24(5), 1988). Equal cosines go by reference number. Sums run
    text by text over the lists of texts that hold a word, so that memory stays linear.
    """
    near = _nearest(_weighted(entries), most)
    return {
        entry.paper.id: tuple(entries[place].paper.id for place in places)
        for entry, places in zip(entries, near, strict=True)
    }


def _weighted(entries: Sequence[Entry]) -> _Weights:
    """Weigh the words of all texts; those of one text alone, or of very many, have no weight."""
    words, numbers, counts, starts = _counted(entries)
    total = len(entries)
    held = np.bincount(numbers, minlength=len(words))
    most = max(_FEW_TEXTS, min(total * _MOST_COMMON, _MANY_TEXTS))
    usable = (held > 1) & (held <= most) & (held < total)
    usable &= np.array([len(word) > 1 for word in words], dtype=bool)
    alphabet = sorted(np.flatnonzero(usable).tolist(), key=words.__getitem__)
    rank = np.zeros(len(words), dtype=np.intp)
    rank[alphabet] = np.arange(len(alphabet))
    kept = usable[numbers]
    texts = np.repeat(np.arange(total), np.diff(starts))[kept]
    numbers, counts = numbers[kept], counts[kept]
    weights = _each(counts, lambda count: 1.0 + float(np.log(count)))
    weights *= _each(held[numbers], lambda count: float(np.log(total / count)))
    order = np.lexsort((rank[numbers], texts))
    numbers, weights = rank[numbers][order], weights[order]
    lengths = np.sqrt(np.bincount(texts, weights * weights, minlength=total))
    bounds = np.searchsorted(texts, np.arange(total + 1))
    return _Weights(bounds.tolist(), numbers, weights / lengths[texts])


def _counted(entries: Sequence[Entry]) -> tuple[list[str], Numbers, Numbers, Numbers]:
    """Return the words of all texts, and text by text which words it holds, and how often.

    Returns:
        The distinct words; two (pairs of text and word,) arrays, the number of the word and how
        often the text holds it; (n + 1,) where the pairs of each text start.
    """
    number_of: defaultdict[str, int] = defaultdict()
    number_of.default_factory = number_of.__len__
    numbers, counts, starts = array("q"), array("q"), [0]
    for entry in entries:
        text = word_counts(entry)
        numbers.extend(map(number_of.__getitem__, text))
        counts.extend(text.values())
        starts.append(len(numbers))
    return [*number_of], np.array(numbers), np.array(counts), np.array(starts)


def _each(numbers: Numbers, weight_of: Callable[[int], float]) -> Floats:
    """Return the weight of each number, asked once for each that occurs."""
    distinct, places = np.unique(numbers, return_inverse=True)
    return np.array([weight_of(number) for number in distinct.tolist()], dtype=float)[places]


def _nearest(rows: _Weights, most: int) -> Iterator[list[int]]:
    """Yield the places of the texts of the largest cosines with each text, the largest first."""
    total = len(rows.starts) - 1
    holding, weights = _postings(rows)
    lengths = np.bincount(rows.words)
    for place, (start, end) in enumerate(pairwise(rows.starts)):
        words = rows.words[start:end]
        if start == end:
            yield []
            continue
        listed = words.tolist()
        texts = np.concatenate([holding[word] for word in listed])
        products = np.concatenate([weights[word] for word in listed])
        products *= np.repeat(rows.weights[start:end], lengths[words])
        cosines = np.bincount(texts, products, minlength=total)  # summed in this order
        cosines[place] = 0.0
        yield _largest(cosines.astype(np.float64, copy=False), most)


def _postings(rows: _Weights) -> tuple[list[Numbers], list[Floats]]:
    """Return the texts that hold each word, and its weights in them."""
    order = np.argsort(rows.words, kind="stable")
    texts = np.repeat(np.arange(len(rows.starts) - 1), np.diff(rows.starts))[order]
    ends = np.cumsum(np.bincount(rows.words)).tolist()
    weights = rows.weights[order]
    bounds = [*pairwise([0, *ends])]
    return [texts[a:b] for a, b in bounds], [weights[a:b] for a, b in bounds]


def _largest(cosines: Floats, most: int) -> list[int]:
    """Return the places of the largest cosines; rounding hides the last digits of processors."""
    near = np.flatnonzero(cosines >= LEAST_COSINE)
    if len(near) > most:
        least = np.partition(cosines[near], -most)[-most] - 1e-8  # equal ones, too, when rounded
        near = near[cosines[near] >= least]
    ranked = np.lexsort((near, -np.round(cosines[near], 9)))
    return [int(place) for place in near[ranked[:most]]]


def word_counts(entry: Entry) -> Counter[str]:
    """Return how often a paper holds each word, those of its title counted twice."""
    title = tokens(entry.paper.title_display)
    return Counter([*title, *title, *tokens(entry.paper.abstract_display)])


def shared_words(
    one: Mapping[str, int], other: Mapping[str, int], holding: Mapping[str, int], total: int
) -> list[str]:
    """Return the words that bring two texts nearest, the strongest first, one of each stem.

    holding: word -> how many of `total` papers hold it.
    """
    weights = {
        word: (1 + log(one[word])) * (1 + log(other[word])) * log(total / holding[word]) ** 2
        for word in one.keys() & other.keys()
        if len(word) >= _SHORTEST_SHARED
    }
    stems: dict[str, str] = {}
    for word in sorted(weights, key=lambda word: (-round(weights[word], 6), word)):
        stems.setdefault(word[:_STEM], word)
    return list(stems.values())
