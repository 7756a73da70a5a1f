"""What a classifier may learn from while a paper is scored: everything but that paper.

The law: a paper that is scored is never trained on, nor served from the ledger, nor an exemplar,
nor among the unlabelled papers. A digest and an abstract, or a preprint and its article, are one
paper here, so papers are told apart by the links that merging looks for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from classifier.labelling.labels import Decisions
from classifier.papers.identity import Identity
from classifier.papers.match import Texts, find_links
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Category, Facet, Taxonomy
from classifier.text.normalise import title_key

_Record = TypeVar("_Record", Facet, Taxonomy)


@dataclass(frozen=True, slots=True)
class LearningMaterial:
    """Papers and what people decided about some of them."""

    papers: tuple[Paper, ...] = ()
    decisions: Decisions = field(default_factory=dict)
    """Paper id -> facet id -> Decision; ids that no paper bears are never looked at."""

    def decided(self) -> list[Paper]:
        """Return the papers with a decision in some facet, in order."""
        return [paper for paper in self.papers if self.decisions.get(paper.id)]

    def restricted_to(self, papers: Sequence[Paper]) -> LearningMaterial:
        """Return `papers` with the decisions on them and no other decision."""
        ids = sorted(paper.id for paper in papers if self.decisions.get(paper.id))
        return LearningMaterial(tuple(papers), {name: self.decisions[name] for name in ids})

    def told(self, count: int | None, *, salt: str = "") -> LearningMaterial:
        """Return the same papers with the decisions on `count` of them; None: on all.

        Which ones is chance, by a hash of salt and id, and a larger count holds a smaller one's.
        """
        if count is None:
            return self
        drawn = sorted(
            (paper.id for paper in self.decided()),
            key=lambda name: (hashlib.sha256(f"{salt}{name}".encode()).hexdigest(), name),
        )
        return LearningMaterial(self.papers, {name: self.decisions[name] for name in drawn[:count]})


class HeldOut:
    """The learning material, and which of it is one paper with which scored one."""

    def __init__(
        self, scored: Sequence[Paper], pool: Sequence[Paper], train: LearningMaterial
    ) -> None:
        groups = same_papers([*scored, *train.papers, *pool])
        self.scored = tuple(scored)
        self.scored_groups = groups[: len(scored)]
        taught = groups[len(scored) : len(scored) + len(train.papers)]
        rest = groups[len(scored) + len(train.papers) :]
        # A paper that is in both is taken from `train`: there its decision is.
        new = ~np.isin(rest, taught)
        added = [paper for paper, is_new in zip(pool, new, strict=True) if is_new]
        self.material = train.restricted_to([*train.papers, *added])
        self.material_groups = np.concatenate([taught, rest[new]])

    @property
    def is_crossed(self) -> bool:
        """Whether some scored paper has a decision to learn from, so that folds are needed."""
        decided = [bool(self.material.decisions.get(p.id)) for p in self.material.papers]
        known = self.material_groups[np.array(decided, dtype=bool)]
        return bool(np.isin(self.scored_groups, known).any())

    def without(self, rows: NDArray[np.int64]) -> LearningMaterial:
        """Return the material without the scored papers of those `rows`, in any form."""
        kept = ~np.isin(self.material_groups, self.scored_groups[rows])
        papers = [paper for paper, keep in zip(self.material.papers, kept, strict=True) if keep]
        return self.material.restricted_to(papers)

    def title_keys(self, rows: NDArray[np.int64]) -> set[str]:
        """Return the keys of all titles that the scored papers of those `rows` go by."""
        held = np.isin(self.material_groups, self.scored_groups[rows])
        forms = [
            paper for paper, is_held in zip(self.material.papers, held, strict=True) if is_held
        ]
        return {title_key(paper.title) for paper in (*(self.scored[row] for row in rows), *forms)}


def same_papers(papers: Sequence[Paper]) -> NDArray[np.int64]:
    """Return (n,) group numbers: equal where papers share an id, a title or nearly their text.

    Links are followed through third papers and not confirmed: to hold out one paper too many is
    harmless, to train on one that is scored is not.
    """
    links = find_links(Texts.of(papers), Identity())
    ends = np.array([(link.first, link.second) for link in links], dtype=np.int64).reshape(-1, 2)
    shape = (len(papers), len(papers))
    graph = coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=shape)
    _, groups = connected_components(graph, directed=False)
    return np.asarray(groups, dtype=np.int64)


def without_exemplars(taxonomy: Taxonomy, title_keys: Collection[str]) -> Taxonomy:
    """Return `taxonomy` without the exemplars that have one of those title keys.

    Facets are made anew: a copy would keep the old categories in its cached properties.
    """
    facets = {
        facet_id: _with(facet, categories=tuple(_stripped(c, title_keys) for c in facet.categories))
        for facet_id, facet in taxonomy.facets.items()
    }
    return _with(taxonomy, facets=facets)


def _with(record: _Record, **changed: object) -> _Record:
    fields = {name: getattr(record, name) for name in type(record).model_fields}
    return type(record).model_validate({**fields, **changed})


def _stripped(category: Category, title_keys: Collection[str]) -> Category:
    exemplars = tuple(title for title in category.exemplars if title_key(title) not in title_keys)
    children = tuple(_stripped(child, title_keys) for child in category.children)
    return category.model_copy(update={"exemplars": exemplars, "children": children})
