"""What a bound on the papers learned from costs in quality and saves in time and memory.

python -m tools.benchmarks.learning                         every set, every bound
python -m tools.benchmarks.learning areas --bounds 500 2000  one set, some bounds

Each row is a process of its own, so that its peak memory is its own. The texts lie beside the
project, in ../shared.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from classifier.evaluation.crossval import Experiment
from classifier.evaluation.held_out import LearningMaterial
from classifier.evaluation.settings import REVIEWED
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision, Decisions
from classifier.labelling.sampling import papers_to_learn_from
from classifier.papers.paper import Paper, title_id
from classifier.taxonomy.load import load_taxonomy
from tools.benchmarks.quality import SHARED, read_material

BOUNDS = (250, 500, 1000, 2000, 4000, 10**6)
SCORED = 1000
"""Submissions that are held out and asked."""
AREAS = {
    "foundation or frontier models, including llms": "language-models",
    "generative models": "generative-models",
    "alignment, fairness, safety, privacy, and societal considerations": "safety",
    "societal considerations including fairness, safety, privacy": "safety",
    "datasets and benchmarks": "benchmarks",
    "unsupervised, self-supervised, semi-supervised, and supervised representation learning":
        "representation-learning",
    "reinforcement learning": "reinforcement-learning",
    "applications to physical sciences (physics, chemistry, biology, etc.)": "sciences",
    "interpretability and explainable ai": "interpretability",
    "visualization or interpretation of learned representations": "interpretability",
    "optimization": "optimisation",
    "applications to robotics, autonomy, planning": "robotics",
    "transfer learning, meta learning, and lifelong learning": "transfer",
    "learning on graphs and other geometries & topologies": "graphs",
    "learning theory": "theory",
    "learning on time series and dynamical systems": "time-series",
    "probabilistic methods (bayesian methods, variational inference, sampling, uq, etc.)":
        "probabilistic",
    "applications to neuroscience & cognitive science": "neuroscience",
    "neurosymbolic & hybrid ai systems (physics-informed, logic & formal reasoning, etc.)":
        "neurosymbolic",
    "causal reasoning": "causality",
    "infrastructure, software libraries, hardware, systems, etc.": "infrastructure",
    "infrastructure, software libraries, hardware, etc.": "infrastructure",
}  # fmt: skip
"""What authors chose -> the category; of areas that are none, nothing is asked."""


class Timed(TaxonomyClassifier):
    """A classifier that says what its last learning cost."""

    papers, seconds, megabytes = 0, 0.0, 0.0

    def fit(self, X: Sequence[Paper], y: Decisions | None = None, **options: Any) -> Timed:  # noqa: N803
        """Learn; note the papers learned from, CPU seconds, and the process's peak memory."""
        start = time.process_time()
        super().fit(X, y, **options)
        Timed.seconds = time.process_time() - start
        Timed.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        Timed.papers = len(papers_to_learn_from(X, y or {}, self.taxonomy, self.most_papers))
        return self


def lines(name: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of ../shared."""
    with gzip.open(SHARED / "data" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def as_paper(record: dict[str, Any]) -> Paper:
    """Return a record as a paper, its id made of its title."""
    return Paper(record["title"], title_id(record["title"]), record["abstract"], "abstract")


def areas(among: int = 0) -> Experiment:
    """Return submissions by area, nothing decided, with `among` abstracts of arXiv in between."""
    taxonomy = load_taxonomy(Path(__file__).with_name("learning.yaml")).taxonomy
    chosen: dict[Paper, str] = {
        as_paper(record): AREAS[record["area"]]
        for record in lines("areas_dev")
        if record["area"] in AREAS
    }
    by_hash = sorted(chosen, key=lambda paper: hashlib.sha256(paper.id.encode()).hexdigest())
    scored, pool = by_hash[:SCORED], by_hash[SCORED:]
    truth = {p.id: {"topic": Decision((chosen[p],), chosen[p])} for p in scored}
    others = [as_paper(record) for _, record in zip(range(among), lines("arxiv_20k"), strict=False)]
    return Experiment(taxonomy, [*pool, *others], scored, truth)


def lists() -> Experiment:
    """Return papers of other lists, the shipped survey's reviews, and 10,000 papers undecided."""
    material = read_material()
    others = [
        as_paper(record)
        for name, count in (("curated_dev", 2000), ("areas_dev", 3000), ("arxiv_20k", 5000))
        for _, record in zip(range(count), lines(name), strict=False)
    ]
    decided: Decisions = material.dev
    learned = LearningMaterial(material.seeds, decided)
    pool = [*material.seeds, *others]
    return Experiment(material.taxonomy, pool, material.lists, material.dev_lists, learned)


SETS: dict[str, Callable[[], Experiment]] = {
    "areas": areas,
    "areas among arXiv": partial(areas, 10_000),
    "lists": lists,
}


def row(name: str, bound: int) -> str:
    """Return one line of the table."""
    experiment = SETS[name]()
    make = partial(Timed, most_papers=bound)
    found = experiment.evaluate(replace(REVIEWED, name=str(bound), make_classifier=make))
    figures = (found.primary_accuracy, found.mean_f1, found.mean_average_precision)
    shown = " | ".join(
        f"{figure.value:.3f} ({figure.low:.2f}–{figure.high:.2f})" for figure in figures
    )
    return f"| {name} | {Timed.papers:,} | {Timed.seconds:.1f} | {Timed.megabytes:,.0f} | {shown} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks.learning")
    parser.add_argument("sets", nargs="*", default=[*SETS], help=f"of: {', '.join(SETS)}")
    parser.add_argument("--bounds", nargs="+", type=int, default=list(BOUNDS))
    told = parser.parse_args(arguments)
    if not SHARED.is_dir():
        print(f"{SHARED}: not there. The abstracts belong in it.", file=sys.stderr)
        return 1
    print("| set | learned from | CPU s | MB | filed right | mean F1 | mAP |\n" + "|---" * 7 + "|")
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        asked = [(name, bound) for name in told.sets for bound in told.bounds]
        for name, bound in asked:
            print(pool.apply(row, (name, bound)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
