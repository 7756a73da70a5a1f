"""The offset of the regressions: log-odds from cues, likeness and words, without any decision.

A score has three parts: the vote of the cues, the likeness to the category, and a share that a
ridge regression on weak labels predicts from the words. Thus a paper without any cue gets the
categories of papers with similar words. The regressions on decisions start from these log-odds and
correct them, so that a few decisions do not outweigh the evidence for undecided categories.
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
"""Penalty of the ridge regression."""
_MAX_SHARE_WEIGHT, _PAPERS_OF_WORDS = 12.0, 60
"""With n papers, a share of 1 adds 12 n / (n + 60) to a score, so that in a small project a
decision on one paper does not move the others."""
_TRUST = 0.8
"""Factor from a difference of scores to log-odds of the primary category."""
_APPLIES_VOTE, _APPLIES_LIKENESS, _USUAL_SHARE = 0.5, 0.5, 0.3
"""For the question whether a category applies: factor of the votes' log-odds, factor of the
likeness, and the share of a paper without evidence."""
_MAX_LOGIT = 9.2
"""Maximum absolute value of the log-odds of the primary category."""
MAX_PAPERS_OF_WORDS = 1_500
"""Maximum number of papers in the ridge regression; its time grows with the cube of the number."""


@dataclass(frozen=True, slots=True)
class WordShares:
    """A linear model of weak labels on words: `rows @ weights + mean`."""

    weights: Array
    """(terms, k) weights."""
    mean: Array
    """(k,) mean of the weak labels."""
    weight: float
    """Amount that a share of 1 adds to a score."""

    def shares(self, rows: sparse.csr_matrix) -> Array:
        """Return (n, k) predicted weak labels of papers."""
        return np.asarray(rows @ self.weights + self.mean)


class WordRegression:
    """Ridge regressions of soft labels on the words of the same papers, with one inversion."""

    def __init__(self, rows: sparse.csr_matrix) -> None:
        """Invert the matrix of the papers' similarities.

        rows: (n, terms) TF-IDF.
        """
        n = rows.shape[0]
        self.rows = rows
        self.chosen = np.arange(0, n, max(1, -(-n // MAX_PAPERS_OF_WORDS)))
        self.own = rows[self.chosen]
        similar = (self.own @ self.own.T).toarray()
        self.inverse = np.linalg.inv(similar + _RIDGE * np.eye(len(self.chosen)))

    def fit(self, soft_labels: Array) -> tuple[WordShares, Array]:
        """Fit the regression to (n, k) soft labels; return it and the (n, k) shares of the papers.

        The share of a paper is predicted from the other papers, in closed form (leave-one-out
        residuals of ridge regression). Therefore a model that uses the shares is also valid for new
        papers.
        """
        n, k = soft_labels.shape
        mean = soft_labels.mean(axis=0) if n else np.full(k, 1 / max(k, 1))
        if n < 2:
            model = WordShares(np.zeros((self.rows.shape[1], k)), mean, 0.0)
            return model, np.tile(mean, (n, 1))
        weight = _MAX_SHARE_WEIGHT * n / (n + _PAPERS_OF_WORDS)
        dual = self.inverse @ (soft_labels[self.chosen] - mean)
        model = WordShares(np.asarray(self.own.T @ dual), mean, weight)
        shares = model.shares(self.rows)
        shares[self.chosen] = soft_labels[self.chosen] - dual / np.diag(self.inverse)[:, None]
        return model, shares


@dataclass(frozen=True, slots=True)
class Offset:
    """Intercept of one binary decision of a facet, as a sum of named terms."""

    words: WordShares
    is_choice: bool
    """True for the question "which is the primary", False for "does the category apply"."""

    def scores(self, votes: Array, likeness: Array, shares: Array) -> Array:
        """Return (n, k) scores from which the primary category is chosen."""
        return _TRUST * (VOTE_WEIGHT * votes + likeness + self.words.weight * shares)

    def logits(
        self, votes: Array, vote_probabilities: Array, likeness: Array, shares: Array
    ) -> Array:
        """Return (n, k) log-odds.

        votes, likeness, shares: (n, k); applies: (n, k) probabilities from the votes.
        """
        if not self.is_choice:
            return np.asarray(
                _APPLIES_VOTE * weak_logits(vote_probabilities)
                + _APPLIES_LIKENESS * likeness
                + self.words.weight * (shares - _USUAL_SHARE)
            )
        scores = self.scores(votes, likeness, shares)
        return np.clip(scores - _log_sum_of_others(scores), -_MAX_LOGIT, _MAX_LOGIT)

    @property
    def share_weight(self) -> float:
        """Increase of the log-odds for a share of 1 of the words of the definition."""
        return _TRUST * self.words.weight if self.is_choice else self.words.weight

    def parts(
        self, votes: Array, vote_probabilities: Array, likeness: Array, shares: Array
    ) -> tuple[Array, float]:
        """Return the terms that, together with the shares, add up to the log-odds.

        They are an (n, k, 3) array with the vote, the likeness and the evidence for other
        categories, and a constant. votes, applies, likeness, shares: (n, k).
        """
        if not self.is_choice:
            no_vote = _APPLIES_VOTE * float(weak_logits(np.zeros(1))[0])
            vote = _APPLIES_VOTE * weak_logits(vote_probabilities) - no_vote
            like = _APPLIES_LIKENESS * likeness
            constant = no_vote - self.words.weight * _USUAL_SHARE
            return np.stack([vote, like, np.zeros_like(vote)], axis=2), constant
        logits = self.logits(votes, vote_probabilities, likeness, shares)
        others = logits - self.scores(votes, likeness, shares)
        parts = [_TRUST * VOTE_WEIGHT * votes, _TRUST * likeness, others]
        return np.stack(parts, axis=2), 0.0


def _log_sum_of_others(scores: Array) -> Array:
    """Return (n, k) the log of the sum of exponentials of the other categories' scores."""
    n, k = scores.shape
    if k < 2:
        return np.zeros((n, k))
    without = np.repeat(scores[:, None, :], k, axis=1)
    without[:, np.arange(k), np.arange(k)] = -np.inf
    return np.asarray(logsumexp(without, axis=2))
