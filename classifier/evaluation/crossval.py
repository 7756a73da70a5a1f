"""Scoring the classifier on papers that it has not learned from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from classifier.corpus.paper import Paper
from classifier.errors import UsageError
from classifier.evaluation.held_out import HeldOut, LearningMaterial, without_exemplars
from classifier.evaluation.outcome import Evaluation, Setup
from classifier.evaluation.scoring import score
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.folds import assign_folds
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.taxonomy.model import Facet, Taxonomy

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many parts are done, and how many there are."""

Folds = NDArray[np.int64]
"""(n,): the fold in which each scored paper is under test."""


class Classifier(Protocol):
    """What is asked of a classifier that is evaluated."""

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> object:  # noqa: N803
        """Learn from papers and the decisions on some of them."""

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        """Return the labels of each paper, in order."""


def evaluate(
    taxonomy: Taxonomy,
    pool: Sequence[Paper],
    scored: Sequence[Paper],
    truth: Decisions,
    train: LearningMaterial | None = None,
    *,
    folds: int = 5,
    repeats: int = 1,
    unmatched: Sequence[str] = (),
    make_classifier: Callable[[Taxonomy], Classifier] = TaxonomyClassifier,
    progress: Progress | None = None,
) -> Evaluation:
    """Score the classifier on those `scored` papers that have `truth` (paper id -> facet -> it).

    It learns from the decisions of `train` and, without labels, from the papers of the project
    (`pool`), but never from a paper while that is scored. Where no scored paper is among the
    decided ones of `train`, one fit labels all; where some are, all are labelled fold by fold,
    `repeats` times over. Without `train` it is the taxonomy alone that is scored. The order of
    papers does not matter. `unmatched` (titles with truth but without a paper) is only reported.

    Raises UsageError where there is nothing to score or nothing left to learn from.
    """
    papers = sorted((paper for paper in scored if truth.get(paper.id)), key=lambda p: p.id)
    _check(papers, folds, repeats)
    held_out = HeldOut(papers, pool, train or LearningMaterial())
    deals = _deal(taxonomy.first, papers, truth, folds, repeats if held_out.is_crossed else 0)
    fits = [(deal, fold) for deal in deals for fold in range(int(deal.max()) + 1)]
    labels: list[list[PaperLabels]] = []
    for number, (deal, fold) in enumerate(fits):
        if progress:
            progress("Evaluating", number, len(fits))
        rows = np.flatnonzero(deal == fold)
        labels.append(_label_held_out(taxonomy, held_out, rows, make_classifier))
    if progress:
        progress("Evaluating", len(fits), len(fits))
    rounds = _rounds(papers, deals, [label for part in labels for label in part])
    setup = _setup(held_out, deals, unmatched)
    return score(taxonomy, [paper.id for paper in papers], truth, rounds, setup)


def _check(papers: Sequence[Paper], folds: int, repeats: int) -> None:
    if not papers:
        raise UsageError(
            "Nothing to score: no paper has truth. Review some papers, or name a gold file "
            "whose titles are among the papers with --gold."
        )
    if folds < 2:
        raise UsageError(f"--folds {folds}: at least 2 are needed.")
    if repeats < 1:
        raise UsageError(f"--repeats {repeats}: at least 1 is needed.")


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


def _label_held_out(
    taxonomy: Taxonomy,
    held_out: HeldOut,
    rows: Folds,
    make_classifier: Callable[[Taxonomy], Classifier],
) -> list[PaperLabels]:
    """Label the scored papers of some rows with a classifier that has never met them."""
    material = held_out.without(rows)
    if not material.papers:
        raise UsageError(
            "Nothing left to learn from: every paper of the project is scored. Add papers to the "
            "project, or score fewer."
        )
    classifier = make_classifier(without_exemplars(taxonomy, held_out.title_keys(rows)))
    classifier.fit(material.papers, material.decisions)
    return classifier.predict([held_out.scored[row] for row in rows])


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


def _setup(held_out: HeldOut, deals: Sequence[Folds], unmatched: Sequence[str]) -> Setup:
    every_row = np.arange(len(held_out.scored))
    crossed = held_out.is_crossed
    material = held_out.material if crossed else held_out.without(every_row)
    decided = len(material.decided())
    return Setup(
        n=len(held_out.scored),
        folds=int(deals[0].max()) + 1,
        repeats=len(deals),
        trained_on=decided,
        unlabelled=len(material.papers) - decided,
        unmatched=tuple(unmatched),
    )
