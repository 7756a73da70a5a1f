"""Every bar of label quality in one run: `python -m tools.benchmarks.quality [--repeats 5]`.

Prints a Markdown table: what was measured, on what, the figure with its 95 % interval, and what was
wanted. Needs the abstracts and labels in ../shared. Takes about five minutes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from classifier.evaluation.crossval import Experiment
from classifier.evaluation.gold import match_gold, read_gold
from classifier.evaluation.held_out import LearningMaterial
from classifier.evaluation.metrics import Figure
from classifier.evaluation.outcome import Evaluation
from classifier.evaluation.settings import ALONE, FIRST_DAY, REVIEWED, with_prior
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions
from classifier.labelling.prior import Prior, read_prior
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_id, title_key

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
FAR_AREAS = (
    "applications to neuroscience & cognitive science",
    "applications to physical sciences (physics, chemistry, biology, etc.)",
    "causal reasoning",
    "generative models",
    "learning on graphs and other geometries & topologies",
    "learning on time series and dynamical systems",
    "learning theory",
    "metric learning, kernel learning, and sparse coding",
    "optimization",
    "probabilistic methods (bayesian methods, variational inference, sampling, uq, etc.)",
    "representation learning for computer vision, audio, language, and other modalities",
    "transfer learning, meta learning, and lifelong learning",
    "unsupervised, self-supervised, semi-supervised, and supervised representation learning",
)
"""Areas that are neither RL, agents, language models, safety nor benchmarks."""
_IN_SCOPE_WORDS = re.compile(
    r"agent|reinforcement learning|\bRL\b|language model|\bLLM|safety|benchmark", re.IGNORECASE
)
"""Authors choose an area; many a paper of a far one is about agents or language models all the
same."""


@dataclass(frozen=True, slots=True)
class Material:
    """The labelled abstracts, the unlabelled ones, and what was learned beforehand."""

    taxonomy: Taxonomy
    prior: Prior
    seeds: tuple[Paper, ...]
    lists: tuple[Paper, ...]
    dev: Decisions
    dev_lists: Decisions
    digests: tuple[Paper, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    measured: str
    figure: str
    wanted: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks.quality", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="of the cross-validation on dev")
    options = parser.parse_args(arguments)
    if not SHARED.is_dir():
        print(f"{SHARED}: not there. The labelled abstracts belong in it.", file=sys.stderr)
        return 1
    material = read_material()
    for heading, rows in tables(material, options.repeats):
        print(f"### {heading}\n\n| measured | figure | wanted |\n|---|---|---|")
        for row in rows:
            print(f"| {row.measured} | {row.figure} | {row.wanted} |")
        print(flush=True)
    return 0


def tables(material: Material, repeats: int) -> Iterator[tuple[str, list[Row]]]:
    """Yield (heading, rows), from the least told to the most."""
    taxonomy, seeds, dev = material.taxonomy, material.seeds, material.dev
    alone = Experiment(taxonomy, seeds, seeds, dev)
    yield "dev, a first-day taxonomy", _rows(alone.evaluate(FIRST_DAY), {})
    yield (
        "dev, the taxonomy alone",
        _rows(alone.evaluate(ALONE), {"core": ".85", "mean": ".72", "mAP": ".80"}),
    )
    learned = LearningMaterial(seeds, dev)
    crossed = Experiment(taxonomy, seeds, seeds, dev, learned, repeats=repeats)
    nested = f"nested 5-fold cross-validation, {repeats} times over"
    yield f"dev with reviews, {nested}", _rows(crossed.evaluate(REVIEWED), {})
    yield (
        f"dev with reviews and prior, {nested}",
        _rows(crossed.evaluate(with_prior(REVIEWED, material.prior)), DEV_BARS),
    )
    digests = Experiment(
        taxonomy, material.digests, material.digests, dev, LearningMaterial(material.digests, dev)
    )
    yield (
        "dev as the shipped digests, with reviews and prior",
        _rows(digests.evaluate(with_prior(REVIEWED, material.prior)), {}),
    )
    yield (
        "lists, the taxonomy alone",
        _rows(Experiment(taxonomy, seeds, material.lists, material.dev_lists).evaluate(ALONE), {}),
    )
    yield (
        "lists, learned from dev",
        _rows(
            Experiment(taxonomy, seeds, material.lists, material.dev_lists, learned).evaluate(
                REVIEWED
            ),
            {},
        ),
    )
    both = LearningMaterial((*seeds, *material.lists), {**material.dev, **material.dev_lists})
    lists = Experiment(taxonomy, seeds, material.lists, material.dev_lists, both)
    yield (
        "lists, learned from dev and inside the folds from the other lists",
        _rows(
            lists.evaluate(with_prior(REVIEWED, material.prior)),
            {"core": ".92", "mean": ".82", "P@1": ".90", "contribution": ".82"},
        ),
    )
    yield "everything else", list(_single_rows(material))


DEV_BARS = {
    "core": ".92", "mean": ".80", "P@1": ".92", "mAP": ".86", "filed right": ".85",
    "contribution": ".85", "ECE": "≤ .02", "Brier": "≤ .045", "80 %": ".93",
}  # fmt: skip


def read_material() -> Material:
    """Return what ../shared and the shipped project hold."""
    taxonomy = load_taxonomy(ROOT / "taxonomy" / "taxonomy.yaml").taxonomy
    seeds = load_papers(sorted((SHARED / "seeds").glob("*.txt")), SHARED).papers
    gold = SHARED / "gold"
    dev, _ = match_gold(read_gold(gold / "dev.csv", taxonomy, "dev.csv"), seeds)
    texts = {paper.id: paper for paper in [*_records("areas_dev"), *_records("curated_dev")]}
    rows = read_gold(gold / "dev_lists.csv", taxonomy, "dev_lists.csv")
    dev_lists, _ = match_gold(rows, list(texts.values()))
    taken = {title_key(paper.title) for paper in seeds}
    lists = tuple(texts[k] for k in sorted(dev_lists) if title_key(texts[k].title) not in taken)
    digests = load_papers([ROOT / "papers" / "agentic-ai.jsonl"], ROOT).papers
    by_title = {title_key(paper.title): paper.id for paper in digests}
    titles = {paper.id: title_key(paper.title) for paper in seeds}
    both = {by_title.get(titles[key], key): value for key, value in dev.items()} | dev
    prior = read_prior(ROOT / "taxonomy" / "prior.npz", "taxonomy/prior.npz")
    return Material(taxonomy, prior, seeds, lists, both, dev_lists, digests)


def _records(name: str) -> Iterator[Paper]:
    for record in _lines(name):
        title = str(record["title"])
        yield Paper(title, title_id(title), str(record["abstract"]), "abstract")


def _lines(name: str) -> Iterator[dict[str, object]]:
    with gzip.open(SHARED / "data" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _rows(found: Evaluation, wanted: dict[str, str]) -> list[Row]:
    kept = dict(found.abstention.risk_coverage)
    figures = {
        "core F1": ("core", found.core_f1),
        "mean F1": ("mean", found.mean_f1),
        "P@1": ("P@1", found.precision_at_1),
        "mAP": ("mAP", found.mean_average_precision),
        "filed right": ("filed right", found.primary_accuracy),
        "contribution right": ("contribution", found.facets["contribution"].figure),
    }
    rows = [Row(name, _shown(f), wanted.get(key, "")) for name, (key, f) in figures.items()]
    rows.append(Row("filed right, surest 80 %", f"{kept[0.8]:.3f}", wanted.get("80 %", "")))
    rows.append(Row("calibration error", f"{found.ece.value:.3f}", wanted.get("ECE", "")))
    rows.append(Row("Brier score", f"{found.brier.value:.3f}", wanted.get("Brier", "")))
    return rows


def _shown(figure: Figure) -> str:
    return f"{figure.value:.3f} ({figure.low:.2f}–{figure.high:.2f})"


def _single_rows(material: Material) -> Iterator[Row]:
    start = time.perf_counter()
    classifier = TaxonomyClassifier(material.taxonomy, prior=material.prior)
    classifier.fit(material.seeds, material.dev)
    classifier.predict(material.seeds)
    seconds = time.perf_counter() - start
    yield Row("learning from and labelling all 364", f"{seconds:.1f} s", "≤ 5 s")
    start = time.perf_counter()
    plain = TaxonomyClassifier(material.taxonomy).fit(material.seeds, material.dev)
    plain.predict(material.seeds)
    yield Row("the same without a prior", f"{time.perf_counter() - start:.1f} s", "≤ 5 s")
    yield from _curated_rows(material)
    yield from _out_of_scope_rows(material, classifier)
    yield _flips(material)


def _curated_rows(material: Material) -> Iterator[Row]:
    """Agents' papers of curated lists, whose labels are partial; learned without them."""
    records = [r for r in _lines("curated_dev") if r["scope"] == "agent" and _sure(r)]
    papers = [
        Paper(str(r["title"]), title_id(str(r["title"])), str(r["abstract"])) for r in records
    ]
    keys = {title_key(paper.title) for paper in papers}
    others = [paper for paper in material.seeds if title_key(paper.title) not in keys]
    classifier = TaxonomyClassifier(material.taxonomy, prior=material.prior)
    labels = classifier.fit(others, material.dev).predict(papers)
    given = [label.facets["topic"] for label in labels]
    sure = [_sure(record) for record in records]
    any_label = [set(record["labels"]) for record in records]  # type: ignore[call-overload]
    right = [one.primary in known for one, known in zip(given, any_label, strict=True)]
    yield Row(f"curated, P@1 over {len(papers)} papers (any given label)", _share(right), ".92")
    strict = [one.primary in known for one, known in zip(given, sure, strict=True)]
    yield Row("the same among labels of two lists or more alone", _share(strict), "")
    for category in material.taxonomy.first.categories:
        if category.core:
            hits = [
                category.id in one.top_categories
                for one, known in zip(given, sure, strict=True)
                if category.id in known
            ]
            yield Row(f"curated, recall of {category.id} ({len(hits)})", _share(hits), ".85")


