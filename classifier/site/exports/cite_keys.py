"""Cite keys that stay the same as long as what they are made of does."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from classifier.corpus.paper import Paper
from classifier.site.exports.names import split_name

_LONG = 4
_EMPTY_WORDS = frozenset(
    "about across agent agents beyond from into large language model models over that their this"
    " through toward towards under using versus what when where which with your".split()
)


def cite_keys(papers: Sequence[Paper]) -> dict[str, str]:
    """Return paper id -> cite key, such as `fang2025comprehensive`.

    The key is the first author's surname (the first word of the title where no author is known),
    the year and the first long word of the title, in ASCII. Papers that would share one are told
    apart by a, b, c in the order of their ids.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for paper in sorted(papers, key=lambda paper: paper.id):
        groups[_stem(paper)].append(paper.id)
    return {
        paper_id: stem if len(group) == 1 else stem + _suffix(index)
        for stem, group in groups.items()
        for index, paper_id in enumerate(group)
    }


def _stem(paper: Paper) -> str:
    words = [word for word in map(_ascii, paper.title_display.split()) if word]
    family = _ascii(split_name(paper.authors[0]).family) if paper.authors else ""
    head = family or (words[0] if words else "paper")
    long_word = next(
        (w for w in words if len(w) >= _LONG and w not in _EMPTY_WORDS and w != head), ""
    )
    return f"{head}{paper.published.year}{long_word}"


def _ascii(text: str) -> str:
    """Return the lower-case ASCII letters and digits of the first part of a word."""
    decomposed = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o"))
    plain = decomposed.encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9 ]", "", re.split(r"[-:/–—]", plain)[0]).replace(" ", "")


def _suffix(index: int) -> str:
    """Return a, b, …, z, aa, ab, … for 0, 1, …"""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters
