"""The metrics of a build's labels, and their form in metrics.json.

This module imports no library, so that an unchanged build can read its cached metrics quickly.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field

_KIND = "cross-fitted in the build; `fieldguide evaluate` gives nested figures"

Interval = tuple[float | None, float | None]
"""Lower and upper end of a 95 % bootstrap interval; None if the measure is undefined."""


@dataclass(frozen=True, slots=True)
class CategoryMetrics:
    """Cross-fitted metrics of one top category."""

    f1: float | None
    """F1 of "the category applies"; None if no measured paper has the category."""
    support: int
    """Number of measured papers that have the category."""
    threshold: float
    """Probability from which the category is assigned."""


@dataclass(frozen=True, slots=True)
class FacetMetrics:
    """Cross-fitted metrics of one facet. Shares are from 0 to 1; None means undefined."""

    decided: int = 0
    """Number of decided papers. Without any, only `confidence_cut` and its checks are written."""
    measured_on: str = ""
    """The kind of papers that are measured, such as `audited papers`."""
    measured: int = 0
    """Number of measured papers: the audited papers if there are enough, else all decided ones."""
    primary_accuracy: float | None = None
    """Share of the measured papers whose predicted primary is the decided one."""
    confidence_cut: float | None = None
    """Confidence from which a label is `confident`; None if no label is."""
    confidence_checks: int = 0
    """Number of decisions on papers outside the review queue. Written only without a cut."""
    checks_missing: int = 0
    """Number of further such decisions until there can be a cut. Written only without a cut."""
    confident_papers: int = 0
    """Number of measured papers with a confident label."""
    confident_share: float | None = None
    """Share of the measured papers with a confident label."""
    confident_accuracy: float | None = None
    """Primary accuracy of the papers with a confident label."""
    mean_f1: float | None = None
    """Mean F1 of the categories in scope that some measured paper has. This and the following
    fields up to `categories` are written only for facets with several categories per paper."""
    core_f1: float | None = None
    """The same for the core categories."""
    categories_counted: int = 0
    """Number of categories in `mean_f1`."""
    ece: float | None = None
    """Expected calibration error of the probabilities."""
    brier: float | None = None
    """Brier score of the probabilities."""
    categories: Mapping[str, CategoryMetrics] = field(default_factory=dict)
    """Metrics by category id; empty for a facet with one category per paper."""
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    """Interval of a value, by field name."""

    def to_json(self) -> dict[str, object]:
        """Return the fields that apply to this facet, in order."""
        values = asdict(self)
        if not self.decided:
            applicable = {"decided", *_CUT_FIELDS}
        elif not self.categories:
            applicable = values.keys() - _TOPIC_FIELDS
        else:
            applicable = set(values)
        if self.confidence_cut is not None:
            applicable -= {"confidence_checks", "checks_missing"}
        return {name: value for name, value in values.items() if name in applicable}


_CUT_FIELDS = ("confidence_cut", "confidence_checks", "checks_missing")
_TOPIC_FIELDS = {"mean_f1", "core_f1", "categories_counted", "ece", "brier", "categories"}


@dataclass(frozen=True, slots=True)
class LabelMetrics:
    """The content of metrics.json."""

    facets: Mapping[str, FacetMetrics] = field(default_factory=dict)
    """Metrics of the learned facets by facet id, in the order of the taxonomy."""
    prior_papers: int = 0
    """Number of papers from which the prior was learned; 0 without a prior."""

    def facet(self, facet_id: str) -> FacetMetrics:
        """Return the metrics of a facet; if it is not learned, they are empty."""
        return self.facets.get(facet_id, FacetMetrics())

    def restrict_to(self, facet_ids: Collection[str]) -> LabelMetrics:
        """Return the metrics of these facets only."""
        kept = {name: metrics for name, metrics in self.facets.items() if name in facet_ids}
        return LabelMetrics(kept, self.prior_papers)

    def to_json(self) -> dict[str, object]:
        """Return the content of metrics.json."""
        facets = {name: metrics.to_json() for name, metrics in self.facets.items()}
        return {"kind": _KIND, "prior_papers": self.prior_papers, "facets": facets}
