"""Labels of a new field after the first hour: the share filed right, by number of decisions.

    python -m tools.first_hour [--fields math,astro] [--deals 5] [--orders random,queue]
                               [--background with,without] [--counts 0,30,100] [--json FILE]

Each field of ../shared/data/fields has a taxonomy that was written from the names of its categories
alone, five cues per category. `shipped` is the shipped field with its first five cues per category
and no prior. A deal draws 364 papers as the project and up to 600 others to score. A number of
papers of the project are decided, drawn at random or by the review queue. `without` leaves the
papers that come from where the field's own papers come out of the background.

Next to it stand the votes of the cues, plain TF-IDF with logistic regression on the decided papers,
and the same on 800 decided papers, as an upper limit.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from classifier.labelling.background import Background
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.cue_index import CueIndex
from classifier.labelling.labels import QUEUE, Decision, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.queue import review_queue
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy
from tools.background import background_without
from tools.first_day import first_day
from tools.labelled import SHARED, parser_of, read_material, without_exemplars

FIELDS = ("ohsumed", "cei", "math", "astro", "hoc", "icrs", "econfin", "csl_zh", "shipped")
CHOSEN_ON = FIELDS[:4]
"""The fields on which parameters were chosen; the others confirm them."""
COUNTS = (0, 10, 30, 60, 100, 200)
N_PROJECT, MAX_SCORED, N_CEILING = 364, 600, 800
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Field:
    """A labelled field."""

    name: str
    taxonomy: Taxonomy
    papers: tuple[Paper, ...]
    labels: Rows
    """(n,) column of the true category."""

    def decisions(self, rows: Sequence[int], drawn_by: str = "") -> dict[str, dict[str, Decision]]:
        """Return what a reviewer would decide on the papers of `rows`."""
        facet = self.taxonomy.first
        decided = {}
        for row in rows:
            category = facet.ids[self.labels[row]]
            decision = Decision((category,), category, "reader", drawn_by=drawn_by)
            decided[self.papers[row].id] = {facet.id: decision}
        return decided


@dataclass(frozen=True, slots=True)
class Result:
    """Labels of the scored papers."""

    right: float
    """Share of papers filed right."""
    ece: float
    """Expected calibration error of the confidence."""
    confident: float
    """Share of papers with confident labels."""
    confident_right: float
    """Share of these that are filed right."""


@cache
def read_field(name: str) -> Field:
    """Read the papers, labels and taxonomy of a field.

    name: `shipped`, a folder of ../shared/data/fields, or the path of a folder with such files.
    """
    if name == "shipped":
        material = read_material()
        whole = first_day(without_exemplars(material.taxonomy))
        taxonomy = Taxonomy(survey=whole.survey, facets={whole.first.id: whole.first})
        papers = material.fresh.papers
        truth = [material.fresh.decisions[paper.id][taxonomy.first.id].primary for paper in papers]
    else:
        folder = SHARED / "data" / "fields" / name
        taxonomy = load_taxonomy(folder / "taxonomy.yaml").taxonomy
        with gzip.open(folder / "texts.jsonl.gz", "rt", encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        papers = tuple(
            Paper(
                record["title"],
                f"{name}-{record['id']}",
                record["abstract"],
                "abstract",
                keywords=tuple(record.get("keywords", ())),
            )
            for record in records
        )
        truth = [record["label"] for record in records]
    ids = list(taxonomy.first.ids)
    return Field(name, taxonomy, papers, np.array([ids.index(each) for each in truth]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = parser_of("first_hour", __doc__)
    parser.add_argument("--fields", default=",".join(FIELDS), help="comma-separated names")
    parser.add_argument("--deals", type=int, default=5, help="number of draws of papers per field")
    parser.add_argument("--orders", default="random,queue", help="how decided papers are drawn")
    parser.add_argument(
        "--background",
        default="without",
        help="with or without the sources of the field's own papers, comma-separated",
    )
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()), help="folder of backgrounds"
    )
    parser.add_argument("--counts", default=",".join(map(str, COUNTS)), help="numbers of decisions")
    options = parser.parse_args(arguments)
    counts = [int(count) for count in options.counts.split(",")]
    methods: dict[str, Callable[[Field, int], list[Result]]] = {}
    for kind in options.background.split(","):
        for order in options.orders.split(","):

            def measure_curve(
                field: Field, deal: int, order: str = order, kind: str = kind
            ) -> list[Result]:
                name = field.name if kind == "without" else ""
                background = background_without(name, options.cache) if name else None
                return curve(field, deal, counts, order, background)

            methods[f"{order}, {kind}"] = measure_curve
    methods["TF-IDF + LR"] = lambda field, deal: stock_curve(field, deal, counts)
    methods["cue votes"] = lambda field, deal: [votes_alone(field, deal)]
    methods["800 decided"] = lambda field, deal: [ceiling(field, deal)]
    rows: dict[str, dict[str, list[list[Result]]]] = {name: {} for name in methods}
    print(f"{'':24}" + "".join(f"{count:>16}" for count in counts))
    for name in options.fields.split(","):
        field = read_field(name)
        for method, measure in methods.items():
            found = [measure(field, deal) for deal in range(options.deals)]
            rows[method][name] = found
            print(line(f"{name} {method}", found), flush=True)
    if len(rows["cue votes"]) > 1:
        for method, by_field in rows.items():
            print(line(f"mean {method}", mean_of_fields(by_field)), flush=True)
    if options.json:
        content = {
            m: {f: [[r.right for r in d] for d in deals] for f, deals in by.items()}
            for m, by in rows.items()
        }
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


def mean_of_fields(by_field: Mapping[str, Sequence[Sequence[Result]]]) -> list[list[Result]]:
    """Return the results of each deal, averaged over the fields."""
    fields = [*by_field.values()]
    return [
        [mean_result(results) for results in zip(*deals, strict=True)]
        for deals in zip(*fields, strict=True)
    ]


def mean_result(results: Sequence[Result]) -> Result:
    """Return mean results; the share of right ones is that of all confident labels together."""
    values = np.array([_values(result) for result in results])
    right, ece, confident, _ = values.mean(axis=0)
    share = np.nansum(values[:, 2] * values[:, 3]) / values[:, 2].sum() if confident else np.nan
    return Result(float(right), float(ece), float(confident), float(share))


def _values(result: Result) -> tuple[float, float, float, float]:
    return result.right, result.ece, result.confident, result.confident_right


def line(name: str, deals: Sequence[Sequence[Result]]) -> str:
    """Return a row: the mean over deals with half its 95 % interval, and below it, confidence."""
    means = [mean_result(results) for results in zip(*deals, strict=True)]
    values = np.array([[result.right for result in deal] for deal in deals])
    half = 1.96 * values.std(axis=0, ddof=min(1, len(deals) - 1)) / np.sqrt(len(deals))
    row = f"{name:24}" + "".join(
        f"{mean.right:8.3f} ± {error:.3f}" for mean, error in zip(means, half, strict=True)
    )
    if all(np.isnan(mean.ece) for mean in means):
        return row
    shares = (
        f"{mean.ece:6.2f} {mean.confident:4.2f} {mean.confident_right:4.2f}" for mean in means
    )
    return f"{row}\n{'  ECE, confident, right':24}" + "".join(shares)


def deal_rows(field: Field, deal: int) -> tuple[Rows, Rows, Rows]:
    """Return the rows of the project in the order of decisions, of scored and of other papers."""
    order = np.random.default_rng(100 + deal).permutation(len(field.papers))
    others = order[N_PROJECT + MAX_SCORED :]
    return order[:N_PROJECT], order[N_PROJECT : N_PROJECT + MAX_SCORED], others


def curve(
    field: Field, deal: int, counts: Sequence[int], order: str, background: Background | None
) -> list[Result]:
    """Return the results of the classifier for each number of decisions."""
    project, scored, _ = deal_rows(field, deal)
    papers = [field.papers[row] for row in project]
    row_of = {field.papers[row].id: row for row in project}
    decided: list[int] = []
    results = []
    labels: list[PaperLabels] = []
    classifier = TaxonomyClassifier(field.taxonomy, background=background)
    for count in counts:
        new = count - len(decided)
        if order == "random" or not labels:
            decided = project[:count].tolist()
        elif new:
            known = field.decisions(decided)
            draws = [d.paper_id for d in review_queue(classifier, papers, labels, known)]
            decided += [row_of[name] for name in draws if name not in known][:new]
        classifier = TaxonomyClassifier(field.taxonomy, background=background)
        decisions = field.decisions(decided, QUEUE if order == "queue" else "")
        if order == "queue":
            classifier.fit(papers, decisions)
            labels = classifier.label(papers, explain="nothing")
        else:
            classifier.fit(papers, decisions)
        found = classifier.label([field.papers[row] for row in scored], explain="nothing")
        results.append(score(field, scored, found))
    return results


def score(field: Field, scored: Rows, labels: Sequence[PaperLabels]) -> Result:
    """Compare labels to the truth."""
    facet = field.taxonomy.first
    found = [each.facets[facet.id] for each in labels]
    right = np.array([facet.ids.index(each.primary) for each in found]) == field.labels[scored]
    confidence = np.array([each.confidence for each in found])
    confident = np.array([each.status == "confident" for each in found])
    bins = np.minimum((confidence * 10).astype(int), 9)
    gaps = [abs(right[bins == b].sum() - confidence[bins == b].sum()) for b in range(10)]
    return Result(
        float(right.mean()),
        float(np.sum(gaps) / len(right)),
        float(confident.mean()),
        float(right[confident].mean()) if confident.any() else np.nan,
    )


def votes_alone(field: Field, deal: int) -> Result:
    """Return the share of papers filed right by the strongest vote of cues."""
    facet = field.taxonomy.first
    _, scored, _ = deal_rows(field, deal)
    evidence = CueIndex(field.taxonomy).count([field.papers[row] for row in scored])[facet.id]
    votes = evidence.votes(facet.ids)
    right = (votes.argmax(axis=1) == field.labels[scored]) & (votes.max(axis=1) > 0)
    return Result(float(right.mean()), np.nan, np.nan, np.nan)


def ceiling(field: Field, deal: int) -> Result:
    """Return the result of TF-IDF and logistic regression on 800 decided papers."""
    project, scored, others = deal_rows(field, deal)
    train = np.concatenate([project, others])[:N_CEILING]
    return _stock(field, train, train, scored)


def stock_curve(field: Field, deal: int, counts: Sequence[int]) -> list[Result]:
    """Return the results of TF-IDF and logistic regression on the decided papers alone."""
    project, scored, _ = deal_rows(field, deal)
    return [_stock(field, project, project[:count], scored) for count in counts]


def _stock(field: Field, known: Rows, decided: Rows, scored: Rows) -> Result:
    texts = [f"{paper.title}. {paper.abstract}" for paper in field.papers]
    labels = field.labels[decided]
    if len(set(labels.tolist())) < 2:
        return Result(0.0, np.nan, np.nan, np.nan)
    analyzer = "char" if field.name.endswith("_zh") else "word"
    vectorizer = TfidfVectorizer(
        ngram_range=(1, 2), min_df=2, sublinear_tf=True, analyzer=analyzer
    ).fit([texts[row] for row in known])
    rows = vectorizer.transform(texts[row] for row in decided)
    model = LogisticRegression(C=10.0, max_iter=300).fit(rows, labels)
    found = model.predict(vectorizer.transform(texts[row] for row in scored))
    return Result(float((found == field.labels[scored]).mean()), np.nan, np.nan, np.nan)


if __name__ == "__main__":
    sys.exit(main())
