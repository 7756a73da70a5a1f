"""Display form of many texts: `display` is asked only of those in which it may find anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import (
    BLANK,
    LINE_END,
    PAD,
    Codes,
    Places,
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
    plain: list[int] = []
    for row, text in enumerate(texts):
        if text.isascii() and "\n" not in text:
            plain.append(row)
        else:
            shown[row] = display(text)
    for place in _doubtful([texts[row] for row in plain]):
        shown[plain[place]] = display(texts[plain[place]])
    return shown


def _doubtful(texts: Sequence[str]) -> list[int]:
    """Return which ASCII texts hold a sign without which no rule of `display` changes anything."""
    pad = "\n" * PAD
    codes = np.frombuffer(f"{pad}{chr(10).join(texts)}{pad}".encode("ascii"), dtype=np.uint8)
    ends = np.cumsum([len(text) + 1 for text in texts], dtype=np.int64) + (PAD - 1)
    kinds = np.frombuffer(codes.tobytes().translate(_SUSPECT), dtype=np.uint8)
    suspects = np.flatnonzero(kinds != 0)
    kind = kinds[suspects]
    is_doubtful = kind == _SIGN
    dashes = np.flatnonzero(kind == _DASH)
    behind = codes[suspects[dashes] + 1]
    is_doubtful[dashes] = (behind == ord("-")) | (behind == ord(">"))
    figures = np.flatnonzero(kind == _FIGURE)
    is_doubtful[figures] = _beside_a_word(codes, suspects[figures])
    is_blank = codes == BLANK
    is_doubled = is_blank[1:] & is_blank[:-1]
    doubled = np.flatnonzero(is_doubled) if is_doubled.any() else suspects[:0]
    # A blank may also begin a text, or end it.
    edges = np.concatenate([ends - 1, [PAD], ends[:-1] + 1])
    edges = edges[is_blank[edges]]
    rows: list[int] = np.unique(
        np.searchsorted(ends, np.concatenate([suspects[is_doubtful], doubled, edges]))
    ).tolist()
    return rows


def _beside_a_word(codes: Codes, figures: Places) -> NDArray[np.bool_]:
    """Return whether a figure stands beside what may be "times", "rightarrow", "sim", "approx".

    Or behind ". ", as a decimal does that was torn apart.
    """
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
