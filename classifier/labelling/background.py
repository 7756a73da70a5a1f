"""The background: a latent space of words, learned from unlabelled abstracts of all sciences.

It relates the words of a category's definition to the words of a paper, for projects with too few
papers to learn such relations. `python -m tools.background` creates the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from classifier.text.normalise import tokens

Array = NDArray[np.float64]
FILE = "background.npz"


@dataclass(frozen=True, slots=True)
class LatentSpace:
    """A linear map from TF-IDF rows to latent dimensions.

    Truncated SVD of TF-IDF (Deerwester et al., "Indexing by latent semantic analysis", 1990).
    """

    basis: Array
    """(terms, dimensions) of the map."""
    mean: Array
    """(dimensions,) mean of the papers from which the space was learned."""

    def vectors(self, rows: sparse.csr_matrix) -> Array:
        """Return (n, dimensions) centred vectors of length 1; 0 for a row without known terms."""
        centred = np.asarray(rows @ self.basis) - self.mean
        centred[np.diff(rows.indptr) == 0] = 0.0
        return np.asarray(normalize(centred))


class Background:
    """The latent space of all sciences, and its vocabulary."""

    def __init__(self, terms: Sequence[str], idf: Array, space: LatentSpace) -> None:
        self.space = space
        self.vectorizer = TfidfVectorizer(
            analyzer=partial(_known_words, vocabulary=frozenset(terms)),
            vocabulary=list(terms),
            sublinear_tf=True,
        )
        self.vectorizer.idf_ = idf

    def vectors(self, texts: Sequence[str]) -> Array:
        """Return (n, dimensions) vectors of texts; 0 for a text without known words."""
        if not texts:
            return np.zeros((0, len(self.space.mean)))
        return self.space.vectors(self.vectorizer.transform(texts))


def _known_words(text: str, vocabulary: frozenset[str]) -> list[str]:
    """Return the words of a text that are in the vocabulary."""
    return [word for word in tokens(text) if word in vocabulary]


@cache
def shipped_background() -> Background:
    """Read the background that is part of the package."""
    with (files("classifier.labelling") / FILE).open("rb") as file, np.load(file) as arrays:
        return background_of(arrays)


def background_of(arrays: Mapping[str, NDArray[Any]]) -> Background:
    """Create the background from the arrays in a .npz file."""
    terms = arrays["terms"].tobytes().decode().split("\n")
    basis = arrays["basis"].astype(np.float64) * arrays["scales"].astype(np.float64)
    return Background(
        terms,
        arrays["idf"].astype(np.float64),
        LatentSpace(basis, arrays["mean"].astype(np.float64)),
    )
