"""What sentences do, and which numbers they state: `python -m tools.benchmarks.roles [--learn]`.

Scores roles, the main sentence and headline numbers against what a reader marked (tests/text/gold):
on the test papers, and by ten-fold cross-validation over papers on the training papers. Prints
Markdown tables with 95 % intervals. `--learn` first makes classifier/text/role_weights.json anew
from the training papers. Needs the abstracts in ../shared.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from classifier.text.linear import LinearModel, model_text
from classifier.text.normalise import title_key
from classifier.text.results import results_of
from classifier.text.roles import (
    ROLES,
    WEIGHTS_FILE,
    features_of,
    roled_sentences,
    shipped_weights,
)
from classifier.text.sentences import split_sentences
from tests.text.gold_spans import (
    BY_POSITION,
    GOLD,
    ROOT,
    GoldAbstract,
    read_results,
    read_sentences,
    read_some_sentences,
)

SHARED = ROOT.parent / "shared"
FOLDS = 10
FEWEST_PAPERS = 3
"""Papers that must hold a feature: nothing is learned from what one or two papers say."""
FEWEST_SENTENCES = 10
"""Roles with fewer marked sentences are shown, but left out of the first mean."""
LEAST_WEIGHT = 5
"""Features without a weight of so many hundredths in any column are left out."""


@dataclass(frozen=True, slots=True)
class Read:
    """One labelled sentence as the model meets it."""

    paper: str
    """The key of its title: the abstract and the digest of a paper share it."""
    text: int
    """Which of the texts it stands in."""
    features: tuple[str, ...]
    role: str
    main: bool | None
    """Whether it says best what the paper does; None where its text has no such label."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks.roles", description=__doc__)
    parser.add_argument("--learn", action="store_true", help="write the weights anew, first")
    options = parser.parse_args(arguments)
    if not SHARED.is_dir():
        print(f"{SHARED}: not there. The labelled abstracts belong in it.", file=sys.stderr)
        return 1
    train = marked(training_texts(SHARED))
    if options.learn:
        WEIGHTS_FILE.write_text(model_text(learn(train)), encoding="utf-8")
        shipped_weights.cache_clear()
    print_roles("Training papers, cross-validated", train, cross_validated(train))
    texts = test_texts(SHARED)
    for heading, chosen in (
        ("Test papers, drawn by position", texts[:BY_POSITION]),
        ("Test papers, and 19 surveys for the sake of limits", texts),
    ):
        test = marked(chosen)
        print_roles(heading, test, shipped_scores(test))
    print_numbers(numbers(read_results(GOLD / "test_results.csv", SHARED)))
    return 0


def training_texts(shared: Path) -> tuple[GoldAbstract, ...]:
    """Return the abstracts and digests that roles are learned from."""
    return read_some_sentences(GOLD / "train_sentences.csv", shared)


def test_texts(shared: Path) -> tuple[GoldAbstract, ...]:
    """Return the abstracts that roles are measured on."""
    return read_sentences(GOLD / "test_sentences.csv", shared)


def marked(texts: Sequence[GoldAbstract]) -> list[Read]:
    """Return the marked sentences; a mark belongs to the sentence that it shares most with."""
    found = []
    for number, text in enumerate(texts):
        spans = split_sentences(text.text)
        features = features_of([span.text for span in spans])
        in_full = any(sentence.main for sentence in text.sentences)
        for gold in text.sentences:
            shared = [min(gold.end, span.end) - max(gold.start, span.start) for span in spans]
            best = shared.index(max(shared))
            is_main = bool(gold.main) if in_full else None
            found.append(Read(title_key(text.title), number, features[best], gold.role, is_main))
    return found


def shipped_scores(sentences: Sequence[Read]) -> list[tuple[int, ...]]:
    """Return the scores of each sentence by the weights that ship."""
    return [shipped_weights().scores(sentence.features) for sentence in sentences]


