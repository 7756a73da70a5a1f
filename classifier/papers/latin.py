"""Texts in Latin letters as they are typed where keys for other letters are missing."""

from __future__ import annotations

import unicodedata

# Letters that are not another one with an accent.
_SPELLED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ı": "i",
     "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH"}
)  # fmt: skip


def latin(text: str) -> str:
    """Return `text` without accents; "" where it is not in Latin letters.

    >>> latin("Søren Łukaš"), latin("面包")
    ('Soren Lukas', '')
    """
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text).translate(_SPELLED)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain if sum(map(str.isascii, plain)) > 0.9 * len(plain) else ""
