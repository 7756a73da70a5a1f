"""Seed labels spread to the papers that the cues do not reach, by the words they share.

Semi-supervised naive Bayes (Nigam, McCallum, Thrun & Mitchell, "Text classification from labeled
and unlabeled documents using EM", Machine Learning 39, 2000): the cues' votes say what every
category's papers speak of, its words then say which other papers belong to it, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import softmax

from classifier.labelling.seeds import ANY_EVIDENCE
from classifier.taxonomy.cue import parse_cue
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]

_ROUNDS = 20
# The cues' words count as words, too: a vote is worth half its weight in log-odds.
_VOTE = 0.5
_FOLDS = 5
# Kappa up to the one says next to nothing and words are not asked; from the other on they count in
# full (Landis & Koch, "The measurement of observer agreement for categorical data", 1977).
_SLIGHT, _SUBSTANTIAL = 0.2, 0.6


def spread_labels(
    seeds: tuple[Array, Array],
    votes: Array,
    words: tuple[sparse.csr_matrix, sparse.csr_matrix],
    out_of_scope: Sequence[int],
    *,
    single: bool,
) -> tuple[Array, Array]:
    """Return `seeds` with what shared words say of papers that the cues say little of.

    seeds: (n, k) probabilities that a category applies and (n,) weights in [0, 1], as of
    `seed_labels`; votes: (n, k) seed votes; words: the rows of `word_rows`, all words and those
    that are in no cue; out_of_scope: the columns that stand alone; single: whether exactly one
    category applies. Words count as far as they can be trusted (`agreement`).
    """
    applies, weights = seeds
    in_scope = [k for k in range(votes.shape[1]) if k not in out_of_scope]
    kappa = agreement(words[1], votes[:, in_scope])
    trust = min((kappa - _SLIGHT) / (_SUBSTANTIAL - _SLIGHT), 1.0)
    if trust <= 0:
        return seeds
    shares = naive_bayes_shares(words[0], votes[:, in_scope], weights)
    outside = applies[:, list(out_of_scope)]
    filled = np.zeros_like(applies)
    filled[:, in_scope] = shares * (1 - outside.sum(axis=1, keepdims=True))
    filled[:, list(out_of_scope)] = outside
    # Shares sum to 1: where several categories may apply they only fill what the cues leave open.
    part = trust if single else trust * (1 - weights[:, None])
    sure = trust * shares.max(axis=1)
    return (1 - part) * applies + part * filled, weights + (1 - weights) * sure


def naive_bayes_shares(rows: sparse.csr_matrix, votes: Array, weights: Array) -> Array:
    """Return (n, k) probabilities, rows summing to 1, that a paper is of a category.

    rows: (n, words) TF-IDF of length 1, which counts a text of m words as about the root of m:
    words of one text are no independent witnesses; votes: (n, k), the prior; weights: (n,) of the
    papers in the first round, where only votes speak. Later rounds take all papers alike.
    """
    prior = _VOTE * votes
    shares = softmax(prior, axis=1)
    for _ in range(_ROUNDS):
        shares = softmax(prior + rows @ _log_words(rows, shares * weights[:, None]).T, axis=1)
        weights = np.ones(len(weights))
    return np.asarray(shares)


def agreement(rows: sparse.csr_matrix, votes: Array) -> float:
    """Return how well the words of papers tell their votes: 0 as chance, 1 always.

    rows: (n, words) TF-IDF without the cues' own words; votes: (n, k). It is Cohen's kappa between
    a paper's strongest vote and what naive Bayes says of its words, without having seen its vote,
    over the papers with evidence; of kappa, the lower end of the 95 % interval ("A coefficient of
    agreement for nominal scales", 1960), so that few papers prove little. Facets of subject and
    of form are told apart by it.
    """
    told = np.flatnonzero(votes.max(axis=1, initial=0) > ANY_EVIDENCE)
    if len(told) < 2 * _FOLDS or rows.shape[1] == 0:
        return 0.0
    seen = votes[told].argmax(axis=1)
    said = _said_unseen(rows[told], votes[told])
    k = votes.shape[1]
    right = float((seen == said).mean())
    chance = float(np.bincount(seen, minlength=k) @ np.bincount(said, minlength=k)) / len(told) ** 2
    error = np.sqrt(right * (1 - right) / len(told))
    return float(max(0.0, (right - 2 * error - chance) / max(1 - chance, 1e-9)))


def _said_unseen(rows: sparse.csr_matrix, votes: Array) -> NDArray[np.int64]:
    """Return (n,) the category that naive Bayes learned from the other folds' votes gives."""
    said = np.zeros(len(votes), dtype=np.int64)
    fold = np.arange(len(votes)) % _FOLDS
    for k in range(_FOLDS):
        test = fold == k
        words = _log_words(rows[~test], softmax(_VOTE * votes[~test], axis=1))
        # Rounded, so that the last digits of a sum decide nothing.
        said[test] = np.round(rows[test] @ words.T, 9).argmax(axis=1)
    return said


def _log_words(rows: sparse.csr_matrix, shares: Array) -> Array:
    """Return (k, words) log-probabilities, drawn towards those of all papers.

    A category is drawn as if it had read, beside its own papers, an average category's worth of
    all: rare words are then no proof, and every word is possible.
    """
    own = (rows.T @ shares).T
    common = np.asarray(rows.sum(axis=0)).ravel() + 1e-9
    own += own.sum() / len(own) * common / common.sum() + 1e-12
    return np.asarray(np.log(own / own.sum(axis=1, keepdims=True)))


def word_rows(
    text: sparse.csr_matrix, names: Sequence[str], facet: Facet
) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Return (n, words) rows of length 1: all single words of a text, and those in no cue."""
    whole = [column for column, name in enumerate(names) if _is_word(name)]
    cued = _cue_words(facet)
    plain = [column for column in whole if names[column].removeprefix("whole:") not in cued]
    return _unit(text[:, whole]), _unit(text[:, plain])


def _unit(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return rows of length 1, those of zeros left; scikit-learn's refuses an empty matrix."""
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return sparse.csr_matrix(sparse.diags(1 / np.where(lengths > 0, lengths, 1.0)) @ rows)


def _is_word(name: str) -> bool:
    return name.startswith("whole:") and " " not in name


def _cue_words(facet: Facet) -> frozenset[str]:
    """Return every word that a cue of the facet asks for, inflections included."""
    cues = [
        cue
        for category in facet.walk()
        for view in ("title", "contribution", "anywhere")
        for cue in getattr(category.cues, view)
    ]
    return frozenset(
        word
        for cue in cues
        for pattern in parse_cue(cue).alternatives
        for element in pattern
        for word in element or ()
    )
