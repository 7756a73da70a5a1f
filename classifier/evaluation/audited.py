"""Which decisions quality is measured on: those on papers that were drawn at random.

A queue draws what is hard and volunteers what they like, so figures from their papers say nothing
of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scipy.stats import binomtest

from classifier.labelling.facet_model import FacetModel
from classifier.labelling.labels import Decisions

AUDIT = "audit"
"""`drawn_by` of a decision on a paper that was drawn at random."""
LEAST_AUDITED = 30
"""Audited papers from which on quality is measured on them alone."""


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

    They are once there are LEAST_AUDITED of them; until then all are taken.
    """
    audited = audited_papers(decisions, facet_id) & frozenset(paper_ids)
    enough = len(audited) >= LEAST_AUDITED
    return (audited if enough else frozenset(paper_ids)), enough


QUEUE = "queue"
"""`drawn_by` of a decision on a paper that was drawn as one of the most worth it."""
RECENT = 20
"""The newest reviews of which it is told how often they changed a label."""


@dataclass(frozen=True, slots=True)
class AuditEstimate:
    """How often the classifier is right on papers drawn at random, one facet."""

    facet: str
    audited: int
    right: int
    """Of these, how many the classifier files as decided, not having seen the decision."""

    @property
    def missing(self) -> int:
        """How many more papers must be audited before there is an estimate."""
        return max(0, LEAST_AUDITED - self.audited)

    @property
    def accuracy(self) -> float:
        """The share that is right, 0 to 1."""
        return self.right / self.audited

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the accuracy (Wilson, "Probable inference", JASA 22, 1927)."""
        found = binomtest(self.right, self.audited).proportion_ci(method="wilson")
        return float(found.low), float(found.high)


def audit_estimates(models: Mapping[str, FacetModel], decisions: Decisions) -> list[AuditEstimate]:
    """Return an estimate for each facet, in the order of the taxonomy, from its audited papers.

    It holds for papers like those that the audit was drawn from: all that nobody had reviewed then.
    If the queue has taken the hardest since, the rest is better than it says. Facets that may be
    unstated learn nothing and are not cross-fitted: of them there is none.
    """
    found = []
    for facet_id, model in models.items():
        if model.facet.may_be_unstated:
            continue
        right, audited = _hits(model), audited_papers(decisions, facet_id)
        hits = sum(right.get(paper_id, False) for paper_id in audited)
        found.append(AuditEstimate(facet_id, len(audited), hits))
    return found


def recent_hits(model: FacetModel, decisions: Decisions) -> list[bool]:
    """Return, for the newest RECENT decisions of the queue, whether the classifier agrees.

    It had not seen the decision. While it is often wrong there, more reviews teach it something.
    """
    facet_id, right = model.facet.id, _hits(model)
    drawn = [key for key in right if decisions[key][facet_id].drawn_by == QUEUE]
    drawn.sort(key=lambda key: (decisions[key][facet_id].reviewed_on, key))
    return [right[key] for key in drawn[-RECENT:]]


def _hits(model: FacetModel) -> dict[str, bool]:
    """Return paper id -> whether the cross-fit files it as it was decided."""
    fit = model.cross_fit_
    right = fit.primary.argmax(axis=1) == fit.filed.argmax(axis=1)
    return dict(zip(fit.paper_ids, right.tolist(), strict=True))
