"""How often the paired gate of quality fails for nothing, and how often it sees a drop.

`python -m tools.benchmarks.gate [--papers 100] [--trials 200]`

Two versions label the same decided papers. Of each paper the answer stays as it is, or is drawn
anew with the accuracy that the new version has: so many papers move, most of them by chance.
Beside the paired gate stands an absolute one, its bar 0.02 below the old version's true accuracy.
"""

from __future__ import annotations

import argparse

import numpy as np

from classifier.evaluation.comparison import compare_quality
from classifier.evaluation.outcome import Outcomes
from classifier.labelling.labels import Decision, FacetLabels, PaperLabels
from classifier.taxonomy.model import Category, Facet, Survey, Taxonomy

CATEGORIES = tuple("abcdef")
ACCURACY = 0.8
MOVED = 0.15
"""Share of papers whose answer is drawn anew."""
BELOW = 0.02


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--papers", type=int, default=100)
    options.add_argument("--trials", type=int, default=200)
    told = options.parse_args()
    categories = tuple(Category(id=name, core=True) for name in CATEGORIES)
    facet = Facet(id="topic", kind="multi", categories=categories)
    taxonomy = Taxonomy(survey=Survey(title="Trial"), facets={"topic": facet})
    random = np.random.default_rng(0)
    truth = random.integers(len(CATEGORIES), size=told.papers)
    print(f"{told.papers} decided papers, accuracy {ACCURACY}, {MOVED:.0%} of the answers drawn "
          f"anew, {told.trials} trials")  # fmt: skip
    print("true drop  paired gate fails  absolute gate fails")
    for drop in (0.0, 0.02, 0.05, 0.10):
        paired = absolute = 0
        for _ in range(told.trials):
            before = answers(random, truth, ACCURACY)
            again = answers(random, truth, ACCURACY - drop / MOVED)
            now = np.where(random.random(told.papers) < MOVED, again, before)
            sides = [outcomes(truth, given) for given in (before, now)]
            paired += bool(compare_quality(taxonomy, *sides).failures)
            absolute += bool((now == truth).mean() < ACCURACY - BELOW)
        print(f"{drop:9.2f}  {paired / told.trials:17.1%}  {absolute / told.trials:19.1%}")


def answers(random: np.random.Generator, truth: np.ndarray, accuracy: float) -> np.ndarray:
    """Return an answer a paper, right with a probability of `accuracy`."""
    other = (truth + random.integers(1, len(CATEGORIES), size=len(truth))) % len(CATEGORIES)
    return np.where(random.random(len(truth)) < accuracy, truth, other)


def outcomes(truth: np.ndarray, given: np.ndarray) -> Outcomes:
    ids = [f"p-{row:04}" for row in range(len(truth))]
    names = [CATEGORIES[row] for row in truth]
    answered = [CATEGORIES[row] for row in given]
    return Outcomes(
        {key: {"topic": Decision((name,), name)} for key, name in zip(ids, names, strict=True)},
        ({
            key: PaperLabels(key, {"topic": FacetLabels((name,), name, 0.5, "confident", {})})
            for key, name in zip(ids, answered, strict=True)
        },),
    )  # fmt: skip


if __name__ == "__main__":
    main()
