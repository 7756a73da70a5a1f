"""Labelled abstracts, and how well a classifier labels them: what the benchmarks of labels share.

The abstracts and labels lie in ../shared, beside the project: 182 papers of the shipped survey
(dev), 546 of public lists, and 2,239 that were chosen after the cues were written (fresh). A fifth
of the fresh ones, by a hash of the title, is held back: nothing is learned from it or chosen on it.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from classifier.evaluation import metrics
from classifier.evaluation.gold import match_gold, read_gold
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.decide import out_of_scope_columns
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.labelling.prior import Prior
from classifier.labelling.training_data import assign_folds
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_id, title_key
from tools.prior import learn_prior

Array = NDArray[np.float64]
Rows = NDArray[np.int64]

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
ARCHIVES = ("curated_dev", "areas_dev", "arxiv_20k")
FACETS = ("topic", "contribution")
"""What the labels speak of: the benchmarks cut the shipped taxonomy to these two."""


class Classifier(Protocol):
    """What is measured."""

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> object:  # noqa: N803
        """Learn from papers and the decisions on some of them."""

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        """Return the labels of each paper, in order."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Papers that people labelled."""

    papers: tuple[Paper, ...]
    decisions: Decisions
    """Paper id -> facet -> what they said; of every paper."""

    def of(self, rows: Rows) -> Labelled:
        """Return some of them."""
        papers = tuple(self.papers[row] for row in rows.tolist())
        return Labelled(papers, {paper.id: self.decisions[paper.id] for paper in papers})

    def __add__(self, other: Labelled) -> Labelled:
        return Labelled((*self.papers, *other.papers), {**self.decisions, **other.decisions})


@dataclass(frozen=True, slots=True)
class Material:
    """What ../shared and the shipped project hold."""

    taxonomy: Taxonomy
    seeds: tuple[Paper, ...]
    """The 364 abstracts of the survey."""
    dev: Labelled
    """The 182 of them that people decided."""
    digests: tuple[Paper, ...]
    """The 364 papers as the project ships them, in its own words."""
    dev_digests: Labelled
    lists: Labelled
    fresh: Labelled
    """Four fifths."""
    held: Labelled
    """The fifth."""
    sources: Mapping[str, str]
    """Paper id -> the archive that it is from."""
    sure: frozenset[str]
    """Ids of the fresh papers that their reader did not find arguable."""
    background: tuple[Paper, ...]
    """Unlabelled abstracts of arXiv, none of them among the labelled."""


def is_held(title: str) -> bool:
    """Whether a fresh paper belongs to the fifth that is held back."""
    digest = hashlib.blake2b(title_key(title).encode(), digest_size=4).hexdigest()
    return int(digest, 16) % 5 == 0


def read_material() -> Material:
    """Read all of it; exits with 1 where the abstracts are not there."""
    if not SHARED.is_dir():
        sys.exit(f"{SHARED}: not there. The labelled abstracts belong in it.")
    whole = load_taxonomy(ROOT / "taxonomy" / "taxonomy.yaml").taxonomy
    facets = {name: whole.facets[name] for name in FACETS}
    taxonomy = Taxonomy(survey=whole.survey, facets=facets)
    seeds = load_papers(sorted((SHARED / "seeds").glob("*.txt")), SHARED).papers
    digests = load_papers([ROOT / "papers" / "agentic-ai.jsonl"], ROOT).papers
    archive: dict[str, Paper] = {}
    sources = {}
    for name in ARCHIVES:
        for record in lines(name):
            title = str(record["title"])
            if title_key(title) not in archive:
                paper = Paper(title, title_id(title), str(record["abstract"]), "abstract")
                archive[title_key(title)] = paper
                sources[paper.id] = name
    taken = {title_key(paper.title) for paper in seeds}
    texts = [paper for key, paper in archive.items() if key not in taken]
    fresh = _labelled("dev_fresh.csv", taxonomy, texts)
    held = np.array([is_held(paper.title) for paper in fresh.papers])
    lists = _labelled("dev_lists.csv", taxonomy, texts)
    known = fresh.decisions.keys() | lists.decisions.keys()
    return Material(
        taxonomy,
        tuple(seeds),
        _labelled("dev.csv", taxonomy, seeds),
        tuple(digests),
        _labelled("dev.csv", taxonomy, digests),
        lists,
        fresh.of(np.flatnonzero(~held)),
        fresh.of(np.flatnonzero(held)),
        sources,
        _sure(fresh),
        tuple(p for p in texts if sources[p.id] == "arxiv_20k" and p.id not in known),
    )


