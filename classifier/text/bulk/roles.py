"""The roles of the sentences of many texts at once, equal to `roles.roled_sentences` of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifier.text.bulk.characters import Places
from classifier.text.bulk.passages import Spans
from classifier.text.bulk.role_model import CUES, TOLD, RoleModel
from classifier.text.bulk.role_words import RoleWords
from classifier.text.role_cues import OF_THE_PAPER, PHRASES, WORDS
from classifier.text.role_features import POSITIONS
from classifier.text.roles import ROLES

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Roles:
    """What s sentences do in their texts."""

    roles: NDArray[np.int64]
    """(s,) the place in `ROLES`; a main sentence is a contribution."""
    main: Flags
    """(s,) whether it best says what its text does: one sentence of each text."""
    stated: Flags
    """(s,) `says_what_the_paper_does`."""
    tells: Flags
    """(s,) `tells_of_the_paper`."""


def roles_of(
    spans: Spans, words: RoleWords, phrase_cues: Mapping[str, Flags], model: RoleModel
) -> Roles:
    """Return the roles of sentences. phrase_cues: each cue of `PHRASES` -> (s,)."""
    cues = _cue_columns(words, phrase_cues, model)
    first, place, count = _places(spans)
    scores = model.intercepts + _word_scores(words, model) + _opening_scores(words, model)
    scores += _cue_scores(cues, first, place, count, model)
    scores += model.fifths[place * POSITIONS // count]
    for weights, holds in zip(
        model.places,
        (place == 0, place == 1, place == count - 1, place == count - 2),
        strict=True,
    ):
        scores += holds[:, None] * weights
    main = _first_highest(scores[:, -1], first, count)
    contribution = ROLES.index("contribution")
    roles = np.where(main, contribution, scores[:, : len(ROLES)].argmax(axis=1))
    tells = np.logical_or.reduce([phrase_cues[name] for name in OF_THE_PAPER])
    passed_over = (roles == ROLES.index("problem")) | (roles == ROLES.index("release"))
    return Roles(roles, main, ~passed_over & (tells | (roles == contribution)), tells)


def _places(spans: Spans) -> tuple[Places, Places, Places]:
    """Return, for each sentence, the first one of its text, its place there, and their number."""
    _, begins, counts = np.unique(spans.texts, return_index=True, return_counts=True)
    first = np.repeat(begins, counts)
    return first, np.arange(len(first)) - first, np.repeat(counts, counts)


def _first_highest(scores: NDArray[np.float64], first: Places, count: Places) -> Flags:
    """Return which sentences have the highest score of their text, the first of equal ones."""
    begins = np.flatnonzero(np.arange(len(first)) == first)
    if not len(begins):
        return np.zeros(0, dtype=bool)
    highest = np.repeat(np.maximum.reduceat(scores, begins), count[begins])
    among = np.flatnonzero(scores == highest)
    _, earliest = np.unique(first[among], return_index=True)
    main = np.zeros(len(first), dtype=bool)
    main[among[earliest]] = True
    return main


def _word_scores(words: RoleWords, model: RoleModel) -> NDArray[np.float64]:
    """Return (s, columns) the weights of stems and pairs, each counted once a sentence."""
    size, bits = len(words.starts) - 1, len(model.words).bit_length()
    sentence = words.spans if size >> (31 - bits) == 0 else words.spans.astype(np.int64)
    known = np.flatnonzero(words.stems != 0)
    pair = model.pairs.of(words.stems[:-1], words.stems[1:])
    pair[words.spans[:-1] != words.spans[1:]] = 0
    paired = np.flatnonzero(pair != 0)
    shift = len(model.stems.numbers)
    keys = np.concatenate([
        (sentence[known] << bits) + words.stems[known],
        (sentence[paired] << bits) + (pair[paired] + shift),
    ])  # fmt: skip
    keys.sort()
    keys = keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys
    edges = np.searchsorted(keys, np.arange(size + 1, dtype=keys.dtype) << bits)
    feature = keys & ((1 << bits) - 1)
    shape = (size, len(model.words))
    rows = sparse.csr_matrix((np.ones(len(keys)), feature, edges), shape=shape)
    return np.asarray(rows @ model.words)


def _opening_scores(words: RoleWords, model: RoleModel) -> NDArray[np.float64]:
    """Return (s, columns) the weights of the one, two and three words at the start."""
    begins, counts = words.starts[:-1], np.diff(words.starts)
    stems = np.concatenate([words.stems, np.zeros(3, dtype=np.int32)])
    one, two, three = (np.where(counts > more, stems[begins + more], 0) for more in range(3))
    pair = np.where(counts > 1, model.begun.of(one, two), 0)
    triple = np.where(counts > 2, model.begun_by_three.of(pair, three), 0)
    scores = model.openings[0][one] + model.openings[1][pair] + model.openings[2][triple]
    return np.asarray(scores + (counts == 0)[:, None] * model.no_words)


def _cue_columns(
    words: RoleWords, phrase_cues: Mapping[str, Flags], model: RoleModel
) -> NDArray[np.bool_]:
    """Return (s, cues) which cues each sentence holds, in the order of `CUES`."""
    held = np.zeros((len(words.starts) - 1, len(CUES)), dtype=bool)
    for column, name in enumerate(PHRASES):
        held[:, column] = phrase_cues[name]
    filled = np.flatnonzero(np.diff(words.starts))
    bits = np.zeros(len(held), dtype=np.int32)
    if len(filled):
        told = model.word_cues[words.stems]
        bits[filled] = np.bitwise_or.reduceat(told, words.starts[filled])
    for column in range(len(WORDS)):
        held[:, len(PHRASES) + column] = bits & (1 << column)
    return held


def _cue_scores(
    cues: NDArray[np.bool_], first: Places, place: Places, count: Places, model: RoleModel
) -> NDArray[np.float64]:
    """Return (s, columns) the weights of the cues of each sentence and those around it."""
    own, before, behind = np.hsplit(cues @ model.cues, 3)
    own[1:] += before[:-1] * (place[1:] > 0)[:, None]
    own[:-1] += behind[1:] * (place[:-1] < count[:-1] - 1)[:, None]
    told = np.zeros((len(cues) + 1, len(TOLD)), dtype=np.int32)
    np.cumsum(cues[:, [CUES.index(cue) for cue in TOLD]], axis=0, out=told[1:])
    return np.asarray(own + (told[:-1] > told[first]) @ model.told)
