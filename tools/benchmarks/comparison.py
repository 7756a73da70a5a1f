"""Classifiers on the same papers, folds and resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from time import process_time

from classifier.evaluation.crossval import Classifier, evaluate
from classifier.evaluation.held_out import LearningMaterial
from classifier.evaluation.metrics import Figure, difference
from classifier.evaluation.outcome import Evaluation
from classifier.labelling.labels import Decisions
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from tools.benchmarks.rivals.registry import Peer

COMPARED = {
    "core F1": "core_f1",
    "mean F1": "mean_f1",
    "P@1": "precision_at_1",
    "mAP": "mean_average_precision",
}
"""Column -> the figure of an Evaluation whose difference gets an interval."""


@dataclass(frozen=True, slots=True)
class Material:
    """What all classifiers are given."""

    taxonomy: Taxonomy
    pool: tuple[Paper, ...]
    """Papers to learn from without labels; the scored ones may be among them."""
    truth: Decisions
    """Decisions on papers of the pool: these are scored."""


TIMED = 100
"""How many papers each classifier labels against the clock."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one classifier did."""

    peer: Peer
    evaluation: Evaluation
    rate: float
    """Abstracts labelled in one second of one core; other work on the machine does not count."""

    def lead_over(self, other: Result) -> dict[str, Figure]:
        """Return column -> this classifier minus the other one, paired."""
        return {
            column: difference(getattr(self.evaluation, name), getattr(other.evaluation, name))
            for column, name in COMPARED.items()
        }


def compare(
    peers: Sequence[Peer],
    material: Material,
    fresh: Iterator[Paper],
    *,
    decided: bool,
    folds: int = 5,
    told: Callable[[str], None] = lambda _: None,
) -> list[Result]:
    """Measure all peers: with decisions cross-validated, otherwise on the taxonomy alone.

    Each is timed on the next papers of `fresh`, so that no cache of another one helps it.
    """
    results = []
    for peer in peers:
        told(f"{peer.name}, {'with decisions' if decided else 'the taxonomy alone'}")
        results.append(_measure(peer, material, list(islice(fresh, TIMED)), decided, folds))
    return results


def _measure(
    peer: Peer, material: Material, fresh: Sequence[Paper], decided: bool, folds: int
) -> Result:
    scored = [paper for paper in material.pool if material.truth.get(paper.id)]
    made: list[Classifier] = []

    def make(taxonomy: Taxonomy) -> Classifier:
        made.append(peer.make(taxonomy))
        return made[-1]

    evaluation = evaluate(
        material.taxonomy,
        material.pool,
        scored,
        material.truth,
        LearningMaterial(tuple(scored), material.truth) if decided else None,
        folds=folds,
        make_classifier=make,
    )
    return Result(peer, evaluation, _rate(made[-1], fresh))


def _rate(classifier: Classifier, papers: Sequence[Paper]) -> float:
    start = process_time()
    classifier.predict(papers)
    return len(papers) / (process_time() - start)
