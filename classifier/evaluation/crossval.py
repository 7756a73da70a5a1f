"""What a classifier may learn from while a paper is scored: everything but that paper.

The law: a paper that is scored is never trained on, nor served from the ledger, nor an exemplar,
nor among the unlabelled papers. A digest and an abstract, or a preprint and its article, are one
paper here, so papers are told apart by the links that merging looks for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from classifier.errors import UsageError
from classifier.evaluation.outcome import Evaluation, Setup
from classifier.evaluation.scoring import score
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.labelling.prior import Prior
from classifier.labelling.training_data import MAX_PAPERS, assign_folds, papers_to_learn_from
from classifier.papers.identity import Identity
from classifier.papers.match import Texts, find_links
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
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


Folds = NDArray[np.int64]
"""(n,): the fold in which each scored paper is under test."""


def cross_validate(
    taxonomy: Taxonomy,
    pool: Sequence[Paper],
    scored: Sequence[Paper],
    truth: Decisions,
    train: LearningMaterial | None = None,
    *,
    folds: int = 5,
    repeats: int = 1,
    prior: Prior | None = None,
    unmatched: Sequence[str] = (),
    in_prior: int = 0,
    make_classifier: Callable[..., Any] = TaxonomyClassifier,
    progress: Progress | None = None,
) -> Evaluation:
    """Score a classifier on papers that it has not learned from.

    It learns from the decisions of `train` and, without labels, from the papers of the project
    (`pool`), but never from a paper while that is scored. Where no scored paper is among the
    decided ones of `train`, one fit labels all; where some are, all are labelled fold by fold,
    `repeats` times over. The order of papers does not matter.

    Scored are those of `scored` that have `truth` (paper id -> facet -> it). `unmatched` (titles
    with truth but without a paper) and `in_prior` (how many papers are left out since the prior
    knows them) are only reported. make_classifier: called with the taxonomy, and with `prior` if
    there is one. Raises UsageError where there is nothing to score.
    """
    papers = sorted((p for p in scored if truth.get(p.id)), key=lambda paper: paper.id)
    if not papers:
        raise UsageError(
            "Nothing to score: no paper has truth. Review some papers, or name a gold file "
            "whose titles are among the papers with --gold."
        )
    held_out = HeldOut(papers, pool, train or LearningMaterial())
    deals = _deal(taxonomy.first, papers, truth, folds, repeats if held_out.is_crossed else 0)
    fits = [np.flatnonzero(deal == fold) for deal in deals for fold in range(int(deal.max()) + 1)]
    labels: list[PaperLabels] = []
    for number, rows in enumerate(fits):
        report(progress, "Evaluating", number, len(fits))
        material = held_out.without(rows)
        seen = without_exemplars(taxonomy, held_out.title_keys(rows))
        classifier = make_classifier(seen, **({} if prior is None else {"prior": prior}))
        classifier.fit(material.papers, material.decisions)
        labels += classifier.predict([papers[row] for row in rows])
    report(progress, "Evaluating", len(fits), len(fits))
    rounds = _rounds(papers, deals, labels)
    crossed = int(deals[0].max()) + 1  # 1 for one scored paper, decided or not
    material = held_out.material if crossed > 1 else held_out.without(np.arange(len(papers)))
    decided = len(material.decided())
    learned = papers_to_learn_from(material.papers, material.decisions, taxonomy, MAX_PAPERS)
    setup = Setup(
        n=len(papers),
        folds=crossed,
        repeats=len(deals),
        trained_on=decided,
        unlabelled=len(learned) - decided,
        unmatched=tuple(unmatched),
        in_prior=None if prior is None else in_prior,
    )
    return score(taxonomy, [paper.id for paper in papers], truth, rounds, setup)


def _deal(
    facet: Facet, papers: Sequence[Paper], truth: Decisions, folds: int, repeats: int
) -> list[Folds]:
    """Return the fold of each paper for each repeat, stratified by the true primary.

    With no repeat there is one deal in which all papers are in fold 0.
    """
    if repeats == 0:
        return [np.zeros(len(papers), dtype=np.int64)]
    primaries = [
        decision.primary if (decision := truth[paper.id].get(facet.id)) else "" for paper in papers
    ]
    known, ids = sorted(set(primaries)), [paper.id for paper in papers]
    strata = np.array([known.index(primary) for primary in primaries], dtype=np.int64)
    return [
        assign_folds(ids, strata, min(folds, len(ids)), salt=f"{repeat}:")
        for repeat in range(repeats)
    ]


def _rounds(
    papers: Sequence[Paper], deals: Sequence[Folds], labels: Sequence[PaperLabels]
) -> list[list[PaperLabels]]:
    """Sort labels, made fold after fold, into one list a repeat in the order of the papers."""
    n = len(papers)
    rounds: list[list[PaperLabels]] = []
    for repeat, deal in enumerate(deals):
        made = labels[repeat * n : (repeat + 1) * n]
        by_row = dict(zip(np.argsort(deal, kind="stable").tolist(), made, strict=True))
        rounds.append([by_row[row] for row in range(n)])
    return rounds
