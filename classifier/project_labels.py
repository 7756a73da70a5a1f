"""The labels of a project's papers: learned, then held by the lock, then decided by people."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.evaluation.crossfit import Metrics
from classifier.inputs import Inputs
from classifier.labelling.estimator import TaxonomyClassifier, with_decisions
from classifier.labelling.labels import PaperLabels
from classifier.progress import Progress, report
from classifier.review.hold import with_locked
from classifier.survey.changes.publication import Publication, published_build, published_lock


def train(inputs: Inputs, progress: Progress | None = None) -> TaxonomyClassifier:
    """Return a classifier that has learned from the project's papers and decisions."""
    return TaxonomyClassifier(inputs.taxonomy, prior=inputs.prior).fit(
        inputs.corpus.papers, inputs.decisions, progress=progress
    )


def label_corpus(
    inputs: Inputs, classifier: TaxonomyClassifier, progress: Progress | None = None
) -> list[PaperLabels]:
    """Return the labels of the project's papers as a build publishes them."""
    return labels_in_force(inputs, machine_labels(inputs, classifier, progress))


def machine_labels(
    inputs: Inputs, classifier: TaxonomyClassifier, progress: Progress | None = None
) -> list[PaperLabels]:
    """Return what the classifier says of the project's papers, whatever people or the lock say."""
    report(progress, "Labelling", 0, 1)
    return classifier.predict(inputs.corpus.papers)


def labels_in_force(inputs: Inputs, labels: Sequence[PaperLabels]) -> list[PaperLabels]:
    """Return labels with locked ones in their place, and decisions in the place of both."""
    held = with_locked(inputs.taxonomy, labels, inputs.locked, inputs.decisions)
    return with_decisions(inputs.taxonomy, held, inputs.decisions)


def free_labels(inputs: Inputs, labels: Sequence[PaperLabels]) -> list[PaperLabels]:
    """Return what would be in force without the lock."""
    return with_decisions(inputs.taxonomy, labels, inputs.decisions)


def publication_of(
    inputs: Inputs, labels: Sequence[PaperLabels], metrics: Metrics | None = None
) -> Publication:
    """Return labels of the project's papers in the form in which they are compared."""
    return published_build(inputs.taxonomy, inputs.corpus, inputs.ledger, labels, metrics)


def locked_publication(inputs: Inputs) -> Publication | None:
    """Return the lock as what was last published; None where there is none."""
    return published_lock(inputs.lock, inputs.versions) if inputs.lock else None
