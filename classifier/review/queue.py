"""A paper drawn for review."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.decide import MIN_CHECKED
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.review.sheet import Draw
from classifier.taxonomy.model import Facet, Taxonomy


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
    """Return the decisions worth a second look, the likeliest errors first, one a paper and facet.

    From the cross-fits. The classifier must be as sure of the other category as it is, on average,
    of papers that people file there: the threshold of confident learning (Northcutt, Jiang &
    Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 70, 2021), and SURE
    at least: of hard papers, which reviewers are given first, that mean is low. Nothing under
    MIN_CHECKED decisions. confirmed: (paper id, facet) that people looked at twice.
    """
    found = [
        doubt
        for facet_id, model in models.items()
        for doubt in _doubts(facet_id, model, decisions)
        if (doubt.paper_id, facet_id) not in confirmed
    ]
    return sorted(found, key=lambda doubt: (-doubt.margin, doubt.paper_id, doubt.facet))


SURE = 0.8
"""The probability of another category from which a person's decision is worth a second look."""


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
        if probability >= max(usual[column], SURE):
            margin = probability - float(fit.primary[row] @ fit.filed[row])
            names = decision.primary, model.ids[column]
            yield DoubtfulDecision(paper_id, facet_id, *names, margin, decision.reviewer)


Array = NDArray[np.float64]

FURTHER_FACET = 0.25
"""What doubt in a further facet counts beside doubt in the first."""
MOST_AGAIN = 0.25
"""The share of a draw that doubtful decisions take at most, and as much for new categories."""
_EVEN = 0.2
"""A second category that is at least so likely is named beside the first."""


def review_queue(
    classifier: TaxonomyClassifier,
    labels: Sequence[PaperLabels],
    decisions: Decisions,
    *,
    most: int | None = None,
    again: Sequence[tuple[str, str]] = (),
    confirmed: Collection[tuple[str, str]] = (),
) -> list[Draw]:
    """Return what to review next of the papers of `labels`: at most `most`, all for None.

    First decisions worth a second look (`doubtful_decisions`), then those of `again` (paper id
    and reason: decisions that a change of the taxonomy has overtaken), each a quarter of the draw
    at most; then papers without a decision in the first facet, by `uncertainty` in all facets;
    where these run out, the rest of `again`. confirmed: (paper id, facet) that people looked at
    twice. The order of papers does not matter.
    """
    known = {label.paper_id for label in labels}
    size = len(labels) if most is None else most
    share = max(1, int(size * MOST_AGAIN))
    doubts = doubtful_decisions(classifier.models_, decisions, confirmed)
    told = (
        (
            doubt.paper_id,
            f"the classifier disagrees with {doubt.reviewer or 'a reviewer'}: {doubt.said}, not "
            f"{doubt.decided}",
        )
        for doubt in doubts
    )
    errors = _first_reasons(told, known, share)
    drawn = errors | _first_reasons(again, known - errors.keys(), share)
    draws = [Draw(paper_id, why) for paper_id, why in drawn.items()]
    others = [label for label in labels if label.paper_id not in drawn]
    draws += _unreviewed(classifier.taxonomy, others, decisions, max(0, size - len(draws)))
    left = known - {draw.paper_id for draw in draws}
    rest = _first_reasons(again, left, max(0, size - len(draws)))
    draws += [Draw(paper_id, why) for paper_id, why in rest.items()]
    return draws[:size]


def _unreviewed(
    taxonomy: Taxonomy, labels: Sequence[PaperLabels], decisions: Decisions, most: int
) -> Iterator[Draw]:
    """Yield papers on whose first facet nobody has decided, the most worth first."""
    first = taxonomy.first.id
    chosen = [label for label in labels if first not in decisions.get(label.paper_id, {})]
    chosen.sort(key=lambda label: label.paper_id)
    worth = np.round(review_worth(taxonomy, chosen, decisions), 9)  # the last digits decide nothing
    for place in np.argsort(-worth, kind="stable")[:most]:
        yield Draw(chosen[place].paper_id, doubt_text(taxonomy, chosen[place]))


def review_worth(taxonomy: Taxonomy, labels: Sequence[PaperLabels], decisions: Decisions) -> Array:
    """Return (n,) what a review of each paper is worth: its doubt in all facets undecided.

    Facets that may be unstated learn nothing from reviews, so that they draw none.
    """
    worth = np.zeros(len(labels))
    for facet_id, facet in taxonomy.facets.items():
        if facet.may_be_unstated:
            continue
        probabilities = np.zeros((len(labels), len(facet.ids)))
        for row, label in enumerate(labels):
            found = label.facets.get(facet_id)
            if found is not None and facet_id not in decisions.get(label.paper_id, {}):
                probabilities[row] = [found.probabilities.get(name, 0.0) for name in facet.ids]
        weight = 1.0 if facet is taxonomy.first else FURTHER_FACET
        worth += weight * uncertainty(probabilities, decided_counts(facet, decisions))
    return worth


def decided_counts(facet: Facet, decisions: Decisions) -> Array:
    """Return (k,): how many papers people decided each top category for."""
    counts = np.zeros(len(facet.ids))
    for decided in decisions.values():
        decision = decided.get(facet.id)
        if decision is not None:
            counts += [name in decision.values for name in facet.ids]
    return counts


def uncertainty(probabilities: Array, counts: Array) -> Array:
    """Return (n,) sum over categories of 4 p (1 - p) / sqrt(1 + decided papers of the category).

    The variance of each yes-or-no (uncertainty sampling; Lewis & Gale, "A sequential algorithm for
    training text classifiers", SIGIR 1994); what is decided often needs no further example as much.
    probabilities: (n, k); counts: (k,).
    """
    return np.asarray((4 * probabilities * (1 - probabilities)) @ (1 / np.sqrt(1 + counts)))


def doubt_text(taxonomy: Taxonomy, labels: PaperLabels) -> str:
    """Return what the classifier is unsure of, of the facet in which it is so most."""
    doubts = {
        facet_id: max((p * (1 - p) for p in found.probabilities.values()), default=0.0)
        * (1.0 if facet_id == taxonomy.first.id else FURTHER_FACET)
        for facet_id, found in labels.facets.items()
        if not taxonomy.facet(facet_id).may_be_unstated
    }
    facet_id = max(doubts, key=lambda name: (doubts[name], name == taxonomy.first.id))
    where = "" if facet_id == taxonomy.first.id else f"{facet_id}: "
    found = labels.facets[facet_id]
    return where + doubt_of(found.primary, found.probabilities)


def _first_reasons(
    reasons: Iterable[tuple[str, str]], known: Collection[str], most: int
) -> dict[str, str]:
    """Return the first `most` of the `known` papers with the first reason of each, in order."""
    found: dict[str, str] = {}
    for paper_id, why in reasons:
        if paper_id in known and len(found) < most:
            found.setdefault(paper_id, why)
    return found


def doubt_of(primary: str, probabilities: Mapping[str, float]) -> str:
    """Return in words what is unsure of a paper that is filed under `primary`.

    probabilities: category -> how likely it applies, 0 to 1.
    """
    likeliest = sorted(probabilities, key=lambda name: (-probabilities[name], name))[:2]
    if len(likeliest) > 1 and probabilities[likeliest[1]] >= _EVEN:
        return f"unsure between {likeliest[0]} and {likeliest[1]}"
    if likeliest[:1] == [primary]:
        return f"little speaks for {primary}"
    return f"unsure: is it {likeliest[0] if likeliest else primary}?"
