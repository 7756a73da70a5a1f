"""Splitting a text into sentences, with their spans."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A full stop after these ends no sentence.
_ABBREVIATIONS = frozenset(
    "e.g i.e et al vs cf fig figs eq eqs sec no nos vol approx resp dr mr mrs ms prof st jr inc"
    " ltd co corp dept univ ed eds pp ca w.r.t a.k.a i.i.d viz ver".split()
)
_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s+|$)")
_OPENER = re.compile(r"[\"'“‘(\[]*[A-Z0-9$τλαβ\\]|[\"'“‘(\[]*[a-z]+[A-Z0-9]|•")


@dataclass(frozen=True, slots=True)
class Span:
    """One sentence of a text."""

    start: int
    """Offset of its first character in the text as read."""
    end: int
    """Offset behind its last character."""
    text: str
    """The sentence as read: `source[start:end]`."""


def split_sentences(text: str) -> list[Span]:
    """Return the sentences of `text` in order; every character but blanks lies in one of them.

    >>> [s.text for s in split_sentences("It wins 53.6% (e.g. on v2.0). We release it.")]
    ['It wins 53.6% (e.g. on v2.0).', 'We release it.']
    """
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if _ends_sentence(text, start, match):
            _add(spans, text, start, match.end())
            start = match.end()
    _add(spans, text, start, len(text))
    return spans


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    rest = text[match.end() :].lstrip()
    if not rest:
        return True
    before = text[start : match.start()]
    if match.group().startswith(".") and not match.group().startswith(".."):
        last_word = re.split(r"[\s(\[]", before)[-1].lower()
        if last_word in _ABBREVIATIONS or re.fullmatch(r"[a-z]", last_word):
            return False
        # A decimal that a page tore apart: "53. 6".
        if last_word[-1:].isdigit() and re.match(r"\d+\s?(?:\\?%|\)|points?\b)", rest):
            return False
    return bool(_OPENER.match(rest))


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append(Span(first, first + len(stripped), stripped))
