"""The training targets of a facet: decisions, and weak labels for undecided papers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_index import normalise_votes
from classifier.labelling.decide import out_of_scope_columns
from classifier.labelling.labels import QUEUE, Decision
from classifier.labelling.scores import VOTE_MIDDLE
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import title_key

MAX_PAPERS = 2000
"""Maximum number of papers to learn from, unless more are decided. More papers take longer and do
not improve the labels (docs/decisions/labels-in-scikit-learn.md)."""


def training_papers(
    papers: Sequence[Paper],
    decisions: Mapping[str, Mapping[str, Decision]],
    taxonomy: Taxonomy,
    max_papers: int,
) -> list[Paper]:
    """Return at most `max_papers` papers in id order, including all decided ones and exemplars.

    The other papers are sampled by a hash of their ids. Thus a new paper replaces at most one other
    paper of the sample, and the order of papers does not matter.
    """
    by_id = sorted(papers, key=lambda paper: paper.id)
    if len(by_id) <= max_papers:
        return by_id
    exemplars = {key for facet in taxonomy.facets.values() for key in exemplar_categories(facet)}
    always_kept = {
        paper.id
        for paper in by_id
        if decisions.get(paper.id) or title_key(paper.title) in exemplars
    }
    others = [paper.id for paper in by_id if paper.id not in always_kept]
    others.sort(key=lambda paper_id: hashlib.sha256(paper_id.encode()).digest())
    sampled = set(others[: max(0, max_papers - len(always_kept))])
    return [paper for paper in by_id if paper.id in always_kept or paper.id in sampled]


def assign_folds(
    paper_ids: Sequence[str], strata: NDArray[np.int64], n_folds: int, salt: str = ""
) -> NDArray[np.int64]:
    """Return fold numbers from 0 to `n_folds` - 1, stratified, shape (n,).

    strata: (n,) stratum of each paper. Folds are assigned in turn, in the order of a hash of each
    id, so they do not depend on the order of papers. Another `salt` gives other folds.
    """
    order = sorted(
        range(len(paper_ids)),
        key=lambda i: (strata[i], hashlib.sha256(f"{salt}{paper_ids[i]}".encode()).hexdigest()),
    )
    assigned = np.zeros(len(paper_ids), dtype=np.int64)
    assigned[order] = np.arange(len(order)) % n_folds
    return assigned


Array = NDArray[np.float64]

# Two sigmoids turn a vote into a probability. The first one is of the vote: a title cue (vote 4) is
# more likely right than wrong, one cue in the text (vote 1.5) is not. The second one is of the
# share of the strongest vote. The constants are set by hand; regressions on decisions correct them.
_VOTE_SLOPE = 1.2
_SHARE_SLOPE, _SHARE_MIDDLE = 8.0, 0.45
_ANY_EVIDENCE = 0.5
"""If the strongest vote is at most this, the paper may be out of scope."""
_STRONGEST = 0.5
"""Minimum probability of the category with the strongest vote: a paper belongs somewhere."""
_NOWHERE = 0.5
"""Probability that a paper without evidence is out of scope; cues may be missing."""
MIN_SURE = 0.1
"""Minimum probability from votes alone; 1 minus this is the maximum."""
VOTE_WEIGHT = 0.7
"""Weight of a vote, relative to a likeness of one standard deviation."""


def vote_probabilities(votes: Array, out_of_scope: Sequence[int]) -> Array:
    """Return (n, k) probabilities that a category applies.

    votes: (n, k). out_of_scope: column of the out-of-scope category, if there is one.
    """
    from scipy.special import expit  # late: slow to import

    applies = expit(_VOTE_SLOPE * (votes - VOTE_MIDDLE))
    applies *= expit(_SHARE_SLOPE * (normalise_votes(votes) - _SHARE_MIDDLE))
    in_scope = [k for k in range(votes.shape[1]) if k not in out_of_scope]
    if not in_scope:
        return np.asarray(applies)
    rows = np.arange(len(votes))
    strongest = np.array(in_scope)[votes[:, in_scope].argmax(axis=1)]
    has_evidence = votes[rows, strongest] > _ANY_EVIDENCE
    raised = np.maximum(applies[rows, strongest], _STRONGEST)
    applies[rows, strongest] = np.where(has_evidence, raised, applies[rows, strongest])
    likeliest = applies[:, in_scope].max(axis=1)
    for column in out_of_scope:
        own = applies[:, column] * (1 - likeliest)
        applies[:, column] = np.maximum(own, np.where(has_evidence, 0.0, _NOWHERE))
    return np.asarray(applies)


def weak_logits(probabilities: Array) -> Array:
    """Return the log-odds of probabilities from votes, clipped at `MIN_SURE`."""
    from scipy.special import logit  # late: slow to import

    return np.asarray(logit(np.clip(probabilities, MIN_SURE, 1 - MIN_SURE)))


@dataclass(frozen=True, slots=True)
class WeakLabels:
    """Soft labels of n undecided papers, from cues and likeness."""

    applies: Array
    """(n, k) probability that a category applies."""
    filed: Array
    """(n, k) probability that the category is the primary; rows sum to 1."""


def weak_labels(votes: Array, likeness: Array, facet: Facet) -> WeakLabels:
    """Return weak labels for (n, k) votes and (n, k) likeness in standard deviations."""
    from scipy.special import softmax  # late: slow to import

    filed = softmax(VOTE_WEIGHT * votes + likeness, axis=1) if votes.size else np.zeros(votes.shape)
    applies = vote_probabilities(votes, out_of_scope_columns(facet))
    return WeakLabels((applies + filed) / 2, filed)


@dataclass(frozen=True, slots=True)
class Targets(WeakLabels):
    """Training targets of n papers: weak labels, replaced by decisions and exemplars."""

    certain: NDArray[np.bool_]
    """(n, k) whether the target comes from a decision or an exemplar, not from a weak label."""
    known: NDArray[np.bool_]
    """(n, k) whether the target comes from a decision; False for categories added after it."""
    decided: NDArray[np.int64]
    """Rows with a decision, ascending."""
    is_queued: NDArray[np.bool_]
    """(n,) whether the paper comes from the review queue, which prefers difficult papers."""

    def primary_columns(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the column of the reviewed primary category of each of the `rows`, shape (m,)."""
        return np.asarray(np.where(self.known[rows], self.filed[rows], 0.0).argmax(axis=1))


