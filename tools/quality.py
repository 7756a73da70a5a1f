"""How good the labels are: every bar of label quality in one run.

    python -m tools.quality [--repeats 5] [--json FILE]

The prior is learned from the lists and four fifths of the fresh papers, so that the fifth that is
held back is new to all of it. Needs the labelled abstracts in ../shared, and some minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.prior import Prior
from classifier.labelling.training_data import assign_folds
from classifier.taxonomy.model import Taxonomy
from tools.labelled import (
    Classifier,
    Material,
    Report,
    fieldguide,
    figures,
    given,
    learned,
    nested,
    parser_of,
    prior_of,
    read_material,
    without_exemplars,
)

DEV = {
    "core F1": "0.88", "all F1": "0.84", "P@1": "0.94", "mAP": "0.89", "filed": "0.81",
    "contribution": "0.83", "ECE": "0.02 at most",
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = parser_of("quality", __doc__)
    parser.add_argument("--repeats", type=int, default=5, help="of the cross-validations")
    options = parser.parse_args(arguments)
    material, report = read_material(), Report(options)
    start = time.process_time()
    prior = prior_of(material)
    seconds = time.process_time() - start
    report.say("learning the prior", seconds, f"{seconds:.0f} s of one processor")
    taxonomy = without_exemplars(material.taxonomy)
    make = fieldguide(taxonomy, prior)
    for name, scored, pool in (
        ("182 abstracts of the survey, five folds", material.dev, material.seeds),
        ("the same as digests", material.dev_digests, material.digests),
    ):
        rounds = nested(taxonomy, make, scored, pool, repeats=options.repeats)
        report.add(name, figures(taxonomy, rounds), DEV)
    _held_fifth(material, make, taxonomy, report)
    _alone(material, prior, report)
    _flips(material, prior, report)
    _learning(material, prior, report)
    return report.end()


def _held_fifth(
    material: Material, make: Callable[[], Classifier], taxonomy: Taxonomy, report: Report
) -> None:
    """The fresh papers that are held back, labelled by a classifier that learned from dev."""
    held = material.held
    classifier = learned(make(), material.dev, material.seeds, held)
    said = given(taxonomy, held, classifier.label(held.papers))
    ids = [paper.id for paper in held.papers]
    arxiv = np.array([material.sources[name] == "arxiv_20k" for name in ids])
    sure = np.array([name in material.sure for name in ids])
    for name, rows in (
        ("the held fifth of the fresh papers", np.ones(len(ids), dtype=bool)),
        ("– of lists and conferences", ~arxiv),
        ("– of arXiv", arxiv),
        ("– those that their reader was sure of", sure),
    ):
        report.add(f"{name} ({rows.sum()})", figures(taxonomy, [said.of(rows)]))


def _alone(material: Material, prior: Prior, report: Report) -> None:
    """The prior without any decision, and the decisions without the prior."""
    taxonomy = without_exemplars(material.taxonomy)
    scored = material.dev
    rounds = nested(taxonomy, fieldguide(taxonomy), scored, material.seeds)
    report.add("the 182 without a prior", figures(taxonomy, rounds))
    classifier = TaxonomyClassifier(taxonomy, prior=prior).fit([], None)
    said = given(taxonomy, scored, classifier.label(scored.papers))
    report.add("the 182 by the prior alone, no decision", figures(taxonomy, [said]))


def _flips(material: Material, prior: Prior, report: Report) -> None:
    """How many unreviewed papers are filed elsewhere when 20 more are reviewed."""
    dev = material.dev
    ids = [paper.id for paper in dev.papers]
    order = np.argsort(assign_folds(ids, np.zeros(len(ids), dtype=np.int64), len(ids)))
    unread = [paper for paper in material.seeds if paper.id not in dev.decisions]
    for name, known in (("with the prior", prior), ("without", None)):
        filed = []
        for count in range(0, len(ids), 20):
            told = dev.of(order[:count]).decisions
            classifier = TaxonomyClassifier(material.taxonomy, prior=known)
            labels = classifier.fit(material.seeds, told).label(unread, explain="nothing")
            filed.append([label.facets["topic"].primary for label in labels])
        moved = [
            np.mean([one != other for one, other in zip(before, after, strict=True)])
            for before, after in pairwise(filed)
        ]
        shown = f"{np.mean(moved):.1%} on average, {max(moved):.1%} at most (expected: 3 %)"
        report.say(f"filed elsewhere after 20 more reviews, {name}", float(np.mean(moved)), shown)


def _learning(material: Material, prior: Prior, report: Report) -> None:
    """Seconds of one processor to learn the shipped project and to label its papers."""
    start = time.process_time()
    classifier = TaxonomyClassifier(material.taxonomy, prior=prior)
    classifier.fit(material.digests, material.dev_digests.decisions)
    fitted = time.process_time() - start
    classifier.label(material.digests)
    labelled = time.process_time() - start - fitted
    shown = f"{fitted:.1f} s (expected: 2.5 s), labelling its papers with reasons {labelled:.1f} s"
    report.say("learning the shipped project, of one processor", fitted, shown)


if __name__ == "__main__":
    sys.exit(main())
