"""Why many papers have their labels: what `explain.reasons` says of one, in arrays.

What a column's contribution is called (a term, a cue, what other categories' cues say) is looked up
in a table that is made once a model; words are made only of the reasons that somebody reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.bulk_contributions import (
    BulkContributions,
    Positions,
    bulk_contributions,
)
from classifier.labelling.bulk_labels import NONE
from classifier.labelling.evidence import VIEWS, VOTE_WEIGHTS, Evidence
from classifier.labelling.explain import LEAST_WEIGHT, MOST_REASONS, WEIGHT_DIGITS
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.labels import Reason
from classifier.labelling.reason_sources import ALL_VIEWS, NO_WORTH, ReasonSources, Source
from classifier.labelling.scores import Scores

Array = NDArray[np.float64]

_AGAINST = VIEWS.index("against")
_PAIRS_AT_ONCE = 2048
"""So many that the arrays of one round stay in the processor's cache, about."""
_ROUNDING = 0.001
"""By so much or less a weight changes as it is rounded."""


@dataclass(frozen=True, slots=True)
class BulkReasons(Sequence[tuple[Reason, ...]]):
    """The reasons of n papers in one facet; those of one are made of words when asked for."""

    category_ids: tuple[str, ...]
    table: Sequence[Source]
    starts: Positions
    """(n + 1,) where the reasons of each paper begin."""
    columns: Positions
    """(r,) the category that each speaks for or against."""
    sources: Positions
    """(r,) places in `table`."""
    weights: Array
    """(r,) contributions to the logit."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, row: int) -> tuple[Reason, ...]: ...
    @overload
    def __getitem__(self, row: slice) -> list[tuple[Reason, ...]]: ...
    def __getitem__(self, row: int | slice) -> tuple[Reason, ...] | list[tuple[Reason, ...]]:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        first = row % len(self)
        return tuple(self._made(slice(self.starts[first], self.starts[first + 1])))

    def __iter__(self) -> Iterator[tuple[Reason, ...]]:
        made = self._made(slice(None))
        for start, end in itertools.pairwise(self.starts.tolist()):
            yield tuple(made[start:end])

    def _made(self, part: slice) -> list[Reason]:
        categories = [self.category_ids[column] for column in self.columns[part].tolist()]
        behind = [self.table[source] for source in self.sources[part].tolist()]
        return [
            Reason(category, source.text, source.kind, round(weight, 3), source.place)
            for category, source, weight in zip(
                categories, behind, self.weights[part].tolist(), strict=True
            )
        ]


def bulk_reasons(
    model: FacetModel,
    scores: Scores,
    sources: ReasonSources,
    chosen: NDArray[np.int32],
) -> BulkReasons:
    """Return the strongest reasons for each of the chosen categories of n papers.

    sources: of the model's `contribution_names`; chosen: (n, m) columns, `NONE` for none. Of a
    paper the reasons stand category after category, in the order of `chosen`.
    """
    rows, places = np.nonzero(chosen != NONE)
    columns = chosen[rows, places].astype(np.int64)
    found = [
        _strongest(model, scores, sources, rows[part], columns[part])
        for start in range(0, len(rows), _PAIRS_AT_ONCE)
        for part in [slice(start, start + _PAIRS_AT_ONCE)]
    ]
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        found = [(nothing, nothing, nothing, np.zeros(0))]
    owners, spoken_for, behind, weights = (
        np.concatenate(arrays) for arrays in zip(*found, strict=True)
    )
    starts = np.searchsorted(owners, np.arange(len(chosen) + 1))
    return BulkReasons(model.ids, sources.table, starts, spoken_for, behind, weights)


def _strongest(
    model: FacetModel, scores: Scores, sources: ReasonSources, rows: Positions, columns: Positions
) -> tuple[Positions, Positions, Positions, Array]:
    """Return (row, column, source, weight) of the strongest reasons of each (row, column)."""
    parts = bulk_contributions(model, scores, rows, columns)
    pairs, behind, values = _with_sources(
        parts, scores.seen.evidence, sources, model.ids, rows, columns
    )
    pairs, behind, weights = _gathered(pairs, behind, values, len(sources.table))
    worth = np.flatnonzero(np.abs(weights) >= LEAST_WEIGHT - _ROUNDING)
    pairs, behind, weights = pairs[worth], behind[worth], weights[worth]
    order = np.lexsort((behind, -np.abs(weights), pairs))
    place = np.arange(len(order)) - np.searchsorted(pairs[order], pairs[order])
    order = order[place < MOST_REASONS]
    order = order[_is_shown(weights[order])]
    return rows[pairs[order]], columns[pairs[order]], behind[order], weights[order]


def _is_shown(weights: Array) -> NDArray[np.bool_]:
    """Return (r,) whether weights, rounded as they are shown, are worth a reader's time."""
    shown = np.abs(weights) >= LEAST_WEIGHT + _ROUNDING
    for at in np.flatnonzero(~shown).tolist():
        shown[at] = abs(round(float(weights[at]), 3)) >= LEAST_WEIGHT
    return shown


