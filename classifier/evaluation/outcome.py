"""What an evaluation found: figures, and what they were found on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from classifier.evaluation.metrics import CALIBRATION_BINS, METHOD, Figure
from classifier.evaluation.report import figure_json, interval_json, json_values


@dataclass(frozen=True, slots=True)
class Setup:
    """What was scored, and what was learned from."""

    n: int
    """Scored papers."""
    folds: int
    """Folds of the cross-validation; 1 where one fit labelled all papers."""
    repeats: int
    """How often the papers were dealt into folds anew."""
    trained_on: int
    """Papers with a decision; under cross-validation, before the fold under test is taken out."""
    unlabelled: int
    """Papers without a decision that were learned from, likewise."""
    unmatched: tuple[str, ...] = ()
    """Titles that have truth and are not among the papers."""
    in_prior: int | None = None
    """How many papers were not scored, since the prior was learned from them; None without one."""

    @property
    def is_cross_validated(self) -> bool:
        """Whether scored papers were trained on while they were not under test."""
        return self.folds > 1


@dataclass(frozen=True, slots=True)
class CategoryFigures:
    """How one top category of the first facet is found; children count for it."""

    precision: float
    """nan where the category was never given."""
    recall: float
    """nan where no scored paper has the category."""
    f1: Figure
    """nan where no scored paper has the category."""
    support: int
    """Scored papers that have it."""
    core: bool
    out_of_scope: bool


@dataclass(frozen=True, slots=True)
class FacetFigure:
    """How well a further facet is answered."""

    measure: str
    """`accuracy` of a single-valued facet, `micro F1` of one with several values."""
    figure: Figure
    n: int
    """Scored papers with truth in the facet."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All figures. With repeats, each is the mean over the repeats.

    A resample draws papers, the same in every repeat, so that an interval speaks of other papers
    and not of other folds.
    """

    setup: Setup
    categories: Mapping[str, CategoryFigures]
    """Top category id of the first facet -> figures, in the order of the taxonomy."""
    core_f1: Figure
    """Mean F1 of the core categories that some scored paper has."""
    mean_f1: Figure
    """The same over all categories but the out-of-scope one; so are the next two, ECE and Brier."""
    micro_f1: Figure
    mean_average_precision: Figure
    precision_at_1: Figure
    """Share of papers whose filed category is one of the true topics."""
    primary_accuracy: Figure
    """Share of papers that are filed where they belong."""
    ece: Figure
    """Expected calibration error of the topic probabilities, 15 equal-width bins."""
    brier: Figure
    """Mean squared error of the topic probabilities."""
    facets: Mapping[str, FacetFigure]
    """Each further facet that some scored paper has truth in."""
    confident: Figure
    """Share of papers that are `confident`."""
    confident_accuracy: Figure
    """Share of those that are filed where they belong."""
    confusion: Mapping[str, Mapping[str, int]]
    """True primary -> filed category -> papers of the first repeat; zeros left out."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Categories that no scored paper has: they are in no mean."""
        return tuple(name for name, figures in self.categories.items() if not figures.support)


@dataclass(frozen=True, slots=True)
class Findings:
    """What an evaluation found, and what it was found on."""

    evaluation: Evaluation
    provenance: Mapping[str, object]
    """What the figures rest on, as a model card states it; `truth` is the file that says what is
    true."""
    drawn: Mapping[str, int] = field(default_factory=dict)
    """How the scored papers came to be reviewed (`drawn_by`) -> how many; {} of a gold file."""


def quality_json(findings: Findings) -> dict[str, object]:
    """Return everything as JSON values; undefined figures are None, all are rounded to 4 digits."""
    return {
        **evaluation_json(findings.evaluation),
        "provenance": dict(findings.provenance),
        "method": {**METHOD, "calibration_bins": CALIBRATION_BINS},
    }


_MEANS = (
    "core_f1", "mean_f1", "micro_f1", "precision_at_1", "primary_accuracy",
    "mean_average_precision", "ece", "brier", "confident", "confident_accuracy",
)  # fmt: skip


def evaluation_json(evaluation: Evaluation) -> dict[str, object]:
    """Return the figures of one setting."""
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
        "facets": {name: json_values(f.figure.value) for name, f in evaluation.facets.items()},
        "intervals": {name: interval_json(mean) for name, mean in means.items()},
        "facet_figures": {
            name: {"measure": facet.measure, **(figure_json(facet.figure) or {}), "n": facet.n}
            for name, facet in evaluation.facets.items()
        },
        "confusion": json_values(evaluation.confusion),
        "left_out": list(evaluation.left_out),
        "unmatched": list(setup.unmatched),
    }
