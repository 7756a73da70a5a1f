"""What papers teach a facet: what people decided, else weak labels from the votes of their cues."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_index import vote_shares
from classifier.labelling.decide import out_of_scope_columns
from classifier.labelling.labels import QUEUE, Decision
from classifier.labelling.scores import VOTE_MIDDLE
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
_VOTE_SLOPE = 1.2
_SHARE_SLOPE, _SHARE_MIDDLE = 8.0, 0.45
_ANY_EVIDENCE = 0.5
"""A strongest vote above this is evidence; at or below it a paper may be out of scope."""
_STRONGEST = 0.5
"""A paper belongs somewhere: the least probability of the category with the strongest evidence."""
_NOWHERE = 0.5
"""Probability that a paper without any evidence is out of scope: the cues may be too few."""
MIN_SURE = 0.1
"""Votes alone are never surer than this of a category, or of its opposite."""
VOTE_WEIGHT = 0.7
"""What a vote is worth beside a likeness of one standard deviation."""


def vote_probabilities(votes: Array, out_of_scope: Sequence[int]) -> Array:
    """Return (n, k) probabilities that a category applies.

    votes: (n, k); out_of_scope: the columns that stand alone (at most one).
    """
    from scipy.special import expit  # late: slow to import

    applies = expit(_VOTE_SLOPE * (votes - VOTE_MIDDLE))
    applies *= expit(_SHARE_SLOPE * (vote_shares(votes) - _SHARE_MIDDLE))
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


def weak_logits(applies: Array) -> Array:
    """Return the log-odds of probabilities that votes give, which are never quite sure."""
    from scipy.special import logit  # late: slow to import

    return np.asarray(logit(np.clip(applies, MIN_SURE, 1 - MIN_SURE)))


@dataclass(frozen=True, slots=True)
class WeakLabels:
    """Soft labels of n undecided papers, from cues and likeness."""

    applies: Array
    """(n, k) probability that a category applies."""
    filed: Array
    """(n, k) probability that a paper is filed there; rows sum to 1."""


def weak_labels(votes: Array, likeness: Array, facet: Facet) -> WeakLabels:
    """Return weak labels made of (n, k) votes and (n, k) likeness in standard deviations."""
    from scipy.special import softmax  # late: slow to import

    filed = softmax(VOTE_WEIGHT * votes + likeness, axis=1) if votes.size else np.zeros(votes.shape)
    applies = vote_probabilities(votes, out_of_scope_columns(facet))
    return WeakLabels((applies + filed) / 2, filed)


@dataclass(frozen=True, slots=True)
class Targets(WeakLabels):
    """What n papers teach: decisions in the place of weak labels, where there are any."""

    certain: NDArray[np.bool_]
    """(n, k) whether people say so, in a decision or as an exemplar; else weak labels stand."""
    said: NDArray[np.bool_]
    """(n, k) whether a decision says so; it says nothing of a category that came later."""
    decided: NDArray[np.int64]
    """Rows with a decision, rising."""
    is_queued: NDArray[np.bool_]
    """(n,) whether the review queue drew the paper, which draws the hardest first."""

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
                certain[row, column] = said[row, column] = True
    return Targets(
        applies,
        filed,
        certain,
        said,
        np.array(sorted(decisions), dtype=np.int64),
        is_queued,
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
