"""Abbreviations that texts introduce: "Monte Carlo Tree Search (MCTS)".

The rule of Schwartz & Hearst, "A Simple Algorithm for Identifying Abbreviation Definitions in
Biomedical Text" (PSB 2003): the letters of what stands in parentheses are found in the words
before, from the last to the first, which must begin a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_IN_PARENTHESES = re.compile(r"\((?<=\w \()(\w*[A-Z]\w*[A-Z]\w*?)s?\)")
_CAPITALS = re.compile(r"\b\w*[A-Z]\w*[A-Z]\w*")
_LONGEST = 10


def abbreviations(texts: Iterable[str]) -> dict[str, str]:
    """Return abbreviation -> its long form in small letters, where two texts or more use it.

    Of several long forms it is the one of most texts.

    >>> abbreviations(["We use Monte Carlo Tree Search (MCTS).", "MCTS is slow."])
    {'MCTS': 'monte carlo tree search'}
    """
    introduced: dict[str, Counter[str]] = {}
    used: Counter[str] = Counter()
    for text in texts:
        for match in _IN_PARENTHESES.finditer(text):
            if len(match[1]) <= _LONGEST and (long := _long_form(match[1], text[: match.start()])):
                introduced.setdefault(match[1], Counter())[long] += 1
        used.update({word.removesuffix("s") for word in _CAPITALS.findall(text)})
    return {
        short: min(longs, key=lambda long: (-longs[long], long))
        for short, longs in sorted(introduced.items())
        if used[short] > 1
    }


def _long_form(short: str, before: str) -> str:
    """Return the words at the end of a text that an abbreviation stands for, or ""."""
    words = " ".join(before.lower().split()[-min(len(short) + 5, 2 * len(short)) :])
    place = len(words)
    for letter in reversed(short[1:].lower()):
        place = words.rfind(letter, 0, max(place, 0))
    starts = [match.start() for match in re.finditer(rf"\b{short[0].lower()}", words[:place])]
    long = re.sub(r"[-\s]+", " ", words[starts[-1] :]) if place > 0 and starts else ""
    return long if " " in long and not re.search(r"[.;:,()]", long) else ""
