"""The sum that makes up each logit: weights of words and cues, and evidence.

This module does not need scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.explain import Contributions
from classifier.taxonomy.model import Category, Facet
from classifier.text.normalise import tokens

Array = NDArray[np.float64]
Integers = NDArray[np.integer]

NO_EVIDENCE: Array = np.zeros((0, 0, 3))
_MAX_SHARED = 2
"""Maximum number of terms that explain why a paper is like a definition."""


def definition_terms(category: Category) -> frozenset[str]:
    """Return the words and pairs of adjacent words in a category's name and definition."""
    texts = (category.name, category.definition, *category.includes)
    words = [tokens(text) for text in texts]
    pairs = (f"{one} {other}" for each in words for one, other in pairwise(each))
    return frozenset([*chain(*words), *pairs])


@dataclass(frozen=True)
class LogitParts:
    """The terms of the sums that make up the calibrated logits of n papers in k categories."""

    facet: Facet
    names: tuple[str, ...]
    """Names of the m features; the first `n_terms` are words and pairs of words."""
    n_terms: int
    starts: Integers
    """(n + 1,) start of each paper in `columns` and `values`, as in a CSR matrix."""
    columns: Integers
    values: Array
    weights: Array
    """(k, m) weights of the features."""
    intercepts: Array
    """(k,)."""
    is_known: NDArray[np.bool_]
    """(k,) whether a prior knows the category; otherwise evidence counts."""
    evidence: Array
    """(n, k, 3) the vote, the likeness to the definition, and the evidence for other categories."""
    constant: float
    word_scale: float
    word_weights: Array
    """(k, n_terms) what the words of the project's other papers say of a category."""
    word_means: Array
    """(k,)."""
    slope: float
    """Slope of the calibration."""
    offsets: Array
    """(k,) offsets of the calibration."""

    def of(self, rows: Sequence[int]) -> LogitParts:
        """Return the parts for the papers at `rows`, without features that none of them has."""
        places = [np.arange(self.starts[row], self.starts[row + 1]) for row in rows]
        found = np.concatenate([*places, np.zeros(0, dtype=np.int64)]).astype(np.int64)
        columns = self.columns[found]
        present = np.unique(columns)
        n_terms = int(np.searchsorted(present, self.n_terms))
        words = present[:n_terms]
        return replace(
            self,
            names=tuple(self.names[column] for column in present.tolist()),
            n_terms=n_terms,
            starts=np.cumsum([0, *map(len, places)]),
            columns=np.searchsorted(present, columns),
            values=self.values[found],
            weights=self.weights[:, present],
            evidence=self.evidence[list(rows)] if len(self.evidence) else self.evidence,
            word_weights=self.word_weights[:, words] if self.word_weights.size else NO_WORDS,
        )

    def contributions(self, row: int, column: int) -> Contributions:
        """Return the contributions that add up to one paper's calibrated logit of one category."""
        part = slice(self.starts[row], self.starts[row + 1])
        found, values = self.columns[part], self.values[part]
        names = [self.names[at] for at in found.tolist()]
        weights = self.weights[column, found]
        constant = float(self.intercepts[column])
        more: dict[str, float] = {}
        if not self.is_known[column] and len(self.evidence):
            is_term = found < self.n_terms
            weights[is_term] += self.word_scale * self.word_weights[column, found[is_term]]
            constant += self.constant + self.word_scale * float(self.word_means[column])
            vote, like, others = self.evidence[row, column].tolist()
            shared = self._shared_words(column, names, values) if like > 0 else ""
            category = self.facet.ids[column]
            more = {f"vote:{category}": vote, f"like:{shared}": like, "others:": others}
        return Contributions(
            [*names, *more],
            self.slope * np.concatenate([values * weights, np.array(list(more.values()))]),
            self.slope * constant + float(self.offsets[column]),
        )

    def _shared_words(self, category_index: int, names: Sequence[str], values: Array) -> str:
        """Return in quotes the strongest terms that are in both the paper and the definition."""
        terms = self._definitions[category_index]
        shared = [
            (-value, name.removeprefix("text:"))
            for name, value in zip(names, values.tolist(), strict=True)
            if name.removeprefix("text:") in terms
        ]
        return ", ".join(f"‘{term}’" for _, term in sorted(shared)[:_MAX_SHARED])

    @cached_property
    def _definitions(self) -> list[frozenset[str]]:
        """Return the terms of each category's definition."""
        return [definition_terms(top) for top in self.facet.tops]


NO_WORDS: Array = np.zeros((0, 0))
