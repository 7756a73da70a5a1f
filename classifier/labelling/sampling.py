"""Which papers a classifier learns from, and how they are dealt into folds."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.labels import Decision
from classifier.labelling.weak_labels import exemplar_categories
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key

MAX_PAPERS = 2000
"""Papers learned from, unless people decided on more: of all 13,000 labels are no better, and the
time of learning grows with them (docs/labelling.md)."""


def papers_to_learn_from(
    papers: Sequence[Paper],
    decisions: Mapping[str, Mapping[str, Decision]],
    taxonomy: Taxonomy,
    most: int,
) -> list[Paper]:
    """Return at most `most` papers in id order, but all decided ones and exemplars.

    The others, which teach by their cues alone, are drawn by a hash of their ids: a paper that
    comes or goes changes the sample by itself and one other at most, and the order of papers does
    not matter.
    """
    by_id = sorted(papers, key=lambda paper: paper.id)
    if len(by_id) <= most:
        return by_id
    exemplars = {key for facet in taxonomy.facets.values() for key in exemplar_categories(facet)}
    taught = {
        paper.id
        for paper in by_id
        if decisions.get(paper.id) or title_key(paper.title) in exemplars
    }
    drawn = _drawn([paper.id for paper in by_id if paper.id not in taught], most - len(taught))
    return [paper for paper in by_id if paper.id in taught or paper.id in drawn]


def _drawn(paper_ids: Sequence[str], count: int) -> Collection[str]:
    """Return the `count` ids whose hashes are least; none for a count below 0."""
    by_hash = sorted(paper_ids, key=lambda paper_id: hashlib.sha256(paper_id.encode()).digest())
    return frozenset(by_hash[: max(0, count)])


def assign_folds(
    paper_ids: Sequence[str], strata: NDArray[np.int64], folds: int, salt: str = ""
) -> NDArray[np.int64]:
    """Return (n,) fold numbers, 0 to folds - 1: each stratum dealt out in the order of its hashes.

    They depend on the papers alone, never on their order. `salt` gives another deal.
    """
    order = sorted(
        range(len(paper_ids)),
        key=lambda i: (strata[i], hashlib.sha256(f"{salt}{paper_ids[i]}".encode()).hexdigest()),
    )
    assigned = np.zeros(len(paper_ids), dtype=np.int64)
    assigned[order] = np.arange(len(order)) % folds
    return assigned
