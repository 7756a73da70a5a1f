"""The likeness of papers to categories: cosine similarity to a query in a latent space.

The query of a category consists of its name, definition, includes and cues. Similarities are
computed in the latent space of the project's own papers and in that of the background. The fewer
papers a project has, the more weight the background has.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from classifier.labelling.background import LatentSpace
from classifier.labelling.faded_cues import CueKey
from classifier.taxonomy.model import Category, Facet

Array = NDArray[np.float64]

N_DIMENSIONS = 200
"""Maximum number of latent dimensions of a project."""
MAX_PAPERS_OF_SPACE = 1_000
"""Maximum number of papers from which a project's space is learned; more only take longer."""
MIN_PAPERS_OF_SPACE = 10
"""Minimum number of papers for a space of the project."""
_PAPERS_OF_OWN = 60
"""With n papers, the project's own space has the weight n / (n + 60)."""
_OWN_WEIGHT = 1.25
FURTHER_FACET = 0.5
"""Weight of the likeness in facets other than the first. Latent dimensions separate subjects, and
these facets often are about something else, such as the kind of a contribution."""
# Mean and standard deviation of cosines before any paper, and their weight in papers.
_USUAL_MEAN, _USUAL_SPREAD, _USUAL_COUNT = 0.15, 0.13, 10
_DIGITS = 6


def query_text(category: Category, faded_cues: Collection[tuple[str, str]] = ()) -> str:
    """Return the query of a category as a text, in which the name occurs twice.

    faded_cues: (list, cue) pairs that are omitted.
    """
    cues = [
        cue
        for view, cues in category.cues.views()
        for cue in cues
        if view != "against" and (view, cue) not in faded_cues
    ]
    phrases = " . ".join(cue.replace("~", "").replace("_", " ") for cue in cues)
    includes = " . ".join(category.includes)
    return f"{category.name}. {category.name}. {category.definition} {includes}. {phrases}"


def project_space(rows: sparse.csr_matrix) -> LatentSpace | None:
    """Return the latent space of a project's papers; None if there are too few papers.

    rows: (n, terms) TF-IDF of single words.
    """
    step = -(-rows.shape[0] // MAX_PAPERS_OF_SPACE)
    rows = rows[:: max(step, 1)]
    n_dimensions = min(N_DIMENSIONS, rows.shape[0] - 1, rows.shape[1] - 1)
    if rows.shape[0] < MIN_PAPERS_OF_SPACE or n_dimensions < 1:
        return None
    rows = normalize(rows)
    basis = TruncatedSVD(n_dimensions, random_state=0).fit(rows).components_.T
    return LatentSpace(basis, np.asarray(rows.mean(axis=0) @ basis).ravel())


class Likeness:
    """Likeness of papers to each category of a facet, in standard deviations of the cosines.

    Parameters
    ----------
    own : (k, d) vectors of the queries in the project's own space, or None
    background : (k, b) vectors of the queries in the background
    weight : factor of the likeness

    Learned by `fit`: `weights_` of the two spaces, and `scales_`, the distribution of cosines in
    each.
    """

    def __init__(self, own: Array | None, background: Array, weight: float = 1.0) -> None:
        self.own = own
        self.background = background
        self.weight = weight

    def fit(self, own: Array | None, background: Array) -> Likeness:
        """Learn mean and spread of the cosines of n papers, given as (n, d) and (n, b) vectors."""
        n = len(background)
        share = n / (n + _PAPERS_OF_OWN) if self.own is not None else 0.0
        self.weights_ = _OWN_WEIGHT * share, 1 - share / 2
        self.scales_ = [
            _mean_and_deviation(cosines) if cosines is not None else None
            for cosines in self._cosines(own, background)
        ]
        return self

    def transform(self, own: Array | None, background: Array) -> Array:
        """Return (n, k) likeness."""
        total = np.zeros((len(background), len(self.background)))
        cosines = self._cosines(own, background)
        for weight, values, scale in zip(self.weights_, cosines, self.scales_, strict=True):
            if values is not None and scale is not None:
                mean, spread, centres, spreads = scale
                standard = (values - mean) / spread + (values - centres) / spreads
                # A text without a known word has no likeness, neither positive nor negative.
                total += weight / 2 * standard * values.any(axis=1, keepdims=True)
        return np.round(self.weight * total, _DIGITS)

    def _cosines(self, own: Array | None, background: Array) -> tuple[Array | None, Array | None]:
        """Return the cosines in the project's space and in the background's space."""
        near = own @ self.own.T if own is not None and self.own is not None else None
        # In a language that the background does not know, all query vectors are 0.
        is_known = self.background.any()
        return near, background @ self.background.T if is_known else None


def _mean_and_deviation(cosines: Array) -> tuple[float, float, Array, Array]:
    """Return mean and standard deviation of all cosines, and (k,) those of each category.

    The values of a category are shrunk towards the values of all. `transform` averages both. Values
    per category correct for queries that resemble every paper; common values preserve the size of
    large categories; the average is better than either.
    """
    n = len(cosines)
    many = n * cosines.shape[1]
    usual = _USUAL_COUNT * cosines.shape[1]
    mean = (cosines.sum() + usual * _USUAL_MEAN) / (many + usual)
    variance = ((cosines - mean) ** 2).sum() + usual * _USUAL_SPREAD**2
    spread = float(np.sqrt(variance / (many + usual)))
    centres = (cosines.sum(axis=0) + _USUAL_COUNT * mean) / (n + _USUAL_COUNT)
    squares = ((cosines - centres) ** 2).sum(axis=0) + _USUAL_COUNT * spread**2
    return float(mean), spread, centres, np.sqrt(squares / (n + _USUAL_COUNT))


def query_texts(facet: Facet, faded_cues: Collection[CueKey] = ()) -> list[str]:
    """Return the query of each top category, including categories that were merged into it.

    faded_cues: cues that are omitted.
    """
    left_out: dict[str, set[tuple[str, str]]] = {category.id: set() for category in facet.tops}
    for category_id, view, cue in faded_cues:
        left_out[category_id].add((view, cue))
    queries = {category.id: query_text(category, left_out[category.id]) for category in facet.tops}
    for category in facet.categories:
        successor = facet.resolve(category.id) if category.replaced_by else None
        if successor is not None and successor.id in queries:
            queries[successor.id] += f" {query_text(category, left_out[successor.id])}"
    return list(queries.values())
