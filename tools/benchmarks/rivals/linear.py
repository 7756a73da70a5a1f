"""Linear models on TF-IDF: what scikit-learn gives anyone in ten lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet
from tools.benchmarks.rivals.rival import Array, seed_scores, votes, whole_text

_NEVER = -4.0
"""The score of a category that no paper learned from has."""


class OneVersusRest:
    """One binary linear model a category; a category without examples gets a low score."""

    def __init__(self, make_model: Callable[[], Any]) -> None:
        self.make_model = make_model

    def fit(self, rows: Any, truth: Array) -> OneVersusRest:
        """Learn from (n, features) rows and (n, k) truth in {0, 1}."""
        self.models_ = [
            self.make_model().fit(rows, column) if 0 < column.sum() < len(column) else None
            for column in truth.T
        ]
        return self

    def score(self, rows: Any) -> Array:
        """Return (n, k) signed distances, logits for logistic regression."""
        nothing = np.full(rows.shape[0], _NEVER)
        return np.column_stack(
            [model.decision_function(rows) if model else nothing for model in self.models_]
        )


def logistic_regression() -> LogisticRegression:
    """The logistic regression that all rivals use: C = 10, classes balanced."""
    return LogisticRegression(C=10, class_weight="balanced", max_iter=2000)


def support_vectors() -> LinearSVC:
    """The recipe of ASReview's ELAS u4: a linear SVM with C = 0.11, classes balanced."""
    return LinearSVC(C=0.11, class_weight="balanced", max_iter=5000)


class Tfidf:
    """A linear model on TF-IDF of words and pairs of words.

    Sublinear, terms in two papers or more, English function words left out: better than with them.
    """

    def __init__(
        self,
        facet: Facet,
        papers: Sequence[Paper],
        make_model: Callable[[], Any] = logistic_regression,
    ) -> None:
        self.facet = facet
        self.vectorizer = TfidfVectorizer(
            ngram_range=(1, 2), sublinear_tf=True, min_df=2, stop_words="english"
        )
        self.vectorizer.fit([whole_text(paper) for paper in papers])
        self.model = OneVersusRest(make_model)

    def fit(self, papers: Sequence[Paper], truth: Array) -> Tfidf:
        self.model.fit(self.rows(papers), truth)
        return self

    def score(self, papers: Sequence[Paper]) -> Array:
        return self.model.score(self.rows(papers))

    def rows(self, papers: Sequence[Paper]) -> sparse.csr_matrix:
        """Return the (n, features) rows of papers."""
        return self.vectorizer.transform([whole_text(paper) for paper in papers])


class CuesAndTfidf(Tfidf):
    """The same with the log votes of the cue list as further features."""

    def rows(self, papers: Sequence[Paper]) -> sparse.csr_matrix:
        spoken = np.log1p(np.maximum(votes(self.facet, papers), 0))
        return sparse.hstack([super().rows(papers), sparse.csr_matrix(spoken)], format="csr")


class Cues:
    """The cue list alone: Fieldguide's votes and the seed labels made of them, nothing learned."""

    def __init__(self, facet: Facet, papers: Sequence[Paper]) -> None:
        self.facet = facet

    def fit(self, papers: Sequence[Paper], truth: Array) -> Cues:
        return self

    def score(self, papers: Sequence[Paper]) -> Array:
        probabilities = np.clip(seed_scores(self.facet, papers)[0], 1e-3, 1 - 1e-3)
        return np.asarray(np.log(probabilities / (1 - probabilities)))