def _gathered(
    pairs: Positions, behind: Positions, values: Array, width: int
) -> tuple[Positions, Positions, Array]:
    """Return (pair, source, sum) of each pair and source of e entries, which are `width` sources.

    Sums are rounded, so that sources with the same contributions tie on every processor.
    """
    keys = pairs * width + behind
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_first = np.empty(len(keys), dtype=bool)
    is_first[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    sums: Array = np.bincount(np.cumsum(is_first) - 1, weights=values[order]).astype(float)
    keys = keys[is_first]
    return keys // width, keys % width, np.round(sums, WEIGHT_DIGITS)


def _with_sources(
    parts: BulkContributions,
    evidence: Evidence,
    sources: ReasonSources,
    names: Sequence[str],
    rows: Positions,
    columns: Positions,
) -> tuple[Positions, Positions, Array]:
    """Return (pair, source, value) of all that contributes; cue columns shared among their cues."""
    owners = sources.owners[parts.features]
    behind = sources.fixed[parts.features]
    own = owners == columns[parts.pairs]
    others = np.flatnonzero((owners != NONE) & ~own)
    fired = _fired(evidence, names, rows[parts.pairs[others]], owners[others])
    only_against = fired[:, _AGAINST] & (fired.sum(axis=1) == 1)
    behind[others] = sources.others[owners[others], only_against.astype(np.int64)]
    of_cues = np.flatnonzero(own & (behind == NONE))
    pairs, cues, values = _shared(parts, of_cues, evidence, sources, names, rows, columns)
    told = np.flatnonzero(behind != NONE)
    return (
        np.concatenate([parts.pairs[told], pairs]),
        np.concatenate([behind[told], cues]),
        np.concatenate([parts.values[told], values]),
    )


def _fired(
    evidence: Evidence, names: Sequence[str], rows: Positions, columns: Positions
) -> NDArray[np.bool_]:
    """Return (e, 4) which lists of cues of a category fired in a paper, by row and column."""
    places = np.array([evidence.category_ids.index(name) for name in names])
    return np.asarray(evidence.counts[rows, places[columns]] > 0)


def _shared(
    parts: BulkContributions,
    entries: Positions,
    evidence: Evidence,
    sources: ReasonSources,
    names: Sequence[str],
    rows: Positions,
    columns: Positions,
) -> tuple[Positions, Positions, Array]:
    """Return (pair, source, value) of the cues that share what their columns contribute.

    entries: of `parts`. Each cue gets its part of their worth; where it comes to nothing, all of
    them together are the source.
    """
    asked = np.unique(parts.pairs[entries])
    hits = _own_hits(evidence, sources, names, rows[asked], columns[asked])
    # Every entry beside every cue of its pair, and of these the cues that its column counts.
    begins = np.searchsorted(hits.whose, np.arange(len(asked) + 1))
    place = np.searchsorted(asked, parts.pairs[entries])
    counts = np.diff(begins)[place]
    entry = np.repeat(np.arange(len(entries)), counts)
    firsts = np.repeat(begins[place] - (np.cumsum(counts) - counts), counts)
    hit = np.arange(len(entry)) + firsts
    features = parts.features[entries]
    wanted = sources.views[features][entry]
    meant = (wanted == ALL_VIEWS) | (wanted == hits.views[hit])
    entry, hit = entry[meant], hit[meant]
    totals = np.bincount(entry, weights=hits.worth[hit], minlength=len(entries))
    none = np.abs(totals) < NO_WORTH
    entry, hit = entry[~none[entry]], hit[~none[entry]]
    values = hits.worth[hit] / totals[entry] * parts.values[entries[entry]]
    cues = hits.cues[hit, sources.in_votes[features[entry]].astype(np.int64)]
    left = entries[none]
    return (
        np.concatenate([parts.pairs[entries[entry]], parts.pairs[left]]),
        np.concatenate([cues, np.full(len(left), sources.its_cues)]),
        np.concatenate([values, parts.values[left]]),
    )


@dataclass(frozen=True, slots=True)
class _Hits:
    """The h cues that fired for the category of each of some pairs."""

    whose: Positions
    """(h,) the pair, rising."""
    views: Positions
    """(h,) places in VIEWS."""
    cues: Positions
    """(h, 2) as `ReasonSources.cues` has them."""
    worth: Array
    """(h,) what the cue adds to its category's vote."""


def _own_hits(
    evidence: Evidence,
    sources: ReasonSources,
    names: Sequence[str],
    rows: Positions,
    columns: Positions,
) -> _Hits:
    """Return the cues that fired for a category in a paper, by row and column."""
    whose, views, cues, counts = [], [], [], []
    for pair, (row, column) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
        name = names[column]
        for hit in evidence.hits[row]:
            if hit.category == name:
                whose.append(pair)
                views.append(VIEWS.index(hit.view))
                cues.append(sources.cues[name, hit.view, hit.cue])
                counts.append(hit.count)
    pairs, lists = np.array(whose, dtype=np.int64), np.array(views, dtype=np.int64)
    fired = np.array(counts, dtype=float)
    lines = pairs * len(VIEWS) + lists
    totals = np.bincount(lines, weights=fired)[lines] if len(lines) else fired
    worth = VOTE_WEIGHTS[lists] * np.log2(1 + totals) * fired / totals
    return _Hits(pairs, lists, np.array(cues, dtype=np.int64).reshape(-1, 2), worth)
