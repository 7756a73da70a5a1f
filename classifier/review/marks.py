"""Mark the cues of categories in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from classifier.labelling.cue_index import CueIndex, tokens_and_negations
from classifier.text.normalise import tokens

_WORD = re.compile(r"\w+|[^\w\s]")


def marked_text(
    text: str, cues: CueIndex, facet_id: str, category_ids: Sequence[str]
) -> list[tuple[str, str]]:
    """Split a text at its cues; return pairs of text and the category whose cue it is, or "".

    A word that is a cue of several categories belongs to the first of `category_ids`.
    """
    category_of: dict[int, str] = {}
    for category_id in category_ids:
        for start, stop in cues.spans(text, facet_id, category_id):
            for position in range(start, stop):
                category_of.setdefault(position, category_id)
    pieces: list[tuple[str, str]] = []
    done = 0
    for position, (start, end) in _token_spans(text):
        if position not in category_of or start < done:
            continue
        category, between = category_of[position], text[done:start]
        if pieces and pieces[-1][1] == category and between.isspace():
            pieces[-1] = (pieces[-1][0] + text[done:end], category)
        else:
            pieces += [(between, ""), (text[start:end], category)]
        done = end
    return [piece for piece in (*pieces, (text[done:], "")) if piece[0]]


def _token_spans(text: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield (position in `tokens_and_negations`, span) per token; nothing if they do not align."""
    spans = [match.span() for match in _WORD.finditer(text) for _ in tokens(match[0])]
    words, _ = tokens_and_negations(text)
    known = set(tokens(text))
    positions = [position for position, word in enumerate(words) if word in known]
    if len(spans) == len(positions):
        yield from zip(positions, spans, strict=True)
