"""Cue hits of all facets in thousands of papers at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_tree import CueTree
from classifier.labelling.evidence import VIEWS, Evidence, EvidenceCounter
from classifier.labelling.hit_rows import HitRows
from classifier.labelling.number_lists import NumberLists
from classifier.labelling.passages import Passages, Vocabulary
from classifier.labelling.respelled import RespelledPassages

Numbers = NDArray[np.integer]

_BODY, _HEADING, _STATED = range(3)
_READ = np.array(
    [
        [False, True, False],
        [False, False, True],
        [True, True, True],
        [False, True, True],
    ]
)
"""For each of VIEWS, whether its cues are looked for in a body, heading or stated passage."""


class _Fired(NamedTuple):
    """How often cues fired, by paper and then by cue."""

    papers: Numbers
    cues: Numbers
    negated: NDArray[np.bool_]
    """Whether in words that the paper sets itself apart from: then it does not count."""
    counts: Numbers

    def of(self, chosen: NDArray[np.bool_]) -> _Fired:
        return _Fired(
            self.papers[chosen], self.cues[chosen], self.negated[chosen], self.counts[chosen]
        )


class _Matches(NamedTuple):
    """Where cues match: each column is (m,)."""

    cues: Numbers
    passages: Numbers
    starts: Numbers
    ends: Numbers

    def of(self, chosen: NDArray[np.bool_]) -> _Matches:
        return _Matches(
            self.cues[chosen], self.passages[chosen], self.starts[chosen], self.ends[chosen]
        )


class CueCounter:
    """Counts the cues of all facets, as an `EvidenceCounter` counts those of one.

    A cue that stands in several lists is looked for once; each list then takes the matches in the
    passages that it reads. Lists are numbered facet by facet, view by view, and so are their cues.
    """

    def __init__(self, counters: Mapping[str, EvidenceCounter], vocabulary: Vocabulary) -> None:
        """Lay out the cues. vocabulary: it holds all their words."""
        self._facets = {name: counter.category_ids for name, counter in counters.items()}
        self._vocabulary = vocabulary
        lists = [cues for counter in counters.values() for cues in counter.lists]
        every = [cue for cues in lists for cue in cues.cues]
        stands: dict[object, list[int]] = {}
        for number, cue in enumerate(every):
            stands.setdefault(cue.alternatives, []).append(number)
        self._tree = CueTree([every[numbers[0]] for numbers in stands.values()], vocabulary)
        self._stands = NumberLists(list(stands.values()))
        """For each cue of the tree, which cues of the lists it is."""
        sizes = [len(cues.cues) for cues in lists]
        self._lists_of = np.repeat(np.arange(len(sizes)), sizes)
        """(cues,) the list of each cue."""
        self._firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        """(lists + 1,) the first cue of each list, and the number of cues."""
        self._names = [(of, cues.view, cue) for cues in lists for of, cue in cues.owners]
        """(cues,) category, view and text."""
        columns = [
            len(VIEWS) * counter.category_ids.index(of) + VIEWS.index(cues.view)
            for counter in counters.values()
            for cues in counter.lists
            for of, _ in cues.owners
        ]
        self._columns = np.array(columns, dtype=np.int64)
        """(cues,) the place of category and view in the facet's counts."""

    def count(
        self, passages: Passages, facet_ids: Collection[str] | None = None
    ) -> dict[str, Evidence]:
        """Return facet -> evidence of n papers; facet_ids: of these facets alone, None for all."""
        kinds = np.where(passages.headings, _HEADING, np.where(passages.stated, _STATED, _BODY))
        written = self._written(passages, kinds)
        added = self._added(passages, kinds, written)
        matches = _Matches(*map(np.concatenate, zip(written, added, strict=True)))
        fired = self._tally(
            passages.owners[matches.passages], matches.cues, passages.negated[matches.starts]
        )
        return {
            name: self._evidence(place, passages.papers, fired)
            for place, name in enumerate(self._facets)
            if facet_ids is None or name in facet_ids
        }

    def _written(self, passages: Passages, kinds: Numbers) -> _Matches:
        """Return what matches in the words as written."""
        lengths = np.diff(passages.starts)
        passage_of = np.repeat(np.arange(len(lengths)), lengths)
        found = self._tree.find(passages.words, passage_of)
        places, cues = self._stands.of(found.cues)
        starts, ends = found.starts[places], found.ends[places]
        matches = _Matches(cues, passage_of[starts], starts, ends)
        return matches.of(self._is_read(matches.cues, kinds[matches.passages]))

    def _added(self, passages: Passages, kinds: Numbers, written: _Matches) -> _Matches:
        """Return what the other spellings of defined acronyms add (`CueList.added`)."""
        respelled = RespelledPassages(passages)
        texts, found, starts, ends = respelled.matches(self._tree, self._vocabulary)
        places, cues = self._stands.of(found)
        texts, starts, ends = texts[places], starts[places], ends[places]
        chosen = np.flatnonzero(self._is_read(cues, kinds[respelled.places[texts]]))
        chosen = chosen[np.lexsort((cues[chosen], ends[chosen], starts[chosen]))]
        matches = _Matches(
            cues[chosen],
            respelled.places[texts[chosen]],
            *respelled.as_written(texts[chosen], starts[chosen], ends[chosen]),
        )
        beside = written.of(np.isin(written.passages, matches.passages))
        return matches.of(self._is_another_place(matches, beside))

    def _is_read(self, cues: Numbers, kinds: Numbers) -> NDArray[np.bool_]:
        """Return (m,) whether the lists of some cues are looked for in passages of some kinds."""
        return np.asarray(_READ[self._lists_of[cues] % len(VIEWS), kinds])

    def _is_another_place(self, found: _Matches, written: _Matches) -> NDArray[np.bool_]:
        """Return (m,) whether no match before overlaps that speaks for the same category."""
        taken = defaultdict(list)
        for speaks, start, end in self._spans(written):
            taken[speaks].append((start, end))
        is_another = []
        for speaks, start, end in self._spans(found):
            others = taken[speaks]
            is_another.append(not any(start < behind and first < end for first, behind in others))
            if is_another[-1]:
                others.append((start, end))
        return np.array(is_another, dtype=bool)

    def _spans(self, matches: _Matches) -> Iterator[tuple[tuple[int, int, int], int, int]]:
        """Yield (passage, list and category that a match speaks for), its start and its end."""
        lists, columns = self._lists_of[matches.cues], self._columns[matches.cues]
        speaks = zip(matches.passages.tolist(), lists.tolist(), columns.tolist(), strict=True)
        return zip(speaks, matches.starts.tolist(), matches.ends.tolist(), strict=True)

    def _tally(self, papers: Numbers, cues: Numbers, negated: NDArray[np.bool_]) -> _Fired:
        """Return how often each cue fires in each paper."""
        size = max(len(self._names), 1)
        keys = np.sort((papers * size + cues) * 2 + negated)
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        places, is_negated = np.divmod(keys[firsts], 2)
        papers, cues = np.divmod(places, size)
        return _Fired(papers, cues, is_negated > 0, np.diff(firsts, append=len(keys)))

    def _evidence(self, place: int, papers: int, fired: _Fired) -> Evidence:
        """Return the evidence of the facet at a place."""
        category_ids = list(self._facets.values())[place]
        first, behind = self._firsts[[len(VIEWS) * place, len(VIEWS) * (place + 1)]]
        own = (first <= fired.cues) & (fired.cues < behind)
        counted, negated = fired.of(own & ~fired.negated), fired.of(own & fired.negated)
        counts = np.zeros((papers, len(category_ids) * len(VIEWS)))
        np.add.at(counts, (counted.papers, self._columns[counted.cues]), counted.counts)
        return Evidence(
            category_ids,
            counts.reshape(papers, len(category_ids), len(VIEWS)),
            HitRows(papers, counted.papers, counted.cues, counted.counts, self._names),
            HitRows(papers, negated.papers, negated.cues, negated.counts, self._names),
        )