def make_targets(
    facet: Facet,
    titles: Sequence[str],
    decisions: Mapping[int, Decision],
    weak_labels: WeakLabels,
) -> Targets:
    """Return the training targets of a facet.

    titles: titles of the n papers. decisions: decisions by row. An exemplar certainly has its
    category. Other papers keep their weak labels; so do decided papers in categories that were
    added after the decision.
    """
    applies, filed = weak_labels.applies.copy(), weak_labels.filed.copy()
    certain, known = np.zeros((2, *applies.shape), dtype=bool)
    is_queued = np.zeros(len(titles), dtype=bool)
    is_queued[[row for row, each in decisions.items() if each.drawn_by == QUEUE]] = True
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
                certain[row, column] = known[row, column] = True
    return Targets(
        applies,
        filed,
        certain,
        known,
        np.array(sorted(decisions), dtype=np.int64),
        is_queued,
    )


def exemplar_categories(facet: Facet) -> dict[str, str]:
    """Return the top category of each exemplar, by title key.

    Exemplars of a merged category belong to its successor, and those of a child to its parent. If
    several categories name the same title, the last one counts.
    """
    found: dict[str, str] = {}
    for category in facet.walk(include_retired=True):
        current = facet.resolve(category.id)
        if current is not None:
            top = facet.top_id_of(current.id)
            found.update({title_key(title): top for title in category.exemplars})
    return found