def learn(sentences: Sequence[Read]) -> LinearModel:
    """Return weights: roles by a multinomial regression, the main sentence by a binary one.

    Both are L2-regularised (C = 1) with balanced classes, over features that at least
    `FEWEST_PAPERS` papers hold.
    """
    papers: dict[str, set[str]] = {}
    for sentence in sentences:
        for feature in sentence.features:
            papers.setdefault(feature, set()).add(sentence.paper)
    names = sorted(name for name, holders in papers.items() if len(holders) >= FEWEST_PAPERS)
    known = [sentence for sentence in sentences if sentence.main is not None]
    roles = _regression(_matrix(sentences, names), [ROLES.index(s.role) for s in sentences])
    main_one = _regression(_matrix(known, names), [int(bool(s.main)) for s in known])
    weights = np.vstack([roles.coef_, main_one.coef_]).T
    rounded = np.rint(100 * weights).astype(int)
    intercepts = np.rint(100 * np.r_[roles.intercept_, main_one.intercept_]).astype(int)
    kept = np.abs(rounded).max(axis=1) >= LEAST_WEIGHT
    rows = zip(names, rounded.tolist(), kept, strict=True)
    return LinearModel(
        (*ROLES, "main"),
        tuple(intercepts.tolist()),
        {name: tuple(row) for name, row, is_kept in rows if is_kept},
    )


def _matrix(sentences: Sequence[Read], names: Sequence[str]) -> np.ndarray:
    column = {name: number for number, name in enumerate(names)}
    matrix = np.zeros((len(sentences), len(names)))
    for row, sentence in enumerate(sentences):
        matrix[row, [column[name] for name in sentence.features if name in column]] = 1
    return matrix


def _regression(matrix: np.ndarray, labels: Sequence[int]) -> LogisticRegression:
    model = LogisticRegression(C=1.0, class_weight="balanced", max_iter=2000)
    return model.fit(matrix, labels)


def cross_validated(sentences: Sequence[Read]) -> list[tuple[int, ...]]:
    """Return the scores of each sentence by weights that have not seen its paper."""
    fold = [_fold(sentence.paper) for sentence in sentences]
    scores: list[tuple[int, ...]] = [()] * len(sentences)
    for number in range(FOLDS):
        weights = learn([s for s, own in zip(sentences, fold, strict=True) if own != number])
        for index, own in enumerate(fold):
            if own == number:
                scores[index] = weights.scores(sentences[index].features)
    return scores


def _fold(paper: str) -> int:
    return int(hashlib.blake2b(paper.encode(), digest_size=4).hexdigest(), 16) % FOLDS


def given_roles(sentences: Sequence[Read], scores: Sequence[tuple[int, ...]]) -> list[str]:
    """Return the roles as `roled_sentences` gives them: the main sentence is a contribution."""
    mains = main_sentences(sentences, scores)
    return [
        "contribution"
        if index in mains
        else max(zip(row, ROLES, strict=False), key=lambda pair: pair[0])[1]
        for index, row in enumerate(scores)
    ]


def main_sentences(sentences: Sequence[Read], scores: Sequence[tuple[int, ...]]) -> set[int]:
    """Return, for each text that was labelled in full, which sentence the model calls main."""
    best: dict[int, int] = {}
    for index, sentence in enumerate(sentences):
        if sentence.main is None:
            continue
        if sentence.text not in best or scores[index][-1] > scores[best[sentence.text]][-1]:
            best[sentence.text] = index
    return set(best.values())


