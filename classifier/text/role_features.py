"""Features of sentences from which their roles are read: cues, position, words, neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from classifier.text.role_cues import cues_of, stem

_WORD = re.compile(r"https?://\S+|[A-Za-z][A-Za-z'’]*|\d[\d.,]*|[%×?:]")
LONG = 60
"""Words of a sentence behind which nothing is read: its role shows before."""
POSITIONS = 5
TELLING = frozenset({"contribution", "opens like a digest", "here", "outcome", "shows"})
"""Cues that tell of the sentences behind them, however far they stand."""


def features_of(sentences: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the features of each sentence of one text, each once, in no order.

    Args:
        sentences: the sentences of one abstract or digest, in order.
    """
    stems = [[stem(word) for word in _WORD.findall(sentence)[:LONG]] for sentence in sentences]
    cues = [cues_of(sentence, words) for sentence, words in zip(sentences, stems, strict=True)]
    earlier: set[str] = set()
    features = []
    for index, words in enumerate(stems):
        places = [*_position(index, len(stems)), *_neighbours(index, cues)]
        places += [f"earlier: {cue}" for cue in earlier & TELLING]
        own = {*words, *(f"cue: {cue}" for cue in cues[index]), *_runs(words), *places}
        features.append(tuple(own))
        earlier |= cues[index]
    return features


def _runs(words: list[str]) -> list[str]:
    """Return pairs of neighbouring words, and the one, two and three words at the start."""
    opening = [f"opens: {' '.join(words[:count])}" for count in (1, 2, 3)]
    return [f"{a} {b}" for a, b in pairwise(words)] + opening


def _position(index: int, count: int) -> list[str]:
    named = (("first", 0), ("second", 1), ("last", count - 1), ("last but one", count - 2))
    names = [f"place: {name}" for name, place in named if place == index]
    return [f"fifth {index * POSITIONS // count}", *names]


def _neighbours(index: int, cues: Sequence[frozenset[str]]) -> list[str]:
    before = [f"before: {cue}" for cue in cues[index - 1]] if index else []
    behind = [f"behind: {cue}" for cue in cues[index + 1]] if index + 1 < len(cues) else []
    return before + behind
