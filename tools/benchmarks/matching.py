"""Cues, terms and prior values of a chunk of papers: `python -m tools.benchmarks.matching [N]`.

The first N (5,000) shared abstracts are matched in chunks with what the shipped project teaches,
beside the stock TfidfVectorizer (words and pairs) on the same texts, and beside the definitions,
one paper after the other, from which nothing may differ. Prints Markdown; the code of the exit is
the number of things that differ. What is timed starts from `Passages`; where each paper with an
acronym keeps its views, its other spelling is told apart.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.evidence import EvidenceCounter
from classifier.labelling.features import terms
from classifier.labelling.passages import Passages, passages_of
from classifier.labelling.prior_terms import prior_values
from classifier.labelling.term_counts import TermCounts
from classifier.labelling.term_places import TEXT_VIEWS
from classifier.labelling.views import TextViews, text_views
from classifier.learning import train
from classifier.project import Project
from classifier.survey.inputs import read_inputs
from tools.benchmarks.peers import ROOT, fresh_papers

CHUNK, ROUNDS = 1000, 7


def main(arguments: Sequence[str]) -> int:
    """Print the times and what differs; return how much does."""
    count = int(arguments[0]) if arguments else 5000
    classifier = train(read_inputs(Project(ROOT)))
    papers = list(islice(fresh_papers(ROOT.parent / "shared"), count))
    views = [text_views(paper) for paper in papers]
    chunks = [views[start : start + CHUNK] for start in range(0, len(views), CHUNK)]
    passages = [passages_of(chunk, classifier.matcher_.vocabulary) for chunk in chunks]
    texts = [f"{paper.title} {paper.abstract}" for paper in papers]
    stock = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2).fit(texts)
    print(_table(_times(classifier, passages, stock, texts)))
    found = sum(_differences(classifier, *chunk) for chunk in zip(chunks, passages, strict=True))
    print(f"\nThings that differ from the definitions in {len(papers):,} papers: {found}")
    return found


def _times(
    classifier: TaxonomyClassifier,
    passages: Sequence[Passages],
    stock: TfidfVectorizer,
    texts: Sequence[str],
) -> dict[str, float]:
    """Return the least µs an abstract of each part, over rounds that alternate."""
    matcher, prior = classifier.matcher_, classifier.prior
    written = [dataclasses.replace(each, respelled={}) for each in passages]
    counts = [matcher.terms.count(each) for each in passages]
    models = [facet.filed.names for facet in prior.facets.values()] if prior else []
    parts: dict[str, Callable[[], object]] = {
        "cues of all facets": lambda: [matcher.cues.count(each) for each in written],
        "terms": lambda: [matcher.terms.count(each) for each in passages],
        "TF-IDF rows": lambda: [classifier.text_features_.transform(each) for each in counts],
        "prior values": lambda: [prior_values(each, of) for each in models for of in counts],
        "cues, other spellings too": lambda: [matcher.cues.count(each) for each in passages],
        "stock TfidfVectorizer.transform": lambda: stock.transform(texts),
    }
    least = dict.fromkeys(parts, float("inf"))
    for _ in range(ROUNDS):
        for name, part in parts.items():
            start = time.process_time()
            part()
            least[name] = min(least[name], (time.process_time() - start) / len(texts) * 1e6)
    return least


def _table(times: dict[str, float]) -> str:
    *_, peer = times.values()
    own = sum(list(times.values())[:4])
    rows = {**times, "cues, terms, rows and values": own}
    lines = [f"| {name} | {time:.1f} | {time / peer:.2f} |" for name, time in rows.items()]
    return "\n".join(["| part | µs an abstract | of the stock one's |", "|---|---|---|", *lines])


def _differences(
    classifier: TaxonomyClassifier, views: Sequence[TextViews], passages: Passages
) -> int:
    """Return how many evidences, rows and values are not those of the definitions."""
    matcher = classifier.matcher_
    counts = matcher.terms.count(passages)
    found = 0
    for name, evidence in matcher.cues.count(passages).items():
        wanted = EvidenceCounter(classifier.taxonomy.facet(name)).count(views)
        found += int((wanted.counts != evidence.counts).sum())
        found += sum(one != other for one, other in zip(wanted.hits, evidence.hits, strict=True))
        found += sum(a != b for a, b in zip(wanted.negated, evidence.negated, strict=True))
    return (
        found
        + _row_differences(classifier, views, counts)
        + _value_differences(classifier, views, counts)
    )


def _row_differences(
    classifier: TaxonomyClassifier, views: Sequence[TextViews], counts: TermCounts
) -> int:
    features = classifier.text_features_
    rows = features.transform(counts)
    found = 0
    for view, weight in zip(TEXT_VIEWS, features.view_weights, strict=True):
        own = [place for place, name in enumerate(features.names_) if name.startswith(f"{view}:")]
        names = [features.names_[place].partition(":")[2] for place in own]
        vectorizer = TfidfVectorizer(analyzer=terms, sublinear_tf=True, vocabulary=names)
        vectorizer.idf_ = features.idf_[own]
        wanted = vectorizer.transform([getattr(paper, f"{view}_text") for paper in views]) * weight
        found += (wanted != rows[:, own]).nnz
    return found


def _value_differences(
    classifier: TaxonomyClassifier, views: Sequence[TextViews], counts: TermCounts
) -> int:
    found = 0
    for facet in classifier.prior.facets.values() if classifier.prior else ():
        names = facet.filed.names
        values = prior_values(names, counts)
        for row, paper in enumerate(views):
            wanted = _values(names, paper)
            found += int((values[row].toarray()[0] != wanted).sum())
    return found


def _values(names: Sequence[str], paper: TextViews) -> np.ndarray:
    stands = {view: Counter(terms(getattr(paper, f"{view}_text"))) for view in TEXT_VIEWS}
    values = np.zeros(len(names))
    for column, name in enumerate(names):
        view, _, term = name.partition(":")
        if count := stands.get(view, {}).get(term, 0):
            values[column] = (1 + float(np.log(count))) / float(np.sqrt(len(stands[view])))
    return values


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1:])))
