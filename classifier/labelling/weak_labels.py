"""What papers teach a facet: what people decided, else weak labels from the votes of their cues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_softmax, logit

from classifier.labelling.cue_index import vote_shares
from classifier.labelling.labels import Decision
from classifier.taxonomy.model import Facet
from classifier.text.normalise import title_key

Array = NDArray[np.float64]

# A vote becomes a probability by two sigmoids: is there evidence enough (one title cue, vote 4, is
# more likely right than not; one cue in passing, vote 1.5, is not), and is it a fair share of the
# strongest category's. Set by hand; with decisions the regressions outweigh them.
_VOTE_SLOPE, VOTE_MIDDLE = 1.2, 2.6
_SHARE_SLOPE, _SHARE_MIDDLE = 8.0, 0.45
_ANY_EVIDENCE = 0.5
"""A strongest vote above this is evidence; at or below it a paper may be out of scope."""
_STRONGEST = 0.5
"""A paper belongs somewhere: the least probability of the category with the strongest evidence."""
_NOWHERE = 0.5
"""Probability that a paper without any evidence is out of scope: the cues may be too few."""
_NO_EVIDENCE_WEIGHT = 0.05


def weak_labels(votes: Array, out_of_scope: Sequence[int]) -> tuple[Array, Array]:
    """Return (n, k) probabilities that a category applies and (n,) weights in [0, 1].

    votes: (n, k); out_of_scope: the columns that stand alone (at most one). Papers without
    evidence weigh next to nothing: they are to be found by the words of the others.
    """
    applies = expit(_VOTE_SLOPE * (votes - VOTE_MIDDLE))
    applies *= expit(_SHARE_SLOPE * (vote_shares(votes) - _SHARE_MIDDLE))
    in_scope = [k for k in range(votes.shape[1]) if k not in out_of_scope]
    if not in_scope:
        return applies, np.ones(len(votes))
    rows = np.arange(len(votes))
    strongest = np.array(in_scope)[votes[:, in_scope].argmax(axis=1)]
    spoken_for = votes[rows, strongest] > _ANY_EVIDENCE
    raised = np.maximum(applies[rows, strongest], _STRONGEST)
    applies[rows, strongest] = np.where(spoken_for, raised, applies[rows, strongest])
    likeliest = applies[:, in_scope].max(axis=1)
    weights = np.where(spoken_for, likeliest, 0.0)
    for column in out_of_scope:
        own = applies[:, column] * (1 - likeliest)
        applies[:, column] = np.maximum(own, np.where(spoken_for, 0.0, _NOWHERE))
        weights = np.maximum(weights, own)
    return applies, _NO_EVIDENCE_WEIGHT + (1 - _NO_EVIDENCE_WEIGHT) * weights


def weak_logits(applies: Array) -> Array:
    """Return the log-odds of weak labels, which are never quite sure."""
    return np.asarray(logit(np.clip(applies, 1e-3, 1 - 1e-3)))


@dataclass(frozen=True, slots=True)
class Targets:
    """What n papers teach: decisions where there are any, weak labels elsewhere."""

    applies: Array
    """(n, k) that a category applies, 0 to 1."""
    filed: Array
    """(n, k) that a paper is filed there, 0 to 1."""
    weights: Array
    """(n, k) weight of each paper in each category: 1 where people said it."""
    said: NDArray[np.bool_]
    """(n, k) whether a decision says so; it says nothing of a category that came later."""
    decided: NDArray[np.int64]
    """Rows with a decision, rising."""

    def filed_under(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return (m,) the column under which a decision files each of m rows."""
        return np.asarray(np.where(self.said[rows], self.filed[rows], 0.0).argmax(axis=1))


def targets(
    facet: Facet,
    titles: Sequence[str],
    decisions: Mapping[int, Decision],
    weak: tuple[Array, Array],
    weak_weight: float,
) -> Targets:
    """Return what papers teach a facet.

    titles: of the n papers; decisions: row -> decision; weak: (n, k) weak labels and (n,) weights
    in [0, 1]; weak_weight: of a paper on which nobody decided, beside a decided one's 1. An
    exemplar is certainly in its category; of the others the weak labels speak, as they do of
    categories that a decision does not know.
    """
    applies = weak[0].copy()
    weights = np.repeat((weak[1] * weak_weight)[:, None], applies.shape[1], axis=1)
    filed = np.exp(log_softmax(weak_logits(applies), axis=1)) if len(applies) else applies.copy()
    said = np.zeros(applies.shape, dtype=bool)
    exemplars = exemplar_categories(facet)
    for row, title in enumerate(titles):
        category_id, decision = exemplars.get(title_key(title)), decisions.get(row)
        if category_id and (decision is None or category_id in decision.unknown):
            applies[row, facet.ids.index(category_id)] = 1.0
            filed[row] = [category_id == name for name in facet.ids]
            weights[row] = 1.0
        for column, name in enumerate(facet.ids if decision else ()):
            if decision and name not in decision.unknown:
                applies[row, column] = name in decision.values
                filed[row, column] = name == decision.primary
                weights[row, column] = 1.0
                said[row, column] = True
    return Targets(applies, filed, weights, said, np.array(sorted(decisions), dtype=np.int64))


def exemplar_categories(facet: Facet) -> dict[str, str]:
    """Return title key -> id of the top category in use that the title is an exemplar of.

    Those of a category that was merged go where its decisions go; what is certainly in a child is
    in its parent, too. Of several categories that name one title the last counts.
    """
    found: dict[str, str] = {}
    for category in facet.walk(retired=True):
        meant = facet.resolve(category.id)
        if meant is not None:
            key = facet.top_of(meant.id)
            found.update({title_key(title): key for title in category.exemplars})
    return found
