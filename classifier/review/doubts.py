"""Decisions that are probably slips: a classifier that had not seen them is sure otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from classifier.labelling.decide import MIN_CHECKED
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.labels import Decisions


@dataclass(frozen=True, slots=True)
class DoubtfulDecision:
    """A decision that the classifier contradicts."""

    paper_id: str
    facet: str
    decided: str
    """Where a person filed the paper."""
    said: str
    """Where the classifier files it; not among the decided categories at all."""
    margin: float
    """How much likelier the classifier holds `said` than `decided`, 0 to 1."""
    reviewer: str


def doubtful_decisions(
    models: Mapping[str, FacetModel],
    decisions: Decisions,
    confirmed: Collection[tuple[str, str]] = (),
) -> list[DoubtfulDecision]:
    """Return the decisions that are probably errors, the likeliest first, one a paper and facet.

    From the cross-fits. The classifier must be as sure of the other category as it is, on average,
    of papers that people file there: the threshold of confident learning (Northcutt, Jiang &
    Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 70, 2021). Nothing
    under MIN_CHECKED decisions. confirmed: (paper id, facet) that people looked at twice.
    """
    found = [
        doubt
        for facet_id, model in models.items()
        for doubt in _doubts(facet_id, model, decisions)
        if (doubt.paper_id, facet_id) not in confirmed
    ]
    return sorted(found, key=lambda doubt: (-doubt.margin, doubt.paper_id, doubt.facet))


def _doubts(facet_id: str, model: FacetModel, decisions: Decisions) -> Iterator[DoubtfulDecision]:
    fit = model.cross_fit_
    if len(fit.paper_ids) < MIN_CHECKED:
        return
    filed = fit.filed.sum(axis=0)
    # Of a category that nobody files under, nothing tells how sure is sure.
    usual = np.where(filed > 0, (fit.primary * fit.filed).sum(axis=0) / np.maximum(filed, 1), 2.0)
    said = fit.primary.argmax(axis=1)
    for row, paper_id in enumerate(fit.paper_ids):
        decision = decisions.get(paper_id, {}).get(facet_id)
        column = int(said[row])
        if decision is None or model.ids[column] in (*decision.values, *decision.unknown):
            continue
        probability = float(fit.primary[row, column])
        if probability >= usual[column]:
            margin = probability - float(fit.primary[row] @ fit.filed[row])
            names = decision.primary, model.ids[column]
            yield DoubtfulDecision(paper_id, facet_id, *names, margin, decision.reviewer)
