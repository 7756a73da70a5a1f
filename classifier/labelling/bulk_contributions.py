"""What adds up to the logits of many papers and categories, entry by entry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifier.labelling.evidence import VIEWS, VOTE_WEIGHTS
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.prior_scores import PriorScores
from classifier.labelling.scores import Scores

Array = NDArray[np.float64]
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BulkContributions:
    """Weight times value, of p pairs of a paper and a category, in e entries that are not 0.

    Of one pair they are the `values` of `FacetModel.contributions`, in that order.
    """

    pairs: Positions
    """(e,) the pair of each entry."""
    features: Positions
    """(e,) its place among `contribution_names`."""
    values: Array
    """(e,)."""


def contribution_names(model: FacetModel, prior: PriorScores | None) -> tuple[str, ...]:
    """Return the names of all features that may contribute in a facet; one may stand twice."""
    votes = tuple(f"votes:{name}:{view}" for name in model.ids for view in VIEWS)
    own = votes if model.votes_alone_ else model.names_
    return own if prior is None else (*own, *prior.model.names)


def bulk_contributions(
    model: FacetModel, scores: Scores, rows: Positions, columns: Positions
) -> BulkContributions:
    """Return what adds up to the logits of (p,) papers in (p,) categories, by row and column."""
    if model.votes_alone_:
        parts, width = [_votes(model, scores, rows, columns)], len(model.ids) * len(VIEWS)
    else:
        parts, width = _learned(model, scores, rows, columns), len(model.names_)
    if scores.seen.prior is not None:
        pairs, features, values = _told(model, scores.seen.prior, rows, columns)
        parts.append((pairs, features + width, values))
    pairs, features, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    there = values != 0
    return BulkContributions(pairs[there], features[there], values[there])


def _learned(
    model: FacetModel, scores: Scores, rows: Positions, columns: Positions
) -> list[tuple[Positions, Positions, Array]]:
    """Return what terms, then cue columns contribute by the weights learned of these papers."""
    seen, weights = scores.seen, model.apply_weights_
    slopes = model.slopes(seen.prior)[0][columns]
    pairs, terms, values = row_entries(seen.text, rows)
    by_terms = slopes[pairs] * (weights.terms[terms, columns[pairs]] * values)
    cued = seen.cues.values[rows]
    with_cues, cues = np.nonzero(cued)
    cue_weights = weights.cues[cues, columns[with_cues]]
    by_cues = slopes[with_cues] * (cue_weights * cued[with_cues, cues])
    return [(pairs, terms, by_terms), (with_cues, cues + len(weights.terms), by_cues)]


def _votes(
    model: FacetModel, scores: Scores, rows: Positions, columns: Positions
) -> tuple[Positions, Positions, Array]:
    """Return the votes of the cues, where they alone decide."""
    logs = scores.seen.evidence.logs(model.ids).reshape(-1, len(model.ids), len(VIEWS))
    votes = logs[rows, columns] * VOTE_WEIGHTS
    pairs, views = np.nonzero(votes)
    return pairs, columns[pairs] * len(VIEWS) + views, votes[pairs, views]


def _told(
    model: FacetModel, prior: PriorScores, rows: Positions, columns: Positions
) -> tuple[Positions, Positions, Array]:
    """Return what the prior contributes; nothing where it does not know the category."""
    pairs, features, values = row_entries(prior.values, rows)
    versions, places = prior.versions[rows], prior.columns[columns]
    weights = prior.model.weights[versions[pairs], places[pairs], features]
    slopes = model.slopes(prior)[1][columns]
    return pairs, features, slopes[pairs] * (values * weights)


def row_entries(matrix: sparse.csr_matrix, rows: Positions) -> tuple[Positions, Positions, Array]:
    """Return (which of `rows`, column, value) of all entries of some rows, in their order."""
    begins = matrix.indptr[rows].astype(np.int64)
    lengths = matrix.indptr[rows + 1] - begins
    whose = np.repeat(np.arange(len(rows)), lengths)
    # Counted through from the begin of each row, whatever lies between the rows.
    places = np.arange(len(whose)) + np.repeat(begins - (np.cumsum(lengths) - lengths), lengths)
    return whose, matrix.indices[places].astype(np.int64), matrix.data[places]