def lines(name: str) -> Iterator[dict[str, Any]]:
    """Yield the records of an archive of ../shared/data."""
    with gzip.open(SHARED / "data" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _labelled(name: str, taxonomy: Taxonomy, papers: Sequence[Paper]) -> Labelled:
    rows = read_gold(SHARED / "gold" / name, taxonomy, name)
    titles = {title_key(row.title) for row in rows}
    meant = [paper for paper in papers if title_key(paper.title) in titles]
    decisions, _ = match_gold(rows, meant)
    kept = sorted((p for p in meant if p.id in decisions), key=lambda paper: paper.id)
    return Labelled(tuple(kept), {paper.id: decisions[paper.id] for paper in kept})


def _sure(fresh: Labelled) -> frozenset[str]:
    with (SHARED / "gold" / "dev_fresh.csv").open(encoding="utf-8", newline="") as file:
        sure = {title_key(row["title"]) for row in csv.DictReader(file) if row["sure"] == "1"}
    return frozenset(paper.id for paper in fresh.papers if title_key(paper.title) in sure)


def prior_of(material: Material) -> Prior:
    """Return the prior of the lists and four fifths of the fresh papers."""
    known = material.lists + material.fresh
    return learn_prior(material.taxonomy, known.papers, known.decisions, material.background)


@dataclass(frozen=True, slots=True)
class Given:
    """What a classifier said of n papers, and what people say."""

    truth: NDArray[np.bool_]
    """(n, k) topics in scope and out of it."""
    filed: Rows
    """(n,) the column of the true primary."""
    contribution: NDArray[np.str_]
    probabilities: Array
    labels: NDArray[np.bool_]
    """(n, k)."""
    said_filed: Rows
    said_contribution: NDArray[np.str_]
    confident: NDArray[np.bool_]

    def of(self, rows: Rows | NDArray[np.bool_]) -> Given:
        """Return some of the papers."""
        return Given(*(getattr(self, name)[rows] for name in self.__slots__))


def given(taxonomy: Taxonomy, scored: Labelled, labels: Sequence[PaperLabels]) -> Given:
    """Return labels beside the truth, in the order of the papers."""
    ids, (topic, contribution) = list(taxonomy.first.ids), FACETS
    told = [scored.decisions[paper.id] for paper in scored.papers]
    said = [label.facets[topic] for label in labels]
    kinds = [label.facets.get(contribution) for label in labels]
    return Given(
        np.array([[name in each[topic].values for name in ids] for each in told]),
        np.array([ids.index(each[topic].primary) for each in told]),
        np.array([each[contribution].values[0] if contribution in each else "" for each in told]),
        np.array([[each.probabilities[name] for name in ids] for each in said]),
        np.array([[name in each.top_categories for name in ids] for each in said]),
        np.array([ids.index(each.primary) for each in said]),
        np.array([each.primary if each else "" for each in kinds]),
        np.array([each.status == "confident" for each in said]),
    )


Column = Callable[[Taxonomy, Given, Array], Array]


def _f1(core: bool) -> Column:
    def measure(taxonomy: Taxonomy, said: Given, weights: Array) -> Array:
        outside = out_of_scope_columns(taxonomy.first)
        columns = [
            column
            for column, category in enumerate(taxonomy.first.categories)
            if column not in outside and (category.core or not core)
        ]
        return metrics.macro_f1(metrics.tally(said.truth, said.labels, weights), columns)

    return measure


def _in_scope(taxonomy: Taxonomy) -> list[int]:
    outside = out_of_scope_columns(taxonomy.first)
    return [column for column in range(len(taxonomy.first.ids)) if column not in outside]


def _share(right: Callable[[Given], NDArray[np.bool_]]) -> Column:
    return lambda _, said, weights: metrics.weighted_share(right(said), weights)


def _confident_right(_: Taxonomy, said: Given, weights: Array) -> Array:
    right = (said.said_filed == said.filed)[said.confident]
    return metrics.weighted_share(right, weights[:, said.confident])


COLUMNS: Mapping[str, Column] = {
    "core F1": _f1(core=True),
    "all F1": _f1(core=False),
    "P@1": _share(lambda said: said.truth[np.arange(len(said.filed)), said.said_filed]),
    "mAP": lambda taxonomy, said, weights: metrics.mean_average_precision(
        said.truth, said.probabilities, weights, _in_scope(taxonomy)
    ),
    "filed": _share(lambda said: said.said_filed == said.filed),
    "contribution": _share(lambda said: said.said_contribution == said.contribution),
    "ECE": lambda taxonomy, said, weights: metrics.expected_calibration_error(
        said.truth[:, _in_scope(taxonomy)], said.probabilities[:, _in_scope(taxonomy)], weights
    ),
    "confident": _share(lambda said: said.confident),
    "of them right": _confident_right,
}
"""Column -> its value in each of (b, n) weighted samples of n papers, the first as they are."""

Figures = Mapping[str, metrics.Estimate]


def figures(taxonomy: Taxonomy, rounds: Sequence[Given], resamples: int = 300) -> Figures:
    """Return the mean of each column over rounds on the same papers, with 95 % intervals.

    A resample draws papers, the same in every round and for every classifier: differences pair.
    """
    weights = metrics.resample_weights(len(rounds[0].filed), resamples=resamples)
    return {
        name: metrics.estimate(np.mean([of(taxonomy, said, weights) for said in rounds], axis=0))
        for name, of in COLUMNS.items()
    }


def nested(
    taxonomy: Taxonomy,
    make: Callable[[], Classifier],
    scored: Labelled,
    pool: Sequence[Paper] = (),
    *,
    folds: int = 5,
    repeats: int = 1,
) -> list[Given]:
    """Label papers fold by fold; a classifier learns from the others and from the pool.

    What is in the fold is not in the pool, either, not even without its labels.
    """
    first = taxonomy.first
    strata = np.array([first.ids.index(d[first.id].primary) for d in scored.decisions.values()])
    ids = [paper.id for paper in scored.papers]
    rounds = []
    for repeat in range(repeats):
        dealt = assign_folds(ids, strata, folds, salt=f"{repeat}:")
        parts = []
        for fold in range(folds):
            test, train = (
                scored.of(np.flatnonzero(part)) for part in (dealt == fold, dealt != fold)
            )
            parts.append(
                given(taxonomy, test, learned(make(), train, pool, test).label(test.papers))
            )
        order = np.argsort(np.argsort(dealt, kind="stable"))
        rounds.append(joined(parts).of(order))
    return rounds


def learned(
    classifier: Classifier, train: Labelled, pool: Sequence[Paper], test: Labelled
) -> Classifier:
    """Return the classifier, fitted on labelled papers and a pool without the papers under test."""
    met = {title_key(paper.title) for paper in (*test.papers, *train.papers)}
    others = [paper for paper in pool if title_key(paper.title) not in met]
    classifier.fit([*train.papers, *others], train.decisions)
    return classifier


def joined(parts: Sequence[Given]) -> Given:
    """Return the papers of all parts, part after part."""
    return Given(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in Given.__slots__)
    )


