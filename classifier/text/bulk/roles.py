"""The roles of the sentences of many texts at once, equal to `roles.roled_sentences` of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifier.text.bulk.characters import Places
from classifier.text.bulk.passages import Spans
from classifier.text.bulk.role_words import RoleWords, Stems
from classifier.text.role_cues import OF_THE_PAPER, PHRASES, STEM_CUES, WORDS
from classifier.text.role_features import POSITIONS, TELLING
from classifier.text.role_weights import shipped_weights
from classifier.text.roles import ROLES

Flags = NDArray[np.bool_]
CUES = (*PHRASES, *WORDS)
_PLACES = ("first", "second", "last", "last but one")


class Pairs:
    """Numbers, from 1, for pairs of numbers."""

    def __init__(self, pairs: Sequence[tuple[int, int]]) -> None:
        most = max((max(pair) for pair in pairs), default=0)
        self._rows, self._columns = (np.zeros(most + 1, dtype=np.int32) for _ in range(2))
        for side, places in enumerate((self._rows, self._columns)):
            own = sorted({pair[side] for pair in pairs})
            places[own] = np.arange(1, len(own) + 1)
        shape = (int(self._rows.max()) + 1, int(self._columns.max()) + 1)
        self._width, self._numbers = shape[1], np.zeros(shape[0] * shape[1], dtype=np.int32)
        self.number = {pair: place for place, pair in enumerate(dict.fromkeys(pairs), 1)}
        for (first, second), number in self.number.items():
            self._numbers[self._rows[first] * self._width + self._columns[second]] = number

    def of(self, first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the number of each pair; 0 for others."""
        last = len(self._rows) - 1
        is_known = (first <= last) & (second <= last)
        if not is_known.all():
            first, second = np.where(is_known, first, 0), np.where(is_known, second, 0)
        return np.asarray(self._numbers[self._rows[first] * self._width + self._columns[second]])


@dataclass(frozen=True, slots=True)
class RoleModel:
    """The shipped weights of roles, as arrays; a column a role, the last one `main`."""

    stems: Stems
    word_cues: NDArray[np.int32]
    """For each stem one bit a cue of `WORDS`."""
    pairs: Pairs
    """Of stems side by side."""
    begun: Pairs
    """Of the two stems that a sentence begins with."""
    begun_by_three: Pairs
    """Of a number of `begun` and the third stem."""
    words: NDArray[np.float64]
    """Weights of stems, then of `pairs`."""
    openings: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
    """Weights of the first stem, of `begun`, of `begun_by_three`."""
    no_words: NDArray[np.float64]
    """Weights of a sentence without words."""
    cues: NDArray[np.float64]
    """(cues, 3 * columns) weights of each cue in a sentence, in the one before, in that behind."""
    told: NDArray[np.float64]
    """Weights of the cues that were told earlier."""
    fifths: NDArray[np.float64]
    places: NDArray[np.float64]
    intercepts: NDArray[np.float64]


@lru_cache(maxsize=1)
def role_model() -> RoleModel:
    """Return the shipped model, made once."""
    shipped = shipped_weights()
    weights, columns = shipped.weights, len(shipped.columns)

    def row(name: str) -> Sequence[int]:
        return weights.get(name, (0,) * columns)

    opened = [name.removeprefix("opens: ").split(" ") for name in weights if _opens(name)]
    plain = [name for name in weights if not _opens(name) and not _is_of_a_sentence(name)]
    apart = [name.split(" ") for name in plain]
    stems = Stems(
        [word for words in (*apart, *opened) for word in words if word]
        + [*STEM_CUES, "<number>", "<link>"]
    )
    number = stems.numbers
    pairs = Pairs([(number[words[0]], number[words[1]]) for words in apart if len(words) == 2])
    begun = Pairs([(number[words[0]], number[words[1]]) for words in opened if len(words) > 1])
    by_three = Pairs(
        [
            (begun.number[number[words[0]], number[words[1]]], number[words[2]])
            for words in opened
            if len(words) > 2
        ]
    )
    words = np.zeros((1 + len(number) + len(pairs.number), columns))
    openings = tuple(
        np.zeros((size + 1, columns))
        for size in (len(number), len(begun.number), len(by_three.number))
    )
    for name, place in number.items():
        words[place] = row(name)
        openings[0][place] = row(f"opens: {name}")
    names = list(number)
    for (first, second), place in pairs.number.items():
        words[len(number) + place] = row(f"{names[first - 1]} {names[second - 1]}")
    two = {}
    for (first, second), place in begun.number.items():
        two[place] = f"{names[first - 1]} {names[second - 1]}"
        openings[1][place] = row(f"opens: {two[place]}")
    for (pair, third), place in by_three.number.items():
        openings[2][place] = row(f"opens: {two[pair]} {names[third - 1]}")
    bits = np.zeros(len(number) + 1, dtype=np.int32)
    for name, told in STEM_CUES.items():
        bits[number[name]] = sum(1 << list(WORDS).index(cue) for cue in told)
    return RoleModel(
        stems,
        bits,
        pairs,
        begun,
        by_three,
        words,
        (openings[0], openings[1], openings[2]),
        np.array(row("opens: "), dtype=float),
        np.array(
            [[*row(f"cue: {cue}"), *row(f"before: {cue}"), *row(f"behind: {cue}")] for cue in CUES],
            dtype=float,
        ),
        np.array([row(f"earlier: {cue}") for cue in _TOLD], dtype=float),
        np.array([row(name) for name in _FIFTHS], dtype=float),
        np.array([row(f"place: {name}") for name in _PLACES], dtype=float),
        np.array(shipped.intercepts, dtype=float),
    )


_TOLD = tuple(cue for cue in CUES if cue in TELLING)
_OF_A_SENTENCE = ("cue: ", "before: ", "behind: ", "earlier: ", "place: ")
_FIFTHS = tuple(f"fifth {fifth}" for fifth in range(POSITIONS))


def _opens(name: str) -> bool:
    return name.startswith("opens: ")


def _is_of_a_sentence(name: str) -> bool:
    return name in _FIFTHS or name.startswith(_OF_A_SENTENCE)


@dataclass(frozen=True, slots=True)
class Roles:
    """What s sentences do in their texts."""

    roles: NDArray[np.int64]
    """(s,) the place in `ROLES`; a main sentence is a contribution."""
    main: Flags
    """(s,) whether it best says what its text does: one sentence of each text."""
    stated: Flags
    """(s,) `says_what_the_paper_does`."""


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
    return Roles(roles, main, ~passed_over & (tells | (roles == contribution)))


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
    known = np.flatnonzero(words.stems)
    pair = model.pairs.of(words.stems[:-1], words.stems[1:])
    pair[words.spans[:-1] != words.spans[1:]] = 0
    paired = np.flatnonzero(pair)
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
    told = np.zeros((len(cues) + 1, len(_TOLD)), dtype=np.int32)
    np.cumsum(cues[:, [CUES.index(cue) for cue in _TOLD]], axis=0, out=told[1:])
    return np.asarray(own + (told[:-1] > told[first]) @ model.told)
