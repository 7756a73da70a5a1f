"""What a prior says of papers: logits of categories from the weights of terms and cues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifier.labelling.features import CueColumns
from classifier.labelling.prior import Array, FacetPrior, LinearModel, meaning
from classifier.labelling.prior_terms import prior_values, side_by_side
from classifier.labelling.term_counts import TermCounts
from classifier.taxonomy.model import Facet


@dataclass(frozen=True, slots=True)
class PriorScores:
    """What a prior says of n papers in one facet of k categories."""

    applies: Array
    """(n, k) logit that a category applies; nan where the prior does not know the category."""
    filed: Array
    """(n, k) logit that a paper is filed there; nan likewise."""
    columns: NDArray[np.int64]
    """(k,) the category's place in `model`; -1 where the prior does not know it."""
    model: LinearModel
    """The model whose labels are shown: "applies", or "filed" of a single facet."""
    values: sparse.csr_matrix
    """(n, m) what the model multiplies its weights with."""
    versions: NDArray[np.int64]
    """(n,) the version of the weights that each paper is met with."""

    @property
    def known(self) -> NDArray[np.bool_]:
        """(k,) whether the prior knows a category."""
        return np.asarray(self.columns >= 0)

    def of(self, rows: NDArray[np.int64]) -> PriorScores:
        """Return the scores of some of the papers."""
        return PriorScores(
            self.applies[rows],
            self.filed[rows],
            self.columns,
            self.model,
            self.values[rows],
            self.versions[rows],
        )

    def contributions(self, row: int, column: int) -> tuple[Array, float]:
        """Return (m,) weight times value, and the intercept: their sum is the logit."""
        version, place = self.versions[row], self.columns[column]
        weights = self.model.weights[version, place]
        return self.values[row].toarray()[0] * weights, self.model.intercepts[version, place]


def score_prior(
    facet: Facet,
    prior: FacetPrior,
    versions: NDArray[np.int64],
    counts: TermCounts,
    cues: CueColumns,
) -> PriorScores:
    """Return what `prior` says of n papers in the categories of `facet` as they are today.

    versions: (n,) of `Prior.versions`; counts: the terms of the papers; cues: the (n, …) cue
    columns of the facet.
    """
    columns = _known_columns(facet, prior)
    shown = prior.filed if facet.kind == "single" else prior.applies or prior.filed
    values = _values(shown.names, counts, cues)
    applies = _logits(shown, versions, values)
    filed = (
        applies
        if shown is prior.filed
        else _logits(prior.filed, versions, _values(prior.filed.names, counts, cues))
    )
    return PriorScores(
        _placed(applies, columns),
        _placed(filed, columns),
        columns,
        shown,
        values,
        versions,
    )


def _known_columns(facet: Facet, prior: FacetPrior) -> NDArray[np.int64]:
    """Return, for each category of today, its column in the prior; -1 where it has none."""
    meant = zip(prior.category_ids, prior.meanings, strict=True)
    column = {key: index for index, key in enumerate(meant)}
    keys = [(category.id, meaning(category)) for category in facet.tops]
    return np.array([column.get(key, -1) for key in keys], dtype=np.int64)


def _logits(model: LinearModel, versions: NDArray[np.int64], values: sparse.csr_matrix) -> Array:
    """Return the logits of n papers in all categories of the model."""
    logits = np.array(model.intercepts[versions])
    for version in np.unique(versions):
        rows = versions == version
        logits[rows] += values[rows] @ model.weights[version].T
    return logits


def _values(names: Sequence[str], counts: TermCounts, cues: CueColumns) -> sparse.csr_matrix:
    """Return (n, m) values of named features; what the taxonomy no longer has is 0."""
    position = {name: index for index, name in enumerate(cues.names)}
    here = [column for column, name in enumerate(names) if name in position]
    there = [position[names[column]] for column in here]
    block = sparse.csr_matrix(cues.values[:, there])
    terms = prior_values(names, counts)
    every = np.arange(len(names))
    return side_by_side([terms, block], [every, every[here]], len(names))


def _placed(values: Array, columns: NDArray[np.int64]) -> Array:
    """Return (n, k) values in the order of today's categories, nan for unknown ones."""
    placed = np.full((len(values), len(columns)), np.nan)
    known = columns >= 0
    placed[:, known] = values[:, columns[known]]
    return placed