def without_exemplars(taxonomy: Taxonomy) -> Taxonomy:
    """Return the taxonomy without exemplars: a paper that is scored would be learned as one."""
    facets = {}
    for name, facet in taxonomy.facets.items():
        fields = {key: getattr(facet, key) for key in type(facet).model_fields}
        categories = [c.model_copy(update={"exemplars": ()}) for c in facet.categories]
        facets[name] = type(facet).model_validate({**fields, "categories": categories})
    return Taxonomy(survey=taxonomy.survey, facets=facets)


def fieldguide(taxonomy: Taxonomy, prior: Prior | None = None) -> Callable[[], Classifier]:
    """Return what makes the project's classifier."""
    return lambda: TaxonomyClassifier(taxonomy, prior=prior)


class Report:
    """Rows of figures, printed as they come, and written as JSON in the end."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.json: Path | None = options.json
        self.rows: dict[str, Mapping[str, Any]] = {}
        self.columns: tuple[str, ...] = ()

    def add(self, name: str, found: Figures, expected: Mapping[str, str] | None = None) -> None:
        """Print a row, with its intervals below, and below them what was expected."""
        if tuple(found) != self.columns:
            self.columns = tuple(found)
            print(f"\n{'':46}" + "".join(f"{column:>15}" for column in found))
        print(f"{name:46}" + "".join(f"{figure.value:15.3f}" for figure in found.values()))
        spans = (f"{f.low:.2f} to {f.high:.2f}" for f in found.values())
        print(f"{'':46}" + "".join(f"{span:>15}" for span in spans), flush=True)
        if expected:
            print(f"{'  expected':46}" + "".join(f"{expected.get(c, ''):>15}" for c in found))
        self.rows[name] = {
            column: {"value": f.value, "low": f.low, "high": f.high} for column, f in found.items()
        }

    def say(self, name: str, value: float, shown: str) -> None:
        """Print one figure in words."""
        print(f"{name}: {shown}", flush=True)
        self.rows[name] = {"value": value}

    def end(self) -> int:
        """Write the JSON that was asked for; return the exit code."""
        if self.json:
            self.json.write_text(json.dumps(self.rows, indent=1) + "\n", encoding="utf-8")
        return 0


def parser_of(name: str, about: str | None) -> argparse.ArgumentParser:
    """Return the parser of a benchmark, with the option that all have."""
    parser = argparse.ArgumentParser(
        prog=f"python -m tools.{name}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here, too")
    return parser


def minus(one: Figures, other: Figures) -> Figures:
    """Return differences, paired: resample by resample over the same papers in the same order.

    Berg-Kirkpatrick, Burkett & Klein, "An empirical investigation of statistical significance in
    NLP", EMNLP 2012.
    """
    return {name: metrics.estimate(one[name].samples - other[name].samples) for name in one}
