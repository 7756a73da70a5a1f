"""What a classifier may learn from while a paper is scored: everything but that paper.

The law: a paper that is scored is never trained on, nor served from the ledger, nor an exemplar,
nor among the unlabelled papers. A digest and an abstract, or a preprint and its article, are one
paper here, so papers are told apart by the links that merging looks for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from classifier.errors import UsageError
from classifier.evaluation.outcome import Evaluation, Setup
from classifier.evaluation.scoring import Rounds, score
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.labelling.prior import Prior
from classifier.labelling.sampling import MAX_PAPERS, assign_folds, papers_to_learn_from
from classifier.papers.identity import Identity
from classifier.papers.match import Texts, find_links
from classifier.papers.paper import Paper
from classifier.progress import Progress
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


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to tell a classifier something; the papers are the same in every setting."""

    name: str
    """What the tables call it."""
    reviews: int | None = None
    """How many decisions are told, drawn at random; 0 none, None all that may be."""
    prior: Prior | None = field(default=None, compare=False)
    """Term weights to start from; settings with different ones have different names."""
    make_classifier: Callable[..., Any] = TaxonomyClassifier
    """Called with the taxonomy, with `prior` if there is one; gives what fits and predicts."""

    def with_prior(self, prior: Prior | None) -> Setting:
        """Return the same setting, told a prior too; without one, the setting itself."""
        if prior is None:
            return self
        return replace(self, name=f"{self.name} and prior", prior=prior)


ALONE = Setting("taxonomy alone", reviews=0)
REVIEWED = Setting("with reviews")

Folds = NDArray[np.int64]
"""(n,): the fold in which each scored paper is under test."""


