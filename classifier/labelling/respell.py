"""The other spellings of passages in which a defined acronym may make a cue fire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_cover import CueCover, Form
from classifier.labelling.paper_acronyms import Definitions, PaperAcronyms
from classifier.labelling.passages import UNKNOWN
from classifier.text.acronyms import Respelling, Speller, tokens_of_short
from classifier.text.bulk.brackets import Brackets, brackets_of
from classifier.text.bulk.characters import Places
from classifier.text.bulk.reading import Reading
from classifier.text.bulk.word_table import Hashes, hashes_of
from classifier.text.normalise import cased_tokens, token_at

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_FIRST_BITS = 16


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
    defined = PaperAcronyms(reading, texts, brackets)
    forms = [
        (row, form)
        for at in np.flatnonzero(of_long | of_short).tolist()
        for row, found in [defined.in_bracket(at)]
        for short, long in found
        for form in cover.forms(short, long)
        if (of_long if form.is_cased else of_short)[at]
    ]
    return _spelled(papers, defined, _firing(papers, cover.names, forms, defined))


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
        _, which = _occurrences(own, asked[again])
        covers_short[again] = np.bincount(which, minlength=len(again)) > 1
    covers_short |= is_explained
    is_normalised = papers.normalised[rows]
    return ends_long | is_normalised, covers_short | is_normalised


def _count(ascending: Hashes, wanted: Hashes) -> Places:
    """Return how often each of some numbers stands among ascending ones."""
    first = np.searchsorted(ascending, wanted)
    return np.asarray(np.searchsorted(ascending, wanted, "right") - first)


def _occurrences(own: Hashes, wanted: Hashes) -> tuple[Places, Places]:
    """Return (place in `own`, place in `wanted`) of all that are equal."""
    # Few numbers share their first bits with one that is wanted: only these are sorted.
    may_be = np.zeros(2**_FIRST_BITS, dtype=bool)
    shift = np.uint64(64 - _FIRST_BITS)
    may_be[(wanted >> shift).astype(np.int64)] = True
    at = np.flatnonzero(may_be[(own >> shift).astype(np.int64)])
    at = at[np.argsort(own[at])]
    ascending = own[at]
    begin = np.searchsorted(ascending, wanted)
    count = np.searchsorted(ascending, wanted, "right") - begin
    which = np.repeat(np.arange(len(wanted)), count)
    return at[np.arange(len(which)) - np.repeat(np.cumsum(count) - count - begin, count)], which


def _firing(
    papers: _Papers,
    names: Sequence[str],
    forms: Sequence[tuple[int, Form]],
    defined: PaperAcronyms,
) -> list[int]:
    """Return the passages, ascending, in which a cue may cover what is put in for a form."""
    if not forms:
        return []
    rows = np.array([row for row, _ in forms], dtype=np.uint64)
    sizes, others = (
        np.array([len(words) for words in column])
        for column in zip(*((form.written, form.other) for _, form in forms), strict=True)
    )
    # The first and the last word of a form and of the other one tell of most places what they are.
    ends = [(form.written[0].lower(), form.written[-1].lower(), form.other[0], form.other[-1])
            for _, form in forms]  # fmt: skip
    hashes = hashes_of(list(chain.from_iterable(ends))).reshape(-1, 4).T + rows * _SPREAD
    own, end = papers.own, len(papers.own) - 1
    at, which = _occurrences(own, hashes[0])
    stands = own[np.minimum(at + sizes[which] - 1, end)] == hashes[1, which]
    at, which = at[stands], which[stands]
    starts = papers.reading.tokens.starts
    passages = np.searchsorted(starts, at, "right") - 1
    behind, before = at + sizes[which], at - others[which]
    last = behind + others[which]
    follows = own[np.minimum(behind, end)] == hashes[2, which]
    follows &= own[np.minimum(last - 1, end)] == hashes[3, which]
    precedes = own[np.maximum(before, 0)] == hashes[2, which]
    precedes &= own[at - 1] == hashes[3, which]
    # A passage is read by itself.
    follows &= last <= starts[passages + 1]
    precedes &= before >= starts[passages]
    found = _Places(at, behind, which, passages, follows, precedes)
    return _firing_at(papers, names, found, forms, defined)


class _Places(NamedTuple):
    """m places where forms may stand: their first and last word do."""

    at: Places
    """(m,) the first token."""
    behind: Places
    """(m,) the token behind the last."""
    which: Places
    """(m,) the place among the forms."""
    passages: Places
    """(m,) the passage."""
    follows: NDArray[np.bool_]
    """(m,) whether the other form may stand right behind."""
    precedes: NDArray[np.bool_]
    """(m,) whether it may stand right before."""


def _firing_at(
    papers: _Papers,
    names: Sequence[str],
    found: _Places,
    forms: Sequence[tuple[int, Form]],
    defined: PaperAcronyms,
) -> list[int]:
    """Return the passages, ascending, in which one of some forms fires.

    names: the words by their numbers, "" for that of no word.
    """
    reading, words = papers.reading, np.append(papers.words, UNKNOWN)
    tokens, text = reading.tokens, reading.characters.text
    at, behind, passages = found.at, found.behind, found.passages
    ends = tokens.starts[passages + 1]
    # Words that no cue has are "" here, as no word: they stand in no pair of neighbours.
    befores = np.where(at > tokens.starts[passages], words[at - 1], UNKNOWN)
    behinds = np.where(behind < ends, words[np.minimum(behind, len(words) - 1)], UNKNOWN)
    normalised = np.zeros(len(tokens.starts), dtype=bool)
    normalised[tokens.normalised] = True
    firing: set[int] = set(passages[normalised[passages]].tolist())
    keep = np.flatnonzero((behind <= ends) & ~normalised[passages])
    columns = (
        keep, found.which[keep], passages[keep], tokens.places[at[keep]], befores[keep],
        behinds[keep], (found.follows | found.precedes)[keep],
    )  # fmt: skip
    for place, index, passage, here, before, after, may_be_defined in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        row, form = forms[index]
        if passage in firing or (form.is_cased and not text.startswith(form.written[0], here)):
            continue
        if len(form.written) > 1 and not _stands(reading, int(at[place]), form):
            continue
        if may_be_defined and _is_defined(reading, found, place, form, defined.in_paper(row)):
            continue
        if (
            form.neighbours.alone
            or form.neighbours.may_be(names[before], names[after])
            or _is_beside_a_form(reading, found, place, defined, row)
        ):
            firing.add(passage)
    return sorted(firing)


def _is_beside_a_form(
    reading: Reading, found: _Places, place: int, defined: PaperAcronyms, row: int
) -> bool:
    """Tell whether a word beside a place is of a form: it may be another one when respelled."""
    tokens, text = reading.tokens, reading.characters.text
    at, behind, passage = int(found.at[place]), int(found.behind[place]), found.passages[place]
    beside = [at - 1] if at > tokens.starts[passage] else []
    beside += [behind] if behind < tokens.starts[passage + 1] else []
    words = defined.words_of_forms(row)
    return any(token_at(text, int(tokens.places[token])).lower() in words for token in beside)


def _is_shared(word: str, long: tuple[str, ...], defined: Definitions) -> bool:
    """Tell whether a form of `long` that begins with a word may lie in what is another one."""
    alike = own = 0
    for short, words in defined.items():
        tokens = tokens_of_short(short)[1]
        if words[:-1] != long[:-1]:
            if word in words or word in tokens:
                return True
        else:
            alike += 1
            own += word in tokens
    return alike > 2 or own + long.count(word) > 1


def _stands(reading: Reading, at: int, form: Form) -> bool:
    """Tell whether a form stands at a token, of which its first and last word are known to."""
    # Of one that counts in any case the two are known to be the same.
    told = slice(None) if form.is_cased else slice(1, -1)
    wanted = form.written[told]
    if not wanted:
        return True
    places = reading.tokens.places[at : at + len(form.written)][told].tolist()
    words = [token_at(reading.characters.text, place) for place in places]
    return tuple(words if form.is_cased else map(str.lower, words)) == wanted


def _is_defined(
    reading: Reading, found: _Places, place: int, form: Form, defined: Definitions
) -> bool:
    """Tell whether a form stands where it is defined, and is no part of something else there.

    The other form stands beside it, then, and nothing is put in.
    """
    long = form.other if form.is_cased else form.written
    begin = int(found.behind[place] if found.follows[place] else found.at[place] - len(form.other))
    text, places = reading.characters.text, reading.tokens.places
    if not found.follows[place] and begin:
        # "LLM (large language model) LLM": the other form may belong to what stands before it.
        before = token_at(text, int(places[begin - 1])).lower()
        if before == form.written[-1].lower():
            return False
    inner = form.other[1:-1]
    if inner:
        own = places[begin + 1 : begin + 1 + len(inner)].tolist()
        if tuple(token_at(text, at).lower() for at in own) != inner:
            return False
    first = form.written[0].lower() if found.follows[place] else form.other[0]
    return not _is_shared(first, long, defined)


def _spelled(
    papers: _Papers, defined: PaperAcronyms, passages: Sequence[int]
) -> dict[int, Respelling]:
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
