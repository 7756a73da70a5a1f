"""Learning from a project's papers and decisions: the classifier, its labels, figures and queue."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.evaluation.crossfit import build_metrics
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import PaperLabels
from classifier.learned import Learned
from classifier.progress import Progress
from classifier.review.acts import editorial_acts
from classifier.review.queue import review_queue
from classifier.review.second_look import confirmed_decisions, review_again, revisit_text
from classifier.review.sheet import Draw
from classifier.survey.inputs import Inputs


def learn(inputs: Inputs, progress: Progress | None = None) -> Learned:
    """Return everything that a build uses of the classifier."""
    classifier, machine = train_and_label(inputs, progress)
    metrics = build_metrics(classifier, inputs.corpus.papers, inputs.decisions)
    return Learned(tuple(machine), metrics, tuple(queue(inputs, classifier, machine)))


def train(inputs: Inputs, progress: Progress | None = None) -> TaxonomyClassifier:
    """Return a classifier that has learned from the project's papers and decisions."""
    return TaxonomyClassifier(inputs.taxonomy, prior=inputs.prior).fit(
        inputs.corpus.papers, inputs.decisions, progress=progress
    )


def train_and_label(
    inputs: Inputs, progress: Progress | None = None
) -> tuple[TaxonomyClassifier, list[PaperLabels]]:
    """Return the classifier, and its own labels of the project's papers."""
    classifier = TaxonomyClassifier(inputs.taxonomy, prior=inputs.prior)
    papers, decisions = inputs.corpus.papers, inputs.decisions
    return classifier, classifier.fit_predict(papers, decisions, progress=progress)


def queue(
    inputs: Inputs,
    classifier: TaxonomyClassifier,
    machine: Sequence[PaperLabels],
    most: int | None = None,
) -> list[Draw]:
    """Return what to review next (see `review_queue`), without excluded papers.

    machine: the classifier's labels of the project's papers.
    """
    taxonomy, aliases = inputs.taxonomy, inputs.corpus.aliases
    excluded = editorial_acts(inputs.ledger, aliases).excluded
    again = review_again(taxonomy, inputs.ledger, inputs.versions, aliases, machine)
    return review_queue(
        classifier,
        inputs.corpus.papers,
        [label for label in machine if label.paper_id not in excluded],
        inputs.decisions,
        most=most,
        again=[(revisit.paper_id, revisit_text(revisit)) for revisit in again],
        confirmed=confirmed_decisions(inputs.ledger, taxonomy, aliases),
    )
