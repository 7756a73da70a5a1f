"""Papers in which a cue may fire by an acronym that they define, though not as they are written.

Most papers define an acronym, and most of these are nobody's cue. So definitions are read only
where brackets hold capitals, and only those are followed up whose other form a cue could cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from classifier.labelling.views import Passage, TextViews
from classifier.taxonomy.cue import CueMatcher, Element, Pattern, parse_cue
from classifier.text.acronyms import MOST_BRACKETED, Speller, definitions_at
from classifier.text.bulk.brackets import brackets_of
from classifier.text.bulk.reading import Reading
from classifier.text.normalise import cased_tokens

_MOST_CONTEXTS = 8
"""Ways in which cues may cover a form that are told apart; beyond, it counts as covered."""

Context = tuple[Element, ...]
"""The other places of a pattern that covers a form, of which each holds one of these words."""


class CueCover:
    """Which forms of acronyms the cues of a taxonomy could cover."""

    def __init__(self, cues: Iterable[str]) -> None:
        parsed = [parse_cue(cue) for cue in dict.fromkeys(cues)]
        self.matcher = CueMatcher(parsed)
        self._at_word: dict[str, list[tuple[Pattern, int]]] = {}
        self._at_open: list[tuple[Pattern, int]] = []
        for pattern in dict.fromkeys(way for cue in parsed for way in cue.alternatives):
            for place, words in enumerate(pattern):
                if words is None:
                    self._at_open.append((pattern, place))
                for word in words or ():
                    self._at_word.setdefault(word, []).append((pattern, place))
        self._contexts = lru_cache(maxsize=2**14)(self._find_contexts)

    def __reduce__(self) -> tuple[object, ...]:
        return CueCover, (tuple(cue.text for cue in self.matcher.cues),)

    def may_cover(self, form: tuple[str, ...], lower: str) -> bool:
        """Tell whether a cue could cover a form that is put into a text, given in lower case."""
        return any(
            all(any(word in lower for word in words) for words in context if words)
            for context in self._contexts(form)
        )

    def _find_contexts(self, form: tuple[str, ...]) -> tuple[Context, ...]:
        """Return what has to stand around a form, for each way to cover it; () where nothing."""
        if not form:
            return ()
        found: list[Context] = []
        for pattern, start in (*self._at_word.get(form[0], ()), *self._at_open):
            end = start + len(form)
            there = zip(pattern[start:end], form, strict=False)
            if end > len(pattern) or not all(
                words is None or word in words for words, word in there
            ):
                continue
            context = (*pattern[:start], *pattern[end:])
            if not context or len(found) == _MOST_CONTEXTS:
                return ((),)
            found.append(context)
        return tuple(found)


def respelled_views(
    reading: Reading, titles: Sequence[str], abstracts: Sequence[str], cover: CueCover
) -> Mapping[int, TextViews]:
    """Return the views of papers in which an acronym may make a cue fire.

    reading: of a title and an abstract a paper, in turn; titles, abstracts: as it read them.
    """
    unstable = set((reading.spans.texts[reading.tokens.normalised] // 2).tolist())
    found = {}
    for row, brackets in _brackets_by_paper(reading).items():
        text = f"{titles[row]}. {abstracts[row]}"
        defined = definitions_at(text, brackets)
        if not defined or (row not in unstable and not _may_matter(defined, text, cover)):
            continue
        views = _views(reading, row, Speller(defined))
        if _fires(views, cover.matcher):
            found[row] = views
    return found


def _brackets_by_paper(reading: Reading) -> dict[int, list[tuple[int, int]]]:
    """Return the brackets of each paper, as places in `title. abstract`."""
    characters = reading.characters
    starts, ends = brackets_of(characters)
    opening = np.searchsorted(characters.ends, starts)
    closing = np.searchsorted(characters.ends, ends - 1)
    # Between title and abstract one character stands here, and two there.
    shift = -characters.starts[0::2] if len(characters.starts) else characters.starts
    rows = opening // 2
    starts += shift[rows] + opening % 2
    ends += shift[closing // 2] + closing % 2
    kept = (rows == closing // 2) & (ends - starts <= MOST_BRACKETED + 2)
    found: dict[int, list[tuple[int, int]]] = {}
    for row, *bracket in zip(
        *(column[kept].tolist() for column in (rows, starts, ends)), strict=True
    ):
        found.setdefault(row, []).append((bracket[0], bracket[1]))
    return found


def _may_matter(defined: Mapping[str, tuple[str, ...]], text: str, cover: CueCover) -> bool:
    """Tell whether a form stands outside its definition whose other form a cue could cover."""
    lower = text.lower()
    for short, long in defined.items():
        cased = _cased(short)
        if text.count(cased[0]) > 1 and cover.may_cover(long, lower):
            return True
        if lower.count(long[0]) > 1 and cover.may_cover(_lower(short), lower):
            return True
    return False


@lru_cache(maxsize=2**14)
def _cased(short: str) -> tuple[str, ...]:
    return tuple(cased_tokens(short))


@lru_cache(maxsize=2**14)
def _lower(short: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _cased(short))


def _views(reading: Reading, row: int, speller: Speller) -> TextViews:
    """Return the views of one paper of a reading."""
    spans, tokens = reading.spans, reading.tokens
    first, last = np.searchsorted(spans.texts, [2 * row, 2 * row + 2]).tolist()
    passages = []
    for at in range(first, last):
        cased = cased_tokens(reading.characters.text[spans.starts[at] : spans.ends[at]])
        denied = np.flatnonzero(reading.negated[tokens.starts[at] : tokens.starts[at + 1]])
        words = tuple(word.lower() for word in cased)
        passages.append(Passage(words, frozenset(denied.tolist()), speller.respell(cased)))
    heading, *body = passages
    stated = reading.roles.stated[first + 1 : last].tolist()
    return TextViews(
        heading,
        tuple(passage for passage, tells in zip(body, stated, strict=True) if tells),
        tuple(body),
    )


def _fires(views: TextViews, matcher: CueMatcher) -> bool:
    """Tell whether a cue covers what an acronym put in, in any passage."""
    spellings = (passage.respelling for passage in (views.heading, *views.body))
    return any(
        spelling.covers_place(match.start, match.end)
        for spelling in spellings
        if spelling is not None
        for match in matcher.find(spelling.words)
    )