class Experiment:
    """Papers to score, and what may be learned while each of them is: the same in every setting.

    The classifier learns from the decisions of `train` and, without labels, from the papers of the
    project (`pool`), but never from a paper while that is scored. Where no scored paper is among
    the decided ones of `train`, one fit labels all; where some are, all are labelled fold by fold,
    `repeats` times over. Without `train` no setting is told a decision. The order of papers does
    not matter.

    `papers`: the scored ones, in the order of their ids: those of `scored` that have `truth` (paper
    id -> facet -> it). `unmatched` (titles with truth but without a paper) and `in_prior` (how many
    papers are left out since the prior knows them) are only reported.

    Raises UsageError where there is nothing to score.
    """

    def __init__(
        self,
        taxonomy: Taxonomy,
        pool: Sequence[Paper],
        scored: Sequence[Paper],
        truth: Decisions,
        train: LearningMaterial | None = None,
        *,
        folds: int = 5,
        repeats: int = 1,
        unmatched: Sequence[str] = (),
        in_prior: int = 0,
    ) -> None:
        self.papers = sorted((p for p in scored if truth.get(p.id)), key=lambda paper: paper.id)
        if not self.papers:
            raise UsageError(
                "Nothing to score: no paper has truth. Review some papers, or name a gold file "
                "whose titles are among the papers with --gold."
            )
        self.taxonomy, self.truth, self.unmatched = taxonomy, truth, tuple(unmatched)
        self.in_prior = in_prior
        self.held_out = HeldOut(self.papers, pool, train or LearningMaterial())
        self.repeats = repeats
        self.deals = _deal(
            taxonomy.first, self.papers, truth, folds, repeats if self.held_out.is_crossed else 0
        )
        self._labels: dict[Setting, Rounds] = {}

    @property
    def least_decisions(self) -> int:
        """How many decisions every fold has to learn from."""
        return min(
            len(self.held_out.without(np.flatnonzero(deal == fold)).decided())
            for deal in self.deals
            for fold in range(int(deal.max()) + 1)
        )

    def evaluate(self, setting: Setting, progress: Progress | None = None) -> Evaluation:
        """Return the figures of a setting."""
        rounds = self.rounds(setting, progress)
        paper_ids = [paper.id for paper in self.papers]
        return score(self.taxonomy, paper_ids, self.truth, rounds, self._setup(setting))

    def rounds(self, setting: Setting, progress: Progress | None = None) -> Rounds:
        """Return, per repeat, the labels of `papers`; a setting is fitted once and remembered."""
        if setting not in self._labels:
            self._labels[setting] = self._label(setting, progress)
        return self._labels[setting]

    def _label(self, setting: Setting, progress: Progress | None) -> Rounds:
        deals = self._deals_of(setting)
        fits = [
            (repeat, np.flatnonzero(deal == fold))
            for repeat, deal in enumerate(deals)
            for fold in range(int(deal.max()) + 1)
        ]
        labels: list[PaperLabels] = []
        stage = f"Evaluating {setting.name}"
        for number, (repeat, rows) in enumerate(fits):
            if progress:
                progress(stage, number, len(fits))
            labels += self._label_held_out(setting, rows, repeat)
        if progress:
            progress(stage, len(fits), len(fits))
        return _rounds(self.papers, deals, labels)

    def _deals_of(self, setting: Setting) -> Sequence[Folds]:
        """Without folds, one fit is enough, unless what it is told is drawn at random."""
        is_drawn = bool(setting.reviews) and not self.held_out.is_crossed
        return self.deals * self.repeats if is_drawn else self.deals

    def _label_held_out(self, setting: Setting, rows: Folds, repeat: int) -> list[PaperLabels]:
        """Label the scored papers of some rows with a classifier that has never met them."""
        material = self.held_out.without(rows).told(setting.reviews, salt=f"draw {repeat}:")
        taxonomy = without_exemplars(self.taxonomy, self.held_out.title_keys(rows))
        told = {} if setting.prior is None else {"prior": setting.prior}
        classifier = setting.make_classifier(taxonomy, **told)
        classifier.fit(material.papers, material.decisions)
        labels: list[PaperLabels] = classifier.predict([self.papers[row] for row in rows])
        return labels

    def _setup(self, setting: Setting) -> Setup:
        folds = int(self.deals[0].max()) + 1  # 1 for one scored paper, decided or not
        every_row = np.arange(len(self.papers))
        material = self.held_out.material if folds > 1 else self.held_out.without(every_row)
        told = material.told(setting.reviews)
        decided = len(told.decided())
        learned = papers_to_learn_from(told.papers, told.decisions, self.taxonomy, MAX_PAPERS)
        return Setup(
            n=len(self.papers),
            folds=folds,
            repeats=len(self._deals_of(setting)),
            trained_on=decided,
            unlabelled=len(learned) - decided,
            unmatched=self.unmatched,
            in_prior=None if setting.prior is None else self.in_prior,
        )


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


SIZES = (0, 10, 20, 40, 80, 160)


def learning_curve(
    experiment: Experiment,
    base: Setting,
    sizes: Sequence[int] = SIZES,
    progress: Progress | None = None,
) -> dict[int, Evaluation]:
    """Return the figures for each of `sizes`, and in place of all that are too large, for the most.

    The first k are drawn at random from what may be learned from, by a hash; each repeat of the
    experiment draws anew, and figures are means over them. The decisions on all other papers are
    hidden; the papers stay, unlabelled. Raises UsageError where there is no decision to learn from.
    """
    most = experiment.least_decisions
    if most == 0:
        raise UsageError("--learning-curve: there is no decision to learn from.")
    return {
        size: experiment.evaluate(replace(base, name=f"{size} decided", reviews=size), progress)
        for size in sorted({min(size, most) for size in sizes})
    }


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the sizes that `--learning-curve 0,20,40` names; UsageError where one is no count.

    >>> parse_sizes("40, 0, 20")
    (0, 20, 40)
    """
    parts = [part.strip() for part in text.split(",")]
    wrong = [part for part in parts if not (part.isascii() and part.isdigit())]
    if wrong:
        found = ", ".join(f"'{part}'" for part in wrong)
        raise UsageError(
            f"--learning-curve {text}: {found} is no number of papers; write 0,20,40 for example."
        )
    return tuple(sorted({int(part) for part in parts}))
