"""What papers teach a facet: what people decided, else weak labels from the votes of their cues."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, log_softmax, logit
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import normalize
from sklearn.semi_supervised import SelfTrainingClassifier

from classifier.labelling.cue_index import vote_shares
from classifier.labelling.decide import out_of_scope_columns
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import title_key

MAX_PAPERS = 2000
"""Papers learned from, unless people decided on more: of all 13,000 labels are no better, and the
time of learning grows with them (docs/labelling.md)."""


def papers_to_learn_from(
    papers: Sequence[Paper],
    decisions: Mapping[str, Mapping[str, Decision]],
    taxonomy: Taxonomy,
    most: int,
) -> list[Paper]:
    """Return at most `most` papers in id order, but all decided ones and exemplars.

    The others, which teach by their cues alone, are drawn by a hash of their ids: a paper that
    comes or goes changes the sample by itself and one other at most, and the order of papers does
    not matter.
    """
    by_id = sorted(papers, key=lambda paper: paper.id)
    if len(by_id) <= most:
        return by_id
    exemplars = {key for facet in taxonomy.facets.values() for key in exemplar_categories(facet)}
    taught = {
        paper.id
        for paper in by_id
        if decisions.get(paper.id) or title_key(paper.title) in exemplars
    }
    others = [paper.id for paper in by_id if paper.id not in taught]
    others.sort(key=lambda paper_id: hashlib.sha256(paper_id.encode()).digest())
    drawn = set(others[: max(0, most - len(taught))])
    return [paper for paper in by_id if paper.id in taught or paper.id in drawn]


def assign_folds(
    paper_ids: Sequence[str], strata: NDArray[np.int64], folds: int, salt: str = ""
) -> NDArray[np.int64]:
    """Return (n,) fold numbers, 0 to folds - 1: each stratum dealt out in the order of its hashes.

    They depend on the papers alone, never on their order. `salt` gives another deal.
    """
    order = sorted(
        range(len(paper_ids)),
        key=lambda i: (strata[i], hashlib.sha256(f"{salt}{paper_ids[i]}".encode()).hexdigest()),
    )
    assigned = np.zeros(len(paper_ids), dtype=np.int64)
    assigned[order] = np.arange(len(order)) % folds
    return assigned


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
_REACHED = 0.75
"""Where cues reach a smaller share of the papers, the words of the others speak, too."""
_FEWEST = {"multi": 80, "single": 200}
"""And where there are enough papers: their words say sooner what they are about than of which kind
they are."""
_DIGITS = 6


def vote_probabilities(votes: Array, out_of_scope: Sequence[int]) -> tuple[Array, Array]:
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
class WeakLabels:
    """What n papers are taken for while nobody decided on them."""

    applies: Array
    """(n, k) probability that a category applies."""
    filed: Array
    """(n, k) probability that a paper is filed there."""
    applies_weights: Array
    """(n,) what that counts beside a decision's 1."""
    filed_weights: Array
    """(n,)."""
    by_words: bool
    """Whether the words of papers speak, since cues reach few."""


def weak_labels(votes: Array, words: sparse.csr_matrix, facet: Facet, weight: float) -> WeakLabels:
    """Return weak labels made of votes and, where cues reach few papers, of words.

    votes: (n, k); words: (n, w) TF-IDF of single words; weight: of a paper whose cues are clear.
    """
    out_of_scope = out_of_scope_columns(facet)
    applies, sure = vote_probabilities(votes, out_of_scope)
    filed = np.exp(log_softmax(weak_logits(applies), axis=1)) if len(applies) else applies.copy()
    in_scope = [column for column in range(votes.shape[1]) if column not in out_of_scope]
    enough = len(votes) >= _FEWEST[facet.kind]
    by_words = self_trained(votes[:, in_scope], words) if enough else None
    if by_words is None:
        return WeakLabels(applies, filed, weight * sure, weight * sure, by_words=False)
    silent = votes[:, in_scope].max(axis=1) <= _ANY_EVIDENCE
    filled = applies.copy()
    filled[:, in_scope] = by_words * (1 - applies[:, out_of_scope].sum(axis=1, keepdims=True))
    return WeakLabels(
        np.where(silent[:, None], filled, applies),
        filled,
        np.where(silent, 1.0, weight * sure),
        np.ones(len(votes)),
        by_words=True,
    )


def self_trained(votes: Array, words: sparse.csr_matrix) -> Array | None:
    """Return (n, k) probabilities, rows summing to 1, that papers are of a category by their words.

    votes: (n, k) of the categories in scope; words: (n, w). None where cues reach most papers: the
    words that these share say less. Naive Bayes learned from the papers of which cues speak labels
    the others, those of which it is sure first, and so on (Yarowsky, "Unsupervised word sense
    disambiguation rivaling supervised methods", ACL 1995).
    """
    if votes.shape[1] < 2 or not words.shape[1]:
        return None
    ranked = np.sort(votes, axis=1)
    told = (ranked[:, -1] > _ANY_EVIDENCE) & (ranked[:, -1] > ranked[:, -2])
    classes = np.where(told, votes.argmax(axis=1), -1)
    reached = float((ranked[:, -1] > _ANY_EVIDENCE).mean())
    if reached >= _REACHED or len(np.unique(classes[told])) < 2:
        return None
    learner = SelfTrainingClassifier(ComplementNB(alpha=0.3), threshold=0.6, max_iter=50)
    rows = normalize(words)
    learner.fit(rows, classes)
    shares = np.zeros(votes.shape)
    shares[:, learner.classes_] = learner.predict_proba(rows)
    return np.round(shares, _DIGITS)


@dataclass(frozen=True, slots=True)
class Targets(WeakLabels):
    """What n papers teach: decisions in the place of weak labels, where there are any."""

    certain: NDArray[np.bool_]
    """(n, k) whether people say so, in a decision or as an exemplar; else weak labels stand."""
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
    weak: WeakLabels,
) -> Targets:
    """Return what papers teach a facet.

    titles: of the n papers; decisions: row -> decision. An exemplar is certainly in its category;
    of the others the weak labels speak, as they do of categories that a decision does not know.
    """
    applies, filed = weak.applies.copy(), weak.filed.copy()
    certain, said = np.zeros((2, *applies.shape), dtype=bool)
    exemplars = exemplar_categories(facet)
    for row, title in enumerate(titles):
        category_id, decision = exemplars.get(title_key(title)), decisions.get(row)
        if category_id and (decision is None or category_id in decision.unknown):
            applies[row, facet.ids.index(category_id)] = 1.0
            filed[row] = [category_id == name for name in facet.ids]
            certain[row] = True
        for column, name in enumerate(facet.ids if decision else ()):
            if decision and name not in decision.unknown:
                applies[row, column] = name in decision.values
                filed[row, column] = name == decision.primary
                certain[row, column] = said[row, column] = True
    return Targets(
        applies,
        filed,
        weak.applies_weights,
        weak.filed_weights,
        weak.by_words,
        certain,
        said,
        np.array(sorted(decisions), dtype=np.int64),
    )


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
