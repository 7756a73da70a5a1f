"""The model of a facet that papers may leave unstated: cues alone assign its categories.

Nothing is learned, because the words of other papers are no evidence that a paper states a value.
Nothing checks the cues, so all labels are provisional.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_index import Evidence
from classifier.labelling.explain import Contributions, vote_contributions
from classifier.labelling.scores import CrossFit, FacetInput, Scores, round_probabilities
from classifier.taxonomy.model import Facet

if TYPE_CHECKING:  # slow to import
    from classifier.labelling.facet_model import FacetModel

Array = NDArray[np.float64]

STATED_VOTE = 1.5
"""Vote from which a category is stated: one match, and none against it."""
_MAX_CONFIDENCE = 0.9


class StatedFacetModel:
    """Probabilities from votes; has the interface of `FacetModel`."""

    candidate_threshold_: float | None = None
    cut_ = 1.0

    def __init__(self, facet: Facet) -> None:
        self.facet = facet
        self.ids = facet.ids
        k = len(self.ids)
        self.thresholds_ = np.full(k, 0.5)
        none = np.zeros((0, k))
        self.cross_fit_ = CrossFit(
            none, none, none[:, 0], none, none, (), np.zeros(0, dtype=np.bool_)
        )

    def score(self, inputs: FacetInput) -> Scores:
        """Return the scores of papers; `primary` equals the probabilities."""
        probabilities = round_probabilities(
            1 / (1 + np.exp(STATED_VOTE - inputs.evidence.votes(self.ids)))
        )
        return Scores(inputs, probabilities, probabilities)

    def choose_primary(self, scores: Scores) -> tuple[NDArray[np.int64], Array, NDArray[np.bool_]]:
        """Return the most likely columns (n,), their confidence, and whether they are confident.

        No label is confident.
        """
        stated = scores.primary.max(axis=1, initial=0.0)
        confidence = np.minimum(np.maximum(stated, 1 - stated), _MAX_CONFIDENCE)
        n = len(scores.primary)
        return scores.primary.argmax(axis=1), confidence, np.zeros(n, dtype=np.bool_)

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return the logit of one category as a sum of votes and an intercept."""
        return self.logit_parts(scores.inputs).contributions(row, column)

    def logit_parts(self, inputs: FacetInput) -> VoteParts:
        """Return the votes that make up the logits of papers."""
        return VoteParts(inputs.evidence, self.ids)


@dataclass(frozen=True, slots=True)
class VoteParts:
    """The contributions of cues to the logits of papers; a vote counts the matched cues."""

    evidence: Evidence
    ids: tuple[str, ...]

    def contributions(self, row: int, column: int) -> Contributions:
        """Return the logit of one category as a sum of votes and an intercept."""
        category = self.ids[column]
        total = float(self.evidence.votes([category])[row, 0]) - STATED_VOTE
        return vote_contributions(self.evidence, row, category, total)


AnyFacetModel: TypeAlias = "FacetModel | StatedFacetModel"
"""The model of any facet."""
