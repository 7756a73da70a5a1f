"""The labels in force: what the classifier says, then the lock, then the decisions of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classifier.inputs import Inputs
from classifier.labelling.labels import PaperLabels, with_decisions
from classifier.review.pins import with_pins
from classifier.survey.changes.publication import Publication, published_build, published_lock


def labels_in_force(inputs: Inputs, labels: Sequence[PaperLabels]) -> list[PaperLabels]:
    """Return labels with locked ones in their place, and decisions in the place of both."""
    held = with_pins(inputs.taxonomy, labels, inputs.locked, inputs.decisions)
    return with_decisions(inputs.taxonomy, held, inputs.decisions)


def free_labels(inputs: Inputs, labels: Sequence[PaperLabels]) -> list[PaperLabels]:
    """Return what would be in force without the lock."""
    return with_decisions(inputs.taxonomy, labels, inputs.decisions)


def publication_of(
    inputs: Inputs, labels: Sequence[PaperLabels], metrics: Mapping[str, object] | None = None
) -> Publication:
    """Return labels of the project's papers in the form in which they are compared."""
    return published_build(inputs.taxonomy, inputs.corpus, inputs.ledger, labels, metrics)


def locked_publication(inputs: Inputs) -> Publication | None:
    """Return the lock as what was last published; None where there is none."""
    return published_lock(inputs.lock, inputs.versions) if inputs.lock else None
