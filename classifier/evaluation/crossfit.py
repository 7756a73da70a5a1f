"""Which decisions quality is measured on: those on papers that were drawn at random.

A queue draws what is hard and volunteers what they like, so figures from their papers say nothing
of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from classifier.evaluation.audit import MIN_AUDITED, AuditEstimate
from classifier.evaluation.metrics import (
    Array,
    brier_score,
    expected_calibration_error,
    figure,
    macro_f1,
    resample_weights,
    share,
    tally,
)
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.decide import MIN_CHECKED, NO_CUT, chosen
from classifier.labelling.facet_model import CrossFit
from classifier.labelling.labels import IMPORTED, QUEUE, Decisions
from classifier.labelling.stated_facet import AnyFacetModel

AUDIT = "audit"
"""`drawn_by` of a decision on a paper that was drawn at random."""


def audited_papers(decisions: Decisions, facet_id: str) -> frozenset[str]:
    """Return the papers whose decision in a facet was drawn at random."""
    return frozenset(
        paper_id
        for paper_id, decided in decisions.items()
        if facet_id in decided and decided[facet_id].drawn_by == AUDIT
    )


def measured_papers(
    paper_ids: Collection[str], decisions: Decisions, facet_id: str
) -> tuple[frozenset[str], bool]:
    """Return those of the papers on which a facet is measured, and whether they are audited ones.

    They are once there are MIN_AUDITED of them; until then all are taken.
    """
    audited = audited_papers(decisions, facet_id) & frozenset(paper_ids)
    enough = len(audited) >= MIN_AUDITED
    return (audited if enough else frozenset(paper_ids)), enough


def audit_estimates(
    models: Mapping[str, AnyFacetModel], decisions: Decisions
) -> list[AuditEstimate]:
    """Return an estimate for each facet, in the order of the taxonomy, from its audited papers.

    It holds for papers like those that the audit was drawn from: all that nobody had reviewed then.
    If the queue has taken the hardest since, the rest is better than it says. Facets that may be
    unstated learn nothing and are not cross-fitted: of them there is none.
    """
    found = []
    for facet_id, model in models.items():
        if model.facet.may_be_unstated:
            continue
        fit, audited = model.cross_fit_, audited_papers(decisions, facet_id)
        right = fit.primary.argmax(axis=1) == fit.filed.argmax(axis=1)
        hits = sum(right[row] for row, key in enumerate(fit.paper_ids) if key in audited)
        found.append(AuditEstimate(facet_id, len(audited), int(hits)))
    return found


Metrics = dict[str, object]


def build_metrics(classifier: TaxonomyClassifier, decisions: Decisions) -> Metrics:
    """Return the content of metrics.json: per facet the cross-fitted figures, rounded.

    decisions: those that it learned from. Measured are the audited papers alone once there
    are enough (`measured_papers`); `measured_on` says which.

    The thresholds are learned from the same cross-fits, so the figures flatter a little; `evaluate`
    gives nested ones.
    """
    return {
        "kind": "cross-fitted in the build; `fieldguide evaluate` gives nested figures",
        "prior_papers": len(classifier.prior.papers) if classifier.prior else 0,
        "facets": {
            facet_id: _facet_metrics(model, decisions)
            for facet_id, model in classifier.models_.items()
            if not model.facet.may_be_unstated  # nothing is learned that could be cross-fitted
        },
    }


def _facet_metrics(model: AnyFacetModel, decisions: Decisions) -> Metrics:
    fit, facet = model.cross_fit_, model.facet
    if not len(fit.filed):
        return {"decided": 0, **_border(model, 0)}
    measured, audited = measured_papers(fit.paper_ids, decisions, facet.id)
    rows = [row for row, paper_id in enumerate(fit.paper_ids) if paper_id in measured]
    right = (fit.primary.argmax(axis=1) == fit.filed.argmax(axis=1))[rows]
    sure = fit.sure[rows]
    weights = resample_weights(len(rows))
    samples = {
        "primary_accuracy": share(right, weights),
        "confident_share": share(sure, weights),
        "confident_accuracy": share(right[sure], weights[:, sure]),
    }
    figures: Metrics = {
        "decided": len(fit.filed),
        "measured_on": "audited papers" if audited else _whose(fit, decisions, facet.id),
        "measured": len(rows),
        "primary_accuracy": _rounded(samples["primary_accuracy"][0]),
        **_border(
            model,
            sum(decisions[paper_id][facet.id].drawn_by != QUEUE for paper_id in fit.paper_ids),
        ),
        "confident_papers": int(sure.sum()),
        "confident_share": _rounded(samples["confident_share"][0]),
        "confident_accuracy": _rounded(samples["confident_accuracy"][0]),
    }
    if facet.kind == "multi":
        figures |= _topic_metrics(model, rows, weights, samples)
    intervals = {name: figure(each) for name, each in samples.items()}
    return {
        **figures,
        "intervals": {name: [_rounded(f.low), _rounded(f.high)] for name, f in intervals.items()},
    }


def _border(model: AnyFacetModel, checks: int) -> Metrics:
    """Return the confidence from which labels are confident; if none is, what is missing.

    checks: number of decisions on papers that the review queue did not draw.
    """
    if model.cut_ < NO_CUT:
        return {"confidence_cut": _rounded(model.cut_)}
    missing = max(0, MIN_CHECKED - checks)
    return {"confidence_cut": None, "confidence_checks": checks, "checks_missing": missing}


def _whose(fit: CrossFit, decisions: Decisions, facet_id: str) -> str:
    """Return whose decisions are measured against, and whether a queue drew all of them."""
    told = [decisions.get(paper_id, {}).get(facet_id) for paper_id in fit.paper_ids]
    imported = {decision.reviewer == IMPORTED for decision in told if decision}
    if all(decision.drawn_by == QUEUE for decision in told if decision):
        return "papers of the queue"
    if imported == {True}:
        return "imported papers"
    return "decided and imported papers" if imported == {True, False} else "all decided papers"


def _topic_metrics(
    model: AnyFacetModel, rows: Sequence[int], weights: Array, samples: dict[str, Array]
) -> Metrics:
    """Return the figures over categories; the (b,) samples of means are added to `samples`."""
    facet, fit = model.facet, model.cross_fit_
    applies, probabilities = fit.applies[rows], fit.probabilities[rows]
    known, truth = ~np.isnan(applies), applies > 0.5
    given = np.zeros_like(known)
    primary = fit.primary[rows].argmax(axis=1).tolist()
    for row, columns in enumerate(chosen(facet, probabilities, model.thresholds_, primary)):
        given[row, columns] = True
    counts = tally(truth, given & known, weights)
    scoped = [k for k, top in enumerate(facet.tops) if not top.out_of_scope]
    core = [k for k in scoped if facet.tops[k].core]
    samples["mean_f1"] = macro_f1(counts, scoped)
    if core:
        samples["core_f1"] = macro_f1(counts, core)
    once = np.ones((1, len(truth)))
    stated = truth[:, scoped], probabilities[:, scoped], once, known[:, scoped]
    return {
        "mean_f1": _rounded(samples["mean_f1"][0]),
        "core_f1": _rounded(samples["core_f1"][0]) if core else None,
        "categories_counted": int((truth[:, scoped].sum(axis=0) > 0).sum()),
        "ece": _rounded(expected_calibration_error(*stated)[0]),
        "brier": _rounded(brier_score(*stated)[0]),
        "categories": {
            category_id: {
                "f1": _rounded(counts.f1[0, k]),
                "support": int(truth[:, k].sum()),
                "threshold": _rounded(model.thresholds_[k]),
            }
            for k, category_id in enumerate(model.ids)
        },
    }


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 3)
