"""Cross-validation: score a classifier on papers that it has not learned from.

A scored paper is never used for training, as a decision, an exemplar or an unlabelled paper. A
digest and an abstract, or a preprint and its article, are the same paper here, found by the same
links as duplicates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from classifier.errors import UsageError
from classifier.evaluation.metrics import (
    Array,
    Figure,
    Flags,
    brier_score,
    defined_mean,
    expected_calibration_error,
    figure,
    macro_f1,
    mean_average_precision,
    micro_f1,
    resample_weights,
    share,
    tally,
)
from classifier.evaluation.outcome import CategoryFigures, Evaluation, FacetFigure, Setup
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import NO_LABELS, Decision, Decisions, FacetLabels, PaperLabels
from classifier.labelling.prior import Prior
from classifier.labelling.training_data import MAX_PAPERS, assign_folds, papers_to_learn_from
from classifier.papers.compare import Comparison
from classifier.papers.identity import Identity
from classifier.papers.match import find_links
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import title_key


@dataclass(frozen=True, slots=True)
class LearningMaterial:
    """Papers, and the decisions on some of them."""

    papers: tuple[Paper, ...] = ()
    decisions: Decisions = field(default_factory=dict)
    """Paper id -> facet id -> Decision; ids of other papers are ignored."""

    def restricted_to(self, papers: Sequence[Paper]) -> LearningMaterial:
        """Return `papers` with only the decisions on them."""
        ids = sorted(paper.id for paper in papers if self.decisions.get(paper.id))
        return LearningMaterial(tuple(papers), {name: self.decisions[name] for name in ids})


class HeldOut:
    """The learning material, and which of its papers are the same as a scored paper."""

    def __init__(
        self, scored: Sequence[Paper], pool: Sequence[Paper], train: LearningMaterial
    ) -> None:
        groups = same_papers([*scored, *train.papers, *pool])
        self.scored = tuple(scored)
        self.scored_groups = groups[: len(scored)]
        train_groups = groups[len(scored) : len(scored) + len(train.papers)]
        pool_groups = groups[len(scored) + len(train.papers) :]
        # A paper in both is taken from `train`, which has its decision.
        new = ~np.isin(pool_groups, train_groups)
        added = [paper for paper, is_new in zip(pool, new, strict=True) if is_new]
        self.material = train.restricted_to([*train.papers, *added])
        self.material_groups = np.concatenate([train_groups, pool_groups[new]])

    @property
    def is_crossed(self) -> bool:
        """Whether some scored paper has a decision in the material, so that folds are needed."""
        decided = [paper.id in self.material.decisions for paper in self.material.papers]
        known = self.material_groups[np.array(decided, dtype=bool)]
        return bool(np.isin(self.scored_groups, known).any())

    def without(self, rows: NDArray[np.int64]) -> LearningMaterial:
        """Return the material without the scored papers of `rows` and their duplicates."""
        kept = ~np.isin(self.material_groups, self.scored_groups[rows])
        papers = [paper for paper, keep in zip(self.material.papers, kept, strict=True) if keep]
        return self.material.restricted_to(papers)

    def title_keys(self, rows: NDArray[np.int64]) -> set[str]:
        """Return the keys of all titles of the scored papers of `rows` and their duplicates."""
        is_scored = np.isin(self.material_groups, self.scored_groups[rows])
        papers = [self.scored[row] for row in rows]
        papers += [self.material.papers[row] for row in np.flatnonzero(is_scored)]
        return {title_key(paper.title) for paper in papers}


def same_papers(papers: Sequence[Paper]) -> NDArray[np.int64]:
    """Return (n,) group numbers: equal if papers share an id, a title or most of their text.

    Links are transitive and not confirmed: it is harmless to hold out one paper too many, but not
    to learn from a scored paper.
    """
    links = find_links(Comparison.of(papers), Identity())
    ends = np.array([(link.first, link.second) for link in links], dtype=np.int64).reshape(-1, 2)
    shape = (len(papers), len(papers))
    graph = coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=shape)
    _, groups = connected_components(graph, directed=False)
    return np.asarray(groups, dtype=np.int64)


def without_exemplars(taxonomy: Taxonomy, title_keys: Collection[str]) -> Taxonomy:
    """Return `taxonomy` without the exemplars that have one of `title_keys`.

    It is validated anew: a copy would keep the old categories in its cached properties.
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

    The classifier learns from the decisions of `train` and, without labels, from the papers of the
    project (`pool`), but never from the papers that are being scored. If no scored paper is among
    the decided ones of `train`, one fit labels all; otherwise papers are labelled fold by fold,
    `repeats` times. The order of papers does not matter.

    The papers of `scored` with reference labels in `truth` (paper id -> facet id -> label) are
    scored. `unmatched` (titles of reference labels without a paper) and `in_prior` (number of
    papers left out because the prior learned from them) are only reported. make_classifier: called
    with the taxonomy, and with `prior` if there is one. Raises UsageError if no paper can be
    scored.
    """
    papers = sorted((p for p in scored if truth.get(p.id)), key=lambda paper: paper.id)
    if not papers:
        raise UsageError(
            "Nothing to score: none of the papers has a reference label. Review some papers, or "
            "choose a gold file with titles of these papers: --gold FILE."
        )
    held_out = HeldOut(papers, pool, train or LearningMaterial())
    deals = _deal(taxonomy.first, papers, truth, folds, repeats if held_out.is_crossed else 0)
    fits = [np.flatnonzero(deal == fold) for deal in deals for fold in range(int(deal.max()) + 1)]
    labels: list[PaperLabels] = []
    for number, rows in enumerate(fits):
        report(progress, "Evaluating", number, len(fits))
        material = held_out.without(rows)
        fold_taxonomy = without_exemplars(taxonomy, held_out.title_keys(rows))
        classifier = make_classifier(fold_taxonomy, **({} if prior is None else {"prior": prior}))
        classifier.fit(material.papers, material.decisions)
        labels += classifier.label([papers[row] for row in rows])
    report(progress, "Evaluating", len(fits), len(fits))
    rounds = _rounds(papers, deals, labels)
    crossed = int(deals[0].max()) + 1  # 1 for one scored paper, decided or not
    material = held_out.material if crossed > 1 else held_out.without(np.arange(len(papers)))
    decided = len(material.decisions)
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
) -> list[NDArray[np.int64]]:
    """Return the (n,) folds of the papers for each repeat, stratified by the true primary.

    Without repeats all papers are in fold 0.
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
    papers: Sequence[Paper], deals: Sequence[NDArray[np.int64]], labels: Sequence[PaperLabels]
) -> list[list[PaperLabels]]:
    """Return the labels, given fold by fold, as one list per repeat in the order of the papers."""
    n = len(papers)
    rounds: list[list[PaperLabels]] = []
    for repeat, deal in enumerate(deals):
        made = labels[repeat * n : (repeat + 1) * n]
        by_row = dict(zip(np.argsort(deal, kind="stable").tolist(), made, strict=True))
        rounds.append([by_row[row] for row in range(n)])
    return rounds


