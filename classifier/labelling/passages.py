"""The titles and sentences of many papers as one sequence of numbered words, for arrays.

What `text_views` says of one paper, this says of thousands: the same words in the same passages,
in a form in which cues and terms are found for all of them at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.views import TextViews
from classifier.text.acronyms import Respelling

UNKNOWN = 0
"""The number of every word that is not in the vocabulary."""


class Vocabulary:
    """Numbers for the words that mean something to a model; 1, 2, 3, … in the order given."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))
        self.numbers: Mapping[str, int] = {word: n for n, word in enumerate(self.words, 1)}

    def number(self, word: str) -> int:
        """Return the number of a word, `UNKNOWN` if it has none."""
        return self.numbers.get(word, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Passages:
    """n papers as q passages (each paper's title, then its sentences) of t words in all."""

    papers: int
    """n."""
    words: NDArray[np.int32]
    """(t,) the number of each word."""
    hashes: NDArray[np.uint64]
    """(t,) equal for equal words and no others, known or not: to count how many differ."""
    negated: NDArray[np.bool_]
    """(t,) whether the paper sets itself apart from the word."""
    starts: NDArray[np.int64]
    """(q + 1,) where each passage begins among the words, and t."""
    owners: NDArray[np.int64]
    """(q,) the paper of each passage, ascending."""
    headings: NDArray[np.bool_]
    """(q,) whether it is the title; every paper has one, though it may be of no word."""
    stated: NDArray[np.bool_]
    """(q,) whether it is a sentence that states what the paper does."""
    respelled: Mapping[int, Respelling]
    """Passage -> the same with the acronyms that its paper defines written the other way, at least
    where that may make a cue fire which the words as written do not."""


def passages_of(papers: Sequence[TextViews], vocabulary: Vocabulary) -> Passages:
    """Return the passages of views: slow, and the definition of what `Passages` says."""
    words: list[int] = []
    hashes: list[int] = []
    negated: list[bool] = []
    starts: list[int] = [0]
    owners: list[int] = []
    headings: list[bool] = []
    stated: list[bool] = []
    respelled: dict[int, Respelling] = {}
    for row, paper in enumerate(papers):
        told = {id(passage) for passage in paper.stated}
        for passage in (paper.heading, *paper.body):
            if passage.respelling is not None:
                respelled[len(owners)] = passage.respelling
            words += [vocabulary.number(word) for word in passage.words]
            hashes += [_hash(word) for word in passage.words]
            negated += [at in passage.negated for at in range(len(passage.words))]
            starts.append(len(words))
            owners.append(row)
            headings.append(passage is paper.heading)
            stated.append(passage is not paper.heading and id(passage) in told)
    return Passages(
        len(papers),
        np.array(words, dtype=np.int32),
        np.array(hashes, dtype=np.uint64),
        np.array(negated, dtype=bool),
        np.array(starts, dtype=np.int64),
        np.array(owners, dtype=np.int64),
        np.array(headings, dtype=bool),
        np.array(stated, dtype=bool),
        respelled,
    )


@lru_cache(maxsize=2**16)
def _hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
