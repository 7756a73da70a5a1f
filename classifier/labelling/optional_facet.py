"""A facet of which a paper may state nothing: its cues say what a paper states, and no more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator

from classifier.labelling.cue_index import Evidence
from classifier.labelling.explain import Contributions, vote_contributions
from classifier.labelling.facet_model import CrossFit, FacetModel, FacetView, Scores
from classifier.labelling.regression import rounded
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]

STATED_VOTE = 1.5
"""The vote from which an optional facet states a category: one cue, and none against it."""
_MAX_SURE = 0.9


class OptionalFacetModel(FacetModel):
    """A facet of which a paper may state nothing: what its cues say, and silence where they do not.

    Nothing is learned: a paper states what it states, and what one paper leaves open the words of
    others do not fill in. Nobody checks how sure the cues are: all that it says is provisional.
    """

    def __init__(self, facet: Facet, estimator: BaseEstimator) -> None:
        super().__init__(facet, estimator, folds=2, accuracy_target=1.0)
        k = len(self.ids)
        self.votes_decide_ = np.ones(k, dtype=bool)
        self.thresholds_, self.cut_ = np.full(k, 0.5), 1.0
        self.least_probability_ = None
        nothing = np.zeros((0, k))
        never = np.zeros(0, dtype=bool)
        self.cross_fit_ = CrossFit(nothing, nothing, nothing[:, 0], nothing, nothing, (), never)

    def score(self, seen: FacetView) -> Scores:
        """Return the scores of any papers; `primary` holds the probabilities once more."""
        probabilities = rounded(expit(seen.evidence.votes(self.ids) - STATED_VOTE))
        return Scores(seen, probabilities, probabilities)

    def confidence(self, primary: Array) -> Array:
        """Return (n,) how sure the cues are of what is stated, or that nothing is."""
        stated = primary.max(axis=1, initial=0.0)
        return np.asarray(np.minimum(np.maximum(stated, 1 - stated), _MAX_SURE))

    def is_sure(self, primary: Array, confidence: Array, evidence: Evidence) -> NDArray[np.bool_]:
        """Return (n,) False: cues alone are provisional."""
        return np.zeros(len(confidence), dtype=bool)

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return the votes that add up, with the intercept, to the logit of one category."""
        votes = scores.seen.evidence.votes([self.ids[column]])[row, 0]
        return vote_contributions(
            scores.seen.evidence, row, self.ids[column], float(votes) - STATED_VOTE
        )
