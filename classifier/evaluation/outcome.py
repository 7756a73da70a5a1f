"""The results of an evaluation: records, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from classifier.evaluation.metrics import CALIBRATION_BINS, METHOD, Estimate
from classifier.evaluation.report import interval_json, json_values


@dataclass(frozen=True, slots=True)
class Setup:
    """The papers that were scored, and the papers from which the classifier learned."""

    n: int
    """Scored papers."""
    folds: int
    """Folds of the cross-validation; 1 where one fit labelled all papers."""
    repeats: int
    """Number of times the papers were assigned to new folds."""
    trained_on: int
    """Papers with a decision; in cross-validation including the fold that is scored."""
    unlabelled: int
    """Papers without a decision that the classifier also learned from."""
    unmatched: tuple[str, ...] = ()
    """Titles that have reference labels and are not among the papers."""
    in_prior: int | None = None
    """Number of papers not scored because the prior learned from them; None without a prior."""

    @property
    def is_cross_validated(self) -> bool:
        """Whether the classifier learned from scored papers in other folds."""
        return self.folds > 1


@dataclass(frozen=True, slots=True)
class CategoryScores:
    """Metrics of one top category in the first facet; labels of its children count for it."""

    precision: float
    """nan if the category was never assigned."""
    recall: float
    """nan if no scored paper has the category."""
    f1: Estimate
    """nan if no scored paper has the category."""
    support: int
    """Scored papers that have it."""
    core: bool
    out_of_scope: bool


@dataclass(frozen=True, slots=True)
class FacetScore:
    """Metrics of a facet after the first."""

    measure: str
    """`accuracy` of a single-valued facet, `micro F1` of one with several values."""
    estimate: Estimate
    n: int
    """Scored papers with a reference label in the facet."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All metrics. If there are repeats, each value is the mean over the repeats.

    Bootstrap samples are samples of papers and are the same in all repeats, so that an interval
    reflects other papers and not other folds.
    """

    setup: Setup
    categories: Mapping[str, CategoryScores]
    """Metrics by id of the first facet's top categories, in the order of the taxonomy."""
    core_f1: Estimate
    """Mean F1 of the core categories that some scored paper has."""
    mean_f1: Estimate
    """The same over all categories in scope, as are the next two, ECE and Brier."""
    micro_f1: Estimate
    mean_average_precision: Estimate
    precision_at_1: Estimate
    """Share of papers whose primary category is one of the true topics."""
    primary_accuracy: Estimate
    """Share of papers with the right primary category."""
    ece: Estimate
    """Expected calibration error of the topic probabilities, 15 equal-width bins."""
    brier: Estimate
    """Mean squared error of the topic probabilities."""
    facets: Mapping[str, FacetScore]
    """Each other facet in which some scored paper has a reference label."""
    confident: Estimate
    """Share of papers that are `confident`."""
    confident_accuracy: Estimate
    """Share of the confident papers with the right primary category."""
    confusion: Mapping[str, Mapping[str, int]]
    """True primary -> assigned primary -> papers in the first repeat; without zeros."""

    @property
    def categories_without_papers(self) -> tuple[str, ...]:
        """Categories that no scored paper has; means do not include them."""
        return tuple(name for name, figures in self.categories.items() if not figures.support)


@dataclass(frozen=True, slots=True)
class Findings:
    """An evaluation and how it was made."""

    evaluation: Evaluation
    provenance: Mapping[str, object]
    """Version, inputs and parameters, as a model card lists them; `truth` is the file with the
    reference labels."""
    drawn: Mapping[str, int] = field(default_factory=dict)
    """`drawn_by` of the scored papers' decisions -> number of papers; {} for a gold file."""


_MEANS = (
    "core_f1", "mean_f1", "micro_f1", "precision_at_1", "primary_accuracy",
    "mean_average_precision", "ece", "brier", "confident", "confident_accuracy",
)  # fmt: skip


def quality_json(findings: Findings) -> dict[str, object]:
    """Return all results as JSON values, rounded to 4 digits; undefined values are None."""
    evaluation = findings.evaluation
    setup = evaluation.setup
    means = {name: getattr(evaluation, name) for name in _MEANS}
    return {
        "n": setup.n,
        "cross_validated": setup.is_cross_validated,
        "folds": setup.folds,
        "repeats": setup.repeats,
        "trained_on": setup.trained_on,
        "unlabelled": setup.unlabelled,
        "left_out_in_prior": setup.in_prior,
        "categories": {
            name: {
                "precision": json_values(figures.precision),
                "recall": json_values(figures.recall),
                "f1": json_values(figures.f1.value),
                "support": figures.support,
                "interval": interval_json(figures.f1),
                "core": figures.core,
            }
            for name, figures in evaluation.categories.items()
        },
        **{name: json_values(mean.value) for name, mean in means.items()},
        "facets": {name: json_values(f.estimate.value) for name, f in evaluation.facets.items()},
        "intervals": {name: interval_json(mean) for name, mean in means.items()},
        "facet_figures": {
            name: {
                "measure": facet.measure,
                "value": json_values(facet.estimate.value),
                "interval": interval_json(facet.estimate),
                "n": facet.n,
            }
            for name, facet in evaluation.facets.items()
        },
        "confusion": json_values(evaluation.confusion),
        "left_out": list(evaluation.categories_without_papers),
        "unmatched": list(setup.unmatched),
        "provenance": dict(findings.provenance),
        "method": {**METHOD, "calibration_bins": CALIBRATION_BINS},
    }
