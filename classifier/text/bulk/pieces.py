"""The pieces that words are made of: runs of letters, of digits, and single signs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import (
    FOREIGN_DIGIT,
    LETTER,
    OPENING_LETTER,
    TIMES,
    UNSTABLE_LETTER,
    Characters,
    Places,
    table_of,
)
from classifier.text.bulk.word_table import Hashes, word_blocks

LETTERS, DIGITS, FOREIGN, MARK = 1, 2, 3, 4
"""Kinds of pieces: of a to z, of 0 to 9, of letters and digits that are not ASCII, one sign."""

FOREIGN_LETTERS = (OPENING_LETTER, LETTER, UNSTABLE_LETTER, FOREIGN_DIGIT)
KINDS = table_of(
    {
        LETTERS: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        DIGITS: "0123456789",
        FOREIGN: FOREIGN_LETTERS,
        MARK: [*map(ord, "%$?:"), TIMES],
    }
)


@dataclass(frozen=True, slots=True)
class Pieces:
    """p pieces of texts, in order."""

    starts: Places
    """(p,) the place of the first character."""
    ends: Places
    """(p,) behind the last."""
    kinds: NDArray[np.uint8]
    """(p,) LETTERS, DIGITS, FOREIGN or MARK."""
    goes_on: NDArray[np.bool_]
    """(p,) whether it is of the same word as the piece before: "4" and "o" of "4o"."""
    hashes: Hashes
    """(p,) of its characters in lower case."""
    first: Hashes
    """(p,) its first eight characters, `blocks_at`."""
    second: Hashes
    """(p,) the next eight; 0 where there are none."""


def pieces_of(characters: Characters) -> tuple[Pieces, NDArray[np.uint8]]:
    """Return the pieces of texts, and (t,) of which kind each character is; 0 for none."""
    kinds = np.frombuffer(characters.codes.tobytes().translate(KINDS), dtype=np.uint8)
    changes = np.empty(len(kinds) + 1, dtype=bool)
    changes[0] = changes[-1] = True
    np.not_equal(kinds[1:], kinds[:-1], out=changes[1:-1])
    is_mark, is_piece = kinds == MARK, kinds != 0
    starts = np.flatnonzero(is_piece & (changes[:-1] | is_mark))
    ends = np.flatnonzero(is_piece & (changes[1:] | is_mark)) + 1
    own = kinds[starts]
    goes_on = np.zeros(len(starts), dtype=bool)
    goes_on[1:] = (starts[1:] == ends[:-1]) & (own[1:] != MARK) & (own[:-1] != MARK)
    blocks = word_blocks(characters.lower, starts, ends - starts)
    return Pieces(starts, ends, own, goes_on, *blocks), kinds
