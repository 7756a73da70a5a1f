"""Display form of many texts: `display` is asked only of those in which it may find anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import (
    BLANK,
    LINE_END,
    Characters,
    Places,
    characters_of,
    table_of,
)
from classifier.text.normalise import display

_SIGN, _DASH, _FIGURE = 1, 2, 3
_STOP = ord(".")
_SUSPECT = table_of(
    {
        _SIGN: [*(place for place in range(32) if place != LINE_END), 127, *map(ord, "\\$~^`}")],
        _DASH: "-",
        _FIGURE: "0123456789%)",
    }
)


def displayed(texts: Sequence[str]) -> list[str]:
    """Return `display` of each text."""
    shown = list(texts)
    for row, text in enumerate(texts):
        if "\n" in text or not text.isascii():
            shown[row] = display(text)
    for row in _doubtful(characters_of(shown)):
        shown[row] = display(texts[row])
    return shown


def _doubtful(characters: Characters) -> list[int]:
    """Return the texts that hold a sign without which no rule of `display` changes anything."""
    codes = characters.codes
    kinds = np.frombuffer(codes.tobytes().translate(_SUSPECT), dtype=np.uint8)
    suspects = np.flatnonzero(kinds)
    kind = kinds[suspects]
    is_doubtful = kind == _SIGN
    dashes = np.flatnonzero(kind == _DASH)
    behind = codes[suspects[dashes] + 1]
    is_doubtful[dashes] = (behind == ord("-")) | (behind == ord(">"))
    figures = np.flatnonzero(kind == _FIGURE)
    is_doubtful[figures] = _beside_a_word(characters, suspects[figures])
    is_blank = (codes == BLANK) | (codes == LINE_END)
    doubled = np.flatnonzero((codes[1:] == BLANK) & is_blank[:-1]) + 1
    last = np.flatnonzero(codes[characters.ends - 1] == BLANK)
    places = np.concatenate([suspects[is_doubtful], doubled, characters.ends[last] - 1])
    rows: list[int] = np.unique(np.searchsorted(characters.ends, places)).tolist()
    return rows


def _beside_a_word(characters: Characters, figures: Places) -> NDArray[np.bool_]:
    """Return whether a figure stands beside what may be "times", "rightarrow", "sim", "approx".

    Or behind ". ", as a decimal does that was torn apart.
    """
    codes = characters.codes
    behind = figures + 1
    behind += codes[behind] == BLANK
    found = (codes[behind] == ord("t")) | (codes[behind] == ord("r"))
    found &= codes[behind + 1] == ord("i")
    before = figures - 1
    is_apart = codes[before] == BLANK
    before -= is_apart
    last, last_but_one = codes[before], codes[before - 1]
    found |= (last == ord("m")) & (last_but_one == ord("i"))
    found |= (last == ord("x")) & (last_but_one == ord("o"))
    return np.asarray(found | (is_apart & (last == _STOP) & (last_but_one - 48 < 10)))
