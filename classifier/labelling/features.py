"""The design matrix: TF-IDF of three views beside the log counts of the cues."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.labelling.evidence import VIEWS, Evidence
from classifier.labelling.views import TextViews

TEXT_VIEWS = ("title", "contribution", "whole")
EVIDENCE_SCALE = 0.5
"""Weight of a log count beside TF-IDF rows of length one; an L2 penalty makes scale a prior."""


class FeatureBuilder:
    """Turns views and evidence into rows of (TF-IDF title | contribution | whole | cue log counts).

    Learned by `fit`: `vectorizers_`, one TfidfVectorizer a view (word 1-2-grams, sublinear), and
    `names_`, the name of every column.
    """

    def __init__(
        self, *, min_df: int = 2, view_weights: tuple[float, float, float] = (0.5, 0.7, 1.0)
    ) -> None:
        self.min_df = min_df
        self.view_weights = view_weights

    def fit(self, papers: Sequence[TextViews], category_ids: Sequence[str]) -> FeatureBuilder:
        """Learn the vocabularies of `papers`; `category_ids` are the evidence columns."""
        self.category_ids_ = tuple(category_ids)
        self.vectorizers_: list[TfidfVectorizer] = []
        names: list[str] = []
        for view in TEXT_VIEWS:
            vectorizer = TfidfVectorizer(
                tokenizer=str.split,
                token_pattern=None,
                lowercase=False,
                ngram_range=(1, 2),
                sublinear_tf=True,
                min_df=min(self.min_df, max(1, len(papers) // 2)),
                stop_words=None,
            )
            try:
                vectorizer.fit(_texts(papers, view))
            except ValueError:  # no term is left: the corpus is a handful of titles
                vectorizer.set_params(min_df=1).fit(["."])
            self.vectorizers_.append(vectorizer)
            names += [f"{view}:{term}" for term in vectorizer.get_feature_names_out()]
        names += [f"cue:{category}:{view}" for category in category_ids for view in VIEWS]
        self.names_ = tuple(names)
        return self

    def transform(self, papers: Sequence[TextViews], evidence: Evidence) -> sparse.csr_matrix:
        """Return (n, len(names_)) features of `papers`, whose evidence is given."""
        if not papers:  # scikit-learn refuses to transform none
            return sparse.csr_matrix((0, len(self.names_)))
        blocks = [
            vectorizer.transform(_texts(papers, view)) * weight
            for view, vectorizer, weight in zip(
                TEXT_VIEWS, self.vectorizers_, self.view_weights, strict=True
            )
        ]
        logs: NDArray[np.float64] = evidence.logs(self.category_ids_) * EVIDENCE_SCALE
        return sparse.hstack([*blocks, sparse.csr_matrix(logs)], format="csr")


def _texts(papers: Sequence[TextViews], view: str) -> list[str]:
    return [getattr(paper, f"{view}_text") for paper in papers]
