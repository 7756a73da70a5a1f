"""The tokens of many passages at once, equal to `normalise.tokens` of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import (
    APOSTROPHE,
    CURLY_APOSTROPHE,
    FOREIGN_DIGIT,
    UNSTABLE_LETTER,
    UNSTABLE_SIGN,
    Characters,
    Places,
)
from classifier.text.bulk.passages import Spans
from classifier.text.bulk.pieces import FOREIGN, MARK, Pieces
from classifier.text.bulk.word_table import Hashes, hashes_of, word_blocks
from classifier.text.normalise import tokens

_UNSTABLE = (UNSTABLE_SIGN, UNSTABLE_LETTER, FOREIGN_DIGIT)


@dataclass(frozen=True, slots=True)
class Tokens:
    """t tokens of s passages, in order."""

    places: Places
    """(t,) where each begins among the characters; in one of `normalised`, where that does."""
    hashes: Hashes
    """(t,) of its bytes in UTF-8."""
    starts: Places
    """(s + 1,) where each passage begins among the tokens, and t."""
    normalised: Places
    """Passages, ascending, whose tokens were read from the text in compatibility form."""


def tokens_of(
    characters: Characters, kinds: NDArray[np.uint8], pieces: Pieces, spans: Spans
) -> Tokens:
    """Return the tokens of passages.

    kinds: (t,) the kind of piece that each character is of.
    """
    is_head, goes_on = _heads(characters, kinds, pieces)
    heads = np.flatnonzero(is_head)
    places, hashes = pieces.starts[heads], pieces.hashes[heads]
    later = np.flatnonzero(goes_on)
    owner = np.searchsorted(heads, later) - 1
    ends = pieces.ends[heads]
    np.maximum.at(ends, owner, pieces.ends[later])
    longer = np.unique(owner)
    if len(longer):
        begin, end = places[longer], ends[longer]
        hashes[longer] = word_blocks(characters.lower, begin, end - begin)[0]
    foreign = np.unique(np.concatenate([
        np.searchsorted(heads, np.flatnonzero(pieces.kinds == FOREIGN), "right") - 1,
        np.searchsorted(places, characters.places_of([CURLY_APOSTROPHE]), "right") - 1,
    ]))  # fmt: skip
    foreign = foreign[foreign >= 0]
    if len(foreign):
        begins, stops = places[foreign].tolist(), ends[foreign].tolist()
        words = [characters.text[a:b].lower() for a, b in zip(begins, stops, strict=True)]
        hashes[foreign] = hashes_of(words)
    starts = np.append(np.searchsorted(places, spans.starts), len(places))
    return _with_normalised(characters, spans, Tokens(places, hashes, starts, _no_places()))


def _no_places() -> Places:
    return np.empty(0, dtype=np.int64)


def _heads(
    characters: Characters, kinds: NDArray[np.uint8], pieces: Pieces
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return, for each piece, whether a token begins there, and whether it goes on there."""
    codes = characters.codes
    is_token = pieces.kinds != MARK
    signs = np.flatnonzero(~is_token)
    is_token[signs] = (codes[pieces.starts[signs]] == 37) | (codes[pieces.starts[signs]] == 36)
    goes_on = pieces.goes_on.copy()
    joined = _joined(characters, kinds, pieces)
    behind = np.minimum(joined + 1, len(goes_on) - 1)
    is_s = (pieces.first[joined] == ord("s")) & ~(goes_on[behind] & (behind > joined))
    is_token[joined[is_s]] = False
    goes_on[joined[~is_s]] = True
    return is_token & ~goes_on, goes_on


def _joined(characters: Characters, kinds: NDArray[np.uint8], pieces: Pieces) -> Places:
    """Return the pieces that an apostrophe joins to the word before; a word has one such."""
    at = characters.places_of([APOSTROPHE, CURLY_APOSTROPHE])
    before, behind = kinds[at - 1], kinds[at + 1]
    at = at[(before > 0) & (before < MARK) & (behind > 0) & (behind < MARK)]
    joined = np.searchsorted(pieces.starts, at + 1)
    # "a'b'c" is "a'b" and "c": an apostrophe right behind a word that has one joins nothing.
    near = np.flatnonzero(np.diff(joined) == np.cumsum(pieces.goes_on)[joined[1:] - 1]
                          - np.cumsum(pieces.goes_on)[joined[:-1]] + 1) + 1  # fmt: skip
    keep = np.ones(len(joined), dtype=bool)
    for index in near.tolist():
        keep[index] = not keep[index - 1]
    return np.asarray(joined[keep])


def _with_normalised(characters: Characters, spans: Spans, read: Tokens) -> Tokens:
    """Return tokens with those of passages that normalisation changes read one by one."""
    unstable = characters.places_of(_UNSTABLE)
    odd = np.unique(np.searchsorted(spans.starts, unstable, "right") - 1)
    if not len(odd):
        return read
    begins, stops = spans.starts[odd].tolist(), spans.ends[odd].tolist()
    found = [tokens(characters.text[a:b]) for a, b in zip(begins, stops, strict=True)]
    counts = np.diff(read.starts)
    is_odd = np.zeros(len(counts), dtype=bool)
    is_odd[odd] = True
    kept = ~np.repeat(is_odd, counts)
    counts[odd] = 0
    lengths = [len(words) for words in found]
    at = np.repeat(np.cumsum(counts)[odd], lengths)
    counts[odd] = lengths
    begun = np.repeat(spans.starts[odd], lengths)
    return Tokens(
        np.insert(read.places[kept], at, begun),
        np.insert(read.hashes[kept], at, hashes_of([word for words in found for word in words])),
        np.concatenate([[0], np.cumsum(counts)]),
        odd,
    )
