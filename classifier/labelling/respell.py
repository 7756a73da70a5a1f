"""The other spellings of passages in which a defined acronym may make a cue fire."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_cover import CueCover, Form
from classifier.text.acronyms import (
    MOST_BRACKETED,
    Respelling,
    Speller,
    definition_at,
    tokens_of_short,
)
from classifier.text.bulk.brackets import Brackets, brackets_of
from classifier.text.bulk.characters import Places
from classifier.text.bulk.reading import Reading
from classifier.text.bulk.word_table import Hashes, hashes_of
from classifier.text.normalise import cased_tokens, token_at

_SPREAD = np.uint64(0x9E3779B97F4A7C15)

Definition = tuple[str, tuple[str, ...]]
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
    defined = _Defined(reading, texts, brackets)
    forms = [
        (row, form)
        for at in np.flatnonzero(of_long | of_short).tolist()
        for row, found in [defined.in_bracket(at)]
        for short, long in found
        for form in cover.forms(short, long)
        if (of_long if form.is_cased else of_short)[at]
    ]
    return _spelled(papers, defined, _firing(papers, forms, defined))


class _Defined:
    """What papers define, read where it is asked for."""

    def __init__(self, reading: Reading, texts: Sequence[str], brackets: Brackets) -> None:
        characters = reading.characters
        opening = np.searchsorted(characters.ends, brackets.starts)
        closing = np.searchsorted(characters.ends, brackets.ends - 1)
        # Between title and abstract one character stands here, and two in what defines acronyms.
        shift = characters.starts[0::2]
        starts = brackets.starts - shift[opening // 2] + opening % 2
        ends = brackets.ends - shift[closing // 2] + closing % 2
        is_one = (opening // 2 == closing // 2) & (ends - starts <= MOST_BRACKETED + 2)
        self._texts = texts
        self._rows = (opening // 2).tolist()
        self._places = list(zip(starts.tolist(), ends.tolist(), strict=True))
        self._is_one = is_one.tolist()
        self._read: dict[int, tuple[Definition, ...]] = {}
        self._known: dict[int, Definitions] = {}

    def in_bracket(self, at: int) -> tuple[int, tuple[Definition, ...]]:
        """Return the row of a bracket's paper, and what it defines, in both numbers."""
        row = self._rows[at]
        if at not in self._read:
            is_read = self._is_one[at]
            self._read[at] = definition_at(self._text(row), *self._places[at]) if is_read else ()
        return row, self._read[at]

    def in_paper(self, row: int) -> Definitions:
        """Return all that a paper defines; of one short form the first long one."""
        if row not in self._known:
            own = range(bisect_left(self._rows, row), bisect_right(self._rows, row))
            found: dict[str, tuple[str, ...]] = {}
            for at in own:
                for short, long in self.in_bracket(at)[1]:
                    found.setdefault(short, long)
            self._known[row] = found
        return self._known[row]

    def _text(self, row: int) -> str:
        return f"{self._texts[2 * row]}. {self._texts[2 * row + 1]}"


def _papers(reading: Reading, words: NDArray[np.int32]) -> _Papers:
    count = len(reading.characters.starts) // 2
    titles = np.searchsorted(reading.spans.texts, np.arange(0, 2 * count + 2, 2))
    starts = reading.tokens.starts[titles]
    owners = np.repeat(np.arange(count, dtype=np.uint64), np.diff(starts))
    return _Papers(reading, words, starts, reading.tokens.hashes + owners * _SPREAD)


