"""From what a facet's model says of n papers to their labels, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.bulk_labels import NONE, BulkFacetLabels, children_of
from classifier.labelling.conformal import candidate_columns
from classifier.labelling.decide import child_columns, chosen_columns
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.scores import Scores
from classifier.taxonomy.model import Facet

Bools = NDArray[np.bool_]


def asked_papers(
    facet: Facet, first: BulkFacetLabels, decided: Mapping[int, Sequence[str]]
) -> Bools:
    """Return (n,) whether a facet is asked of n papers with these labels of the first facet.

    decided: row -> the categories that a person gave in their place.
    """
    n = len(first.asked)
    if not facet.applies_to:
        return np.ones(n, dtype=bool)
    asked = np.zeros(n, dtype=bool)
    for name in facet.applies_to:
        asked |= _has(first, name)
    for row, topics in decided.items():
        asked[row] = facet.is_asked_of(topics)
    return asked


def _has(labels: BulkFacetLabels, name: str) -> Bools:
    """Return (n,) whether a category, or child of one, is among the labels of each paper."""
    top = labels.facet.top_of(name)
    if top not in labels.facet.ids:
        return np.zeros(len(labels.asked), dtype=bool)
    column = labels.facet.ids.index(top)
    given = np.asarray((labels.chosen == column).any(axis=1))
    if name == top:
        return given
    children = children_of(labels.facet, top)
    place = children.index(name) if name in children else -2  # no child of its own: never given
    return np.asarray(given & (labels.children[:, column] == place))


def facet_labels(
    model: FacetModel, scores: Scores, asked: Bools, has_abstract: Bools
) -> BulkFacetLabels:
    """Return the labels of n papers in one facet, without reasons.

    asked: (n,) whether the facet is asked of a paper; has_abstract: (n,), since of a title alone
    nobody is sure.
    """
    facet, rows = model.facet, np.flatnonzero(asked)
    confidence = model.confidence(scores.primary)
    sure = model.is_sure(scores.primary, confidence, scores.seen.evidence) & has_abstract
    probabilities, primary = scores.probabilities[rows], scores.primary[rows]
    chosen = chosen_columns(facet, probabilities, model.thresholds_, primary.argmax(axis=1))
    children = child_columns(facet, scores.seen.evidence)
    children[~asked] = NONE
    return BulkFacetLabels(
        facet,
        asked,
        _placed(chosen, asked),
        np.where(asked, confidence, 0.0),
        sure & asked,
        np.where(asked[:, None], scores.probabilities, 0.0),
        children,
        _placed(candidate_columns(primary, model.least_probability_), asked),
        [()] * len(asked),
    )


def _placed(columns: NDArray[np.int32], asked: Bools) -> NDArray[np.int32]:
    """Return (n, m) columns, those of the papers that are asked in their rows."""
    placed = np.full((len(asked), columns.shape[1]), NONE, dtype=np.int32)
    placed[asked] = columns
    return placed
