"""Seed labels: what the cues alone say of a paper, as probabilities to learn from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from classifier.labelling.evidence import vote_shares

Array = NDArray[np.float64]

# A vote becomes a probability by two sigmoids: is there evidence enough (one title cue, vote 4, is
# more likely right than not; one cue in passing, vote 1.5, is not), and is it a fair share of the
# strongest category's. Set by hand; with decisions the regressions outweigh them.
_VOTE_SLOPE, VOTE_MIDDLE = 1.2, 2.6
_SHARE_SLOPE, _SHARE_MIDDLE = 8.0, 0.45
ANY_EVIDENCE = 0.5
"""A strongest vote above this is evidence; at or below it a paper may be out of scope."""
_STRONGEST = 0.5
"""A paper belongs somewhere: the least probability of the category with the strongest evidence."""
_NOWHERE = 0.5
"""Probability that a paper without any evidence is out of scope: the cues may be too few."""
_NO_EVIDENCE_WEIGHT = 0.05


def seed_labels(votes: Array, out_of_scope: Sequence[int]) -> tuple[Array, Array]:
    """Return (n, k) probabilities that a category applies and (n,) weights in [0, 1].

    votes: (n, k) seed votes; out_of_scope: the columns that stand alone (at most one). Papers
    without evidence weigh next to nothing: they are to be found by the words of the others.
    """
    applies = seed_probabilities(votes)
    in_scope = [k for k in range(votes.shape[1]) if k not in out_of_scope]
    if not in_scope:
        return applies, np.ones(len(votes))
    rows = np.arange(len(votes))
    strongest = np.array(in_scope)[votes[:, in_scope].argmax(axis=1)]
    spoken_for = votes[rows, strongest] > ANY_EVIDENCE
    raised = np.maximum(applies[rows, strongest], _STRONGEST)
    applies[rows, strongest] = np.where(spoken_for, raised, applies[rows, strongest])
    likeliest = applies[:, in_scope].max(axis=1)
    weights = np.where(spoken_for, likeliest, 0.0)
    for column in out_of_scope:
        own = applies[:, column] * (1 - likeliest)
        applies[:, column] = np.maximum(own, np.where(spoken_for, 0.0, _NOWHERE))
        weights = np.maximum(weights, own)
    return applies, _NO_EVIDENCE_WEIGHT + (1 - _NO_EVIDENCE_WEIGHT) * weights


def seed_probabilities(votes: Array) -> Array:
    """Return (n, k) probabilities that a category applies, from (n, k) seed votes alone."""
    enough = expit(_VOTE_SLOPE * (votes - VOTE_MIDDLE))
    fair = expit(_SHARE_SLOPE * (vote_shares(votes, least=1.0) - _SHARE_MIDDLE))
    return np.asarray(enough * fair)
