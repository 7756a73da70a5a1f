"""The offset of the regressions: what cues, likeness and words say of a paper by themselves.

A score adds the vote, the likeness and a share that the words of the project's other papers give: a
ridge regression of the weak labels, so that a paper without a cue is judged by the papers whose
words it shares. The regressions on decisions start from the log-odds of the scores and correct
them, so that a few decisions never outweigh what is known of the categories that have none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logsumexp

from classifier.labelling.training_data import VOTE_WEIGHT, weak_logits

Array = NDArray[np.float64]

_RIDGE = 0.3
_MAX_SHARE_WEIGHT, _PAPERS_OF_WORDS = 12.0, 60
"""A share of 1, from n papers, adds 12 n / (n + 60) to a score: a decision on one of a few papers
does not move the others."""
_TRUST = 0.8
"""What a difference of scores is worth in log-odds of where a paper is filed."""
_APPLIES_VOTE, _APPLIES_LIKENESS, _USUAL_SHARE = 0.5, 0.5, 0.3
"""Of whether a category applies: factors of the votes' log-odds and of the likeness, and the share
of a paper of which nothing is known."""
_MAX_LOGIT = 9.2
MAX_PAPERS_OF_WORDS = 1_500
"""Papers whose words are learned from: the time grows with the cube of their number."""


@dataclass(frozen=True, slots=True)
class WordShares:
    """A linear model of weak labels on words: `rows @ weights + mean`."""

    weights: Array
    """(terms, k)."""
    mean: Array
    """(k,)."""
    weight: float
    """What a share of 1 adds to a score."""

    def shares(self, rows: sparse.csr_matrix) -> Array:
        """Return (n, k) shares of papers."""
        return np.asarray(rows @ self.weights + self.mean)


class WordRegression:
    """Ridge regressions of soft labels on the words of papers, which share one inverse."""

    def __init__(self, rows: sparse.csr_matrix) -> None:
        """Prepare the (n, terms) rows of the papers."""
        n = rows.shape[0]
        self.rows = rows
        self.chosen = np.arange(0, n, max(1, -(-n // MAX_PAPERS_OF_WORDS)))
        self.own = rows[self.chosen]
        similar = (self.own @ self.own.T).toarray()
        self.inverse = np.linalg.inv(similar + _RIDGE * np.eye(len(self.chosen)))

    def fit(self, soft: Array) -> tuple[WordShares, Array]:
        """Return the regression of (n, k) soft labels, and the (n, k) shares of the papers.

        The share of a paper comes from the other papers, in closed form (leave-one-out residuals of
        ridge regression): so what is learned on top of the shares holds for new papers.
        """
        n, k = soft.shape
        mean = soft.mean(axis=0) if n else np.full(k, 1 / max(k, 1))
        if n < 2:
            model = WordShares(np.zeros((self.rows.shape[1], k)), mean, 0.0)
            return model, np.tile(mean, (n, 1))
        weight = _MAX_SHARE_WEIGHT * n / (n + _PAPERS_OF_WORDS)
        dual = self.inverse @ (soft[self.chosen] - mean)
        model = WordShares(np.asarray(self.own.T @ dual), mean, weight)
        shares = model.shares(self.rows)
        shares[self.chosen] = soft[self.chosen] - dual / np.diag(self.inverse)[:, None]
        return model, shares


@dataclass(frozen=True, slots=True)
class Offset:
    """The offset of one of the two questions of a facet, as a sum that can be taken apart."""

    words: WordShares
    is_choice: bool
    """Whether one category is chosen (where a paper is filed), or each may apply."""

    def scores(self, votes: Array, likeness: Array, shares: Array) -> Array:
        """Return (n, k) scores, where one category is chosen."""
        return _TRUST * (VOTE_WEIGHT * votes + likeness + self.words.weight * shares)

    def logits(self, votes: Array, applies: Array, likeness: Array, shares: Array) -> Array:
        """Return (n, k) log-odds.

        votes, likeness, shares: (n, k); applies: (n, k) probabilities that the votes give.
        """
        if not self.is_choice:
            return np.asarray(
                _APPLIES_VOTE * weak_logits(applies)
                + _APPLIES_LIKENESS * likeness
                + self.words.weight * (shares - _USUAL_SHARE)
            )
        scores = self.scores(votes, likeness, shares)
        return np.clip(scores - _others(scores), -_MAX_LOGIT, _MAX_LOGIT)

    @property
    def share_weight(self) -> float:
        """What a share of 1 adds to the log-odds."""
        return _TRUST * self.words.weight if self.is_choice else self.words.weight

    def parts(
        self, votes: Array, applies: Array, likeness: Array, shares: Array
    ) -> tuple[Array, float]:
        """Return what adds up to the log-odds next to the shares, as a (n, k, 3) array and a
        constant: the vote, the likeness, and the evidence for other categories.

        votes, applies, likeness, shares: (n, k).
        """
        if not self.is_choice:
            silent = _APPLIES_VOTE * float(weak_logits(np.zeros(1))[0])
            vote = _APPLIES_VOTE * weak_logits(applies) - silent
            like = _APPLIES_LIKENESS * likeness
            constant = silent - self.words.weight * _USUAL_SHARE
            return np.stack([vote, like, np.zeros_like(vote)], axis=2), constant
        logits = self.logits(votes, applies, likeness, shares)
        others = logits - self.scores(votes, likeness, shares)
        parts = [_TRUST * VOTE_WEIGHT * votes, _TRUST * likeness, others]
        return np.stack(parts, axis=2), 0.0


def _others(scores: Array) -> Array:
    """Return (n, k) log of the summed exponentials of the other categories' scores."""
    n, k = scores.shape
    if k < 2:
        return np.zeros((n, k))
    without = np.repeat(scores[:, None, :], k, axis=1)
    without[:, np.arange(k), np.arange(k)] = -np.inf
    return np.asarray(logsumexp(without, axis=2))
