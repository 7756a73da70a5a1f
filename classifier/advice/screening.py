"""The order in which to read papers for somebody who wants all of one category."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]

_RANK_OFFSET = 10
"""Keeps the first ranks of either list from deciding alone."""


def screening_order(
    classifier: TaxonomyClassifier,
    papers: Sequence[Paper],
    decisions: Decisions,
    facet: Facet,
    category_id: str,
) -> list[int]:
    """Return positions of the papers whose decision is not known, the likeliest first.

    category_id: a top category of `facet`; a decision that is older than it says nothing of it. See
    `screening_scores`.
    """
    text = classifier.text_rows(papers)
    column = facet.ids.index(category_id)
    applies = classifier.facet_scores(papers)[facet.id].probabilities[:, column]
    decided = {
        row: category_id in decision.values
        for row, paper in enumerate(papers)
        if (decision := decisions.get(paper.id, {}).get(facet.id)) is not None
        and category_id not in decision.unknown
    }
    scores = screening_scores(applies, text, decided)
    left = [row for row in range(len(papers)) if row not in decided]
    return sorted(left, key=lambda row: (-scores[row], papers[row].id))


def screening_scores(applies: Array, text: sparse.csr_matrix, decided: dict[int, bool]) -> Array:
    """Return (n,) scores, higher to be read earlier, by the ranks in two lists.

    One is by probability that the category applies (`applies`, (n,)), which knows the cues; the
    other by a plain logistic regression on the text of the decided papers alone, classes balanced,
    which finds what the cues miss. Fused by reciprocal ranks (Cormack, Clarke & Büttcher,
    "Reciprocal rank fusion outperforms Condorcet", SIGIR 2009). text: (n, features)
    TF-IDF; decided: row -> whether the category applies.
    """
    scores = 1 / (_RANK_OFFSET + _ranks(applies))
    if len(set(decided.values())) == 2:
        scores = scores + 1 / (_RANK_OFFSET + _ranks(_text_scores(text, decided)))
    return np.asarray(scores)


def _text_scores(text: sparse.csr_matrix, decided: dict[int, bool]) -> Array:
    rows = sorted(decided)
    model = LogisticRegression(class_weight="balanced", solver="liblinear")
    model.fit(text[rows], [decided[row] for row in rows])
    return np.asarray(model.decision_function(text))


def _ranks(scores: Array) -> Array:
    """Return (n,) ranks from 1, the highest first; of equals all have the least."""
    return np.asarray(rankdata(-np.round(scores, 9), method="min"), dtype=float)
