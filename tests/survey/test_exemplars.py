"""The choice of example papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.survey.entry import SurveyPaper
from classifier.survey.exemplars import (
    _tfidf_vectors,
    central_papers,
    choose_exemplars,
)

MakeEntry = Callable[..., SurveyPaper]


def test_the_vectors_are_those_of_scikit_learn() -> None:
    texts = ["spade spade rake", "rake", "hoe and spade", ""]
    learner = TfidfVectorizer(tokenizer=str.split, token_pattern=None, sublinear_tf=True)
    expected = learner.fit_transform(texts).toarray()
    words = learner.get_feature_names_out()
    found = [[row.get(word, 0.0) for word in words] for row in _tfidf_vectors(texts)]
    assert np.allclose(found, expected)


def test_central_papers_that_differ_are_chosen_and_sorted_by_number(make_entry: MakeEntry) -> None:
    texts = ["Introduces a spade for clay."] * 4 + ["Introduces a rake for leaves."] * 3
    texts += ["Introduces tea."]
    chosen = choose_exemplars([make_entry(n, text=t) for n, t in enumerate(texts, 1)], 2)
    assert [entry.contribution for entry in chosen] == [texts[0], texts[4]]


def test_a_paper_without_a_quotable_contribution_is_not_an_example(make_entry: MakeEntry) -> None:
    entries = [make_entry(1), make_entry(2, text="Introduces a spade.")]
    assert [entry.number for entry in choose_exemplars(entries)] == [2]
    assert choose_exemplars(entries, 3, lambda entry: "") == []


def test_key_papers_come_before_central_ones(make_entry: MakeEntry) -> None:
    entries = [make_entry(n, text="Introduces a spade.") for n in (1, 2, 3)]
    odd = replace(make_entry(4, text="Introduces tea."), key=object())
    assert [entry.number for entry in central_papers([*entries, odd], 2)] == [4, 1]


def test_a_paper_with_a_doubtful_label_is_not_an_example(make_entry: MakeEntry) -> None:
    def provisional(number: int, confidence: float) -> SurveyPaper:
        entry = make_entry(number, text="Introduces a spade.")
        first = replace(entry.first, status="provisional", confidence=confidence)
        return replace(entry, first=first)

    chosen = choose_exemplars([provisional(1, 0.5), provisional(2, 0.8)])
    assert [entry.number for entry in chosen] == [2]
