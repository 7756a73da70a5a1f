"""Where the passages of many texts begin and end: a title is one, an abstract is its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import (
    BLANK,
    BULLET,
    CURLY_APOSTROPHE,
    CURLY_CLOSE,
    CURLY_OPEN,
    CURLY_SINGLE_OPEN,
    FOREIGN_DIGIT,
    LINE_END,
    OPENING_LETTER,
    UNSTABLE_LETTER,
    Characters,
    Codes,
    Places,
    table_of,
)
from classifier.text.bulk.word_table import blocks_at
from classifier.text.sentences import ABBREVIATIONS, OPENER, is_abbreviated, is_torn_decimal

_CLOSE, _OPEN, _CAPITAL, _LOWER = 1, 2, 3, 4
_AROUND = table_of(
    {
        _CLOSE: [*map(ord, ")]"), CURLY_CLOSE, CURLY_APOSTROPHE],
        _OPEN: [*map(ord, "(["), CURLY_OPEN, CURLY_SINGLE_OPEN],
        _CAPITAL: [*map(ord, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$\\"), OPENING_LETTER],
        _LOWER: "abcdefghijklmnopqrstuvwxyz",
    }
)
_STOPS = tuple(map(ord, ".!?"))
_QUOTES = (ord('"'), ord("'"))
_CLOSERS = np.frombuffer(_AROUND, dtype=np.uint8) == _CLOSE
_OPENERS = np.frombuffer(_AROUND, dtype=np.uint8) == _OPEN
_CLOSERS[list(_QUOTES)] = _OPENERS[list(_QUOTES)] = True
_BEGINS = np.frombuffer(_AROUND, dtype=np.uint8)
_WINDOW = 8
"""Characters before a full stop that are looked at: more than any abbreviation has."""


@dataclass(frozen=True, slots=True)
class Spans:
    """s passages of n texts, in order."""

    starts: Places
    """(s,) the place of the first character."""
    ends: Places
    """(s,) behind the last."""
    texts: Places
    """(s,) which text each is of, ascending."""


def spans_of(characters: Characters, is_whole: NDArray[np.bool_]) -> Spans:
    """Return the sentences of texts, as `split_sentences` does; some texts are left whole.

    is_whole: (n,) of which texts; such one is one span, even if it is empty.
    """
    codes = characters.codes
    ends, behind = _ends(characters, is_whole)
    is_last = codes[behind] == LINE_END
    inner, openings = ends[~is_last], behind[~is_last]
    first = _first_characters(codes, characters)
    filled = is_whole | (characters.ends > first)
    starts = np.sort(np.concatenate([first[filled], openings]))
    last = _last_characters(codes, characters)
    stops = np.sort(np.concatenate([last[filled], inner]))
    return Spans(starts, stops, np.searchsorted(characters.ends, starts))


def _first_characters(codes: Codes, characters: Characters) -> Places:
    """Return (n,) where each text's first character that is no blank stands, or its end."""
    return _behind_blanks(codes, characters.starts.copy())


def _last_characters(codes: Codes, characters: Characters) -> Places:
    """Return (n,) the place behind each text's last character that is no blank."""
    ends = characters.ends.copy()
    while len(at := np.flatnonzero((codes[ends - 1] == BLANK) & (ends > characters.starts))):
        ends[at] -= 1
    return ends


def _behind_blanks(codes: Codes, places: Places) -> Places:
    while len(at := np.flatnonzero(codes[places] == BLANK)):
        places[at] += 1
    return places


def _ends(characters: Characters, is_whole: NDArray[np.bool_]) -> tuple[Places, Places]:
    """Return where sentences end, and the first character behind that is no blank."""
    codes = characters.codes
    stops, ends = _candidates(characters)
    inside = ~is_whole[np.searchsorted(characters.ends, stops)]
    stops, ends = stops[inside], ends[inside]
    behind = _behind_blanks(codes, ends.copy())
    is_end = _opens(characters, behind)
    is_end &= ~_is_no_full_stop(characters, stops, behind)
    is_end |= codes[behind] == LINE_END
    return ends[is_end], behind[is_end]


def _candidates(characters: Characters) -> tuple[Places, Places]:
    """Return the start and the end of each run of `.!?` and closing signs before a blank."""
    codes = characters.codes
    stops = characters.places_of(_STOPS)
    is_apart = np.diff(stops) > 1
    first, last = np.ones((2, len(stops)), dtype=bool)
    first[1:] = last[:-1] = is_apart
    starts, ends = stops[first], stops[last] + 1
    while len(at := np.flatnonzero(_CLOSERS[codes[ends]])):
        ends[at] += 1
    is_free = (codes[ends] == BLANK) | (codes[ends] == LINE_END)
    return starts[is_free], ends[is_free]


def _opens(characters: Characters, behind: Places) -> NDArray[np.bool_]:
    """Return whether a sentence may begin at each place."""
    codes = characters.codes
    opens = codes[behind] == BULLET
    at = behind.copy()
    while len(quoted := np.flatnonzero(_OPENERS[codes[at]])):
        at[quoted] += 1
    begins = _BEGINS[codes[at]]
    opens |= begins == _CAPITAL
    for index in np.flatnonzero(begins == _LOWER).tolist():
        opens[index] = OPENER.match(characters.text, int(at[index])) is not None
    return np.asarray(opens)


def _is_no_full_stop(characters: Characters, stops: Places, behind: Places) -> NDArray[np.bool_]:
    """Return whether the stop at each place ends an abbreviation, or a decimal is torn there."""
    codes, lower = characters.codes, characters.lower
    is_single = (codes[stops] == ord(".")) & (codes[stops + 1] != ord("."))
    before = lower[stops[:, None] - np.arange(1, _WINDOW + 1)]
    is_edge = (before == BLANK) | (before == LINE_END) | (before == 40) | (before == 91)
    length = np.where(is_edge.any(axis=1), is_edge.argmax(axis=1), _WINDOW)
    last = blocks_at(lower, stops - length, length)
    place = np.searchsorted(_SHORT_WORDS, last)
    known = _SHORT_WORDS[np.minimum(place, len(_SHORT_WORDS) - 1)] == last
    known &= (length > 0) & (length < _WINDOW)
    text = characters.text
    for index in np.flatnonzero((before == FOREIGN_DIGIT).any(axis=1)).tolist():
        known[index] = is_abbreviated(text[stops[index] - _WINDOW : stops[index]])
    end = codes[stops - 1]
    torn = (end - 48 < 10) | (end == UNSTABLE_LETTER) | (end == FOREIGN_DIGIT)
    torn &= (codes[behind] - 48 < 10) | (codes[behind] == FOREIGN_DIGIT)
    for index in np.flatnonzero(torn & is_single).tolist():
        rest = text[behind[index] : text.index("\n", behind[index])]
        torn[index] = is_torn_decimal(text[stops[index] - 1], rest)
    return np.asarray(is_single & (known | torn))


def _short_words() -> NDArray[np.uint64]:
    words: Sequence[str] = [*ABBREVIATIONS, *map(chr, range(ord("a"), ord("z") + 1))]
    return np.sort([int.from_bytes(word.encode(), "little") for word in words]).astype(np.uint64)


_SHORT_WORDS = _short_words()
