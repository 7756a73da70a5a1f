"""Training material without the scored papers and their other versions.

A digest and an abstract, or a preprint and its article, are treated as one paper. They are found by
the same links as duplicates.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from classifier.labelling.labels import Decisions
from classifier.papers.identity import Identity
from classifier.papers.match import find_links
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key


@dataclass(frozen=True, slots=True)
class TrainingMaterial:
    """Papers from which to learn, and the decisions on some of them."""

    papers: tuple[Paper, ...] = ()
    decisions: Decisions = field(default_factory=dict)
    """Decisions by paper id and facet id; ids of other papers are ignored."""

    def restrict_to(self, papers: Sequence[Paper]) -> TrainingMaterial:
        """Return these papers with the decisions on them."""
        ids = sorted(paper.id for paper in papers if self.decisions.get(paper.id))
        return TrainingMaterial(tuple(papers), {name: self.decisions[name] for name in ids})


class HeldOut:
    """The training material, and the scored papers that it must not contain."""

    def __init__(
        self, scored: Sequence[Paper], pool: Sequence[Paper], train: TrainingMaterial
    ) -> None:
        groups = group_same_papers([*scored, *train.papers, *pool])
        self.scored = tuple(scored)
        self.scored_groups = groups[: len(scored)]
        train_groups = groups[len(scored) : len(scored) + len(train.papers)]
        pool_groups = groups[len(scored) + len(train.papers) :]
        # A paper in both is taken from `train`, which has its decision.
        is_new = ~np.isin(pool_groups, train_groups)
        added = [paper for paper, new in zip(pool, is_new, strict=True) if new]
        self.material = train.restrict_to([*train.papers, *added])
        self.material_groups = np.concatenate([train_groups, pool_groups[is_new]])

    @property
    def needs_folds(self) -> bool:
        """Whether the material has a decision on any scored paper."""
        is_decided = [paper.id in self.material.decisions for paper in self.material.papers]
        decided_groups = self.material_groups[np.array(is_decided, dtype=bool)]
        return bool(np.isin(self.scored_groups, decided_groups).any())

    def without_papers(self, rows: NDArray[np.int64]) -> TrainingMaterial:
        """Return the material without the scored papers at `rows` and their duplicates."""
        is_kept = ~np.isin(self.material_groups, self.scored_groups[rows])
        papers = [paper for paper, keep in zip(self.material.papers, is_kept, strict=True) if keep]
        return self.material.restrict_to(papers)

    def title_keys(self, rows: NDArray[np.int64]) -> set[str]:
        """Return the title keys of the scored papers at `rows` and of their duplicates."""
        is_scored = np.isin(self.material_groups, self.scored_groups[rows])
        papers = [self.scored[row] for row in rows]
        papers += [self.material.papers[row] for row in np.flatnonzero(is_scored)]
        return {title_key(paper.title) for paper in papers}


def group_same_papers(papers: Sequence[Paper]) -> NDArray[np.int64]:
    """Return (n,) group numbers; they are equal for papers that share an id, a title or most text.

    Links are transitive, and nobody has confirmed them: it does no harm to hold out one paper too
    many, but learning from a scored paper would.
    """
    links = find_links(papers, Identity())
    ends = np.array([(link.first, link.second) for link in links], dtype=np.int64).reshape(-1, 2)
    shape = (len(papers), len(papers))
    graph = coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=shape)
    _, groups = connected_components(graph, directed=False)
    return np.asarray(groups, dtype=np.int64)


def without_exemplars(taxonomy: Taxonomy, title_keys: Collection[str]) -> Taxonomy:
    """Remove the exemplars whose title key is in `title_keys` from a taxonomy.

    The result is validated again, because a copy would keep cached properties of the old
    categories.
    """
    record = taxonomy.model_dump()
    stack = [category for facet in record["facets"].values() for category in facet["categories"]]
    while stack:
        category = stack.pop()
        stack += category["children"]
        category["exemplars"] = [
            title for title in category["exemplars"] if title_key(title) not in title_keys
        ]
    return Taxonomy.model_validate(record)
