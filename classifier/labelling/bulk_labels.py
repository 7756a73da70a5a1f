"""The labels of many papers as arrays, a column a fact: the form in which they are streamed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.labels import FacetLabels, PaperLabels, Reason
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]

NONE = -1
"""In a column of positions: no category."""


@dataclass(frozen=True, slots=True)
class BulkFacetLabels:
    """The labels of n papers in one facet of k top categories; the fields of `FacetLabels`."""

    facet: Facet
    asked: NDArray[np.bool_]
    """(n,) whether the facet applies to the paper; where not, the rest of the row says nothing."""
    chosen: NDArray[np.int32]
    """(n, m) columns of the top categories that apply, in the order shown: the primary first;
    `NONE` behind the last."""
    confidence: Array
    """(n,) probability that the primary is right."""
    confident: NDArray[np.bool_]
    """(n,) whether the status is `confident`; else it is `provisional`."""
    probabilities: Array
    """(n, k) that a category applies."""
    children: NDArray[np.int32]
    """(n, k) which child of each category the cues point to, of `children_of`; `NONE`."""
    candidates: NDArray[np.int32]
    """(n, k) columns of the candidates, likeliest first; `NONE` behind the last."""
    why: Sequence[tuple[Reason, ...]]
    """(n,) the reasons; all () where nobody asked for them."""

    @property
    def primary(self) -> list[str]:
        """(n,) the category that each paper is filed under; "" where nothing is stated."""
        names = (*self.facet.ids, "")  # `NONE` is the last
        return [names[column] for column in self.chosen[:, 0].tolist()]

    def categories(self) -> list[tuple[str, ...]]:
        """Return (n,) the labels shown: `FacetLabels.categories`, () where the facet is not asked.

        Papers with the same labels share a tuple: there are far fewer of these than of papers.
        """
        found: list[tuple[str, ...]] = [()] * len(self.asked)
        rows = np.flatnonzero(self.chosen[:, 0] != NONE)
        tops = self.chosen[rows]
        children = np.take_along_axis(self.children[rows], np.maximum(tops, 0), axis=1)
        children[tops == NONE] = NONE
        known: dict[tuple[int, ...], tuple[str, ...]] = {}
        for row, key in zip(rows.tolist(), map(tuple, np.hstack([tops, children]).tolist()),
                            strict=True):  # fmt: skip
            if key not in known:
                width = len(key) // 2
                known[key] = self._names(key[:width], key[width:])
            found[row] = known[key]
        return found

    def _names(self, tops: Sequence[int], children: Sequence[int]) -> tuple[str, ...]:
        """Return categories, each followed by its child."""
        names: list[str] = []
        for top, child in zip(tops, children, strict=True):
            if top != NONE:
                names.append(self.facet.ids[top])
            if child != NONE:
                names.append(children_of(self.facet, self.facet.ids[top])[child])
        return tuple(names)

    def labels(self, row: int) -> FacetLabels | None:
        """Return the labels of one paper; None where the facet is not asked of it."""
        if not self.asked[row]:
            return None
        ids = self.facet.ids
        children = {
            ids[column]: children_of(self.facet, ids[column])[child]
            for column, child in enumerate(self.children[row].tolist())
            if child != NONE
        }
        tops = [ids[column] for column in self.chosen[row].tolist() if column != NONE]
        return FacetLabels(
            tuple(name for top in tops for name in (top, children.get(top)) if name),
            tops[0] if tops else "",
            float(self.confidence[row]),
            "confident" if self.confident[row] else "provisional",
            dict(zip(ids, self.probabilities[row].tolist(), strict=True)),
            children,
            self.why[row],
            tuple(ids[column] for column in self.candidates[row].tolist() if column != NONE),
        )


def children_of(facet: Facet, category_id: str) -> tuple[str, ...]:
    """Return the ids of a category's children, retired ones included."""
    category = facet.get(category_id)
    return tuple(child.id for child in category.children) if category else ()


@dataclass(frozen=True, slots=True)
class BulkLabels:
    """The labels of n papers in all facets."""

    paper_ids: tuple[str, ...]
    facets: Mapping[str, BulkFacetLabels]
    """Facet id -> labels, in the order of the taxonomy."""
    cue_digests: Sequence[str]
    """(n,) `evidence.cue_digest`; all "" where nobody asked for them."""

    def paper_labels(self) -> list[PaperLabels]:
        """Return the labels of each paper as an object of its own."""
        found = []
        for row, paper_id in enumerate(self.paper_ids):
            told = {name: facet.labels(row) for name, facet in self.facets.items()}
            facets = {name: labels for name, labels in told.items() if labels is not None}
            found.append(PaperLabels(paper_id, facets, self.cue_digests[row]))
        return found


def bulk_labels_of(facets: Mapping[str, Facet], labels: Sequence[PaperLabels]) -> BulkLabels:
    """Return labels that stand as objects in columns; decisions among them are not told apart."""
    return BulkLabels(
        tuple(label.paper_id for label in labels),
        {name: _columns(facet, [label.facets.get(name) for label in labels])
         for name, facet in facets.items()},
        [label.cue_digest for label in labels],
    )  # fmt: skip


def _columns(facet: Facet, labels: Sequence[FacetLabels | None]) -> BulkFacetLabels:
    n, k = len(labels), len(facet.ids)
    column = {name: index for index, name in enumerate(facet.ids)}
    chosen, children, candidates = (np.full((n, k), NONE, dtype=np.int32) for _ in range(3))
    probabilities, confidence = np.zeros((n, k)), np.zeros(n)
    for row, label in enumerate(labels):
        if label is None:
            continue
        for place, name in enumerate(label.top_categories):
            chosen[row, place] = column[name]
        for place, name in enumerate(label.candidates):
            candidates[row, place] = column[name]
        for top, child in label.children.items():
            children[row, column[top]] = children_of(facet, top).index(child)
        confidence[row] = label.confidence
        probabilities[row] = [label.probabilities.get(name, 0.0) for name in facet.ids]
    return BulkFacetLabels(
        facet,
        np.array([label is not None for label in labels], dtype=bool),
        chosen,
        confidence,
        np.array([label is not None and label.status == "confident" for label in labels], bool),
        probabilities,
        children,
        candidates,
        [label.why if label else () for label in labels],
    )
