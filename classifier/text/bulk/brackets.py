"""Brackets of many texts in which, or before which, an acronym may stand."""

from __future__ import annotations

import numpy as np

from classifier.text.bulk.characters import Characters, Places, places_of

_OPEN, _CLOSED = np.zeros(256, dtype=bool), np.zeros(256, dtype=bool)
_OPEN[[ord("("), ord("[")]] = _CLOSED[[ord(")"), ord("]")]] = True
_FEWEST, _MOST = 2, 80
"""Characters between brackets that `acronyms` reads."""
_AROUND = 14
"""Characters that hold a short form of ten, and blanks beside it."""


def brackets_of(characters: Characters) -> tuple[Places, Places]:
    """Return (start, end) of the brackets that hold, or stand behind, two capitals close by."""
    codes = characters.codes
    at = places_of(codes, [ord(sign) for sign in "([)]"])
    starts, ends = at[:-1], at[1:]
    width = ends - starts - 1
    is_pair = _OPEN[codes[starts]] & _CLOSED[codes[ends]] & (width >= _FEWEST) & (width <= _MOST)
    starts, ends = starts[is_pair], ends[is_pair]
    near = starts[:, None] + np.arange(-_AROUND, _AROUND + 1)
    capitals = np.asarray(codes[near] - 65 < 26)
    before = capitals[:, :_AROUND].sum(axis=1) > 1
    inside = capitals[:, _AROUND + 1 :].sum(axis=1) > 1
    kept = before | inside
    return starts[kept], ends[kept] + 1
