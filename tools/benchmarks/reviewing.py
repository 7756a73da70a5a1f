"""How many reviews it takes: `python -m tools.benchmarks.reviewing [--seeds 20]`.

Two simulations on the 182 labelled papers of gold/dev.csv among the abstracts of seeds/, no prior.

*Reviewing* starts from the taxonomy alone. Of five folds each is held out in turn; from the others
ten papers at a time are drawn and their labels told, and after each ten the mean average precision
over topics is measured on the fold held out; the mean over folds is one run. A seed deals the folds
anew and shuffles the random order. The goal is the quality of all reviews less 0.01; told is where
the mean curve of an order first reaches it, and from where on it stays there, since curves may dip
again. Three taxonomies: as shipped; that of a first
day (five cues a category, no exemplars); and names alone, without any cue.

*Screening*: somebody wants all papers of one topic. Ten at a time are read in the order of the
queue, their labels told; counted is the share of all decided papers read when 95 % of the topic's
have been seen, mean over topics. Beside it ASReview's elas_u4 recipe, begun with one relevant and
one irrelevant paper drawn by the seed, and a logistic regression begun with the cues' votes.

Prints Markdown. Needs the abstracts and labels in ../shared.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from classifier.advice.queue import FURTHER_FACET, decided_counts, spread_order, uncertainty
from classifier.advice.screening import screening_scores, whole_texts
from classifier.evaluation.first_day import first_day
from classifier.evaluation.gold import match_gold, read_gold
from classifier.evaluation.metrics import mean_average_precision
from classifier.labelling.decide import is_out_of_scope
from classifier.labelling.labels import Decision, Decisions
from classifier.labelling.sampling import assign_folds
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Cues, Taxonomy
from tools.benchmarks.simulated_model import Bench, bench

Array = NDArray[np.float64]
Order = Callable[[Bench, Decisions, Sequence[int], str], Sequence[int]]
"""From a bench, the decisions so far, the rows left and a seed to those rows in reading order."""

ROOT = Path(__file__).resolve().parents[2]
BATCH, FOLDS = 10, 5
CLOSE, SEEN = 0.01, 0.95
BARS = {"reviews": 0.5, "read": 0.30}


@dataclass(frozen=True, slots=True)
class Material:
    """The papers, and the truth about some of them."""

    taxonomy: Taxonomy
    papers: tuple[Paper, ...]
    truth: Decisions

    @property
    def decided(self) -> list[Paper]:
        """The papers with truth, by id."""
        return sorted((p for p in self.papers if p.id in self.truth), key=lambda p: p.id)

    @property
    def topics(self) -> list[int]:
        """The columns of the topics in scope."""
        facet = self.taxonomy.first
        return [k for k, name in enumerate(facet.ids) if not is_out_of_scope(facet, name)]

    def applies(self, papers: Sequence[Paper]) -> NDArray[np.bool_]:
        """Return (n, k) truth."""
        facet = self.taxonomy.first
        return np.array(
            [[name in self.truth[p.id][facet.id].values for name in facet.ids] for p in papers]
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", choices=("reviewing", "screening"))
    parser.add_argument("--taxonomy", choices=tuple(TAXONOMIES), help="one of the three")
    told = parser.parse_args(arguments)
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        print(f"{shared}: not there. The abstracts and labels belong in it.", file=sys.stderr)
        return 1
    material = load(shared)
    with threadpool_limits(limits=1):
        if told.only != "screening":
            for name in [told.taxonomy] if told.taxonomy else TAXONOMIES:
                print(f"### Reviewing: {name}\n", flush=True)
                print(reviewing_table(material, TAXONOMIES[name], told.seeds), flush=True)
        if told.only != "reviewing":
            print("### Screening\n\n" + screening_table(material, told.seeds), flush=True)
    return 0


def load(shared: Path) -> Material:
    """Return the survey's abstracts, half of them decided."""
    taxonomy = load_taxonomy(ROOT / "taxonomy" / "taxonomy.yaml").taxonomy
    papers = load_papers(sorted((shared / "seeds").glob("*.txt")), shared).papers
    truth, _ = match_gold(read_gold(shared / "gold" / "dev.csv", taxonomy, "dev.csv"), papers)
    return Material(taxonomy, tuple(papers), truth)


def without_cues(taxonomy: Taxonomy) -> Taxonomy:
    """Return the taxonomy with names alone."""
    facets = {
        facet_id: facet.model_copy(
            update={
                "categories": tuple(c.model_copy(update={"cues": Cues()}) for c in facet.categories)
            }
        )
        for facet_id, facet in first_day(taxonomy).facets.items()
    }
    return taxonomy.model_copy(update={"facets": facets})


TAXONOMIES: Mapping[str, Callable[[Taxonomy], Taxonomy]] = {
    "as shipped": lambda taxonomy: taxonomy,
    "first day": first_day,
    "no cues": without_cues,
}


# Reviewing


def by_chance(at: Bench, decisions: Decisions, left: Sequence[int], seed: str) -> Sequence[int]:
    """Any paper."""
    return sorted(left, key=lambda row: _hash(seed, at.train[row].id))


