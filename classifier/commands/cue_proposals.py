"""Propose cues, phrases that separate the papers of a category: `fieldguide check --suggest`.

Without decisions, the classifier's probabilities say which papers are in a category. A decided
paper has probability 1 in the categories of its decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.commands.new.phrases import Phrases
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions
from classifier.papers.paper import Paper
from classifier.text.normalise import stem, tokens

Array = NDArray[np.float64]

YES_SHARE = 0.6
"""Minimum share of a cue's papers that should be in its category."""
_MIN_PAPERS = 3
_MIN_PRECISION, _MIN_WORD_PRECISION = 0.4, 0.6
"""Minimum expected share of a phrase's papers in the category: for several words, and for one word,
which is less specific."""
_PRECISION_POWER = 4
_WORTH_OF_LATER_PAPERS = 0.2
"""Worth of a paper with the phrase that is certainly in the category. Later papers may be similar.
"""
_WORTH_OF_SEVERAL_WORDS = 1.9
_PRIOR_PAPERS = 1.0
"""Number of pseudo-papers with the average share of a category, to smooth the precision."""
_N_TITLES = 3
_SECOND_HALVES = frozenset("aware based centric driven free level like oriented".split())
"""Words that cannot start a phrase, since they are the second half of a word ("web-based")."""


@dataclass(frozen=True, slots=True)
class CueProposal:
    """A phrase that may be a cue of a category."""

    category: str
    """Id of a top category of the first facet."""
    cue: str
    """The phrase as a cue, with `~` if papers inflect its last word."""
    n_papers: int
    """Number of papers with the phrase."""
    n_likely: int
    """Expected number of these papers in the category."""
    undecided: tuple[str, ...]
    """Ids of the papers with the phrase and without a decision."""
    titles: tuple[str, ...]
    """Titles of at most three papers with the phrase, the most probable first."""
    worth: float
    """Expected benefit of accepting the cue, roughly the number of papers that it labels."""


def propose_cues(
    classifier: TaxonomyClassifier, papers: Sequence[Paper], decisions: Decisions
) -> list[CueProposal]:
    """Return proposals for the first facet, the most useful first.

    Existing cues, phrases that were rejected for the category, and parts of a better proposal are
    not proposed. classifier: fitted on these papers and decisions.
    """
    facet = classifier.taxonomy.first
    phrases = Phrases(papers)
    if not phrases.keys:
        return []
    membership, is_decided = _membership(classifier, papers, decisions)
    n_likely = np.asarray(phrases.uses_by_paper.T @ membership)
    worth = _worth(phrases, membership, is_decided)
    views = (cues for category in facet.walk() for _, cues in category.cues.views())
    known = {_key(cue) for cues in views for cue in cues}
    names = {
        key
        for key in phrases.keys
        if key not in known and phrases.is_name(key) and key.split()[0] not in _SECOND_HALVES
    }
    proposals: list[CueProposal] = []
    for column, category in enumerate(facet.tops):
        if category.out_of_scope:
            continue
        allowed = names - {_key(cue) for cue in category.cues.rejected}
        ranked = sorted(
            (-worth[row, column], key, row)
            for row, key in enumerate(phrases.keys)
            if key in allowed and worth[row, column] > 0
        )
        for row in _without_parts([row for _, _, row in ranked], phrases.keys):
            users = np.flatnonzero(phrases.uses(phrases.keys[row]))
            order = users[np.argsort(-membership[users, column], kind="stable")]
            proposals.append(
                CueProposal(
                    category.id,
                    phrases.cue(phrases.keys[row]),
                    len(users),
                    round(float(n_likely[row, column])),
                    tuple(papers[i].id for i in users.tolist() if not is_decided[i]),
                    tuple(papers[i].title_display for i in order[:_N_TITLES].tolist()),
                    float(worth[row, column]),
                )
            )
    return sorted(proposals, key=lambda each: (-each.worth, each.category, each.cue))


def _worth(phrases: Phrases, membership: Array, is_decided: NDArray[np.bool_]) -> Array:
    """Return the worth as a (phrases, categories) matrix; 0 for rare and unspecific phrases."""
    uses = phrases.uses_by_paper
    n_users = np.asarray(uses.sum(axis=0)).reshape(-1, 1)
    prior = _PRIOR_PAPERS * membership.mean(axis=0)
    precision = np.asarray((uses.T @ membership + prior) / (n_users + _PRIOR_PAPERS))
    is_word = np.array([" " not in key for key in phrases.keys])
    gain = np.asarray(uses.T @ ((1 - membership) * ~is_decided[:, None]))
    gain += _WORTH_OF_LATER_PAPERS * n_users
    gain[~is_word] *= _WORTH_OF_SEVERAL_WORDS
    worth = np.round(precision**_PRECISION_POWER * gain, 9)
    minimum = np.where(is_word, _MIN_WORD_PRECISION, _MIN_PRECISION)[:, None]
    return np.where((precision >= minimum) & (n_users >= _MIN_PAPERS), worth, 0.0)


def _membership(
    classifier: TaxonomyClassifier, papers: Sequence[Paper], decisions: Decisions
) -> tuple[Array, NDArray[np.bool_]]:
    """Return probabilities as a (papers, categories) matrix, and whether each paper is decided.

    A decided paper has probability 1 in all categories of its decision.
    """
    facet = classifier.taxonomy.first
    membership = classifier.facet_scores(papers)[facet.id].primary.copy()
    is_decided = np.zeros(len(papers), dtype=bool)
    for row, paper in enumerate(papers):
        decision = decisions.get(paper.id, {}).get(facet.id)
        if decision is not None:
            is_decided[row] = True
            tops = facet.top_ids_of(decision.values)
            membership[row] = [category in tops for category in facet.ids]
    return membership, is_decided


def _key(cue: str) -> str:
    """Return the key of a cue in `Phrases`: its words, the last one reduced to its stem."""
    words = tokens(cue.replace("~", ""))
    return " ".join([*words[:-1], stem(words[-1])]) if words else ""


def _without_parts(rows: Sequence[int], keys: Sequence[str]) -> Iterator[int]:
    earlier: list[set[str]] = []
    for row in rows:
        words = set(keys[row].split())
        if not any(words <= other or other <= words for other in earlier):
            earlier.append(words)
            yield row


_MAX_SUGGESTED = 5
_MORE_PAPERS = "Add one or two exemplars, or extend the definition."
_HOW_TO_ANSWER = (
    "Copy good phrases into `anywhere` under the `cues` of their category, and the others into "
    "`rejected`, so that they are not proposed again."
)


def suggestions(
    classifier: TaxonomyClassifier, papers: Sequence[Paper], decisions: Decisions
) -> Iterator[str]:
    """Yield lines with proposed cues per category of the first facet, and a list to paste.

    classifier: fitted on these papers and decisions.
    """
    proposals = propose_cues(classifier, papers, decisions)
    for category in classifier.taxonomy.first.tops:
        if category.out_of_scope:
            continue
        own = [each for each in proposals if each.category == category.id][:_MAX_SUGGESTED]
        if not own:
            yield f"{category.id}: no phrase separates its papers from the others. {_MORE_PAPERS}"
            continue
        yield f"{category.id}:"
        for each in own:
            yield f"  {each.cue} ({each.n_likely} of {each.n_papers} papers)"
            yield from (f"      “{title}”" for title in each.titles)
        yield f"  anywhere: [{', '.join(each.cue for each in own)}]"
    if proposals:
        yield _HOW_TO_ANSWER
