"""Split a text into sentences with their spans."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A full stop after these does not end a sentence.
ABBREVIATIONS = frozenset(
    "e.g i.e et al vs cf fig figs eq eqs sec no nos vol approx resp dr mr mrs ms prof st jr inc"
    " ltd co corp dept univ ed eds pp sp ca w.r.t a.k.a i.i.d viz ver".split()
)
# "is lacking.In this study" lost a blank.
_END = re.compile(
    r"(?<![.!?])[.!?]++[\"'”’)\]]*+(?=\s|$|(?:(?<=[a-z]{3}[.])|(?<=[º°][.]))[A-Z][a-z]*+[\s/:])"
)
# Number of characters before a full stop in which an abbreviation or a number is looked for.
_MAX_LETTERS = 100
_MAX_PARENTHESIS = 200
"""Maximum length of a parenthesis, in characters; in a longer one, a bracket was lost."""
_EDGE = re.compile(r"[\s(\[]")
# "in the U.S. Marines", "J. Smith", but "in the U.S. We examine".
_INITIALS = re.compile(r"(?:[a-z]\.)*[a-z]|ph\.d")
_BEGINS = re.compile(
    r"(?:The|This|These|We|In|To|A|An|Our|It|Using|There|For|From|Of|Both|All|Most|With|On|As"
    r"|Although|While|Since|However|Results?|Methods?|Conclusions?|Here|They|He|She)\b(?!\.)"
)
# "soil C and N. Significant effects", "at 77 K. Electron irradiation".
_MEASURED = re.compile(r"(?:\b[A-Z] (?:and|or) [A-Z]|[\d°]\s?[KVCWMTN])$")
_GOES_ON = re.compile(r"[A-Z][a-z]+ [a-z]")
_TORN = re.compile(r"\d+\s?(?:\\?%|\)|points?\b)")
OPENER = re.compile(r"[\"'“‘(\[]*[A-Z0-9$τλαβ\\]|[\"'“‘(\[]*[a-z]+[A-Z0-9]|•")


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence and its place in a text."""

    start: int
    """Offset of its first character in the text as read."""
    end: int
    """Offset after its last character."""
    text: str
    """The sentence as read: `source[start:end]`."""


def split_sentences(text: str) -> list[Span]:
    """Split a text into sentences; each character except blanks belongs to one of them.

    >>> [s.text for s in split_sentences("It wins 53.6% (e.g. on v2.0). We release it.")]
    ['It wins 53.6% (e.g. on v2.0).', 'We release it.']
    """
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if _ends_sentence(text, start, match):
            _append_span(spans, text, start, match.end())
            start = match.end()
    _append_span(spans, text, start, len(text))
    return spans


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    after = match.end()
    while after < len(text) and text[after].isspace():
        after += 1
    if after == len(text):
        return True
    before = text[max(start, match.start() - _MAX_LETTERS) : match.start()]
    is_single = match.group().startswith(".") and not match.group().startswith("..")
    opened = text.rfind("(", max(start, after - _MAX_PARENTHESIS), match.start())
    if opened >= 0 and text.count("(", opened, match.end()) > text.count(")", opened, match.end()):
        closed = text.find(")", match.end(), opened + _MAX_PARENTHESIS)
        if closed >= 0 and "(" not in text[match.end() : closed]:
            return False
    if is_single and (
        _is_abbreviated(before, text, after)
        or (before[-1:].isdigit() and _TORN.match(text, after))  # a page tore "53. 6%" apart
    ):
        return False
    return bool(OPENER.match(text, after))


def _is_abbreviated(preceding_text: str, text: str, next_word: int) -> bool:
    """Return whether the word before a full stop is an abbreviation, or an initial in a sentence.

    next_word: position of the next word.
    """
    *_, previous, last_word = ["", *_EDGE.split(preceding_text.lower())]
    if last_word in ABBREVIATIONS:
        return last_word != "al" or previous == "et"  # aluminium
    if not _INITIALS.fullmatch(last_word):
        return False
    begins = _BEGINS.match(text, next_word) or (
        _MEASURED.search(preceding_text) and _GOES_ON.match(text, next_word)
    )
    return not begins


def _append_span(spans: list[Span], text: str, start: int, end: int) -> None:
    """Append the sentence between two positions, without blanks around it."""
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append(Span(first, first + len(stripped), stripped))
