"""Cross-validation: score a classifier on papers from which it did not learn.

A scored paper is never used for training: neither as a decision, an exemplar or an unlabelled
paper, nor in another version (see `held_out`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classifier.errors import UsageError
from classifier.evaluation.held_out import HeldOut, TrainingMaterial, without_exemplars
from classifier.evaluation.outcome import Evaluation, Setup
from classifier.evaluation.scoring import LabelRuns, compute_scores
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.labelling.prior import Prior
from classifier.labelling.training_data import MAX_PAPERS, assign_folds, training_papers
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.taxonomy.model import Facet, Taxonomy

Folds = NDArray[np.int64]
"""(n,) the fold of each scored paper, from 0."""


def cross_validate(
    taxonomy: Taxonomy,
    pool: Sequence[Paper],
    scored: Sequence[Paper],
    truth: Decisions,
    train: TrainingMaterial | None = None,
    *,
    folds: int = 5,
    repeats: int = 1,
    prior: Prior | None = None,
    unmatched_titles: Sequence[str] = (),
    n_in_prior: int = 0,
    make_classifier: Callable[..., Any] = TaxonomyClassifier,
    progress: Progress | None = None,
) -> Evaluation:
    """Score a classifier on those papers in `scored` that have reference labels.

    The classifier learns from the decisions in `train` and, without labels, from the papers of the
    project (`pool`), but never from the papers that are being scored. If `train` has no decision on
    a scored paper, one model labels all papers. Otherwise papers are labelled fold by fold,
    `repeats` times, each time with different folds. The order of papers does not matter.

    truth: reference labels by paper id and facet id. unmatched_titles: titles of reference labels
    without a paper (only reported). n_in_prior: number of papers left out because the prior learned
    from them (only reported). make_classifier: called with the taxonomy, and with `prior` if there
    is one. Raises UsageError if no paper can be scored.
    """
    papers = sorted((p for p in scored if truth.get(p.id)), key=lambda paper: paper.id)
    if not papers:
        raise UsageError(
            "Nothing to score: none of the papers has a reference label. Review some papers, or "
            "choose a gold file with titles of these papers: --gold FILE."
        )
    held_out = HeldOut(papers, pool, train or TrainingMaterial())
    if held_out.needs_folds:
        runs = _stratified_folds(taxonomy.first, papers, truth, folds, repeats)
    else:
        runs = [np.zeros(len(papers), dtype=np.int64)]
    labels = _label_runs(taxonomy, papers, held_out, runs, prior, make_classifier, progress)
    n_folds = int(runs[0].max()) + 1  # 1 if there is one scored paper, even if it is decided
    material = held_out.material
    if n_folds == 1:
        material = held_out.without_papers(np.arange(len(papers)))
    n_decided = len(material.decisions)
    learned = training_papers(material.papers, material.decisions, taxonomy, MAX_PAPERS)
    setup = Setup(
        n=len(papers),
        folds=n_folds,
        repeats=len(runs),
        trained_on=n_decided,
        unlabelled=len(learned) - n_decided,
        unmatched=tuple(unmatched_titles),
        in_prior=None if prior is None else n_in_prior,
    )
    return compute_scores(taxonomy, [paper.id for paper in papers], truth, labels, setup)


def _stratified_folds(
    facet: Facet, papers: Sequence[Paper], truth: Decisions, folds: int, repeats: int
) -> list[Folds]:
    """Return the folds of the papers for each repeat, stratified by the true primary."""
    decisions = [truth[paper.id].get(facet.id) for paper in papers]
    primaries = [decision.primary if decision else "" for decision in decisions]
    column = {primary: position for position, primary in enumerate(sorted(set(primaries)))}
    strata = np.array([column[primary] for primary in primaries], dtype=np.int64)
    ids = [paper.id for paper in papers]
    return [
        assign_folds(ids, strata, min(folds, len(ids)), salt=f"{repeat}:")
        for repeat in range(repeats)
    ]


def _label_runs(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    held_out_papers: HeldOut,
    runs: Sequence[Folds],
    prior: Prior | None,
    make_classifier: Callable[..., Any],
    progress: Progress | None,
) -> LabelRuns:
    """Return the labels of the papers in each run, from models that did not learn from them."""
    options = {} if prior is None else {"prior": prior}
    n_fits, done = sum(int(run.max()) + 1 for run in runs), 0
    labels: list[list[PaperLabels]] = []
    for run in runs:
        by_row: dict[int, PaperLabels] = {}
        for fold in range(int(run.max()) + 1):
            report(progress, "Evaluating", done, n_fits)
            rows = np.flatnonzero(run == fold)
            material = held_out_papers.without_papers(rows)
            fold_taxonomy = without_exemplars(taxonomy, held_out_papers.title_keys(rows))
            classifier = make_classifier(fold_taxonomy, **options)
            classifier.fit(material.papers, material.decisions)
            fold_labels = classifier.label([papers[row] for row in rows.tolist()])
            by_row.update(zip(rows.tolist(), fold_labels, strict=True))
            done += 1
        labels.append([by_row[row] for row in range(len(papers))])
    report(progress, "Evaluating", n_fits, n_fits)
    return labels
