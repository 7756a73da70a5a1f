"""Texts as the words by which they are found: what templates/search-words.js does, once for all.

Of a small survey the browser makes the index of words itself; that of a large one is written, and
must hold the words that a query is cut into. A test holds this against the script.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category, normalize

STOP_WORDS = frozenset(
    "a al an and are as at be by can et for from has in is it its of on or that the their this "
    "to via we which with".split()
)
_UNFOLDED = {
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
}  # fmt: skip
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
        "sigma tau upsilon phi chi psi omega".split(),
        strict=True,
    )
)
# A Greek letter by itself is read by its name: τ-bench is tau-bench.
_LONE_GREEK = re.compile("(?<![α-ω])[α-ω](?![α-ω])")
_LETTER = r"[^\W_]"
# Unicode's script Han, whose texts have no spaces.
_HAN = (
    "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9\U00016fe2\U00016fe3\U00016ff0\U00016ff1"
    "\U00020000-\U0002a6df\U0002a700-\U0002ebe0\U0002f800-\U0002fa1d\U00030000-\U000323af"
)
_COMPOUND = re.compile(rf"{_LETTER}+(?:[-\u2010\u2011\u2013'\u2019.]{_LETTER}+)*")
_PART = re.compile(rf"[{_HAN}]|(?:(?![{_HAN}]){_LETTER})+")
_ASCII_PART = re.compile(r"[A-Za-z0-9]+")
_ASCII_HUMP = re.compile(r"([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])")


def fold(text: str) -> str:
    """Return a text in small letters without accents.

    >>> fold("Łukasz Müller"), fold("τ²-bench")
    ('lukasz muller', 'tau2-bench')
    """
    if text.isascii():
        return text.lower()
    letters = (c for c in normalize("NFKD", text) if not category(c).startswith("M"))
    folded = "".join(_UNFOLDED.get(c, c) for c in "".join(letters).lower())
    return _LONE_GREEK.sub(lambda letter: _GREEK.get(letter[0], letter[0]), folded)


def indexed_words(text: str) -> set[str]:
    """Return the words of a text and other ways to write them, without those that stand everywhere.

    >>> sorted(indexed_words("The WebArena of SWE-bench"))
    ['arena', 'bench', 'swe', 'swebench', 'web', 'webarena']
    """
    words: set[str] = set()
    for compound in _COMPOUND.findall(text):
        words |= _words_of(compound)
    return words


@lru_cache(maxsize=2**16)
def _words_of(compound: str) -> frozenset[str]:
    parts = _parts(compound)
    words = set(parts)
    if len(parts) > 1:
        words.add("".join(parts))
    apart = _humps_apart(compound)
    if apart != compound:
        words.update(_parts(apart))
    return frozenset(words - STOP_WORDS)


def _parts(text: str) -> list[str]:
    folded = fold(text)
    return (_ASCII_PART if folded.isascii() else _PART).findall(folded)


def _humps_apart(compound: str) -> str:
    """Return a name with a space before each part of it that begins with a capital."""
    if compound.isascii():
        return _ASCII_HUMP.sub(r"\1\3 \2", compound)
    kinds = [category(letter) for letter in compound] + ["", ""]
    apart, at = "", 0
    while at < len(compound):
        if kinds[at : at + 2] == ["Ll", "Lu"]:
            apart += f"{compound[at]} {compound[at + 1]}"
            at += 2
        else:
            apart += compound[at] + " " * (kinds[at : at + 3] == ["Lu", "Lu", "Ll"])
            at += 1
    return apart
