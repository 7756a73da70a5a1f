"""Everything that one call of `fieldguide evaluate` found, and what it was found on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from classifier.evaluation.learning_curve import CurvePoint
from classifier.evaluation.outcome import Evaluation
from classifier.evaluation.outcomes import Outcomes
from classifier.taxonomy.model import Taxonomy


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the figures rest on, as a model card states it."""

    version: str
    """Of Fieldguide."""
    survey: str
    """Title of the project's survey."""
    taxonomy_digest: str
    """Changes with the meaning of a label."""
    inputs_digest: str
    """Changes with any file of the project that is read, cues and reviews included."""
    categories: Mapping[str, int]
    """Facet id -> its top categories."""
    cues: int
    """Cues of all facets, children included."""
    truth: str
    """File that says what is true."""
    learned_from: str
    """File with the decisions that were learned from, or `none`."""
    prior: str
    """File with the term weights that it started from, or `none`."""
    parameters: Mapping[str, object]
    """Of the classifier."""


@dataclass(frozen=True, slots=True)
class Findings:
    """One setting in full, and the tables that were asked for."""

    evaluation: Evaluation
    provenance: Provenance
    taxonomy: Taxonomy
    outcomes: Outcomes
    """What the scored papers were given in that setting."""
    compared: Mapping[str, Evaluation] = field(default_factory=dict)
    """Name of a setting -> its figures, from least told to most."""
    ablation: Mapping[str, Evaluation] = field(default_factory=dict)
    """What the model sees -> its figures."""
    curve: tuple[CurvePoint, ...] = ()
    drawn: Mapping[str, int] = field(default_factory=dict)
    """How the scored papers came to be reviewed (`drawn_by`) -> how many; {} of a gold file."""
