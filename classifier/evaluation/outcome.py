"""What an evaluation found: one record that the report prints and bars are held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from classifier.evaluation.metrics import Figure
from classifier.evaluation.reliability import ReliabilityBin


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
    first_day: bool = False
    """Whether the taxonomy was cut down to that of a first day."""
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
class Abstention:
    """What the status of a paper is worth."""

    confident: Figure
    """Share of papers that are `confident`."""
    accuracy: Figure
    """Share of those whose primary is right."""
    risk_coverage: tuple[tuple[float, float], ...]
    """(share of papers taken, most confident first; share of them whose primary is right)."""


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
    reliability: tuple[ReliabilityBin, ...]
    """What stated probabilities are worth, over all pairs of a paper and a category in scope."""
    abstention: Abstention
    confusion: Mapping[str, Mapping[str, int]]
    """True primary -> filed category -> papers of the first repeat; zeros left out."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Categories that no scored paper has: they are in no mean."""
        return tuple(name for name, figures in self.categories.items() if not figures.support)
