r"""Accents that TeX writes in ASCII, as `Podgorn\'y`, as the letters that they make."""

from __future__ import annotations

import re
import unicodedata

_MARKS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328",
    "r": "\u030a", "b": "\u0331", "d": "\u0323", "t": "\u0361",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł",
    "L": "Ł", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ",
    "TH": "Þ", "dj": "đ", "DJ": "Đ",
}  # fmt: skip
_ACCENT = re.compile(
    r"""\{?\\(?:(['`^"~=.])\s?|([cvuHkrbdt])(?:\s|(?=\{)))(?:\{\\?([A-Za-z])\s?\}|\\([ij])(?![A-Za-z])\s?|([A-Za-z]))\}?"""
)
_LETTER = re.compile(
    rf"\{{?\\({'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![A-Za-z])(?:\{{\}}|\}}|\s|)"
)


def without_tex_accents(text: str) -> str:
    r"""Return `text` with accented letters instead of TeX's commands for them; math is left alone.

    >>> without_tex_accents(r"Podgorn\'y, Dov\v{c}iak, Erd{\H o}s and S{\o}ren, $\dot x$")
    'Podgorný, Dovčiak, Erdős and Søren, $\\dot x$'
    """
    if "\\" not in text:
        return text
    parts = re.split(r"(\$[^$]{0,1000}\$)", text)
    return "".join(part if part[:1] == "$" else _decoded(part) for part in parts)


def _decoded(text: str) -> str:
    return _LETTER.sub(lambda match: _LETTERS[match[1]], _ACCENT.sub(_accented, text))


def _accented(match: re.Match[str]) -> str:
    mark = _MARKS[match[1] or match[2]]
    return unicodedata.normalize("NFC", next(filter(None, match.groups()[2:])) + mark)
