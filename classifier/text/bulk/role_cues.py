"""Which cues of their role many sentences hold: the phrases of `role_cues` over runs of words.

Each function says in arrays what one pattern of `role_cues.PHRASES` says of a sentence. All of a
pattern that is finite is spelled out from the pattern itself (`cue_finder`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.text import role_cues as cues
from classifier.text.bulk.characters import TIMES, Characters, Places
from classifier.text.bulk.cue_finder import SPELLED, CueFinder, Meaning, Prefix, meaning_of
from classifier.text.bulk.passages import Spans
from classifier.text.bulk.phrases import Found
from classifier.text.bulk.pieces import DIGITS, MARK, Pieces
from classifier.text.bulk.prefixes import starts_with
from classifier.text.bulk.runs import BEHIND, Runs
from classifier.text.bulk.word_table import blocks_at

Flags = NDArray[np.bool_]

_MOST_WORDS_BETWEEN = 7
_KIND_WITHIN = 60
_BLANKS_TO_MATERIAL = 4
_PATTERNS = {
    name: re.compile(cues.PHRASES[name], re.IGNORECASE)
    for name in ("opens like a digest", "count of material")
}
_THING_NAME = re.compile(r"[A-Z][\w-]*[A-Z0-9]")


@dataclass(frozen=True, slots=True)
class _Sentences:
    """What all patterns are looked for in."""

    characters: Characters
    kinds: NDArray[np.uint8]
    pieces: Pieces
    spans: Spans
    runs: Runs
    found: Found
    flags: NDArray[np.uint8]
    """(r,) which prefixes each run has."""
    blanks: Places
    """Where blanks stand."""

    def with_runs(self, runs: Places) -> Flags:
        """Return (s,) which sentences hold one of some runs."""
        return self.at(self.runs.spans[runs])

    def at(self, sentences: Places) -> Flags:
        """Return (s,) which sentences are among some."""
        flags = np.zeros(len(self.spans.starts), dtype=bool)
        flags[sentences] = True
        return flags

    def has(self, flag: Prefix, runs: Places) -> Flags:
        """Return which of some runs have a prefix."""
        return np.asarray((self.flags[runs] & flag) != 0)

    def are(self, meaning: Meaning) -> Flags:
        """Return (r,) which runs are a phrase of one word that has a meaning."""
        flags = np.zeros(len(self.flags), dtype=bool)
        flags[self.found.of(meaning)[0]] = True
        return flags

    def starts(self, prefix: str, runs: Places) -> Flags:
        """Return which of some runs begin with a prefix."""
        return starts_with(prefix, self.runs.first[runs], self.runs.second[runs])


def phrase_cues(
    characters: Characters,
    kinds: NDArray[np.uint8],
    pieces: Pieces,
    spans: Spans,
    runs: Runs,
    found: Found,
    finder: CueFinder,
) -> Mapping[str, Flags]:
    """Return, for each cue of `PHRASES`, (s,) which sentences hold it.

    Sentences among `runs.odd` may be told wrongly.
    """
    flags = finder.prefixes.flags(runs.first, runs.second)
    blanks = np.flatnonzero(characters.codes == ord(" "))
    told = _Sentences(characters, kinds, pieces, spans, runs, found, flags, blanks)
    cue_flags = {}
    for name in SPELLED:
        first, _ = found.of(meaning_of(name))
        if name in cues.BEGINNINGS:
            first = first[runs.opens[first]]
        cue_flags[name] = told.with_runs(first)
    return {
        **cue_flags,
        "opens like a digest": _opens_like_a_digest(told),
        "contribution": _contribution(told),
        "names its kind": _names_its_kind(told),
        "names its thing": _names_its_thing(told),
        "opens with a release": _opens_with_a_release(told),
        "discusses what stays open": _discusses_what_stays_open(told),
        "figure": _figure(told),
        "discusses": _behind_adverbs(told, found.of(Meaning.DISCUSSER)[1], Prefix.DISCUSSES),
        "does": _behind_adverbs(told, found.of(Meaning.WE)[1], Prefix.DOES),
        "count of material": _count_of_material(told),
        "question": told.characters.codes[spans.ends - 1] == ord("?"),
    }


def _opens_like_a_digest(told: _Sentences) -> Flags:
    first, _ = told.found.of(Meaning.OPENS_DIGEST)
    opens = told.with_runs(first[told.runs.opens[first]])
    doubtful = np.flatnonzero(told.runs.opens)
    doubtful = doubtful[told.starts("open", doubtful)]
    for sentence in told.runs.spans[doubtful].tolist():
        text = told.characters.text[told.spans.starts[sentence] : told.spans.ends[sentence]]
        opens[sentence] = _PATTERNS["opens like a digest"].search(text) is not None
    return opens


def _contribution(told: _Sentences) -> Flags:
    """Return where the paper itself is followed by a verb of `CONTRIBUTES`, six words between."""
    whole, _ = told.found.of(Meaning.CONTRIBUTES)
    contributes = (told.flags & Prefix.CONTRIBUTES) != 0
    contributes[whole] = True
    holds = told.with_runs(told.found.of(Meaning.IS_INTRODUCED)[0])
    at = told.found.of(Meaning.SELF)[1]
    for _ in range(_MOST_WORDS_BETWEEN):
        at = at[told.runs.listed[at]] + 1
        holds |= told.with_runs(at[contributes[at]])
    return holds


def _names_its_kind(told: _Sentences) -> Flags:
    verbs, _ = told.found.of(Meaning.INTRODUCES)
    verbs = np.sort(verbs)
    kinds = np.flatnonzero((told.flags & Prefix.KIND) != 0)
    place = np.searchsorted(kinds, verbs, "right")
    verbs, place = verbs[place < len(kinds)], place[place < len(kinds)]
    kind = kinds[place]
    near = told.runs.starts[kind] - told.runs.ends[verbs] <= _KIND_WITHIN
    near &= told.runs.spans[kind] == told.runs.spans[verbs]
    return told.with_runs(verbs[near])


def _names_its_thing(told: _Sentences) -> Flags:
    """Return where a verb is followed by a word like GPT or GridMap, six words between."""
    codes, runs = told.characters.codes, told.runs
    verbs = np.flatnonzero((told.flags & Prefix.THING) != 0)
    verbs = verbs[codes[runs.ends[verbs]] == ord(" ")]
    blanks = told.blanks
    first = np.searchsorted(blanks, runs.ends[verbs])
    holds = np.zeros(len(verbs), dtype=bool)
    for more in range(_MOST_WORDS_BETWEEN):
        place = np.minimum(first + more, len(blanks) - 1)
        at = blanks[place] + 1
        inside = (first + more < len(blanks)) & (at < told.spans.ends[runs.spans[verbs]])
        at = at + (codes[at] == ord("("))
        asked = np.flatnonzero(inside & ~holds & (codes[at] - 65 < 26))
        holds[asked] = [
            _THING_NAME.match(told.characters.text, place) is not None
            for place in at[asked].tolist()
        ]
    return told.with_runs(verbs[holds])


def _opens_with_a_release(told: _Sentences) -> Flags:
    runs = told.runs
    first, _ = told.found.of(Meaning.RELEASED)
    holds = told.with_runs(first[runs.opens[first]])
    we, _ = told.found.of(Meaning.WE)
    at = we[runs.opens[we] & runs.blank[we]] + 1
    is_adverb = told.are(Meaning.RELEASE_ADVERB)
    is_open = told.are(Meaning.OPEN)
    while len(at):
        holds |= told.with_runs(at[told.has(Prefix.RELEASES, at)])
        opened = at[is_open[at]]
        opened = opened[runs.starts[opened + 1] - runs.ends[opened] == 1]
        sign = told.characters.codes[runs.ends[opened]]
        opened = opened[(sign == ord("-")) | (sign == ord(" "))]
        holds |= told.with_runs(opened[told.starts("sourc", opened + 1)])
        at = at[is_adverb[at] & runs.blank[at]] + 1
    return holds


def _discusses_what_stays_open(told: _Sentences) -> Flags:
    verbs = np.flatnonzero((told.flags & Prefix.STAYS_OPEN) != 0)
    objects = np.sort(told.found.of(Meaning.STAYS_OPEN)[0])
    sentences, place = np.unique(told.runs.spans[verbs], return_index=True)
    earliest = np.full(len(told.spans.starts), len(told.flags))
    earliest[sentences] = verbs[place]
    return told.with_runs(objects[earliest[told.runs.spans[objects]] < objects])


def _figure(told: _Sentences) -> Flags:
    """Return where a digit stands before a sign or word of measure, with or without a blank."""
    codes, lower, kinds = told.characters.codes, told.characters.lower, told.kinds
    digits = np.flatnonzero(told.pieces.kinds == DIGITS)
    at = told.pieces.ends[digits]
    at = at + (codes[at] == ord(" "))
    word = blocks_at(lower, at, np.full(len(at), 8))
    holds = (codes[at] == ord("%")) | (codes[at] == TIMES)
    is_part = ((kinds[at + 1] > 0) & (kinds[at + 1] < MARK)) | (codes[at + 1] == ord("_"))
    holds |= (lower[at] == ord("x")) & ~is_part
    none = np.zeros(len(at), dtype=np.uint64)
    holds |= starts_with("percent", word, none) | starts_with("point", word, none)
    return told.at(np.searchsorted(told.spans.starts, at[holds], "right") - 1)


def _behind_adverbs(told: _Sentences, subjects: Places, flag: Prefix) -> Flags:
    """Return where a subject, and any adverbs, stand before a verb."""
    runs, lower = told.runs, told.characters.lower
    is_plain = told.are(Meaning.ADVERB)
    is_fine = told.are(Meaning.FINE)
    holds = np.zeros(len(told.spans.starts), dtype=bool)
    at = subjects[runs.blank[subjects]] + 1
    while len(at):
        holds |= told.with_runs(at[told.has(flag, at)])
        if flag == Prefix.DOES:
            fine = at[is_fine[at]]
            fine = fine[runs.starts[fine + 1] - runs.ends[fine] == 1]
            fine = fine[lower[runs.ends[fine]] == ord("-")]
            holds |= told.with_runs(fine[told.starts("tun", fine + 1)])
        ends = runs.ends[at]
        is_adverb = (lower[ends - 1] == ord("y")) & (lower[ends - 2] == ord("l"))
        is_adverb &= ends - runs.starts[at] > 2
        at = at[(is_adverb | is_plain[at]) & runs.blank[at]] + 1
    return holds


def _count_of_material(told: _Sentences) -> Flags:
    """Return where a number counts what data is made of; the pattern is asked where it may."""
    runs = told.runs
    nouns = np.sort(told.found.of(Meaning.MATERIAL)[0])
    numbers = np.flatnonzero(told.pieces.kinds[runs.pieces[:-BEHIND]] == DIGITS)
    place = np.searchsorted(numbers, nouns) - 1
    nouns, number = nouns[place >= 0], numbers[place[place >= 0]]
    near = runs.spans[nouns] == runs.spans[number]
    nouns, number = nouns[near], number[near]
    first, behind = (
        np.searchsorted(told.blanks, at) for at in (runs.ends[number], runs.starts[nouns])
    )
    between = behind - first
    near = between <= _BLANKS_TO_MATERIAL
    holds = np.zeros(len(told.spans.starts), dtype=bool)
    for sentence in np.unique(runs.spans[nouns[near]]).tolist():
        text = told.characters.text[told.spans.starts[sentence] : told.spans.ends[sentence]]
        holds[sentence] = _PATTERNS["count of material"].search(text) is not None
    return holds