def by_confidence(at: Bench, decisions: Decisions, left: Sequence[int], seed: str) -> Sequence[int]:
    """Plain uncertainty sampling: the paper whose likeliest place is least likely."""
    facet_id = next(iter(at.models))
    sure = at.scores(facet_id).primary.max(axis=1)
    return sorted(left, key=lambda row: (sure[row], at.train[row].id))


def by_queue(at: Bench, decisions: Decisions, left: Sequence[int], seed: str) -> Sequence[int]:
    """The order of `fieldguide review next`."""
    worth = np.zeros(len(at.train))
    for number, (facet_id, model) in enumerate(at.models.items()):
        if number:  # the first facet's is fitted, since it is measured
            model.refit(decisions)
        doubt = uncertainty(
            at.scores(facet_id).probabilities, decided_counts(model.facet, decisions)
        )
        worth += doubt * (FURTHER_FACET if number else 1.0)
    text = next(iter(at.models.values())).seen.text
    rows = list(left)
    return [rows[place] for place in spread_order(worth[rows], text[rows].__getitem__, BATCH)]


ORDERS: Mapping[str, Order] = {
    "random": by_chance,
    "least confidence": by_confidence,
    "the queue": by_queue,
}


def reviewing_table(material: Material, cut: Callable[[Taxonomy], Taxonomy], seeds: int) -> str:
    """Return the learning curves of each order, and how many reviews each needs."""
    taxonomy = cut(material.taxonomy)
    runs: dict[str, list[Array]] = {name: [] for name in ORDERS}
    for seed in range(seeds):
        benches = _deal(material, taxonomy, f"{seed}:")
        for name, order in ORDERS.items():
            folds = [learning_curve(material, at, order, f"{seed}:") for at in benches]
            length = min(map(len, folds))
            # The last point of each fold is all reviews, whose number differs by one.
            runs[name].append(np.mean([[*f[: length - 1], f[-1]] for f in folds], axis=0))
    curves = {name: np.mean(each, axis=0) for name, each in runs.items()}
    return _curves_text(curves)


def _deal(material: Material, taxonomy: Taxonomy, salt: str) -> list[Bench]:
    decided = material.decided
    facet = material.taxonomy.first
    primaries = [facet.ids.index(material.truth[p.id][facet.id].primary) for p in decided]
    dealt = assign_folds([p.id for p in decided], np.array(primaries), FOLDS, salt=salt)
    return [
        bench(
            taxonomy,
            material.papers,
            [p for p, fold in zip(decided, dealt, strict=True) if fold == held_out],
            never_exemplars=decided,
        )
        for held_out in range(FOLDS)
    ]


def learning_curve(material: Material, at: Bench, order: Order, seed: str) -> list[float]:
    """Return mAP on the fold held out after 0, 10, 20, … and all reviews."""
    left = [row for row, paper in enumerate(at.train) if paper.id in material.truth]
    decisions: dict[str, Mapping[str, Decision]] = {}
    curve = []
    while True:
        filed = order is by_confidence
        at.models[material.taxonomy.first.id].refit(decisions, filed=filed)
        curve.append(_map_of(material, at))
        if not left:
            return curve
        for row in list(order(at, decisions, left, seed))[:BATCH]:
            decisions[at.train[row].id] = material.truth[at.train[row].id]
            left.remove(row)


def _map_of(material: Material, at: Bench) -> float:
    facet_id = material.taxonomy.first.id
    said = at.models[facet_id].score(at.tested[facet_id]).probabilities
    once = np.ones((1, len(at.test)))
    return float(mean_average_precision(material.applies(at.test), said, once, material.topics)[0])


def reached(curve: Array, goal: float) -> tuple[int, int]:
    """Return after how many reviews a curve is at the goal: for the first time, and for good.

    >>> reached(np.array([0.5, 0.7, 0.6, 0.8]), 0.7)
    (10, 30)
    """
    below = np.flatnonzero(curve < goal)
    last = int(below[-1] + 1) * BATCH if len(below) else 0
    return int((curve >= goal).argmax()) * BATCH, last


def _curves_text(curves: Mapping[str, Array]) -> str:
    steps = len(next(iter(curves.values())))
    every = float(np.mean([curve[-1] for curve in curves.values()]))
    goal = every - CLOSE
    shown = [step for step in range(steps) if step % 2 == 0 or step == steps - 1]
    header = ["order", *(str(step * BATCH) for step in shown[:-1]), "all", "first", "for good"]
    needed = {name: reached(curve, goal) for name, curve in curves.items()}
    rows = [
        [name, *(f"{curve[step]:.3f}" for step in shown), *map(str, needed[name])]
        for name, curve in curves.items()
    ]
    lines = [f"Goal {goal:.3f}; bar: at most {BARS['reviews']} of the reviews of the random order."]
    for place, when in enumerate(("first", "for good")):
        queue, chance = needed["the queue"][place], needed["random"][place]
        share = f": {queue / chance:.2f}" if chance else ""
        lines.append(f"Reached {when}: the queue after {queue}, the random order {chance}{share}.")
    return f"{_table(header, rows)}\n" + "\n".join(lines) + "\n"


