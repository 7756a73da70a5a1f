"""Cue hits of every category, per view, and the seed votes made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.views import TextViews
from classifier.taxonomy.cue import CueMatcher, parse_cue
from classifier.taxonomy.model import Category, Facet

VIEWS = ("title", "contribution", "anywhere", "against")
"""The four lists of cues; `against` is counted in title and contribution sentences."""
VOTE_WEIGHTS = np.array([3.0, 2.0, 1.0, -2.0])
"""How much a view's log count is worth in a seed vote, in the order of VIEWS."""


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
    hits: tuple[tuple[Hit, ...], ...]
    """Per paper: what fired."""

    def votes(self, category_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return (n, len(category_ids)) seed votes: weighted log2 counts over the views."""
        columns = [self.category_ids.index(category_id) for category_id in category_ids]
        votes: NDArray[np.float64] = np.log2(1 + self.counts[:, columns, :]) @ VOTE_WEIGHTS
        return votes

    def logs(self, category_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return (n, len(category_ids) * 4) log counts, category by category."""
        columns = [self.category_ids.index(category_id) for category_id in category_ids]
        logs = np.log2(1 + self.counts[:, columns, :])
        return np.asarray(logs.reshape(len(self.counts), len(columns) * len(VIEWS)))


def vote_shares(votes: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Return (n, k) votes as shares of each paper's strongest, which counts as `least` or more."""
    strongest = np.maximum(votes.max(axis=1, keepdims=True, initial=-np.inf), least)
    return np.asarray(votes / strongest)


class EvidenceCounter:
    """Counts the cues of one facet in papers; compiled once, pure."""

    def __init__(self, facet: Facet) -> None:
        self.category_ids = tuple(category.id for category in facet.walk())
        self._index = {category_id: i for i, category_id in enumerate(self.category_ids)}
        categories = list(facet.walk())
        self._title = _Cues(categories, "title")
        self._contribution = _Cues(categories, "contribution")
        self._anywhere = _Cues(categories, "anywhere")
        self._against = _Cues(categories, "against")

    def count(self, papers: Sequence[TextViews]) -> Evidence:
        """Return the evidence of `papers`, in their order."""
        hits = tuple(tuple(self._hits(paper)) for paper in papers)
        counts = np.zeros((len(papers), len(self.category_ids), len(VIEWS)))
        for row, found in enumerate(hits):
            for hit in found:
                counts[row, self._index[hit.category], VIEWS.index(hit.view)] += hit.count
        return Evidence(self.category_ids, counts, hits)

    def _hits(self, paper: TextViews) -> Iterable[Hit]:
        stated = (paper.title, *paper.contribution)
        yield from self._title.hits([paper.title])
        yield from self._contribution.hits(paper.contribution)
        yield from self._anywhere.hits([paper.title, *paper.sentences])
        yield from self._against.hits(stated)


class _Cues:
    """The cues of one view over all categories, in one matcher."""

    def __init__(self, categories: Sequence[Category], view: str) -> None:
        self.view = view
        self.owners = [
            (category.id, cue) for category in categories for cue in getattr(category.cues, view)
        ]
        self.matcher = CueMatcher([parse_cue(cue) for _, cue in self.owners])

    def hits(self, texts: Iterable[Sequence[str]]) -> list[Hit]:
        found: dict[int, int] = {}
        for text in texts:
            for match in self.matcher.find(text):
                found[match.cue_index] = found.get(match.cue_index, 0) + 1
        return [
            Hit(self.owners[index][0], self.view, self.owners[index][1], count)
            for index, count in sorted(found.items())
        ]
