"""Train a classifier on a project; compute its labels, metrics and review queue."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.evaluation.crossfit import audit_estimates, build_metrics
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import PaperLabels
from classifier.labelling.trained import select_trained, trained_bytes
from classifier.learned import Learned
from classifier.progress import Progress
from classifier.review.acts import editorial_acts
from classifier.review.queue import doubtful_decisions, review_queue
from classifier.review.second_look import confirmed_decisions, outdated_decisions, outdated_text
from classifier.review.sheet import QueuedPaper
from classifier.survey.inputs import Inputs


def learn(inputs: Inputs, progress: Progress | None = None) -> Learned:
    """Train on the project; return the labels, metrics, the review queue and its figures."""
    classifier, machine = train_and_label(inputs, progress)
    metrics = build_metrics(classifier, inputs.decisions)
    confirmed = confirmed_decisions(inputs.ledger, inputs.taxonomy, inputs.corpus.aliases)
    has_all = len(classifier.views_[0]) == len(inputs.corpus.papers)  # else labels of a sample
    return Learned(
        tuple(machine),
        metrics,
        tuple(project_queue(inputs, classifier, machine)),
        len(doubtful_decisions(classifier.models_, inputs.decisions, confirmed)),
        tuple(audit_estimates(classifier.models_, inputs.decisions)),
        trained_bytes(select_trained(classifier)) if has_all else b"",
    )


def train(inputs: Inputs, progress: Progress | None = None) -> TaxonomyClassifier:
    """Train a classifier on the project's papers and decisions."""
    return TaxonomyClassifier(inputs.taxonomy, prior=inputs.prior).fit(
        inputs.corpus.papers, inputs.decisions, progress=progress
    )


def train_and_label(
    inputs: Inputs, progress: Progress | None = None
) -> tuple[TaxonomyClassifier, list[PaperLabels]]:
    """Train a classifier; return it and its labels of the project's papers."""
    classifier = TaxonomyClassifier(inputs.taxonomy, prior=inputs.prior)
    papers, decisions = inputs.corpus.papers, inputs.decisions
    return classifier, classifier.fit_label(papers, decisions, progress=progress)


def project_queue(
    inputs: Inputs,
    classifier: TaxonomyClassifier,
    machine: Sequence[PaperLabels],
) -> list[QueuedPaper]:
    """Return the review queue (see `review_queue`) without excluded papers.

    machine: the classifier's labels of the project's papers.
    """
    taxonomy, aliases = inputs.taxonomy, inputs.corpus.aliases
    excluded = editorial_acts(inputs.ledger, aliases).excluded
    outdated = outdated_decisions(taxonomy, inputs.ledger, inputs.versions, aliases, machine)
    return review_queue(
        classifier,
        inputs.corpus.papers,
        [label for label in machine if label.paper_id not in excluded],
        inputs.decisions,
        outdated=[(each.paper_id, outdated_text(taxonomy, each)) for each in outdated],
        confirmed=confirmed_decisions(inputs.ledger, taxonomy, aliases),
    )
