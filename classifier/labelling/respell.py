"""The other spellings of passages in which a defined acronym may make a cue fire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_cover import CueCover, Form
from classifier.text.acronyms import (
    MOST_BRACKETED,
    Respelling,
    Speller,
    definitions_at,
    tokens_of_short,
)
from classifier.text.bulk.brackets import Brackets, brackets_of
from classifier.text.bulk.characters import Places
from classifier.text.bulk.reading import Reading
from classifier.text.bulk.word_table import Hashes, hashes_of
from classifier.text.normalise import cased_tokens, token_at

_SPREAD = np.uint64(0x9E3779B97F4A7C15)

Definitions = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Papers:
    """n papers of a reading as the words that they hold."""

    reading: Reading
    words: NDArray[np.int32]
    """(t,) the numbers of all tokens."""
    starts: Places
    """(n + 1,) where each paper begins among the tokens."""
    own: Hashes
    """(t,) equal for equal tokens of one paper, and hardly ever for others."""

    @property
    def normalised(self) -> NDArray[np.bool_]:
        """(n,) whether some tokens of a paper have no place of their own."""
        flags = np.zeros(len(self.starts) - 1, dtype=bool)
        flags[self.reading.spans.texts[self.reading.tokens.normalised] // 2] = True
        return flags


def respelled_passages(
    reading: Reading, words: NDArray[np.int32], texts: Sequence[str], cover: CueCover
) -> Mapping[int, Respelling]:
    """Return passage -> its other spelling, for those in which it may make a cue fire.

    reading: of `texts`, a title and an abstract a paper in turn; words: the numbers of its tokens.
    """
    brackets = brackets_of(reading.characters)
    if not len(brackets.starts) or len(words) < 2:
        return {}
    papers = _papers(reading, words)
    of_long, of_short = _asked(papers, brackets, cover)
    defined = {
        row: found
        for row, places in _by_paper(reading, brackets, of_long | of_short).items()
        if (found := definitions_at(f"{texts[2 * row]}. {texts[2 * row + 1]}", places))
    }
    forms = [
        (row, form)
        for row, found in defined.items()
        for short, long in found.items()
        for form in cover.forms(short, long)
        if (of_long if form.is_cased else of_short)[row]
    ]
    return _spelled(papers, defined, _firing(papers, forms, defined))


def _papers(reading: Reading, words: NDArray[np.int32]) -> _Papers:
    count = len(reading.characters.starts) // 2
    titles = np.searchsorted(reading.spans.texts, np.arange(0, 2 * count + 2, 2))
    starts = reading.tokens.starts[titles]
    owners = np.repeat(np.arange(count, dtype=np.uint64), np.diff(starts))
    return _Papers(reading, words, starts, reading.tokens.hashes + owners * _SPREAD)


def _asked(
    papers: _Papers, brackets: Brackets, cover: CueCover
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return (n,) whether brackets may define a long form, and a short one, that a cue covers.

    Told by the words beside a bracket: a long form ends right before it, or inside. A short form
    is put in only where the long one stands once more; its words before the last are the same in
    either number.
    """
    hashes, own = papers.reading.tokens.hashes, papers.own
    places = papers.reading.tokens.places
    inside = np.searchsorted(places, brackets.starts)
    behind = np.searchsorted(places, brackets.ends)
    last = np.maximum(inside - 1, 1)
    first_inside = np.minimum(inside, len(hashes) - 1)
    rows = np.searchsorted(papers.reading.characters.ends, brackets.starts) // 2
    is_explained = brackets.has_capitals_before & (behind - inside > 1)
    ends_long = is_explained | cover.may_end_a_form(hashes[last - 1], hashes[last])
    asked = own[last - 1]
    opening = np.flatnonzero(cover.stands_behind_open(papers.words)) - 2
    covers_short = _count(np.sort(own[opening[opening >= 0]]), asked) > 0
    repeated = cover.knows(hashes[first_inside])
    if cover.has_open:
        is_loose = cover.has_loose_cue(papers.words, papers.starts)[rows]
        ends_long |= is_loose
        repeated |= is_loose | (behind - inside > 1)
    again = np.flatnonzero(repeated & ~covers_short)
    if len(again):
        covers_short[again] = _count(np.sort(own), asked[again]) > 1
    covers_short |= is_explained
    of_long, of_short = papers.normalised, papers.normalised
    of_long[rows[ends_long]] = True
    of_short[rows[covers_short]] = True
    return of_long, of_short


def _count(ascending: Hashes, wanted: Hashes) -> Places:
    """Return how often each of some numbers stands among ascending ones."""
    first = np.searchsorted(ascending, wanted)
    return np.asarray(np.searchsorted(ascending, wanted, "right") - first)


