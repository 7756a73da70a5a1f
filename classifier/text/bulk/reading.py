"""Many texts read at once: their passages, the tokens of these, and what sentences do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import Characters, characters_of
from classifier.text.bulk.negation import negated_tokens
from classifier.text.bulk.passages import Spans, spans_of
from classifier.text.bulk.pieces import pieces_of
from classifier.text.bulk.role_cues import cue_finder, phrase_cues
from classifier.text.bulk.role_words import role_words_of
from classifier.text.bulk.roles import Roles, role_model, roles_of
from classifier.text.bulk.runs import runs_of
from classifier.text.bulk.tokens import Tokens, tokens_of
from classifier.text.bulk.word_table import WordTable
from classifier.text.roles import ROLES, roled_sentences, says_what_the_paper_does


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
    known, finder, model = _known_words(), cue_finder(), role_model()
    characters = characters_of(texts)
    pieces, kinds = pieces_of(characters)
    spans = spans_of(characters, is_whole)
    tokens = tokens_of(characters, kinds, pieces, spans)
    entries = known.table.numbers(pieces.hashes)
    runs = runs_of(characters, kinds, pieces, spans)
    parts = np.where(runs.is_whole, known.phrase_words[entries[runs.pieces]], 0)
    found = finder.phrases.find(characters.lower, runs, parts)
    cues = phrase_cues(characters, kinds, pieces, spans, runs, found, finder)
    words = role_words_of(characters, pieces, spans, known.stems[entries], model.stems)
    roles = roles_of(spans, words, cues, model)
    _read_odd(texts, is_whole, spans, np.unique(spans.texts[runs.odd]).tolist(), roles)
    negated = negated_tokens(characters, spans, runs, found, tokens)
    return Reading(characters, spans, tokens, negated, roles)


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