Rounds = Sequence[Sequence[PaperLabels]]
"""Per repeat: the labels of the scored papers, in their order."""


def score(
    taxonomy: Taxonomy, paper_ids: Sequence[str], truth: Decisions, rounds: Rounds, setup: Setup
) -> Evaluation:
    """Compare the labels of each repeat with `truth`; papers are in the order of `paper_ids`.

    A facet is scored on the papers that have a reference label in it. Facets that only people fill
    are not scored.
    """
    weights = resample_weights(len(paper_ids))
    first, *further = [facet for facet in taxonomy.facets.values() if not facet.by_hand]
    core = [k for k, top in enumerate(first.tops) if top.core]
    scope = [k for k, top in enumerate(first.tops) if not top.out_of_scope]
    views, own = _views(first, paper_ids, truth, rounds, weights)
    counts = [tally(view.truth, view.given, own) for view in views]
    f1 = _mean([count.f1 for count in counts])
    precision = _mean([count.precision[:1] for count in counts])[0]
    recall = _mean([count.recall[:1] for count in counts])[0]

    def mean(measure: Callable[[FacetView], Array]) -> Figure:
        return figure(_mean([measure(view) for view in views]))

    return Evaluation(
        setup=setup,
        categories={
            top.id: CategoryFigures(
                float(precision[k]),
                float(recall[k]),
                figure(f1[:, k]),
                int(counts[0].positives[0, k]),
                top.core,
                top.out_of_scope,
            )
            for k, top in enumerate(first.tops)
        },
        core_f1=figure(_mean([macro_f1(count, core) for count in counts])),
        mean_f1=figure(_mean([macro_f1(count, scope) for count in counts])),
        micro_f1=figure(_mean([micro_f1(count, scope) for count in counts])),
        mean_average_precision=mean(
            lambda v: mean_average_precision(v.truth, v.probabilities, own, scope, v.known)
        ),
        precision_at_1=mean(lambda v: _share(v.primary_applies, v.judged, own)),
        primary_accuracy=mean(lambda v: _share(v.primary_is_right, v.judged, own)),
        ece=mean(lambda v: expected_calibration_error(*v.stated(scope), own, v.known[:, scope])),
        brier=mean(lambda v: brier_score(*v.stated(scope), own, v.known[:, scope])),
        confident=mean(lambda v: share(v.confident, own)),
        confident_accuracy=mean(lambda v: _share(v.primary_is_right, v.confident & v.judged, own)),
        facets={
            facet.id: found
            for facet in further
            if (found := _facet_figure(facet, paper_ids, truth, rounds, weights))
        },
        confusion=_confusion(first, views[0]),
    )