def _sure(record: dict[str, object]) -> set[str]:
    """Return the labels that two lists or more agree on."""
    votes = record["votes"]
    assert isinstance(votes, dict)
    return {label for label, count in votes.items() if count >= 2}


def _share(hits: Sequence[bool]) -> str:
    generator = np.random.default_rng(0)
    drawn = generator.choice(np.array(hits, dtype=float), (1000, len(hits))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{np.mean(hits):.3f} ({low:.2f}–{high:.2f})"


def _out_of_scope_rows(material: Material, classifier: TaxonomyClassifier) -> Iterator[Row]:
    column = material.taxonomy.first.ids.index("other")
    inside = classifier.predict_proba(material.seeds)["topic"][:, column]
    areas = [(str(r["area"]), str(r["title"]), str(r["abstract"])) for r in _lines("areas_dev")]
    far = [(area, Paper(t, title_id(t), a)) for area, t, a in areas if area in FAR_AREAS]
    outside = classifier.predict_proba([paper for _, paper in far])["topic"][:, column]
    score = _auroc(outside, inside)
    yield Row(f"out of scope, AUROC, {len(far)} papers of {len(FAR_AREAS)} areas", score, ".98")
    silent = [not _IN_SCOPE_WORDS.search(f"{p.title} {p.abstract}") for _, p in far]
    score = _auroc(outside[silent], inside)
    yield Row(f"– of these, {sum(silent)} that use no word of the scope", score, "")
    for name in FAR_AREAS:
        own = outside[[area == name for area, _ in far]]
        yield Row(f"– {name} ({len(own)})", _auroc(own, inside), "")


def _auroc(outside: np.ndarray, inside: np.ndarray) -> str:
    truth = np.r_[np.ones(len(outside)), np.zeros(len(inside))]
    return f"{roc_auc_score(truth, np.r_[outside, inside]):.3f}"


def _flips(material: Material) -> Row:
    """How many unreviewed papers change their primary when 20 more are reviewed."""
    decided = sorted(key for key in material.dev if any(p.id == key for p in material.seeds))
    order = np.random.default_rng(0).permutation(len(decided))
    drawn = [decided[i] for i in order]
    before: list[str] | None = None
    shares = []
    open_papers = [paper for paper in material.seeds if paper.id not in material.dev]
    for count in range(0, len(drawn) - 19, 20):
        told = {key: material.dev[key] for key in drawn[:count]}
        fitted = TaxonomyClassifier(material.taxonomy, prior=material.prior)
        labels = fitted.fit(material.seeds, told).predict(open_papers)
        primaries = [label.facets["topic"].primary for label in labels]
        if before is not None:
            shares.append(np.mean([a != b for a, b in zip(before, primaries, strict=True)]))
        before = primaries
    figure = f"{np.mean(shares):.1%} on average, at most {max(shares):.1%}"
    return Row("unreviewed primaries that change with 20 more reviews", figure, "≤ 5 %")


if __name__ == "__main__":
    sys.exit(main())
