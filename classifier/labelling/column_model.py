"""The model of a facet that only some papers are asked: a column of their comparison table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from classifier.labelling.evidence import VIEWS, VOTE_WEIGHTS, Evidence
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.regression import Settings
from classifier.labelling.scores import Contributions, CrossFit, FacetView, Scores, rounded
from classifier.labelling.wide_weights import wide_weights
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]

STATED_VOTE = 1.5
"""The vote from which a category is stated: one cue, wherever it stands, and none against it."""
_THRESHOLD = 0.5
_MOST_SURE = 0.9


class ColumnModel(FacetModel):
    """A facet of which a paper may state nothing: what its cues say, and silence where they do not.

    Nothing is learned: a paper states what it states, and what one paper leaves open the words of
    others do not fill in. So it costs next to nothing, and no decision on one paper moves another.
    Nobody checks how sure the cues are, so that all it says is provisional.
    """

    def __init__(self, facet: Facet, settings: Settings) -> None:
        super().__init__(facet, settings)
        k = len(self.ids)
        self.votes_alone_, self.is_checked_ = True, False
        self.names_ = ()
        self.apply_weights_ = wide_weights(np.zeros((k, 0)), np.zeros(k), 0)
        self.thresholds_, self.cut_ = np.full(k, _THRESHOLD), 1.0
        self.least_probability_ = None
        nothing = np.zeros((0, k))
        self.cross_fit_ = CrossFit(
            nothing, nothing, nothing[:, 0], nothing, nothing, (), np.zeros(0, dtype=bool)
        )

    def score(self, seen: FacetView) -> Scores:
        """Return the scores of any papers; `primary` holds the probabilities once more."""
        probabilities = rounded(expit(_log_odds(seen.evidence.votes(self.ids))))
        return Scores(seen, probabilities, probabilities)

    def confidence(self, primary: Array) -> Array:
        """Return (n,) how sure the cues are of what is stated, or that nothing is."""
        stated = primary.max(axis=1, initial=0.0)
        return np.asarray(np.minimum(np.maximum(stated, 1 - stated), _MOST_SURE))

    def is_sure(self, primary: Array, confidence: Array, evidence: Evidence) -> NDArray[np.bool_]:
        """Return (n,) False: cues alone are provisional."""
        return np.zeros(len(confidence), dtype=bool)

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return the votes that add up, with the intercept, to the logit of one category."""
        category_id = self.ids[column]
        votes = scores.seen.evidence.logs([category_id])[row] * VOTE_WEIGHTS
        names = tuple(f"votes:{category_id}:{view}" for view in VIEWS)
        intercept = float(_log_odds(votes.sum()) - votes.sum())
        return Contributions(names, votes, intercept, in_votes=True)


def _log_odds(votes: Array) -> Array:
    return np.asarray(votes - STATED_VOTE)
