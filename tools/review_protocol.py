"""What reviews buy: labels of papers never asked, in the order of the queue and at random.

    python -m tools.review_protocol [--fields shipped,cei,ohsumed,econfin,icrs] [--deals 5]

`shipped` is the shipped survey with its prior: of its decided papers a third is never asked, and
the others start undecided. The other fields are those of ../shared/data/fields, with their
first-day taxonomy and no prior: a deal draws 300 papers that may be asked and up to 300 that are
only scored. A reviewer answers twenty papers at a time, after which the classifier learns anew.
The queue's order is that of the sheet, of `review next` and of the page, which also learns after
every single answer. Right: share of the papers never asked that are filed right. Waiting: share of
all undecided papers with a provisional label.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.project import Project
from classifier.review.queue import is_waiting, review_queue
from classifier.survey.inputs import read_inputs
from tools.first_hour import read_field
from tools.labelled import parser_of

FIELDS = "shipped,cei,ohsumed,econfin,icrs"
STEP, N_ANSWERS = 20, 100
SHOWN = (0, 20, 60, 100)
N_ASKED, N_SCORED = 300, 300


@dataclass(frozen=True, slots=True)
class Deal:
    """The papers of one run."""

    classifier: TaxonomyClassifier
    papers: Sequence[Paper]
    """All papers of the project."""
    truth: Mapping[str, Mapping[str, Decision]]
    """Paper id -> what a reviewer would decide."""
    askable: Sequence[str]
    """Ids of the papers that may be asked, in random order."""
    scored: Sequence[str]
    """Ids of the papers that are never asked."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print one table; return the exit code."""
    parser = parser_of("review_protocol", __doc__)
    parser.add_argument("--fields", default=FIELDS, help="comma-separated names")
    parser.add_argument("--deals", type=int, default=5, help="number of draws of papers per field")
    options = parser.parse_args(arguments)
    print(f"{'field':10} {'order':7} " + " ".join(f"{f'right {n}':>9}" for n in SHOWN)
          + "   waiting after each twenty")  # fmt: skip
    gains = []
    for name in options.fields.split(","):
        curves: dict[str, list[tuple[list[float], list[float]]]] = {"queue": [], "random": []}
        for number in range(options.deals):
            deal = deal_of(name, number)
            for order, measured in curves.items():
                measured.append(curve(deal, order))
        for order, measured in curves.items():
            right = np.mean([one for one, _ in measured], axis=0)
            waiting = np.mean([one for _, one in measured], axis=0)
            shown = " ".join(f"{right[n // STEP]:9.3f}" for n in SHOWN)
            waits = " ".join(f"{share:.2f}" for share in waiting)
            print(f"{name:10} {order:7} {shown}   {waits}", flush=True)
        difference = np.array([q for q, _ in curves["queue"]])
        difference -= np.array([r for r, _ in curves["random"]])
        gains.append(difference[:, [n // STEP for n in SHOWN]])
        print(f"{name:10} {'gain':7} " + interval(gains[-1]), flush=True)
    print(f"{'all':10} {'gain':7} " + interval(np.concatenate(gains)), flush=True)
    return 0


def interval(gains: np.ndarray) -> str:
    """Return mean gains of the queue and their 95 % intervals over deals."""
    means = gains.mean(axis=0)
    spread = gains.std(axis=0, ddof=1) if len(gains) > 1 else np.full(len(means), np.nan)
    half = 1.96 * spread / np.sqrt(len(gains))
    return " ".join(f"{m:+.3f}±{h:.3f}" for m, h in zip(means, half, strict=True))


def deal_of(name: str, number: int) -> Deal:
    """Return the papers of one run; `number` seeds the draw."""
    random = np.random.default_rng(number)
    if name == "shipped":
        inputs = read_inputs(Project(Path(__file__).resolve().parents[1]))
        first = inputs.taxonomy.first.id
        ids = [key for key, decided in sorted(inputs.decisions.items()) if first in decided]
        order = random.permutation(ids).tolist()
        classifier = TaxonomyClassifier(inputs.taxonomy, prior=inputs.prior)
        n_scored = len(ids) // 3
        return Deal(
            classifier, inputs.corpus.papers, inputs.decisions, order[n_scored:], order[:n_scored]
        )
    field = read_field(name)
    rows = random.permutation(len(field.papers))[: N_ASKED + N_SCORED].tolist()
    papers = [field.papers[row] for row in rows]
    n_asked = min(N_ASKED, len(rows) // 2)
    order = [paper.id for paper in papers]
    classifier = TaxonomyClassifier(field.taxonomy)
    return Deal(classifier, papers, field.decisions(rows), order[:n_asked], order[n_asked:])


def curve(deal: Deal, order: str) -> tuple[list[float], list[float]]:
    """Return the shares filed right and waiting, before any answer and after each twenty."""
    first = deal.classifier.taxonomy.first.id
    by_id = {paper.id: paper for paper in deal.papers}
    decisions: dict[str, Mapping[str, Decision]] = {}
    right, waiting = [], []
    for n_answers in range(0, N_ANSWERS + 1, STEP):
        labels = {each.paper_id: each for each in deal.classifier.fit_label(deal.papers, decisions)}
        is_right = [
            labels[key].facets[first].primary == deal.truth[key][first].primary
            for key in deal.scored
        ]
        right.append(float(np.mean(is_right)))
        left = [labels[key] for key in labels if key not in decisions]
        waits = [is_waiting(deal.classifier.taxonomy, each, decisions) for each in left]
        waiting.append(float(np.mean(waits)))
        if n_answers == N_ANSWERS:
            break
        open_ids = [key for key in deal.askable if key not in decisions]
        if order == "queue":
            chosen = [labels[key] for key in open_ids]
            papers = [by_id[key] for key in open_ids]
            draws = review_queue(deal.classifier, papers, chosen, decisions, limit=STEP)
            open_ids = [draw.paper_id for draw in draws]
        decisions |= {key: deal.truth[key] for key in open_ids[:STEP]}
    return right, waiting


if __name__ == "__main__":
    sys.exit(main())
