"""Words without their regular ending: only for telling that two are nearly the same."""

from __future__ import annotations

import re

_ENDING = re.compile(r"(?<=\w\w\w)(?:ies|ied|ying|ing|ed|es|s|e|y)$")


def stem(word: str) -> str:
    """Return a word without its regular ending.

    >>> stem("agents"), stem("planning"), stem("process")
    ('agent', 'plan', 'process')
    """
    if word.endswith("ss"):
        return word
    base = _ENDING.sub("", word)
    return base[:-1] if len(base) > 3 and base[-1] == base[-2] else base
