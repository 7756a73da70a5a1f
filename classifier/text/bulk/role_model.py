"""The shipped model of roles as arrays: numbers for the stems that it knows, rows of weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.role_words import Stems
from classifier.text.role_cues import PHRASES, STEM_CUES, WORDS
from classifier.text.role_features import POSITIONS, TELLING
from classifier.text.role_weights import RoleWeights, shipped_weights

CUES = (*PHRASES, *WORDS)
TOLD = tuple(cue for cue in CUES if cue in TELLING)
"""Cues that tell of the sentences behind them."""
_PLACES = ("first", "second", "last", "last but one")
_FIFTHS = tuple(f"fifth {fifth}" for fifth in range(POSITIONS))
_OF_A_SENTENCE = ("cue: ", "before: ", "behind: ", "earlier: ", "place: ")
_OPENS = "opens: "

Weights = NDArray[np.float64]


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
    words: Weights
    """Weights of stems, then of `pairs`."""
    openings: tuple[Weights, Weights, Weights]
    """Weights of the first stem, of `begun`, of `begun_by_three`."""
    no_words: Weights
    """Weights of a sentence without words."""
    cues: Weights
    """(cues, 3 * columns) weights of each cue in a sentence, in the one before, in that behind."""
    told: Weights
    """Weights of the cues that were told earlier."""
    fifths: Weights
    places: Weights
    intercepts: Weights


@lru_cache(maxsize=1)
def role_model() -> RoleModel:
    """Return the shipped model, made once."""
    shipped = shipped_weights()
    apart = [name.split(" ") for name in shipped.weights if _is_of_words(name)]
    opened = [
        name.removeprefix(_OPENS).split(" ") for name in shipped.weights if name.startswith(_OPENS)
    ]
    spoken = [word for words in (*apart, *opened) for word in words if word]
    stems = Stems([*spoken, *STEM_CUES, "<number>", "<link>"])
    number, names = stems.numbers, ["", *stems.numbers]
    pairs = _pairs(number, apart)
    begun = _pairs(number, opened)
    triples = [
        (begun.number[number[words[0]], number[words[1]]], number[words[2]])
        for words in opened
        if len(words) > 2
    ]
    by_three = Pairs(triples)
    two = ["", *(f"{names[first]} {names[second]}" for first, second in begun.number)]
    three = [f"{two[pair]} {names[third]}" for pair, third in by_three.number]
    side_by_side = [f"{names[first]} {names[second]}" for first, second in pairs.number]
    return RoleModel(
        stems,
        _word_cues(stems),
        pairs,
        begun,
        by_three,
        _rows(shipped, ["", *names[1:], *side_by_side]),
        (
            _rows(shipped, ["", *(_OPENS + name for name in names[1:])]),
            _rows(shipped, ["", *(_OPENS + name for name in two[1:])]),
            _rows(shipped, ["", *(_OPENS + name for name in three)]),
        ),
        _rows(shipped, [_OPENS])[0],
        np.hstack([
            _rows(shipped, [f"{where}: {cue}" for cue in CUES])
            for where in ("cue", "before", "behind")
        ]),
        _rows(shipped, [f"earlier: {cue}" for cue in TOLD]),
        _rows(shipped, _FIFTHS),
        _rows(shipped, [f"place: {name}" for name in _PLACES]),
        np.array(shipped.intercepts, dtype=float),
    )  # fmt: skip


def _is_of_words(name: str) -> bool:
    """Tell whether a feature is a stem or a pair of them."""
    return name not in _FIFTHS and not name.startswith((_OPENS, *_OF_A_SENTENCE))


def _pairs(number: Mapping[str, int], features: Iterable[Sequence[str]]) -> Pairs:
    """Return the pairs of stems with which features begin."""
    return Pairs([(number[words[0]], number[words[1]]) for words in features if len(words) > 1])


def _word_cues(stems: Stems) -> NDArray[np.int32]:
    bits = np.zeros(len(stems.numbers) + 1, dtype=np.int32)
    for name, told in STEM_CUES.items():
        bits[stems.numbers[name]] = sum(1 << list(WORDS).index(cue) for cue in told)
    return bits


def _rows(model: RoleWeights, names: Sequence[str]) -> Weights:
    """Return the weights of features, a row each; of those that the model does not know, 0."""
    none = (0,) * len(model.columns)
    rows = [model.weights.get(name, none) for name in names]
    return np.array(rows, dtype=float).reshape(len(names), len(model.columns))