def print_roles(heading: str, sentences: Sequence[Read], scores: Sequence[tuple[int, ...]]) -> None:
    """Print precision, recall and F1 a role, macro-F1 and the share of right main sentences."""
    truth = [sentence.role for sentence in sentences]
    given = given_roles(sentences, scores)
    print(f"### {heading}\n\n| role | sentences | precision | recall | F1 |\n|---|---|---|---|---|")
    for role in ROLES:
        right = sum(a == b == role for a, b in zip(truth, given, strict=True))
        called, there = given.count(role), truth.count(role)
        line = f"{share(right, called)} | {share(right, there)} | {f1(truth, given, role):.3f}"
        print(f"| {role} | {there} | {line} |")
    rows, texts = range(len(truth)), [sentence.text for sentence in sentences]
    for roles in dict.fromkeys((common_roles(truth), ROLES)):
        low, high = interval(texts, lambda drawn, r=roles: macro_f1(truth, given, r, drawn))
        figure = macro_f1(truth, given, roles, rows)
        print(f"\nmacro-F1 over {', '.join(roles)}: {figure:.3f} ({low:.2f}–{high:.2f})")
    mains = [sentences[index].main for index in sorted(main_sentences(sentences, scores))]
    print(f"\nmain sentence: {share(sum(map(bool, mains)), len(mains))} of {len(mains)} texts\n")


@dataclass(frozen=True, slots=True)
class Numbers:
    """How the numbers found compare with those that a reader marked; a hit is a shared span."""

    found: int
    right: int
    marked: int
    hit: int
    without: int
    """Papers in which the reader marked none."""
    without_right: int
    """Of these, how many have none found."""
    silent: int
    """Papers in which none was found."""


def numbers(texts: Sequence[GoldAbstract]) -> Numbers:
    """Return how the numbers found compare with those that were marked."""
    totals = np.zeros(7, dtype=int)
    for text in texts:
        spans = [result.span for result in results_of(roled_sentences(text.text), lambda _: ())]
        gold = text.numbers
        right = sum(any(s.start < g.end and g.start < s.end for g in gold) for s in spans)
        hit = sum(any(s.start < g.end and g.start < s.end for s in spans) for g in gold)
        silent = not spans
        row = (len(spans), right, len(gold), hit, not gold, silent and not gold, silent)
        totals += np.array(row, dtype=int)
    return Numbers(*totals.tolist())


def print_numbers(counted: Numbers) -> None:
    """Print precision and recall of the numbers, and of "not stated" over papers."""
    print("### Headline numbers\n\n| | precision | recall |\n|---|---|---|")
    ours = f"{share(counted.right, counted.found)} | {share(counted.hit, counted.marked)}"
    print(f"| {counted.marked} numbers, {counted.found} found | {ours} |")
    silent = share(counted.without_right, counted.silent)
    print(f"| not stated | {silent} | {share(counted.without_right, counted.without)} |")


def f1(truth: Sequence[str], given: Sequence[str], role: str) -> float:
    """Return the F1 of one role, 0 where it is neither there nor given."""
    right = sum(a == b == role for a, b in zip(truth, given, strict=True))
    return 2 * right / max(truth.count(role) + given.count(role), 1)


def macro_f1(
    truth: Sequence[str], given: Sequence[str], roles: Iterable[str], rows: Iterable[int]
) -> float:
    """Return the mean F1 over some roles, of some rows."""
    chosen = list(rows)
    there, called = [truth[row] for row in chosen], [given[row] for row in chosen]
    return float(np.mean([f1(there, called, role) for role in roles]))


def common_roles(truth: Sequence[str]) -> tuple[str, ...]:
    """Return the roles with sentences enough that a figure of them says something."""
    return tuple(role for role in ROLES if truth.count(role) >= FEWEST_SENTENCES)


def interval(texts: Sequence[int], figure: Callable[[list[int]], float]) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of a figure, over texts, seeded."""
    rows: dict[int, list[int]] = {}
    for row, text in enumerate(texts):
        rows.setdefault(text, []).append(row)
    groups = list(rows.values())
    generator = np.random.default_rng(0)
    drawn = [generator.integers(0, len(groups), len(groups)) for _ in range(300)]
    values = [figure([row for place in draw for row in groups[place]]) for draw in drawn]
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def share(right: int, of: int) -> str:
    """Return a share with its 95 % Wilson score interval (Wilson 1927)."""
    if not of:
        return "–"
    z, p = 1.96, right / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * (p * (1 - p) / of + z * z / (4 * of * of)) ** 0.5
    return f"{p:.3f} ({middle - half:.2f}–{middle + half:.2f})"


if __name__ == "__main__":
    sys.exit(main())
