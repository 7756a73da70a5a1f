"""What a classifier may be told: the settings that are held against each other on one split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from classifier.labelling.classifier import Features, TaxonomyClassifier
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.labelling.prior import Prior
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy


class Classifier(Protocol):
    """What is asked of a classifier that is evaluated."""

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> object:  # noqa: N803
        """Learn from papers and the decisions on some of them."""

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        """Return the labels of each paper, in order."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to tell a classifier something; the papers are the same in every setting."""

    name: str
    """What the tables call it."""
    reviews: int | None = None
    """How many decisions are told, drawn at random; 0 none, None all that may be."""
    first_day: bool = False
    """Whether the taxonomy is that of a first day."""
    prior: Prior | None = field(default=None, compare=False)
    """Term weights to start from; settings with different ones have different names."""
    make_classifier: Callable[..., Classifier] = TaxonomyClassifier
    """Called with the taxonomy, with `prior` if there is one, for an ablation with `features`."""

    def classifier(self, taxonomy: Taxonomy) -> Classifier:
        """Return an unfitted classifier that is told what the setting says."""
        told = {} if self.prior is None else {"prior": self.prior}
        return self.make_classifier(taxonomy, **told)


FIRST_DAY = Setting("first day", reviews=0, first_day=True)
ALONE = Setting("taxonomy alone", reviews=0)
REVIEWED = Setting("with reviews")

COMPARED = (FIRST_DAY, ALONE, REVIEWED)
"""What each thing adds that people write, in the order in which they come to write it."""


def with_prior(setting: Setting, prior: Prior | None) -> Setting:
    """Return the same setting, told a prior too; without one, the setting itself."""
    if prior is None:
        return setting
    return replace(setting, name=f"{setting.name} and prior", prior=prior)


PARTS: tuple[tuple[str, Features], ...] = (
    ("cues and terms", "both"),
    ("cues only", "cues"),
    ("terms only", "terms"),
    ("votes, no regression", "votes"),
)
"""The rows of an ablation. `terms only` sees no cue, but its seed labels come from cues; in the
last row the seed labels are the answer, and only calibration and thresholds are learned."""
WITH_PRIOR = "with the prior"
"""The last row where there is a prior: `cues and terms` and the prior beside them."""


def ablation(base: Setting) -> tuple[Setting, ...]:
    """Return `base` with all features, with a part of them, and without any regression."""
    return tuple(
        replace(base, name=name, make_classifier=partial(base.make_classifier, features=features))
        for name, features in PARTS
    )
