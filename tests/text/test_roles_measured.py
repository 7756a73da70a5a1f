"""Roles and numbers against what a reader marked; the floors lie under what is measured.

Test papers are scored, never looked at: the figures stand in docs/labelling.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text.gold_spans import GOLD, read_results
from tools.benchmarks.roles import (
    common_roles,
    given_roles,
    learn,
    macro_f1,
    main_sentences,
    marked,
    numbers,
    shipped_scores,
    training_texts,
)
from tools.benchmarks.roles import (
    test_texts as texts_of_the_test,
)


def test_the_roles_of_the_test_papers(shared: Path) -> None:
    sentences = marked(texts_of_the_test(shared))
    assert len(sentences) >= 300
    scores = shipped_scores(sentences)
    truth = [sentence.role for sentence in sentences]
    given = given_roles(sentences, scores)
    assert macro_f1(truth, given, common_roles(truth), range(len(truth))) >= 0.85
    mains = [sentences[index].main for index in main_sentences(sentences, scores)]
    assert sum(map(bool, mains)) / len(mains) >= 0.92


def test_the_numbers_of_the_test_papers(shared: Path) -> None:
    counted = numbers(read_results(GOLD / "test_results.csv", shared))
    assert counted.right / counted.found >= 0.97
    assert counted.without_right / counted.without >= 0.95
    assert counted.hit / counted.marked >= 0.8


def test_nothing_is_learned_from_a_paper_of_the_test(shared: Path) -> None:
    learned = {sentence.paper for sentence in marked(training_texts(shared))}
    tested = {sentence.paper for sentence in marked(texts_of_the_test(shared))}
    assert not learned & tested


def test_learning_again_gives_nearly_the_shipped_weights(shared: Path) -> None:
    """Another release of scikit-learn may round a weight otherwise."""
    sentences = marked(training_texts(shared))
    weights = learn(sentences)
    again = given_roles(sentences, [weights.scores(s.features) for s in sentences])
    shipped = given_roles(sentences, shipped_scores(sentences))
    same = sum(a == b for a, b in zip(again, shipped, strict=True)) / len(sentences)
    assert same == pytest.approx(1, abs=0.01)
