"""Marking the cues of categories in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from classifier.labelling.cue_index import CueIndex, words_of
from classifier.text.normalise import tokens

_WORD = re.compile(r"\w+|[^\w\s]")


def marked_text(
    text: str, cues: CueIndex, facet_id: str, category_ids: Sequence[str]
) -> list[tuple[str, str]]:
    """Return a text in pieces: (piece, category whose cue it is, or "").

    A word that is a cue of several categories belongs to the first of `category_ids`.
    """
    owner: dict[int, str] = {}
    for category_id in category_ids:
        for start, end in cues.spans(text, facet_id, category_id):
            for place in range(start, end):
                owner.setdefault(place, category_id)
    pieces: list[tuple[str, str]] = []
    at = 0
    for place, (start, end) in _token_spans(text):
        if place not in owner or start < at:
            continue
        between = text[at:start]
        if pieces and pieces[-1][1] == owner[place] and between.isspace():
            pieces[-1] = (pieces[-1][0] + text[at:end], owner[place])
        else:
            pieces += [(between, ""), (text[start:end], owner[place])]
        at = end
    return [piece for piece in (*pieces, (text[at:], "")) if piece[0]]


def _token_spans(text: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield (position of a token in `words_of`, its span); none where the two do not align."""
    found = [match.span() for match in _WORD.finditer(text) for _ in tokens(match[0])]
    words, _ = words_of(text)
    known = set(tokens(text))
    places = [place for place, word in enumerate(words) if word in known]
    if len(found) == len(places):
        yield from zip(places, found, strict=True)
