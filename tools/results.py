"""How true the results are that are read out of abstracts: python -m tools.results [--learn].

tests/text/gold/results.csv says which numbers of some 1,100 abstracts and digests state an outcome,
as people read them; ../shared holds the abstracts. The training papers are scored by ten-fold
cross-validation, the test papers, which nothing was learned from, by the weights that ship.
--learn writes those weights anew, from the training papers; --show prints each difference.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from classifier.text import results as reading
from classifier.text.clean import clean_abstract
from classifier.text.linear import LinearModel, model_text
from classifier.text.result import KINDS, WHOSE, headline
from classifier.text.result_features import features_of
from classifier.text.results import HEADLINE, STATED, WEIGHTS_FILE
from classifier.text.roles import RoledSentence, roled_sentences
from tests.text.gold_spans import DIGESTS, GOLD, ROOT, abstracts_of

SHARED = Path(os.environ.get("FG_SHARED", "../shared"))
STRENGTH = 0.2
"""Of the L2 regularisation (scikit-learn's C), chosen by cross-validation on training papers."""
WEIGHT_OF_DIGESTS = 5.0
"""Digests are written in a style of their own, and are what the shipped survey reads."""
DIGESTS_FIELD = "digests"
FEWEST = 4
"""Numbers beside which a feature must stand."""
_UNLIKELY = -20.0
LEAST_WEIGHT = 6
"""Features without a weight of so many hundredths in any column are left out."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A number that states an outcome, as a reader marked it."""

    start: int
    end: int
    whose: str
    kind: str
    is_headline: bool


@dataclass(frozen=True, slots=True)
class Read:
    """An abstract with what a reader marked in it."""

    title: str
    field: str
    sentences: tuple[RoledSentence, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A number of an abstract, as the model meets it."""

    paper: int
    features: tuple[str, ...]
    mark: Mark | None
    weight: float


def main() -> None:
    """Learn, where asked to, and print what is right and found, by field."""
    parser = argparse.ArgumentParser(prog="python -m tools.results", description=__doc__)
    parser.add_argument("--learn", action="store_true", help="write the weights anew")
    parser.add_argument("--show", action="store_true", help="print each difference")
    options = parser.parse_args()
    train, test = (read_papers(each) for each in ("train", "test"))
    if options.learn:
        WEIGHTS_FILE.write_text(model_text(learn(examples_of(train))), encoding="utf-8")
        reading.shipped_weights.cache_clear()
    print("Training papers, cross-validated")
    print_scores(cross_validated(train, options.show))
    print("Test papers, which nothing was learned from")
    print_scores([score(paper, options.show) for paper in test])
    print("Test papers as another reader marked them, who had not seen the first one's marks")
    print_scores(read_again(test))


def read_papers(chosen: str) -> list[Read]:
    """Return the papers of a set, `train` or `test`, with their marks."""
    with (GOLD / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["set"] == chosen]
    papers = []
    for (name, title), group in groupby(rows, key=lambda row: (row["file"], row["paper"])):
        folder = ROOT if name == DIGESTS else SHARED
        text = clean_abstract(abstracts_of(folder / name)[title])
        marks = tuple(
            Mark(int(r["start"]), int(r["end"]), r["whose"], r["kind"], r["headline"] == "yes")
            for r in group
            if r["start"]
        )
        papers.append(Read(title, _field(name), roled_sentences(text), marks))
    return papers


def _field(name: str) -> str:
    return DIGESTS_FIELD if name == DIGESTS else "agents" if "arxiv_20k" in name else "other fields"


def examples_of(papers: Sequence[Read]) -> list[Example]:
    """Return every number of the papers."""
    found = []
    for index, paper in enumerate(papers):
        numbers = [reading.numbers_of(sentence) for sentence in paper.sentences]
        for place, sentence in enumerate(paper.sentences):
            for at, number in enumerate(numbers[place]):
                start = sentence.span.start + number.start
                mark = mark_of(paper, start, start + len(number.sign) + len(number.value))
                features = features_of(paper.sentences, numbers, place, at)
                weight = WEIGHT_OF_DIGESTS if paper.field == DIGESTS_FIELD else 1.0
                found.append(Example(index, features, mark, weight))
    return found


def mark_of(paper: Read, start: int, end: int) -> Mark | None:
    """Return the mark that begins in a number; an interval behind an estimate begins none."""
    return next((mark for mark in paper.marks if start - 1 <= mark.start < end), None)


def learn(examples: Sequence[Example]) -> LinearModel:
    """Return the weights that logistic regressions give the features of the examples."""
    counts = Counter(feature for example in examples for feature in example.features)
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    matrix = _matrix(examples, names)
    stated = [index for index, example in enumerate(examples) if example.mark]
    marks = [example.mark for example in examples if example.mark]
    leads = [bool(example.mark and example.mark.is_headline) for example in examples]
    is_stated = [example.mark is not None for example in examples]
    weights = np.array([example.weight for example in examples])
    some = {"X": matrix[stated], "sample_weight": weights[stated]}
    parts = [
        _columns(_regression().fit(matrix, is_stated, weights), (True,)),
        _columns(_regression().fit(matrix, leads, weights), (True,)),
        _columns(_regression("balanced").fit(y=[mark.whose for mark in marks], **some), WHOSE),
        _columns(_regression("balanced").fit(y=[mark.kind for mark in marks], **some), KINDS),
    ]
    rounded = np.rint(100 * np.vstack([part[0] for part in parts]).T).astype(int)
    intercepts = np.rint(100 * np.concatenate([part[1] for part in parts])).astype(int)
    kept = np.abs(rounded).max(axis=1) >= LEAST_WEIGHT
    rows = zip(names, rounded.tolist(), kept, strict=True)
    return LinearModel(
        (STATED, HEADLINE, *WHOSE, *KINDS),
        tuple(intercepts.tolist()),
        {name: tuple(row) for name, row, is_kept in rows if is_kept},
    )


def _matrix(examples: Sequence[Example], names: Sequence[str]) -> csr_matrix:
    column = {name: index for index, name in enumerate(names)}
    rows = [[column[f] for f in example.features if f in column] for example in examples]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate(rows).astype(int)
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(examples), len(names)))


def _regression(class_weight: str | None = None) -> LogisticRegression:
    """Return a regression; to a balanced one rare classes weigh as much as frequent ones."""
    return LogisticRegression(
        C=STRENGTH, solver="newton-cg", tol=1e-3, max_iter=200, class_weight=class_weight
    )


def _columns(model: LogisticRegression, columns: Sequence[object]) -> tuple[np.ndarray, np.ndarray]:
    """Return coefficients and intercepts, a row a column; what nobody marked is unlikely."""
    if len(columns) == 1:
        return model.coef_, model.intercept_
    known = model.classes_.tolist()
    rows = [known.index(column) if column in known else None for column in columns]
    nothing = np.zeros(model.coef_.shape[1])
    coefficients = [nothing if row is None else model.coef_[row] for row in rows]
    intercepts = [_UNLIKELY if row is None else model.intercept_[row] for row in rows]
    return np.array(coefficients), np.array(intercepts)


def cross_validated(papers: Sequence[Read], show: bool) -> list[tuple[str, Counter[str]]]:
    """Return the scores of papers, each read by a model that was learned without it."""
    examples = examples_of(papers)
    shipped = reading.shipped_weights
    scores = []
    for train, test in KFold(10, shuffle=True, random_state=0).split(papers):
        chosen = set(train.tolist())
        model = learn([example for example in examples if example.paper in chosen])
        reading.shipped_weights = lambda model=model: model  # type: ignore[assignment,misc]
        scores += [score(papers[index], show) for index in test]
    reading.shipped_weights = shipped
    return scores


def score(paper: Read, show: bool) -> tuple[str, Counter[str]]:
    """Return how what is read out of a paper agrees with what a reader marked."""
    results = reading.results_of(paper.sentences, lambda _: ())
    shown = headline(results)
    read = [
        Mark(each.span.start, each.span.end, each.whose, each.kind, each in shown)
        for each in results
    ]
    field, count = agreement(paper, read)
    if show:
        for each in shown:
            mark = mark_of(paper, each.span.start, each.span.end)
            if not _is_right(mark):
                said = mark.whose if mark else "no result"
                print(f"  wrong: {paper.title[:40]}: {each.cell_text} ({said}): {each.clause.text}")
        if count["with headline"] and not count["found"]:
            print(f"  missed: {paper.title[:40]}: {[each.cell_text for each in shown]}")
    return field, count


def agreement(paper: Read, read: Sequence[Mark]) -> tuple[str, Counter[str]]:
    """Return the field of a paper, and how what was read in it agrees with what a reader marked."""
    expected = [mark for mark in paper.marks if mark.is_headline and mark.whose == "own"]
    pairs = [(each, mark_of(paper, each.start, each.end)) for each in read]
    met = [(each, mark) for each, mark in pairs if mark]
    shown = [mark for each, mark in pairs if each.is_headline]
    return paper.field, Counter(
        papers=1,
        results=len(read),
        true=len(met),
        marked=len(paper.marks),
        matched=len(met),
        whose=sum(each.whose == mark.whose for each, mark in met),
        kind=sum(each.kind == mark.kind for each, mark in met),
        shown=len(shown),
        right=sum(map(_is_right, shown)),
        found=any(mark in expected for mark in shown if mark),
        **{"with headline": bool(expected)},
    )


def _is_right(mark: Mark | None) -> bool:
    return mark is not None and (mark.whose == "own" or mark.is_headline)


def read_again(papers: Sequence[Read]) -> list[tuple[str, Counter[str]]]:
    """Return how a second reader, who marked no kinds, agrees with the first."""
    read: dict[str, list[Mark]] = {}
    with (GOLD / "second_results.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            span = int(row["start"]), int(row["end"])
            mark = Mark(*span, row["whose"], "", row["headline"] == "yes")
            read.setdefault(row["paper"], []).append(mark)
    return [agreement(paper, read.get(paper.title, [])) for paper in papers]


def print_scores(scores: Sequence[tuple[str, Counter[str]]]) -> None:
    """Print the scores of each field."""
    fields: dict[str, Counter[str]] = {}
    for field, count in scores:
        fields.setdefault(field, Counter()).update(count)
    for field, count in fields.items():
        print(f"  {field}: {count['papers']} abstracts")
        for name, part, whole in (
            ("headline precision", "right", "shown"),
            ("headline found", "found", "with headline"),
            ("result precision", "true", "results"),
            ("results found", "true", "marked"),
            ("whose", "whose", "matched"),
            ("kind", "kind", "matched"),
        ):
            if not count[part]:  # kinds, of which the second reader marked none
                continue
            share = count[part] / count[whole]
            print(f"    {name:18} {share:.2f}  ({count[part]} of {count[whole]})")


if __name__ == "__main__":
    main()
