"""The words of sentences as the model of roles knows them, by numbers of their stems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import (
    APOSTROPHE,
    CURLY_APOSTROPHE,
    Characters,
    Places,
)
from classifier.text.bulk.passages import Spans
from classifier.text.bulk.pieces import DIGITS, FOREIGN, LETTERS, MARK, Pieces
from classifier.text.bulk.prefixes import starts_with
from classifier.text.role_cues import ENDINGS, stem
from classifier.text.role_features import LONG

_LETTERS = re.compile("[A-Za-z][A-Za-z'’]*")
_LINK = re.compile(r"https?://\S+")
_POINTS = (ord("."), ord(","))


class Stems:
    """Numbers, from 1, for stems; and every word that has one of them."""

    def __init__(self, stems: Iterable[str]) -> None:
        self.numbers: Mapping[str, int] = {
            text: place for place, text in enumerate(dict.fromkeys(stems), 1)
        }
        self.forms: Mapping[str, int] = {
            form: number
            for text, number in self.numbers.items()
            for form in (f"{text}{ending}" for ending in ("", *ENDINGS))
            if form.isascii() and form.isalpha() and stem(form) == text
        }
        """Word of letters -> the number of its stem."""

    def of(self, word: str) -> int:
        """Return the number of a word's stem; 0 if it has none."""
        return self.numbers.get(stem(word), 0)


@dataclass(frozen=True, slots=True)
class RoleWords:
    """The first words of s sentences, w in all; a number or a link is a word, too."""

    stems: NDArray[np.int32]
    """(w,) the number of each word's stem; 0 for one that the model does not know."""
    spans: NDArray[np.int32]
    """(w,) the sentence of each, ascending."""
    starts: Places
    """(s + 1,) where each sentence begins among the words, and w."""


def role_words_of(
    characters: Characters, pieces: Pieces, spans: Spans, known: NDArray[np.int32], stems: Stems
) -> RoleWords:
    """Return the words of sentences.

    known: (p,) the number of the stem of each piece, were it a word by itself.
    """
    numbers = np.where(pieces.kinds == DIGITS, stems.numbers.get("<number>", 0), known)
    is_word = pieces.kinds != FOREIGN
    marks = np.flatnonzero(pieces.kinds == MARK)
    signs = characters.codes[pieces.starts[marks]]
    numbers[marks] = _numbers_of_marks(stems)[signs]
    is_word[marks] = signs != ord("$")
    is_word[_later_digits(characters, pieces)] = False
    _read_apostrophes(characters, pieces, stems, numbers, is_word)
    _read_links(characters, pieces, stems, numbers, is_word)
    at = np.flatnonzero(is_word)
    begins = np.searchsorted(pieces.starts[at], spans.starts)
    counts = np.diff(np.append(begins, len(at)))
    if counts.max(initial=0) > LONG:
        rank = np.arange(len(at)) - np.repeat(begins, counts)
        at = at[rank < LONG]
        counts = np.minimum(counts, LONG)
    return RoleWords(
        numbers[at],
        np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        np.concatenate([[0], np.cumsum(counts)]),
    )


def _numbers_of_marks(stems: Stems) -> NDArray[np.int32]:
    from classifier.text.bulk.characters import TIMES

    numbers = np.zeros(256, dtype=np.int32)
    for code, sign in ((ord("%"), "%"), (ord("?"), "?"), (ord(":"), ":"), (TIMES, "×")):
        numbers[code] = stems.numbers.get(sign, 0)
    return numbers


def _later_digits(characters: Characters, pieces: Pieces) -> Places:
    """Return the pieces that go on with a number: the thousand of "1,000"."""
    later = np.flatnonzero((pieces.kinds[1:] == DIGITS) & (pieces.kinds[:-1] == DIGITS)) + 1
    width = pieces.starts[later] - pieces.ends[later - 1]
    sign = characters.codes[pieces.ends[later - 1]]
    goes_on = (sign == _POINTS[0]) | (sign == _POINTS[1])
    for index in np.flatnonzero(goes_on & (width > 1)).tolist():
        piece = later[index]
        between = characters.text[pieces.ends[piece - 1] : pieces.starts[piece]]
        goes_on[index] = not between.strip(".,")
    return np.asarray(later[goes_on])


def _read_apostrophes(
    characters: Characters,
    pieces: Pieces,
    stems: Stems,
    numbers: NDArray[np.int32],
    is_word: NDArray[np.bool_],
) -> None:
    """Set the numbers of words that hold an apostrophe or end with one."""
    at = characters.places_of([APOSTROPHE, CURLY_APOSTROPHE])
    owner = np.searchsorted(pieces.ends, at)
    owner = owner[owner < len(pieces.ends)]
    at = at[: len(owner)]
    owner = owner[(pieces.ends[owner] == at) & (pieces.kinds[owner] == LETTERS)]
    first: list[int] = []
    behind = [0]
    for piece, start in zip(owner.tolist(), pieces.starts[owner].tolist(), strict=True):
        if start < behind[-1]:
            continue
        word = _LETTERS.match(characters.text, start)
        assert word is not None
        first.append(piece)
        behind.append(word.end())
        numbers[piece] = stems.of(word.group())
    stops = np.searchsorted(pieces.starts, behind[1:]).tolist()
    for piece, stop in zip(first, stops, strict=True):
        is_word[piece + 1 : stop] = False


def _read_links(
    characters: Characters,
    pieces: Pieces,
    stems: Stems,
    numbers: NDArray[np.int32],
    is_word: NDArray[np.bool_],
) -> None:
    """Set the numbers of links, and of words that begin like one."""
    is_http = starts_with("http", pieces.first, pieces.second)
    behind = 0
    for piece in np.flatnonzero(is_http & is_word).tolist():
        start = int(pieces.starts[piece])
        if start < behind:
            continue
        link = _LINK.match(characters.text, start)
        word = link or _LETTERS.match(characters.text, start)
        assert word is not None
        behind = word.end()
        numbers[piece] = stems.of(word.group())
        is_word[piece + 1 : int(np.searchsorted(pieces.starts, behind))] = False
