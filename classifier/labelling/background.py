"""What unlabelled abstracts teach a prior: how rare a term is, and which terms go together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer

from classifier.labelling.features import terms
from classifier.labelling.prior_terms import term_values
from classifier.labelling.term_places import TEXT_VIEWS
from classifier.labelling.views import TextViews

Array = NDArray[np.float64]
VIEW_WEIGHTS = {"title": 0.5, "contribution": 0.7, "whole": 1.0}
_RARE = 10
"""Latent dimensions are learned from terms in at least as many background texts."""


class Background:
    """Rare terms and latent dimensions of a background corpus, for rows to learn a prior from.

    Latent semantic analysis (Deerwester et al., 1990): a label on one term also speaks for terms
    that go with it. Both enter as linear features, so that in the end every term has one weight.

    Learned by `fit`: `vocabulary_` (V terms), `idf_` (V,), `common_` (the columns that latent
    dimensions are made of), `components_` (dimensions, common).
    """

    def __init__(self, *, dimensions: int = 200) -> None:
        self.dimensions = dimensions

    def fit(self, background: Sequence[TextViews], papers: Sequence[TextViews]) -> Background:
        """Learn from the background, and take in the terms of the `papers` to be learned from."""
        counter = CountVectorizer(analyzer=terms)
        counts = counter.fit_transform(view.whole_text for view in (*papers, *background))
        often = np.bincount(counts.indices, minlength=counts.shape[1])
        own = np.bincount(counts[: len(papers)].indices, minlength=counts.shape[1])
        kept = np.flatnonzero((own >= 2) | (often - own >= _RARE))
        self.vocabulary_ = [str(term) for term in counter.get_feature_names_out()[kept]]
        total = len(papers) + len(background)
        self.idf_: Array = np.log((1 + total) / (1 + often[kept])) + 1
        self.unit_ = float(np.sqrt((self.idf_**2 * often[kept]).sum() / often[kept].sum()))
        self.common_ = np.flatnonzero((often - own)[kept] >= _RARE)
        self._learn_dimensions(background)
        return self

    def rows(self, papers: Sequence[TextViews]) -> sparse.csr_matrix:
        """Return (n, 3 V + dimensions) rows: TF-IDF of each view, and the whole text's place."""
        blocks = [self._view(papers, view) * weight for view, weight in VIEW_WEIGHTS.items()]
        return sparse.hstack([*blocks, self._latent(papers)], format="csr")

    def term_weights(self, weights: Array) -> Array:
        """Turn (k, 3 V + dimensions) weights on `rows` into (k, 3 V) ones on `term_values`."""
        size = len(self.vocabulary_)
        parts = []
        for index, (view, scale) in enumerate(VIEW_WEIGHTS.items()):
            part = weights[:, index * size : (index + 1) * size] * scale
            if view == "whole" and len(self.components_):
                part[:, self.common_] += weights[:, 3 * size :] @ self.components_ / self.length_
            parts.append(part * self.idf_ / self.unit_)
        return np.hstack(parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The 3 V features `view:term`."""
        return tuple(f"{view}:{term}" for view in VIEW_WEIGHTS for term in self.vocabulary_)

    def _view(self, papers: Sequence[TextViews], view: str) -> sparse.csr_matrix:
        assert view in TEXT_VIEWS
        names = [f"{view}:{term}" for term in self.vocabulary_]
        return term_values(names, papers) @ sparse.diags(self.idf_ / self.unit_)

    def _learn_dimensions(self, background: Sequence[TextViews]) -> None:
        self.components_ = np.zeros((0, len(self.common_)))
        self.length_ = 1.0
        dimensions = min(self.dimensions, len(background) // 5, len(self.common_) // 2)
        if dimensions < 2:
            return
        rows = self._view(background, "whole")[:, self.common_]
        model = TruncatedSVD(dimensions, random_state=0, n_iter=3).fit(rows)
        self.components_ = model.components_
        self.length_ = float(np.linalg.norm(model.transform(rows), axis=1).mean())

    def _latent(self, papers: Sequence[TextViews]) -> sparse.csr_matrix:
        common = self._view(papers, "whole")[:, self.common_]
        return sparse.csr_matrix(common @ self.components_.T / self.length_)