def _asked(
    papers: _Papers, brackets: Brackets, cover: CueCover
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return (b,) whether brackets may define a long form, and a short one, that a cue covers.

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
        passages = np.flatnonzero(cover.has_loose_cue(papers.words, papers.reading.tokens.starts))
        is_loose = np.isin(rows, papers.reading.spans.texts[passages] // 2)
        ends_long |= is_loose
        repeated |= is_loose | (behind - inside > 1)
    again = np.flatnonzero(repeated & ~covers_short)
    if len(again):
        covers_short[again] = _count(np.sort(own), asked[again]) > 1
    covers_short |= is_explained
    is_normalised = papers.normalised[rows]
    return ends_long | is_normalised, covers_short | is_normalised


def _count(ascending: Hashes, wanted: Hashes) -> Places:
    """Return how often each of some numbers stands among ascending ones."""
    first = np.searchsorted(ascending, wanted)
    return np.asarray(np.searchsorted(ascending, wanted, "right") - first)


def _firing(papers: _Papers, forms: Sequence[tuple[int, Form]], defined: _Defined) -> list[int]:
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
    defined: _Defined,
) -> list[int]:
    """Return the passages, ascending, in which one of m forms fires.

    at, behind: (m,) tokens where the form may begin, and where it ends, if it stands there; which:
    (m,) its place among the forms.
    """
    tokens, text = reading.tokens, reading.characters.text
    passages = np.searchsorted(tokens.starts, at, "right") - 1
    places = np.append(tokens.places, 0)
    lefts = np.where(at > tokens.starts[passages], places[at - 1], 0)
    inside = behind < tokens.starts[passages + 1]
    rights = np.where(inside, places[np.minimum(behind, len(places) - 1)], 0)
    normalised = np.zeros(len(tokens.starts), dtype=bool)
    normalised[tokens.normalised] = True
    columns = (at, which, passages, places[at], lefts, rights, normalised[passages])
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
        # At the place 0 there is no token: it stands for none.
        if not form.neighbours.alone:
            before, after = (token_at(text, place).lower() for place in (left, right))
            if not form.neighbours.may_be(before, after) and not (
                _is_of_a_form((before, after), defined.in_paper(row))
            ):
                continue
        if _stands(reading, token, passage, form, defined.in_paper(row)):
            firing.add(passage)
    return sorted(firing)


def _is_of_a_form(words: Sequence[str], defined: Definitions) -> bool:
    """Tell whether a word stands in a form: it may be another one in the other spelling."""
    for short, long in defined.items():
        forms = (*tokens_of_short(short)[1], *long)
        if any(word in forms for word in words):
            return True
    return False


def _is_shared(word: str, long: tuple[str, ...], defined: Definitions) -> bool:
    """Tell whether a form of `long` that begins with a word may lie in what is another one."""
    own = 0
    for short, words in defined.items():
        tokens = tokens_of_short(short)[1]
        if words[:-1] != long[:-1]:
            if word in words or word in tokens:
                return True
        elif word in tokens:
            own += 1
    return own + long.count(word) > 1


def _stands(reading: Reading, at: int, passage: int, form: Form, defined: Definitions) -> bool:
    """Tell whether a form stands at a token, and not where it is defined."""
    first, end = reading.tokens.starts[passage : passage + 2].tolist()
    behind = at + len(form.written)
    text, places = reading.characters.text, reading.tokens.places
    here = places[at : min(behind, end)].tolist()
    if len(here) < len(form.written):
        return False
    if len(here) > (1 if form.is_cased else 2):  # else it is known by its ends
        words = tuple(token_at(text, place) for place in here)
        if (words if form.is_cased else tuple(map(str.lower, words))) != form.written:
            return False
    stop = here[-1] + len(form.written[-1])
    if not (text[here[0] - 1] in "([" or text[stop : stop + 2] in (" (", " [")):
        return True
    # Where it is defined, and that is no part of something else, nothing is put in.
    size = len(form.other)
    before, after = (
        tuple(token_at(text, place).lower() for place in side.tolist())
        for side in (places[max(first, at - size) : at], places[behind : min(end, behind + size)])
    )
    long = form.other if form.is_cased else form.written
    if before == form.other and not _is_shared(form.other[0], long, defined):
        return False
    return after != form.other or _is_shared(form.written[0].lower(), long, defined)


def _spelled(papers: _Papers, defined: _Defined, passages: Sequence[int]) -> dict[int, Respelling]:
    """Return the other spellings of passages."""
    spans, text = papers.reading.spans, papers.reading.characters.text
    rows = (spans.texts[list(passages)] // 2).tolist()
    spellers = {row: Speller(defined.in_paper(row)) for row in set(rows)}
    found = {}
    for passage, row in zip(passages, rows, strict=True):
        written = text[spans.starts[passage] : spans.ends[passage]]
        spelling = spellers[row].respell(cased_tokens(written))
        if spelling is not None:
            found[passage] = spelling
    return found
