"""What labelling an abstract costs, stage by stage, beside the stock scikit-learn pipeline.

    python -m tools.benchmarks.labelling_stage [--papers 4000] [--chunk 1000] [--modules]

The shipped project's model labels the abstracts of ../shared, chunk after chunk; each chunk goes
through the stock pipeline right after, so that a busy machine slows both. Times are those of one
processor, and no text is seen twice, since views of a text are kept. The stock pipeline is
TfidfVectorizer (1-2-grams, sublinear, min_df=2) and one-vs-rest logistic regression, fitted on the
project's papers with the topics that the model gives them.
"""

from __future__ import annotations

import argparse
import cProfile
import itertools
import pstats
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MultiLabelBinarizer
from threadpoolctl import threadpool_limits

from classifier.labelling.estimator import TaxonomyClassifier
from classifier.learning import train
from classifier.papers.paper import Paper
from classifier.project import Project
from classifier.review.bulk_sheet import sheet_columns
from classifier.survey.inputs import read_inputs
from tools.benchmarks.peers import ROOT, fresh_papers

T = TypeVar("T")
LABELS = ("views, cues, terms, prior", "scores", "decisions")
"""The stages that give topics, primary, contribution and confidence."""
STOCK = "stock: terms", "stock: predict_proba"


def main() -> int:
    """Print a row a stage, as Markdown; return the exit code."""
    options = _options()
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        print(f"{shared}: not there. The abstracts to label belong in it.", file=sys.stderr)
        return 1
    inputs = read_inputs(Project(ROOT))
    classifier = train(inputs)
    stock = stock_pipeline(classifier, inputs.corpus.papers)
    papers = list(itertools.islice(fresh_papers(shared), options.papers + options.chunk))
    with threadpool_limits(limits=1):
        measure(classifier, stock, papers[: options.chunk])  # what is made once is made here
        seconds: Counter[str] = Counter()
        for chunk in _chunks(papers[options.chunk :], options.chunk):
            seconds += measure(classifier, stock, chunk)
    print(table(seconds, options.papers))
    if options.modules:
        print(modules(classifier, list(itertools.islice(fresh_papers(shared), 20_000))[-1000:]))
    return 0


def stock_pipeline(classifier: TaxonomyClassifier, papers: Sequence[Paper]) -> Pipeline:
    """Return the peer, fitted on the topics of the project's papers."""
    labels = classifier.predict_bulk(papers, explain="nothing")
    topics = labels.facets[classifier.taxonomy.first.id].categories()
    truth = MultiLabelBinarizer().fit_transform(topics)
    return Pipeline([
        ("terms", TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2)),
        ("model", OneVsRestClassifier(LogisticRegression(max_iter=200))),
    ]).fit(_texts(papers), truth)  # fmt: skip


def measure(
    classifier: TaxonomyClassifier, stock: Pipeline, papers: Sequence[Paper]
) -> Counter[str]:
    """Return stage -> seconds of one processor that it takes of these papers."""
    spent: Counter[str] = Counter()

    def timed(stage: str, work: Callable[[], T]) -> T:
        began = time.process_time()
        found = work()
        spent[stage] += time.process_time() - began
        return found

    seen = timed(LABELS[0], lambda: classifier.facet_views(papers))
    with _already_seen(classifier, seen):
        timed("scores", lambda: classifier.facet_scores(papers))
        timed("labels", lambda: classifier.predict_bulk(papers, explain="nothing"))
        labels = timed("primary", lambda: classifier.predict_bulk(papers, explain="primary"))
        timed("all", lambda: classifier.predict_bulk(papers, explain="all"))
    timed("rows of a sheet", lambda: sheet_columns(classifier.taxonomy, papers, labels))
    texts = _texts(papers)
    rows = timed(STOCK[0], lambda: stock["terms"].transform(texts))
    timed(STOCK[1], lambda: stock["model"].predict_proba(rows))
    # Each call does what the one before it does, and one stage more.
    spent["reasons for all, digests"] = spent.pop("all") - spent["labels"]
    spent["reasons for the primary"] = spent.pop("primary") - spent["labels"]
    spent["decisions"] = spent.pop("labels") - spent["scores"]
    return spent


class _already_seen:  # noqa: N801 - a context manager reads as words
    """A classifier that is given what it sees of papers, so that the rest is timed alone."""

    def __init__(self, classifier: TaxonomyClassifier, seen: object) -> None:
        self.classifier, self.seen = classifier, seen

    def __enter__(self) -> None:
        self.classifier.facet_views = lambda *_: self.seen

    def __exit__(self, *_: object) -> None:
        del self.classifier.facet_views


def table(seconds: Counter[str], papers: int) -> str:
    """Return the stages with their microseconds an abstract, and as shares of the stock's."""
    each = {stage: 1e6 * spent / papers for stage, spent in seconds.items()}
    stock = sum(each[stage] for stage in STOCK)
    labels = sum(each[stage] for stage in LABELS)
    sheet = labels + each["reasons for the primary"] + each["rows of a sheet"]
    rows = [
        *((stage, each[stage]) for stage in LABELS),
        ("**labels**", labels),
        *((stage, each[stage]) for stage in each if stage not in (*LABELS, *STOCK)),
        ("**labels as rows of a sheet**", sheet),
        *((stage, each[stage]) for stage in STOCK),
        ("**stock pipeline**", stock),
    ]
    lines = [f"| {stage} | {cost:.1f} | {cost / stock:.2f} |" for stage, cost in rows]
    head = "| stage | µs an abstract | of the stock pipeline |\n|---|---:|---:|\n"
    rate = f"Labels: {stock / labels:.2f} × the abstracts a second of the stock pipeline"
    return head + "\n".join(lines) + f"\n\n{rate}; as rows of a sheet {stock / sheet:.2f} ×."


def modules(classifier: TaxonomyClassifier, papers: Sequence[Paper]) -> str:
    """Return in which files the time of labelling goes, told by a profiler: shares, not times."""
    profile = cProfile.Profile()
    profile.runcall(classifier.predict_bulk, papers, explain="primary")
    spent: Counter[str] = Counter()
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, object]]
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, name), (_, _, own, _, _) in stats.items():
        spent["/".join(Path(file).parts[-2:]) if file != "~" else name] += own
    whole = sum(spent.values())
    lines = [f"| {name} | {own / whole:.0%} |" for name, own in spent.most_common(20)]
    return "\n| file, or built-in | of the time |\n|---|---:|\n" + "\n".join(lines)


def _texts(papers: Sequence[Paper]) -> list[str]:
    return [f"{paper.title} {paper.abstract}" for paper in papers]


def _chunks(papers: Sequence[Paper], size: int) -> Iterator[Sequence[Paper]]:
    for start in range(0, len(papers), size):
        yield papers[start : start + size]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--papers", type=int, default=4000)
    parser.add_argument("--chunk", type=int, default=1000)
    parser.add_argument("--modules", action="store_true", help="also, which files take the time")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
