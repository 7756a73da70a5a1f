"""Brackets of many texts in which, or before which, an acronym may stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.text.acronyms import MOST_BRACKETED
from classifier.text.bulk.characters import Characters, Places

_OPEN, _CLOSED = np.zeros(256, dtype=bool), np.zeros(256, dtype=bool)
_OPEN[[ord("("), ord("[")]] = _CLOSED[[ord(")"), ord("]")]] = True
_FEWEST = 2
"""Characters between brackets at least, that define anything."""
_AROUND = 14
"""Characters that hold a short form of ten, and blanks beside it."""


@dataclass(frozen=True, slots=True)
class Brackets:
    """b brackets with two capitals in them or right before them, in order."""

    starts: Places
    """(b,) the place of the sign that opens."""
    ends: Places
    """(b,) behind the sign that closes."""
    has_capitals_before: NDArray[np.bool_]
    """(b,) whether two capitals stand right before: what a long form in brackets explains."""


def brackets_of(characters: Characters) -> Brackets:
    """Return the brackets that may define an acronym; some close in the text behind."""
    codes = characters.codes
    at = characters.places_of([ord(sign) for sign in "([)]"])
    starts, ends = at[:-1], at[1:]
    width = ends - starts - 1
    is_pair = _OPEN[codes[starts]] & _CLOSED[codes[ends]]
    is_pair &= (width >= _FEWEST) & (width <= MOST_BRACKETED)
    starts, ends = starts[is_pair], ends[is_pair]
    near = starts[:, None] + np.arange(-_AROUND, _AROUND + 1)
    capitals = np.asarray(codes[near] - 65 < 26)
    before = capitals[:, :_AROUND].sum(axis=1) > 1
    kept = before | (capitals[:, _AROUND + 1 :].sum(axis=1) > 1)
    return Brackets(starts[kept], ends[kept] + 1, before[kept])
