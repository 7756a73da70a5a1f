"""Annif's strongest backend: Omikuji, trees of linear models over labels, on TF-IDF of words.

Annif itself (1.4) wants files that its tokeniser downloads; this is its recipe with Omikuji's own
package: the parameters of Annif's backend `omikuji` as they come (Parabel: Prabhu et al., 2018).
Its trees are grown by chance and take no seed: figures differ by a hundredth or two between runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy import sparse
from scipy.special import logit
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet
from tools.benchmarks.rivals.rival import Array, whole_text

_LEAST = 1e-4
"""The probability of a label that the trees do not name."""


class LabelTrees:
    """Omikuji's probabilities of each category."""

    def __init__(self, facet: Facet, papers: Sequence[Paper]) -> None:
        self.k = len(facet.ids)
        self.vectorizer = TfidfVectorizer(min_df=2)
        self.vectorizer.fit([whole_text(paper) for paper in papers])

    def fit(self, papers: Sequence[Paper], truth: Array) -> LabelTrees:
        import omikuji

        with TemporaryDirectory() as folder:
            path = Path(folder) / "papers.txt"
            path.write_text(_training_text(self._rows(papers), truth), encoding="utf-8")
            settings = omikuji.Model.default_hyper_param()
            settings.cluster_balanced, settings.cluster_k = True, 2
            settings.max_depth, settings.collapse_every_n_layers = 20, 0
            with _silence():
                self.model_ = omikuji.Model.train_on_data(str(path), settings, 1)
        return self

    def score(self, papers: Sequence[Paper]) -> Array:
        probabilities = np.full((len(papers), self.k), _LEAST)
        for row, features in enumerate(self._rows(papers)):
            pairs = list(zip(features.indices.tolist(), features.data.tolist(), strict=True))
            for label, probability in self.model_.predict(pairs, beam_size=self.k, top_k=self.k):
                probabilities[row, label] = probability
        return np.asarray(logit(np.clip(probabilities, _LEAST, 1 - _LEAST)))

    def _rows(self, papers: Sequence[Paper]) -> sparse.csr_matrix:
        return self.vectorizer.transform([whole_text(paper) for paper in papers])


@contextmanager
def _silence() -> Iterator[None]:
    """Keep from the terminal what the library, which is no Python, writes about each paper."""
    sys.stdout.flush()
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for stream in kept:
            os.dup2(nowhere, stream)
        yield
    finally:
        for stream, copy in kept.items():
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)


def _training_text(rows: sparse.csr_matrix, truth: Array) -> str:
    """Return rows and labels in the format of the Extreme Classification Repository."""
    lines = [
        f"{','.join(map(str, np.flatnonzero(labels)))} "
        + " ".join(f"{i}:{x}" for i, x in zip(row.indices, row.data, strict=True))
        for row, labels in zip(rows, truth, strict=True)
        if labels.any() and row.nnz
    ]
    return "\n".join([f"{len(lines)} {rows.shape[1]} {truth.shape[1]}", *lines, ""])
