"""Many texts read at once: their passages, the tokens of these, and what sentences do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import Characters, characters_of
from classifier.text.bulk.cue_finder import cue_finder
from classifier.text.bulk.negation import negated_tokens
from classifier.text.bulk.passages import Spans, spans_of
from classifier.text.bulk.phrases import Found
from classifier.text.bulk.pieces import Pieces, pieces_of
from classifier.text.bulk.role_cues import phrase_cues
from classifier.text.bulk.role_model import role_model
from classifier.text.bulk.role_words import role_words_of
from classifier.text.bulk.roles import Roles, roles_of
from classifier.text.bulk.runs import Runs, runs_of
from classifier.text.bulk.tokens import Tokens, tokens_of
from classifier.text.bulk.word_table import WordTable
from classifier.text.headings import has_headings
from classifier.text.role_cues import speaks_of_the_paper, states_the_aim
from classifier.text.roles import (
    ROLES,
    RoledSentence,
    roled_sentences,
    says_what_the_paper_does,
)
from classifier.text.sentences import Span

_CHUNK = 500
"""Texts that are read side by side: more of them are no faster."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What n texts say in s passages: their sentences, or a text as a whole."""

    characters: Characters
    spans: Spans
    tokens: Tokens
    negated: NDArray[np.bool_]
    """(t,) whether the passage sets itself apart from the token."""
    roles: Roles
    """Of all passages; those of a text that is left whole say nothing."""


@dataclass(frozen=True, slots=True)
class _KnownWords:
    """The words that roles, phrases and negation know, in one table."""

    table: WordTable
    stems: NDArray[np.int32]
    """The number of each word's stem; the first entry is of no word."""
    phrase_words: NDArray[np.int32]
    """The number that it has among the words of phrases."""


@lru_cache(maxsize=1)
def _known_words() -> _KnownWords:
    forms = role_model().stems.forms
    parts = {word: place for place, word in enumerate(cue_finder().phrases.words, 1)}
    words = list(dict.fromkeys([*forms, *parts]))
    return _KnownWords(
        WordTable(words),
        np.array([0, *(forms.get(word, 0) for word in words)], dtype=np.int32),
        np.array([0, *(parts.get(word, 0) for word in words)], dtype=np.int32),
    )


def read_texts(texts: Sequence[str], is_whole: NDArray[np.bool_]) -> Reading:
    """Return what texts in display form say.

    is_whole: (n,) of which texts; such one is one passage, even if it is empty.
    """
    read = _sentences(texts, is_whole)
    tokens = tokens_of(read.characters, read.kinds, read.pieces, read.spans)
    negated = negated_tokens(read.characters, read.spans, read.runs, read.found, tokens)
    return Reading(read.characters, read.spans, tokens, negated, read.roles)


def roled_texts(texts: Sequence[str]) -> list[tuple[RoledSentence, ...]]:
    """Return `roled_sentences` of each text."""
    found: list[tuple[RoledSentence, ...]] = []
    for first in range(0, len(texts), _CHUNK):
        chunk = texts[first : first + _CHUNK]
        # Texts that are not in display form may hold signs that part texts here.
        # A heading is told beside its sentence, and only one by one.
        plain = [text if text.isprintable() and not has_headings(text) else "" for text in chunk]
        roled = _roled(plain)
        found += [
            roled[row] if text is plain[row] else roled_sentences(text)
            for row, text in enumerate(chunk)
        ]
    return found


def _roled(texts: Sequence[str]) -> list[tuple[RoledSentence, ...]]:
    read = _sentences(texts, np.zeros(len(texts), dtype=bool))
    spans, roles, characters = read.spans, read.roles, read.characters
    begins = characters.starts[spans.texts]
    columns = (spans.starts, spans.ends, spans.starts - begins, spans.ends - begins)
    told = zip(*(each.tolist() for each in (*columns, roles.roles, roles.main)), strict=True)
    items = [
        RoledSentence(Span(begin, stop, characters.text[start:end]), ROLES[role], main)
        for start, end, begin, stop, role, main in told
    ]
    edges = np.searchsorted(spans.texts, np.arange(len(texts) + 1)).tolist()
    return [tuple(items[a:b]) for a, b in pairwise(edges)]


@dataclass(frozen=True, slots=True)
class _Sentences:
    """What all else is read from: passages, their pieces, and what they do."""

    characters: Characters
    kinds: NDArray[np.uint8]
    pieces: Pieces
    spans: Spans
    runs: Runs
    found: Found
    roles: Roles


def _sentences(texts: Sequence[str], is_whole: NDArray[np.bool_]) -> _Sentences:
    known, finder, model = _known_words(), cue_finder(), role_model()
    characters = characters_of(texts)
    pieces, kinds = pieces_of(characters)
    spans = spans_of(characters, is_whole)
    entries = np.append(known.table.numbers(pieces.hashes), 0)  # of no word, behind the last
    runs = runs_of(characters, kinds, pieces, spans)
    parts = np.where(runs.is_whole, known.phrase_words[entries[runs.pieces]], 0)
    found = finder.phrases.find(characters.lower, runs, parts)
    cues = phrase_cues(characters, kinds, pieces, spans, runs, found, finder)
    words = role_words_of(characters, pieces, spans, known.stems[entries[:-1]], model.stems)
    roles = roles_of(spans, words, cues, model)
    odd = {*spans.texts[runs.odd].tolist()}
    odd.update(row for row, text in enumerate(texts) if not is_whole[row] and has_headings(text))
    odd.update(_of_stated_aim(texts, is_whole, characters, spans, roles))
    _read_odd(texts, is_whole, spans, sorted(odd), roles)
    return _Sentences(characters, kinds, pieces, spans, runs, found, roles)


def _of_stated_aim(
    texts: Sequence[str],
    is_whole: NDArray[np.bool_],
    characters: Characters,
    spans: Spans,
    roles: Roles,
) -> Iterator[int]:
    """Yield the texts whose authors may state their aim in another sentence than the main one."""
    for at in np.flatnonzero(roles.main & ~roles.tells & ~is_whole[spans.texts]).tolist():
        row = int(spans.texts[at])
        main = characters.text[spans.starts[at] : spans.ends[at]]
        if not speaks_of_the_paper(main) and states_the_aim(texts[row]):
            yield row


def _read_odd(
    texts: Sequence[str],
    is_whole: NDArray[np.bool_],
    spans: Spans,
    odd: Sequence[int],
    roles: Roles,
) -> None:
    """Set the roles of texts that are read one by one."""
    for row in odd:
        if is_whole[row]:
            continue
        begins = np.searchsorted(spans.texts, row)
        for at, item in enumerate(roled_sentences(texts[row]), int(begins)):
            roles.roles[at] = ROLES.index(item.role)
            roles.main[at] = item.main
            roles.stated[at] = says_what_the_paper_does(item)
