"""Measure a build's labels with cross-fits: models predict papers from whose decisions they did not
learn.

Quality is measured on papers that were sampled at random, once there are enough of them. The review
queue prefers difficult papers, and volunteers choose papers that they like, so metrics on such
papers are not valid for other papers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classifier.evaluation.audit import MIN_AUDITED, AuditEstimate
from classifier.evaluation.label_metrics import (
    CategoryMetrics,
    FacetMetrics,
    Interval,
    LabelMetrics,
)
from classifier.evaluation.metrics import (
    Array,
    Flags,
    brier_score,
    estimate,
    expected_calibration_error,
    macro_f1,
    resample_weights,
    tally,
    weighted_share,
)
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.decide import MIN_CHECKED, NO_CUT, assign_columns
from classifier.labelling.labels import IMPORTED, QUEUE, Decisions
from classifier.labelling.scores import CrossFit
from classifier.labelling.stated_facet import AnyFacetModel

AUDIT = "audit"
"""`drawn_by` of a decision on a paper that was sampled at random."""


def audited_papers(decisions: Decisions, facet_id: str) -> frozenset[str]:
    """Return the ids of the papers that were sampled at random and decided in a facet."""
    return frozenset(
        paper_id
        for paper_id, by_facet in decisions.items()
        if facet_id in by_facet and by_facet[facet_id].drawn_by == AUDIT
    )


def measured_papers(
    paper_ids: Collection[str], decisions: Decisions, facet_id: str
) -> tuple[frozenset[str], bool]:
    """Return the papers on which a facet is measured, and whether they are audited papers.

    These are the audited papers among `paper_ids` if there are at least MIN_AUDITED, else all.
    """
    audited = audited_papers(decisions, facet_id) & frozenset(paper_ids)
    if len(audited) >= MIN_AUDITED:
        return audited, True
    return frozenset(paper_ids), False


def audit_estimates(
    models: Mapping[str, AnyFacetModel], decisions: Decisions
) -> list[AuditEstimate]:
    """Return the accuracy of each learned facet on audited papers, in the order of the taxonomy.

    The estimate is valid for the papers from which the audit was sampled: all papers that were not
    reviewed at that time. If the queue has since taken the most difficult of them, the accuracy of
    the others is higher. Facets that papers may leave unstated are not learned, so they have no
    estimate.
    """
    estimates = []
    for facet_id, model in models.items():
        if model.facet.may_be_unstated:
            continue
        fit, audited = model.cross_fit_, audited_papers(decisions, facet_id)
        right = _is_right(fit)
        n_right = sum(right[row] for row, key in enumerate(fit.paper_ids) if key in audited)
        estimates.append(AuditEstimate(facet_id, len(audited), int(n_right)))
    return estimates


def build_metrics(classifier: TaxonomyClassifier, decisions: Decisions) -> LabelMetrics:
    """Return the cross-fitted metrics of a fitted classifier, rounded to three digits.

    decisions: the decisions from which the classifier learned. Only the papers in `measured_papers`
    are used. Thresholds are learned from the same cross-fits, so the metrics are slightly too high;
    the metrics of `evaluate` are nested.
    """
    facets = {
        facet_id: _facet_metrics(model, decisions)
        for facet_id, model in classifier.models_.items()
        if not model.facet.may_be_unstated  # not learned, so not cross-fitted
    }
    return LabelMetrics(facets, len(classifier.prior.papers) if classifier.prior else 0)


def _facet_metrics(model: AnyFacetModel, decisions: Decisions) -> FacetMetrics:
    fit, facet = model.cross_fit_, model.facet
    cut = _round_or_none(model.cut_) if model.cut_ < NO_CUT else None
    if not len(fit.filed):
        return FacetMetrics(confidence_cut=cut, checks_missing=MIN_CHECKED)
    checks = sum(decisions[paper_id][facet.id].drawn_by != QUEUE for paper_id in fit.paper_ids)
    measured, is_audited = measured_papers(fit.paper_ids, decisions, facet.id)
    rows = [row for row, paper_id in enumerate(fit.paper_ids) if paper_id in measured]
    right, confident = _is_right(fit)[rows], fit.sure[rows]
    weights = resample_weights(len(rows))
    samples = {
        "primary_accuracy": weighted_share(right, weights),
        "confident_share": weighted_share(confident, weights),
        "confident_accuracy": weighted_share(right[confident], weights[:, confident]),
    }
    of_topics: dict[str, Any] = {}
    if facet.kind == "multi":
        of_topics, samples_of_topics = _topic_metrics(model, rows, weights)
        samples |= samples_of_topics
    values: dict[str, Any] = {name: _round_or_none(each[0]) for name, each in samples.items()}
    values |= of_topics
    return FacetMetrics(
        decided=len(fit.filed),
        measured_on="audited papers" if is_audited else _decision_source(fit, decisions, facet.id),
        measured=len(rows),
        confidence_cut=cut,
        confidence_checks=checks,
        checks_missing=max(0, MIN_CHECKED - checks),
        confident_papers=int(confident.sum()),
        **values,
        intervals={name: _rounded_interval(each) for name, each in samples.items()},
    )


def _is_right(fit: CrossFit) -> Flags:
    """Return (m,) whether the predicted primary is the decided primary."""
    return np.asarray(fit.primary.argmax(axis=1) == fit.filed.argmax(axis=1))


def _decision_source(fit: CrossFit, decisions: Decisions, facet_id: str) -> str:
    """Return the kind of papers that were decided: reviewed, imported or from the queue."""
    by_paper = [decisions.get(paper_id, {}).get(facet_id) for paper_id in fit.paper_ids]
    known = [decision for decision in by_paper if decision]
    is_imported = {decision.reviewer == IMPORTED for decision in known}
    if all(decision.drawn_by == QUEUE for decision in known):
        return "papers of the queue"
    if is_imported == {True}:
        return "imported papers"
    if is_imported == {True, False}:
        return "decided and imported papers"
    return "all decided papers"


def _topic_metrics(
    model: AnyFacetModel, rows: Sequence[int], weights: Array
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return fields of FacetMetrics of a facet with several categories per paper, and samples.

    rows: (n,) rows in the cross-fit. weights: (b, n) weights from `resample_weights`. The samples
    have (b,) values by field.
    """
    facet, fit = model.facet, model.cross_fit_
    applies, probabilities = fit.applies[rows], fit.probabilities[rows]
    known, truth = ~np.isnan(applies), applies > 0.5
    counts = tally(truth, _assigned_categories(model, rows) & known, weights)
    scope = [k for k, top in enumerate(facet.tops) if not top.out_of_scope]
    core = [k for k in scope if facet.tops[k].core]
    samples = {"mean_f1": macro_f1(counts, scope)}
    if core:
        samples["core_f1"] = macro_f1(counts, core)
    scoped = truth[:, scope], probabilities[:, scope], np.ones((1, len(rows))), known[:, scope]
    fields = {
        "categories_counted": int((truth[:, scope].sum(axis=0) > 0).sum()),
        "ece": _round_or_none(expected_calibration_error(*scoped)[0]),
        "brier": _round_or_none(brier_score(*scoped)[0]),
        "categories": {
            category_id: CategoryMetrics(
                f1=_round_or_none(counts.f1[0, k]),
                support=int(truth[:, k].sum()),
                threshold=round(float(model.thresholds_[k]), 3),
            )
            for k, category_id in enumerate(model.ids)
        },
    }
    return fields, samples


def _assigned_categories(model: AnyFacetModel, rows: Sequence[int]) -> NDArray[np.bool_]:
    """Return (n, k) whether the cross-fitted model assigns the category to the paper."""
    fit = model.cross_fit_
    assigned = np.zeros((len(rows), len(model.ids)), dtype=bool)
    primary = fit.primary[rows].argmax(axis=1).tolist()
    by_row = assign_columns(model.facet, fit.probabilities[rows], model.thresholds_, primary)
    for row, columns in enumerate(by_row):
        assigned[row, columns] = True
    return assigned


def _rounded_interval(samples: Array) -> Interval:
    summary = estimate(samples)
    return _round_or_none(summary.low), _round_or_none(summary.high)


def _round_or_none(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 3)
