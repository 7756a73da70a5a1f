"""Cue hits of every category, per view, and the seed votes made of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.views import Passage, TextViews
from classifier.taxonomy.cue import CueMatcher, Match, parse_cue
from classifier.taxonomy.model import Category, Facet

VIEWS = ("title", "contribution", "anywhere", "against")
"""The four lists of cues; `against` is counted in title and contribution sentences."""
VOTE_WEIGHTS = np.array([4.0, 2.0, 1.5, -2.0])
"""How much a view's log count is worth in a seed vote, in the order of VIEWS."""

_VOTE_DIGITS = 9
"""Votes often are equal, or just what is asked for: no processor's last digit decides there."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A cue that fired in a paper."""

    category: str
    """Id of the category, or child, that the cue belongs to."""
    view: str
    """One of VIEWS."""
    cue: str
    """The cue as written in the taxonomy."""
    count: int
    """How often it fired."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The cue hits of n papers over the k categories of a facet, children included."""

    category_ids: tuple[str, ...]
    """The k ids, depth first."""
    counts: NDArray[np.float64]
    """(n, k, 4): hits per paper, category and view. A child's cues tell children apart, so its
    hits do not count for its parent: they are broader than its own."""
    hits: Sequence[tuple[Hit, ...]]
    """Per paper: what fired."""
    negated: Sequence[tuple[Hit, ...]] = ()
    """Per paper: what fired in words that the paper sets itself apart from. Not counted."""

    def of(self, rows: NDArray[np.int64]) -> Evidence:
        """Return the counts of some of the papers, without what fired."""
        return Evidence(self.category_ids, self.counts[rows], ())

    def votes(self, category_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return (n, len(category_ids)) seed votes: weighted log2 counts over the views."""
        columns = [self.category_ids.index(category_id) for category_id in category_ids]
        votes = np.log2(1 + self.counts[:, columns, :]) @ VOTE_WEIGHTS
        return np.asarray(np.round(votes, _VOTE_DIGITS))

    def logs(self, category_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return (n, len(category_ids) * 4) log counts, category by category."""
        columns = [self.category_ids.index(category_id) for category_id in category_ids]
        logs = np.log2(1 + self.counts[:, columns, :])
        return np.asarray(logs.reshape(len(self.counts), len(columns) * len(VIEWS)))


def cue_digest(evidence: Mapping[str, Evidence], row: int) -> str:
    """Return twelve hex digits of one paper's cue hits over all facets: category, view, count.

    evidence: facet id -> evidence of the same papers. A cue that is added and never fires in a
    paper leaves its digest as it is.
    """
    counts: Counter[tuple[str, str, str]] = Counter()
    for facet_id, found in evidence.items():
        for hit in found.hits[row]:
            counts[facet_id, hit.category, hit.view] += hit.count
    return _digest(f"{'|'.join(key)}={count}" for key, count in sorted(counts.items()))


def cue_digests(evidence: Mapping[str, Evidence]) -> list[str]:
    """Return `cue_digest` of every paper."""
    lines: dict[tuple[str, str, str], tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
    papers = 0
    for facet_id, found in evidence.items():
        papers = len(found.counts)
        for column, view in np.argwhere(found.counts.any(axis=0)).tolist():
            counts = found.counts[:, column, view].astype(np.int64)
            rows = np.flatnonzero(counts)
            lines[facet_id, found.category_ids[column], VIEWS[view]] = rows, counts[rows]
    told: list[list[str]] = [[] for _ in range(papers)]
    for key, (rows, counts) in sorted(lines.items(), key=lambda item: item[0]):
        name = f"{'|'.join(key)}="
        for row, count in zip(rows.tolist(), counts.tolist(), strict=True):
            told[row].append(f"{name}{count}")
    return [_digest(of) for of in told]


def _digest(lines: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=6).hexdigest()


def vote_shares(votes: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Return (n, k) votes as shares of each paper's strongest, which counts as `least` or more."""
    strongest = np.maximum(votes.max(axis=1, keepdims=True, initial=-np.inf), least)
    return np.asarray(votes / strongest)


class EvidenceCounter:
    """Counts the cues of one facet in papers, one by one; compiled once, pure.

    It is the definition of what `cue_counts.CueCounter` counts in many papers at once.
    """

    def __init__(self, facet: Facet) -> None:
        categories = list(facet.walk())
        self.category_ids = tuple(category.id for category in categories)
        self.lists = tuple(CueList(categories, view) for view in VIEWS)
        """The cues, in the order of VIEWS."""
        self._index = {category_id: i for i, category_id in enumerate(self.category_ids)}

    def count(self, papers: Sequence[TextViews]) -> Evidence:
        """Return the evidence of `papers`, in their order."""
        found = [self._found(paper) for paper in papers]
        fired = tuple(hits for hits, _ in found)
        counts = np.zeros((len(papers), len(self.category_ids), len(VIEWS)))
        for row, hits in enumerate(fired):
            for hit in hits:
                counts[row, self._index[hit.category], VIEWS.index(hit.view)] += hit.count
        return Evidence(self.category_ids, counts, fired, tuple(negated for _, negated in found))

    def _found(self, paper: TextViews) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
        """Return what fired in a paper: what counts, and what is negated."""
        hits: list[Hit] = []
        negated: list[Hit] = []
        for cues in self.lists:
            counted, denied = cues.fired(paper)
            hits += cues.hits(counted)
            negated += cues.hits(denied)
        return tuple(hits), tuple(negated)


class CueList:
    """The cues of one view over all categories of a facet."""

    def __init__(self, categories: Sequence[Category], view: str) -> None:
        self.view = view
        self.owners = [
            (category.id, cue) for category in categories for cue in getattr(category.cues, view)
        ]
        """(id of the category, cue as written) of every cue, in the order of the taxonomy."""
        self.cues = [parse_cue(cue) for _, cue in self.owners]

    @cached_property
    def matcher(self) -> CueMatcher:
        """All its cues in one tree."""
        return CueMatcher(self.cues)

    def hits(self, fired: Counter[int]) -> list[Hit]:
        """Return hits, in the order of the taxonomy, of cue indices with their number."""
        return [
            Hit(self.owners[index][0], self.view, self.owners[index][1], count)
            for index, count in sorted(fired.items())
        ]

    def fired(self, paper: TextViews) -> tuple[Counter[int], Counter[int]]:
        """Return how often each cue, by its index, fired: where it counts, where it is negated."""
        counted: Counter[int] = Counter()
        denied: Counter[int] = Counter()
        for passage in self._read(paper):
            for match in (*self.matcher.find(passage.words), *self.added(passage)):
                (denied if match.start in passage.negated else counted)[match.cue_index] += 1
        return counted, denied

    def _read(self, paper: TextViews) -> tuple[Passage, ...]:
        """Return the passages in which the cues of the view are looked for."""
        read = {
            "title": (paper.heading,),
            "contribution": paper.stated,
            "anywhere": (paper.heading, *paper.body),
            "against": (paper.heading, *paper.stated),
        }
        return read[self.view]

    def added(self, passage: Passage) -> list[Match]:
        """Return what the other spelling of a defined acronym adds, in positions as written.

        It holds the whole form that was put in: "multi-agent system" says what "MAS" is, "system"
        does not. A place that already speaks for a category counts once.
        """
        text = passage.respelling
        if text is None:
            return []
        found = [
            Match(match.cue_index, *text.as_written(match.start, match.end))
            for match in self.matcher.find(text.words)
            if text.covers_place(match.start, match.end)
        ]
        written = self.matcher.find(passage.words) if found else []
        taken = list(written)
        for match in found:
            if not any(self._is_same_place(match, other) for other in taken):
                taken.append(match)
        return taken[len(written) :]

    def _is_same_place(self, match: Match, other: Match) -> bool:
        """Tell whether two matches overlap and speak for the same category."""
        return (
            match.start < other.end
            and other.start < match.end
            and self.owners[match.cue_index][0] == self.owners[other.cue_index][0]
        )
