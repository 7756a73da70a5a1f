"""What reviews buy: labels of papers never asked, in the order of the queue and at random.

    python -m tools.review_protocol [--fields shipped,cei,ohsumed,econfin,icrs] [--deals 5]
        [--orders random,queue,margin,balanced,clusters]

`shipped` is the shipped survey with its prior: of its decided papers a third is never asked, and
the others start undecided. The other fields are those of ../shared/data/fields, with their
first-day taxonomy and no prior: a deal draws 300 papers that may be asked and up to 300 that are
only scored. A reviewer answers twenty papers at a time, after which the classifier learns anew.
The queue's order is that of the sheet, of `review next` and of the page, which also learns after
every single answer. Right: share of the papers never asked that are filed right. Waiting: share of
all undecided papers with a provisional label. Gains are compared with the first order. Further
orders: `margin` (smallest difference of the two likeliest categories), `balanced` (random papers,
the predicted category with the fewest decisions first) and `clusters` (the smallest margin in each
of twenty clusters of the undecided papers).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision, Decisions, PaperLabels
from classifier.papers.paper import Paper
from classifier.project import Project
from classifier.review.queue import decided_counts, is_waiting, review_queue
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
    parser.add_argument("--orders", default="random,queue", help="comma-separated orders")
    options = parser.parse_args(arguments)
    baseline, *orders = options.orders.split(",")
    print(f"{'field':10} {'order':8} " + " ".join(f"{f'right {n}':>9}" for n in SHOWN)
          + "   waiting after each twenty")  # fmt: skip
    gains: dict[str, list[np.ndarray]] = {}
    for name in options.fields.split(","):
        curves: dict[str, list[tuple[list[float], list[float]]]] = {
            order: [] for order in (baseline, *orders)
        }
        for number in range(options.deals):
            deal = deal_of(name, number)
            for order, measured in curves.items():
                measured.append(curve(deal, order))
        for order, measured in curves.items():
            right = np.mean([one for one, _ in measured], axis=0)
            waiting = np.mean([one for _, one in measured], axis=0)
            shown = " ".join(f"{right[n // STEP]:9.3f}" for n in SHOWN)
            waits = " ".join(f"{share:.2f}" for share in waiting)
            print(f"{name:10} {order:8} {shown}   {waits}", flush=True)
        random = np.array([right for right, _ in curves[baseline]])
        for order in orders:
            difference = np.array([right for right, _ in curves[order]]) - random
            gains.setdefault(order, []).append(difference[:, [n // STEP for n in SHOWN]])
            print(f"{name:10} {order:8} gain " + interval(gains[order][-1]), flush=True)
    for order in orders:
        print(f"{'all':10} {order:8} gain " + interval(np.concatenate(gains[order])), flush=True)
    return 0


def interval(gains: np.ndarray) -> str:
    """Return mean gains of an order and their 95 % intervals over deals."""
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
        chosen = [labels[key] for key in open_ids]
        papers = [by_id[key] for key in open_ids]
        if order == "queue":
            queue = review_queue(deal.classifier, papers, chosen, decisions, limit=STEP)
            open_ids = [each.paper_id for each in queue]
        elif order != "random":
            rows = OTHER_ORDERS[order](deal.classifier, papers, chosen, decisions)
            open_ids = [open_ids[row] for row in rows]
        decisions |= {key: deal.truth[key] for key in open_ids[:STEP]}
    return right, waiting


def margins(classifier: TaxonomyClassifier, papers: Sequence[Paper]) -> np.ndarray:
    """Return the difference of the probabilities of the two likeliest categories per paper."""
    primary = classifier.facet_scores(papers)[classifier.taxonomy.first.id].primary
    likeliest = np.sort(primary, axis=1)
    return np.asarray(likeliest[:, -1] - likeliest[:, -2])


def by_margin(
    classifier: TaxonomyClassifier,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    decisions: Decisions,
) -> list[int]:
    """Return all papers, smallest margin first."""
    return np.argsort(margins(classifier, papers), kind="stable").tolist()


def by_category(
    classifier: TaxonomyClassifier,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    decisions: Decisions,
) -> list[int]:
    """Return `STEP` papers: one after another of the predicted category with fewest decisions."""
    first = classifier.taxonomy.first
    counts = dict(zip(first.ids, decided_counts(first, decisions).tolist(), strict=True))
    left = {row: label.facets[first.id].primary for row, label in enumerate(labels)}
    found: list[int] = []
    while left and len(found) < STEP:
        category = min(left.values(), key=lambda each: (counts[each], each))
        row = next(row for row, primary in left.items() if primary == category)
        del left[row]
        counts[category] += 1
        found.append(row)
    return found


def by_cluster(
    classifier: TaxonomyClassifier,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    decisions: Decisions,
) -> list[int]:
    """Return the paper with the smallest margin in each of `STEP` clusters."""
    text = normalize(classifier.text_features_.transform(papers))
    places = TruncatedSVD(min(50, len(papers) - 1), random_state=0).fit_transform(text)
    clusters = KMeans(STEP, n_init=2, random_state=0).fit(places).labels_
    order = np.argsort(margins(classifier, papers), kind="stable")
    return [int(next(row for row in order if clusters[row] == each)) for each in set(clusters)]


OTHER_ORDERS = {"margin": by_margin, "balanced": by_category, "clusters": by_cluster}


if __name__ == "__main__":
    sys.exit(main())
