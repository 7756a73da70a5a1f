"""The other spellings of passages in which a defined acronym may make a cue fire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_cover import CueCover
from classifier.text.acronyms import MOST_BRACKETED, Respelling, Speller, definitions_at
from classifier.text.bulk.brackets import Brackets, brackets_of
from classifier.text.bulk.reading import Reading
from classifier.text.normalise import cased_tokens, tokens


def respelled_passages(
    reading: Reading,
    words: NDArray[np.int32],
    texts: Sequence[str],
    cover: CueCover,
) -> Mapping[int, Respelling]:
    """Return passage -> its other spelling, for those in which it may make a cue fire.

    reading: of `texts`, a title and an abstract a paper in turn; words: the numbers of its tokens.
    """
    spans = reading.spans
    normalised = set((spans.texts[reading.tokens.normalised] // 2).tolist())
    brackets = brackets_of(reading.characters)
    papers = _papers_asked(reading, words, brackets, cover)
    firsts = np.searchsorted(spans.texts, 2 * np.arange(len(texts) // 2 + 1)).tolist()
    found: dict[int, Respelling] = {}
    for row, places in _by_paper(reading, brackets, papers).items():
        defined = definitions_at(f"{texts[2 * row]}. {texts[2 * row + 1]}", places)
        if not defined:
            continue
        own = slice(firsts[row], firsts[row + 1])
        starts, ends = spans.starts[own].tolist(), spans.ends[own].tolist()
        written = [reading.characters.text[a:b] for a, b in zip(starts, ends, strict=True)]
        spellings = _respelled(written, defined, cover, row in normalised)
        found |= {own.start + at: spelling for at, spelling in spellings}
    return found


def _respelled(
    written: Sequence[str],
    defined: Mapping[str, tuple[str, ...]],
    cover: CueCover,
    asks_all: bool,
) -> Iterator[tuple[int, Respelling]]:
    """Yield (place, spelling) of the passages of one paper in which a cue may fire."""
    whole = "\n".join(written)
    lower = whole.lower()
    forms = [
        form
        for short, long in defined.items()
        for form in cover.forms(short, long)
        if asks_all or form.stands_twice(whole, lower)
    ]
    if not forms:
        return
    speller = Speller(defined)
    moved = {word for form in defined.items() for word in tokens(" ".join((form[0], *form[1])))}
    for at, text in enumerate(written):
        lower = text.lower()
        near = [form for form in forms if asks_all or form.may_stand_in(text, lower)]
        if not near:
            continue
        cased = cased_tokens(text)
        words = [word.lower() for word in cased]
        if any(form.fires(cased, words, moved) for form in near):
            spelling = speller.respell(cased)
            if spelling is not None:
                yield at, spelling


def _papers_asked(
    reading: Reading, words: NDArray[np.int32], brackets: Brackets, cover: CueCover
) -> NDArray[np.int64]:
    """Return the papers, ascending, of which some bracket may define what a cue could cover."""
    tokens, spans, hashes = reading.tokens, reading.spans, reading.tokens.hashes
    rows = np.searchsorted(reading.characters.ends, brackets.starts) // 2
    behind = np.searchsorted(tokens.places, brackets.starts)
    last, inside = np.maximum(behind - 1, 0), np.minimum(behind, len(hashes) - 1)
    is_asked = brackets.has_capitals_before.copy()
    if len(rows):
        is_asked |= cover.may_end_a_form(hashes[np.maximum(last - 1, 0)], hashes[last])
        is_asked |= cover.knows(hashes[inside])
    is_normalised = np.zeros(len(reading.characters.starts) // 2, dtype=bool)
    is_normalised[spans.texts[tokens.normalised] // 2] = True
    titles = np.searchsorted(spans.texts, np.arange(0, len(reading.characters.starts), 2))
    may_open = cover.may_open(words, tokens.starts[titles])
    return np.unique(rows[is_asked | is_normalised[rows] | may_open[rows]])


def _by_paper(
    reading: Reading, brackets: Brackets, papers: NDArray[np.int64]
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
    kept &= np.isin(opening // 2, papers)
    columns = (opening[kept] // 2, starts[kept], ends[kept])
    found: dict[int, list[tuple[int, int]]] = {}
    for row, start, end in zip(*(column.tolist() for column in columns), strict=True):
        found.setdefault(row, []).append((start, end))
    return found
