"""Titles that many works share, such as "Editorial", "Introduction" or "Home"."""

from __future__ import annotations

import re
import unicodedata
from itertools import chain
from pathlib import Path
from typing import Final

from classifier.papers.words import load_words

_LISTS: Final = load_words(Path(__file__).with_name("bare_titles.yaml"))
_HEADINGS: Final = frozenset(chain(*_LISTS["headings"]))
_JOINTS: Final = frozenset(chain(*_LISTS["joints"]))
_WHOLE: Final = frozenset(chain(*_LISTS["whole"]))
# Thai and Lao, Japanese and Chinese, Korean.
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7a3]")
_MAX_WORDS: Final = 6


def is_bare_title(title: str) -> bool:
    """Return whether a title is one word, or a heading that many works have.

    >>> is_bare_title("Editorial"), is_bare_title("Letter to the Editor"), is_bare_title("Vorwort")
    (True, True, True)
    >>> is_bare_title("Editorial bias in letters"), is_bare_title("前言")
    (False, True)
    """
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", title.casefold())
        if not unicodedata.combining(letter)
    )
    words = re.findall(r"[^\W\d_]+", plain)
    if len(title.split()) <= 1:
        return (
            not _UNSPACED.search(title)
            or unicodedata.normalize("NFKC", title.strip(" 。:：")) in _WHOLE
        )
    if not words or len(words) > _MAX_WORDS:
        return not words
    return (_HEADINGS | _JOINTS).issuperset(words) and not _HEADINGS.isdisjoint(words)
