r"""Runs of word characters, the `\w+` of patterns, and what parts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import BLANK, FOREIGN_DIGIT, Characters, Places
from classifier.text.bulk.passages import Spans
from classifier.text.bulk.pieces import MARK, Pieces
from classifier.text.bulk.word_table import Hashes

BEHIND = 10
"""Runs without a word behind the last one: so many may be read without looking."""
_COMMA, _UNDERSCORE = ord(","), ord("_")


@dataclass(frozen=True, slots=True)
class Runs:
    """r runs of letters, digits and underscores, in order, and `BEHIND` empty ones."""

    starts: Places
    """(r,) the place of the first character."""
    ends: Places
    """(r,) behind the last."""
    pieces: Places
    """(r,) the piece that it begins with."""
    is_whole: NDArray[np.bool_]
    """(r,) whether it is that piece and nothing else."""
    first: Hashes
    """(r,) the first eight letters that it begins with; 0 if it begins with an underscore."""
    second: Hashes
    """(r,) the next eight."""
    blank: NDArray[np.bool_]
    """(r,) whether one blank, and nothing else, stands before the next run."""
    listed: NDArray[np.bool_]
    """(r,) whether blanks and commas, and nothing else, stand before the next run."""
    spans: Places
    """(r,) the passage that it is in."""
    opens: NDArray[np.bool_]
    """(r,) whether its passage begins with it."""
    odd: Places
    """Passages, ascending, whose runs are other than these say: with two underscores or blanks
    side by side, digits of other scripts, or letters that a pattern takes for ASCII ones."""


def runs_of(characters: Characters, kinds: NDArray[np.uint8], pieces: Pieces, spans: Spans) -> Runs:
    """Return the runs of passages; kinds: (t,) the kind of piece that each character is of."""
    at = characters.places_of([_UNDERSCORE])
    left, right = ((kinds[place] > 0) & (kinds[place] < MARK) for place in (at - 1, at + 1))
    is_later = pieces.goes_on.copy()
    is_later[np.searchsorted(pieces.starts, at[left & right] + 1)] = True
    padded = _padded(np.flatnonzero((pieces.kinds != MARK) & ~is_later))
    own = padded[:-BEHIND]
    all_starts, all_ends, all_first, second = (
        _of_runs(column, padded)
        for column in (pieces.starts, pieces.ends, pieces.first, pieces.second)
    )
    starts, ends, first = all_starts[:-BEHIND], all_ends[:-BEHIND], all_first[:-BEHIND]
    later = np.flatnonzero(is_later)
    owner = np.searchsorted(own, later) - 1
    np.maximum.at(ends, owner, pieces.ends[later])
    is_whole = np.ones(len(own), dtype=bool)
    is_whole[owner] = False
    trailing = np.searchsorted(starts, at[left & ~right], "right") - 1
    leading = np.searchsorted(starts, at[~left & right])
    ends[trailing] += 1
    starts[leading] -= 1
    is_whole[trailing] = is_whole[leading] = False
    first[leading] = 0
    odd = _odd_spans(characters, spans, at, at[~left & ~right])
    blank, listed = _gaps(characters, starts, ends)
    begins = np.searchsorted(starts, spans.starts)
    counts = np.diff(np.append(begins, len(starts)))
    opens = np.zeros(len(starts), dtype=bool)
    filled = counts > 0
    opens[begins[filled]] = starts[begins[filled]] == spans.starts[filled]
    return Runs(
        all_starts,
        all_ends,
        padded,
        _padded(is_whole),
        all_first,
        second,
        _padded(blank),
        _padded(listed),
        _padded(np.repeat(np.arange(len(counts)), counts)),
        _padded(opens),
        odd,
    )


def _of_runs(column: NDArray[Any], padded: Places) -> NDArray[Any]:
    """Return what a column of pieces says of those that runs begin with, and of none behind."""
    if not len(column):
        return np.zeros(len(padded), dtype=column.dtype)
    values = column[padded]
    values[-BEHIND:] = 0
    return values


def _padded(values: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([values, np.zeros(BEHIND, dtype=values.dtype)])


def _gaps(
    characters: Characters, starts: Places, ends: Places
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether one blank, and whether blanks and commas, part each run from the next."""
    codes = characters.codes
    blank, listed = np.zeros(len(starts), dtype=bool), np.zeros(len(starts), dtype=bool)
    width = starts[1:] - ends[:-1]
    is_blank = codes[ends[:-1]] == BLANK
    is_listed = is_blank | (codes[ends[:-1]] == _COMMA)
    blank[:-1] = is_blank & (width == 1)
    listed[:-1] = is_listed & (width == 1)
    wider = np.flatnonzero(is_listed & (width > 1))
    second = codes[ends[wider] + 1]
    wider = wider[(second == BLANK) | (second == _COMMA)]
    listed[wider] = True
    for index in wider[width[wider] > 2].tolist():
        listed[index] = not characters.text[ends[index] : starts[index + 1]].strip(" ,")
    return blank, listed


def _odd_spans(characters: Characters, spans: Spans, underscores: Places, lonely: Places) -> Places:
    """Return the passages of which runs say less than they should; lonely: of underscores."""
    is_blank = characters.codes == BLANK
    is_doubled = is_blank[1:] & is_blank[:-1]
    doubled = np.flatnonzero(is_doubled) if is_doubled.any() else np.empty(0, dtype=np.int64)
    beside = underscores[:-1][np.diff(underscores) == 1]
    places = np.concatenate([lonely, doubled, beside, characters.places_of([FOREIGN_DIGIT])])
    return np.unique(np.searchsorted(spans.starts, places, "right") - 1)