# Screening


def screening_table(material: Material, seeds: int) -> str:
    """Return the share read of each method, by topic."""
    decided = material.decided
    truth = material.applies(decided)
    texts = [f"{paper.title} {paper.abstract}" for paper in decided]
    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit_transform(texts)
    at = bench(material.taxonomy, material.papers, (), never_exemplars=decided)
    shares: dict[str, list[float]] = {"the queue": [], "elas_u4": [], "cue-started LR": []}
    for topic in material.topics:
        relevant = truth[:, topic]
        shares["the queue"].append(share_read(_read_by_queue(material, at, topic), relevant))
        drawn = [
            share_read(read(_draw_two(relevant, seed), relevant, partial(_svm, words)), relevant)
            for seed in range(seeds)
        ]
        shares["elas_u4"].append(float(np.mean(drawn)))
        votes = _votes(at, decided, topic)
        begin = sorted(range(len(votes)), key=lambda row: (-votes[row], row))[:BATCH]
        order = read(begin, relevant, partial(_regression, words, votes))
        shares["cue-started LR"].append(share_read(order, relevant))
    ids = material.taxonomy.first.ids
    rows = [
        [ids[topic], str(int(truth[:, topic].sum())), *(f"{s[i]:.2f}" for s in shares.values())]
        for i, topic in enumerate(material.topics)
    ]
    rows.append(["**mean**", "", *(f"{np.mean(s):.3f}" for s in shares.values())])
    return _table(["topic", "papers", *shares], rows) + f"\nBar: at most {BARS['read']:.2f}.\n"


def _read_by_queue(material: Material, at: Bench, topic: int) -> list[int]:
    """Return the decided papers, by their place among them, in the order of `--category`."""
    facet = material.taxonomy.first
    model = at.models[facet.id]
    rows = [row for row, paper in enumerate(at.train) if paper.id in material.truth]
    text = whole_texts(model.seen.text, model.names_[: model.seen.text.shape[1]])
    order: list[int] = []
    while len(order) < len(rows):
        decided = {at.train[row].id: material.truth[at.train[row].id] for row in order}
        applies = model.refit(decided, filed=False).score(model.seen).probabilities[:, topic]
        told = {row: facet.ids[topic] in decided[at.train[row].id][facet.id].values
                for row in order}  # fmt: skip
        scores = screening_scores(applies, text, told)
        left = sorted(set(rows) - set(order), key=lambda row: (-scores[row], at.train[row].id))
        order += left[:BATCH]
    return [rows.index(row) for row in order]


def read(
    begin: Sequence[int],
    relevant: NDArray[np.bool_],
    score: Callable[[Sequence[int], NDArray[np.bool_]], Array],
) -> list[int]:
    """Return all rows in reading order; after each ten, `score` is asked of all anew."""
    order = list(begin)
    while len(order) < len(relevant):
        scores = score(order, relevant[order])
        left = sorted(set(range(len(relevant))) - set(order), key=lambda row: (-scores[row], row))
        order += left[:BATCH]
    return order


def share_read(order: Sequence[int], relevant: NDArray[np.bool_]) -> float:
    """Return the share of all read when SEEN of the relevant ones have been.

    >>> share_read([2, 0, 1, 3], np.array([True, False, True, False]))
    0.5
    """
    needed = math.ceil(SEEN * relevant.sum() - 1e-9)
    return float(np.searchsorted(np.cumsum(relevant[list(order)]), needed) + 1) / len(order)


def _draw_two(relevant: NDArray[np.bool_], seed: int) -> list[int]:
    """Return one relevant and one irrelevant row."""
    either = (np.flatnonzero(relevant), np.flatnonzero(~relevant))
    return [min(rows.tolist(), key=lambda row: _hash(f"{seed}:", str(row))) for rows in either]


def _svm(words: sparse.csr_matrix, rows: Sequence[int], relevant: NDArray[np.bool_]) -> Array:
    model = LinearSVC(C=0.11, class_weight="balanced", max_iter=5000, random_state=0)
    return np.asarray(model.fit(words[list(rows)], relevant).decision_function(words))


def _regression(
    words: sparse.csr_matrix, votes: Array, rows: Sequence[int], relevant: NDArray[np.bool_]
) -> Array:
    """Score by a regression on what was read; by votes until both kinds were."""
    if len(set(relevant.tolist())) < 2:
        return votes
    model = LogisticRegression(class_weight="balanced", max_iter=500)
    return np.asarray(model.fit(words[list(rows)], relevant).decision_function(words))


def _votes(at: Bench, papers: Sequence[Paper], topic: int) -> Array:
    model = next(iter(at.models.values()))
    votes = model.seen.evidence.votes(model.ids)[:, topic]
    rows = {paper.id: row for row, paper in enumerate(at.train)}
    return np.asarray(votes[[rows[paper.id] for paper in papers]])


def _hash(seed: str, text: str) -> str:
    return hashlib.blake2b(f"{seed}{text}".encode(), digest_size=8).hexdigest()


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines: Iterator[Sequence[str]] = iter([header, ["---"] * len(header), *rows])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
