"""Names that fit: cut between words, or broken into lines."""

from __future__ import annotations

import textwrap

from classifier.site.figures.drawing import LETTER

MAX_HEAD_LETTERS = 30


def short_name(name: str, most: int = MAX_HEAD_LETTERS) -> str:
    """Return a name cut between words to at most so many letters.

    >>> short_name("Planning, memory, tools & skills"), short_name("Song")
    ('Planning, memory, tools…', 'Song')
    """
    if len(name) <= most:
        return name
    start = name[:most]
    end = max(start.rfind(" "), start.rfind("-"))
    return (start[:end] if end > 0 else name[: most - 1]).rstrip(" &,") + "…"


def fitting(name: str, width: float) -> str:
    """Return a name cut to what fits into so many pixels."""
    return short_name(name, max(2, int(width // LETTER)))


def in_lines(text: str, width: float) -> list[str]:
    """Return a text in lines of at most so many pixels.

    >>> in_lines("merged with another record", 130)
    ['merged with', 'another record']
    """
    return textwrap.wrap(text, max(8, int(width // LETTER)), break_on_hyphens=False)
