"""The sentences of many texts with their roles, equal to `roled_sentences` of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from classifier.text.bulk.reading import read_texts
from classifier.text.roles import ROLES, RoledSentence
from classifier.text.sentences import Span

_AT_ONCE = 1_000
"""Texts whose arrays are held at a time."""


def roled_texts(texts: Sequence[str]) -> Iterator[tuple[RoledSentence, ...]]:
    """Yield the sentences of each text in display form with their roles, in order."""
    for start in range(0, len(texts), _AT_ONCE):
        yield from _read(texts[start : start + _AT_ONCE])


def _read(texts: Sequence[str]) -> Iterator[tuple[RoledSentence, ...]]:
    reading = read_texts(texts, np.zeros(len(texts), dtype=bool))
    spans, roles = reading.spans, reading.roles
    offsets = reading.characters.starts[spans.texts]
    sentences = zip(
        (spans.starts - offsets).tolist(),
        (spans.ends - offsets).tolist(),
        roles.roles.tolist(),
        roles.main.tolist(),
        strict=True,
    )
    for text, count in zip(texts, np.bincount(spans.texts, minlength=len(texts)), strict=True):
        yield tuple(
            [
                RoledSentence(Span(start, end, text[start:end]), ROLES[role], main)
                for _, (start, end, role, main) in zip(range(count), sentences, strict=False)
            ]
        )