@dataclass(frozen=True, slots=True)
class FacetView:
    """One facet of n papers in one repeat as arrays; columns are the facet's top categories."""

    truth: Flags
    """(n, k) the category applies."""
    given: Flags
    """(n, k) the category was assigned, and the reference label could contain it."""
    known: Flags
    """(n, k) the category existed when the reference label was written."""
    probabilities: Array
    """(n, k)."""
    true_primary: NDArray[np.int64]
    """(n,) column; -1 for another category or none."""
    given_primary: NDArray[np.int64]
    confident: Flags
    """(n,) the status is `confident`."""

    @property
    def judged(self) -> Flags:
        """(n,) the assigned primary existed when the reference label was written."""
        rows = np.arange(len(self.given_primary))
        return np.asarray(self.known[rows, self.given_primary] | (self.given_primary < 0))

    @property
    def primary_is_right(self) -> Flags:
        """(n,) the assigned primary is right."""
        right = self.true_primary == self.given_primary
        return np.asarray(right & (self.given_primary >= 0))

    @property
    def primary_applies(self) -> Flags:
        """(n,) the assigned primary is one of the true categories."""
        rows = np.arange(len(self.given_primary))
        return np.asarray(self.truth[rows, self.given_primary] & (self.given_primary >= 0))

    def stated(self, columns: Sequence[int]) -> tuple[Flags, Array]:
        """Return the truth and probabilities of `columns`."""
        return self.truth[:, columns], self.probabilities[:, columns]


def _views(
    facet: Facet, paper_ids: Sequence[str], truth: Decisions, rounds: Rounds, weights: Array
) -> tuple[list[FacetView], Array]:
    """Return arrays for each repeat of the papers with a reference label, and their weights."""
    rows = np.array([i for i, key in enumerate(paper_ids) if facet.id in truth[key]], dtype=int)
    decisions = [truth[paper_ids[row]][facet.id] for row in rows]
    shape = (len(rows), len(facet.ids))
    known = [[name not in decision.unknown for name in facet.ids] for decision in decisions]
    known_flags = np.array(known, dtype=bool).reshape(shape)
    views = []
    for labels in rounds:
        answers = [labels[row].facets.get(facet.id, NO_LABELS) for row in rows]
        stated = [[each.probabilities.get(name, 0.0) for name in facet.ids] for each in answers]
        views.append(
            FacetView(
                _flags(facet, [decision.values for decision in decisions]),
                _flags(facet, [answer.categories for answer in answers]) & known_flags,
                known_flags,
                np.array(stated, dtype=np.float64).reshape(shape),
                _primaries(facet, decisions),
                _primaries(facet, answers),
                np.array([answer.status == "confident" for answer in answers], dtype=bool),
            )
        )
    return views, weights[:, rows]


def _facet_figure(
    facet: Facet, paper_ids: Sequence[str], truth: Decisions, rounds: Rounds, weights: Array
) -> FacetFigure | None:
    """Return the figure of another facet; None without reference labels in it."""
    views, own = _views(facet, paper_ids, truth, rounds, weights)
    n = own.shape[1]
    if not n:
        return None
    if facet.kind == "single":
        right = [_share(view.primary_is_right, view.judged, own) for view in views]
        return FacetFigure("accuracy", figure(_mean(right)), n)
    every = range(len(facet.ids))
    found = [micro_f1(tally(view.truth, view.given, own), every) for view in views]
    return FacetFigure("micro F1", figure(_mean(found)), n)


def _confusion(facet: Facet, view: FacetView) -> dict[str, dict[str, int]]:
    """Return true primary -> assigned primary -> number of papers, without unknown categories."""
    cells: dict[str, dict[str, int]] = {}
    counted = view.judged & (view.true_primary >= 0) & (view.given_primary >= 0)
    pairs = zip(view.true_primary[counted], view.given_primary[counted], strict=True)
    for true, given in sorted(pairs):
        row = cells.setdefault(facet.ids[true], {})
        row[facet.ids[given]] = row.get(facet.ids[given], 0) + 1
    return cells


def _share(right: Flags, counted: Flags, weights: Array) -> Array:
    """Return (b,): the weighted share of `right` among the `counted` papers."""
    return share(right[counted], weights[:, counted])


def _flags(facet: Facet, values: Sequence[Sequence[str]]) -> Flags:
    """Return (n, k): whether a paper has the top category or one of its children."""
    tops = [{facet.top_of(value) for value in row} for row in values]
    flags = [[name in row for name in facet.ids] for row in tops]
    return np.array(flags, dtype=bool).reshape(len(values), len(facet.ids))


def _primaries(
    facet: Facet, answers: Sequence[Decision] | Sequence[FacetLabels]
) -> NDArray[np.int64]:
    column = {name: index for index, name in enumerate(facet.ids)}
    return np.array([column.get(facet.top_of(a.primary), -1) for a in answers], dtype=np.int64)


def _mean(samples: Sequence[Array]) -> Array:
    """Return the mean over the repeats without nan."""
    return defined_mean(np.stack(samples), axis=0)