def _by_paper(
    reading: Reading, brackets: Brackets, papers: NDArray[np.bool_]
) -> dict[int, list[tuple[int, int]]]:
    """Return the brackets of some papers, as places in `title. abstract`."""
    characters = reading.characters
    opening = np.searchsorted(characters.ends, brackets.starts)
    closing = np.searchsorted(characters.ends, brackets.ends - 1)
    # Between title and abstract one character stands here, and two there.
    shift = characters.starts[0::2]
    starts = brackets.starts - shift[opening // 2] + opening % 2
    ends = brackets.ends - shift[closing // 2] + closing % 2
    kept = (opening // 2 == closing // 2) & (ends - starts <= MOST_BRACKETED + 2)
    kept &= papers[opening // 2]
    columns = (opening[kept] // 2, starts[kept], ends[kept])
    found: dict[int, list[tuple[int, int]]] = {}
    for row, start, end in zip(*(column.tolist() for column in columns), strict=True):
        found.setdefault(row, []).append((start, end))
    return found


def _firing(
    papers: _Papers, forms: Sequence[tuple[int, Form]], defined: Mapping[int, Definitions]
) -> list[int]:
    """Return the passages, ascending, in which a cue may cover what is put in for a form."""
    if not forms:
        return []
    rows = np.array([row for row, _ in forms], dtype=np.uint64)
    sizes = np.array([len(form.written) for _, form in forms])
    # The first word and the last one: most places where only the first stands are told so.
    ends = hashes_of([form.written[end].lower() for end in (0, -1) for _, form in forms])
    firsts, lasts = ends.reshape(2, -1) + rows * _SPREAD
    order = np.argsort(papers.own)
    ascending = papers.own[order]
    begin = np.searchsorted(ascending, firsts)
    count = np.searchsorted(ascending, firsts, "right") - begin
    which = np.repeat(np.arange(len(forms)), count)
    at = order[np.arange(len(which)) - np.repeat(np.cumsum(count) - count - begin, count)]
    last = np.minimum(at + sizes[which] - 1, len(order) - 1)
    stands = papers.own[last] == lasts[which]
    at, which = at[stands], which[stands]
    return _firing_at(papers.reading, at, which, at + sizes[which], forms, defined)


def _firing_at(
    reading: Reading,
    at: Places,
    which: Places,
    behind: Places,
    forms: Sequence[tuple[int, Form]],
    defined: Mapping[int, Definitions],
) -> list[int]:
    """Return the passages, ascending, in which one of m forms fires.

    at, behind: (m,) tokens where the form may begin, and where it ends, if it stands there; which:
    (m,) its place among the forms.
    """
    tokens, text = reading.tokens, reading.characters.text
    passages = np.searchsorted(tokens.starts, at, "right") - 1
    places = np.append(tokens.places, 0)
    before = np.where(at > tokens.starts[passages], places[at - 1], 0)
    inside = behind < tokens.starts[passages + 1]
    after = np.where(inside, places[np.minimum(behind, len(places) - 1)], 0)
    normalised = np.zeros(len(tokens.starts), dtype=bool)
    normalised[tokens.normalised] = True
    columns = (at, which, passages, places[at], before, after, normalised[passages])
    alike: dict[int, _Alike] = {}
    firing: set[int] = set()
    for token, index, passage, here, left, right, is_normalised in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        row, form = forms[index]
        if passage in firing:
            continue
        if is_normalised:
            firing.add(passage)
            continue
        if form.is_cased and not text.startswith(form.written[0], here):
            continue
        if row not in alike:
            alike[row] = _Alike.of(defined[row])
        # At the place 0 there is no token: it stands for none.
        is_beside = form.neighbours.alone or form.neighbours.may_be(
            token_at(text, left).lower(), token_at(text, right).lower(), alike[row].words
        )
        if is_beside and _stands(reading, token, passage, form, alike[row]):
            firing.add(passage)
    return sorted(firing)


class _Alike(NamedTuple):
    """How the acronyms of one paper are entangled."""

    words: frozenset[str]
    """Those of all forms: what may be another word in the other spelling."""
    apart: bool
    """Whether no two acronyms share a word, so that none stands in another's definition."""

    @classmethod
    def of(cls, defined: Definitions) -> _Alike:
        ends: dict[tuple[str, ...], set[str]] = {}
        for long in defined.values():
            ends.setdefault(long[:-1], set()).add(long[-1])
        parts = [*(tokens_of_short(short)[1] for short in defined), *ends, *ends.values()]
        words = frozenset(chain.from_iterable(parts))
        return cls(words, len(words) == sum(map(len, parts)))


def _stands(reading: Reading, at: int, passage: int, form: Form, alike: _Alike) -> bool:
    """Tell whether a form stands at a token, and not where it is defined."""
    first, end = reading.tokens.starts[passage : passage + 2].tolist()
    behind = at + len(form.written)
    text, places = reading.characters.text, reading.tokens.places
    here = places[at : min(behind, end)].tolist()
    if len(here) < len(form.written):
        return False
    for place, wanted in zip(here, form.written, strict=True):
        token = token_at(text, place)
        if (token if form.is_cased else token.lower()) != wanted:
            return False
    stop = here[-1] + len(form.written[-1])
    if not alike.apart or not (text[here[0] - 1] in "([" or text[stop : stop + 2] in (" (", " [")):
        return True
    # Where it is defined, nothing is put in.
    size = len(form.other)
    beside = (places[max(first, at - size) : at], places[behind : min(end, behind + size)])
    return form.other not in [
        tuple(token_at(text, place).lower() for place in side.tolist()) for side in beside
    ]


def _spelled(
    papers: _Papers, defined: Mapping[int, Definitions], passages: Sequence[int]
) -> dict[int, Respelling]:
    """Return the other spellings of passages."""
    spans, text = papers.reading.spans, papers.reading.characters.text
    rows = (spans.texts[list(passages)] // 2).tolist()
    spellers = {row: Speller(defined[row]) for row in set(rows)}
    found = {}
    for passage, row in zip(passages, rows, strict=True):
        written = text[spans.starts[passage] : spans.ends[passage]]
        spelling = spellers[row].respell(cased_tokens(written))
        if spelling is not None:
            found[passage] = spelling
    return found
