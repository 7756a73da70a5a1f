"""Texts side by side as one array, a byte a character: what all reading in bulk begins with.

ASCII characters stand for themselves. Any other one becomes the code of its kind, so that a place
in the array is a place in the text, and one table of 256 entries tells what a character is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8]
Places = NDArray[np.int64]

PAD = 64
"""Line ends before the first text and behind the last: so many may be read without looking."""

LINE_END, BLANK, APOSTROPHE = 10, 32, 39
CURLY_APOSTROPHE, CURLY_CLOSE, CURLY_OPEN, CURLY_SINGLE_OPEN = 128, 129, 130, 131
EN_DASH, EM_DASH, BULLET, TIMES, SIGN = 132, 133, 134, 135, 136
UNSTABLE_SIGN = 137
"""A sign that compatibility normalisation changes."""
OPENING_LETTER = 144
"""A Greek letter that a sentence may begin with."""
LETTER = 145
"""Any other letter, syllable or numeral that is lower case and normal."""
UNSTABLE_LETTER = 146
"""A letter that normalisation or lower case changes, alone or with its neighbours."""
FOREIGN_DIGIT = 147
"""A digit that is not ASCII, or a letter that Unicode folds to an ASCII one."""

_OWN_CODES = {
    "’": CURLY_APOSTROPHE, "”": CURLY_CLOSE, "“": CURLY_OPEN, "‘": CURLY_SINGLE_OPEN,
    "–": EN_DASH, "—": EM_DASH, "•": BULLET, "×": TIMES,
    "τ": OPENING_LETTER, "λ": OPENING_LETTER, "α": OPENING_LETTER, "β": OPENING_LETTER,
}  # fmt: skip
_FOLDED_TO_ASCII = "ſKİı"


@dataclass(frozen=True, slots=True)
class Characters:
    """n texts as one row of t characters, parted by line ends."""

    text: str
    """(t,) the texts, each followed by a line end."""
    codes: Codes
    """(t,) an ASCII character, or the code of its kind."""
    lower: Codes
    """(t,) the same with A to Z in lower case."""
    starts: Places
    """(n,) where each text begins."""
    ends: Places
    """(n,) behind its last character: the place of a line end."""
    signs: Places
    """(m,) the places of all but ASCII letters and digits, blanks and line ends."""
    sign_codes: Codes
    """(m,) what stands there."""

    def places_of(self, signs: Sequence[int]) -> Places:
        """Return the places, ascending, at which one of some signs stands; by their codes."""
        is_one = np.zeros(256, dtype=bool)
        is_one[list(signs)] = True
        return self.signs[is_one[self.sign_codes]]


_IS_SIGN = bytes(
    not (code < 128 and chr(code).isalnum()) and code not in (LINE_END, BLANK)
    for code in range(256)
)


def characters_of(texts: Sequence[str]) -> Characters:
    """Return texts as characters; none of them may hold a line end."""
    pad = "\n" * PAD
    joined = f"{pad}{chr(10).join(texts)}{pad}"
    ends = np.fromiter(accumulate(map(len, texts)), dtype=np.int64, count=len(texts))
    ends += np.arange(PAD, PAD + len(texts))
    starts = np.concatenate([[PAD], ends[:-1] + 1])[: len(texts)]
    wide = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    codes = wide.astype(np.uint8)
    beyond = np.flatnonzero(wide > 127)
    if len(beyond):
        kinds, places = np.unique(wide[beyond], return_inverse=True)
        known = np.array([_code(chr(kind)) for kind in kinds.tolist()], dtype=np.uint8)
        codes[beyond] = known[places]
    lower = codes + (((codes - 65) < 26).view(np.uint8) << 5)
    signs = np.flatnonzero(np.frombuffer(codes.tobytes().translate(_IS_SIGN), dtype=bool))
    return Characters(joined, codes, lower, starts, ends, signs, codes[signs])


@lru_cache(maxsize=2**16)
def _code(character: str) -> int:
    """Return the code of one character that is not ASCII."""
    if character in _OWN_CODES:
        return _OWN_CODES[character]
    if character in _FOLDED_TO_ASCII or character.isdecimal():
        return FOREIGN_DIGIT
    if _is_stable(character):
        return LETTER if character.isalnum() else SIGN
    return UNSTABLE_LETTER if character.isalnum() else UNSTABLE_SIGN


def _is_stable(character: str) -> bool:
    """Tell whether NFKC and lower case leave a character as it is, whatever stands beside it.

    Only scripts whose letters never join with the one before are taken to be so.
    """
    point = ord(character)
    is_plain = point < 0x0900 or 0x1E00 <= point < 0x3000 or 0x3400 <= point < 0xA000
    return (
        is_plain
        and not unicodedata.category(character).startswith("M")
        and unicodedata.normalize("NFKC", character) == character
        and character.lower() == character
    )


def table_of(kinds: dict[int, str | Sequence[int]]) -> bytes:
    """Return 256 entries for `bytes.translate`: each kind for its characters or codes, else 0."""
    table = bytearray(256)
    for kind, members in kinds.items():
        for member in members:
            table[ord(member) if isinstance(member, str) else member] = kind
    return bytes(table)
