"""Cues that the papers propose: phrases that separate the papers of a category from the rest.

Before any decision, the papers of a category are those that the classifier finds likely, from
cues, definitions and exemplars; later its decisions count, too.
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
from classifier.taxonomy.model import Category
from classifier.text.normalise import stem, tokens

Array = NDArray[np.float64]

YES_SHARE = 0.6
"""Share of the papers with a phrase that shall be in the category if the phrase is its cue."""
_MIN_PAPERS = 3
_MIN_PRECISION, _MIN_WORD_PRECISION = 0.4, 0.6
"""Minimum share of a phrase's papers that are probably in the category: a single word says less
than several."""
_PRECISION_POWER = 4
_WORTH_OF_LATER_PAPERS = 0.2
"""What a paper with the phrase that is surely in the category adds: later papers will have it."""
_WORTH_OF_SEVERAL_WORDS = 1.9
_PRIOR_PAPERS = 1.0
"""Papers of the usual share of a category that are added to those with a phrase."""
_N_TITLES = 3
_SECOND_HALVES = frozenset("aware based centric driven free level like oriented".split())
"""Words with which no phrase begins: they are the second half of one word, as in "web-based"."""


@dataclass(frozen=True, slots=True)
class CueProposal:
    """A phrase that may be a cue of a category."""

    category: str
    """Id of a top category of the first facet."""
    cue: str
    """The phrase as a cue: with `~` where papers inflect its last word."""
    n_papers: int
    """Number of papers with the phrase."""
    n_likely: int
    """Number of those that are probably in the category, or surely by a decision."""
    undecided: tuple[str, ...]
    """Ids of the papers with the phrase on which nobody decided."""
    titles: tuple[str, ...]
    """Titles of at most three papers with the phrase, the likeliest first."""
    worth: float
    """Expected effect of a "yes", about the number of papers that it settles."""


def propose_cues(
    classifier: TaxonomyClassifier, papers: Sequence[Paper], decisions: Decisions
) -> list[CueProposal]:
    """Return proposals of the first facet, the most worthwhile first.

    classifier: fitted on these papers and decisions. A cue of any category, a phrase that somebody
    rejected for a category, and a part of a better proposal for it are left out.
    """
    facet = classifier.taxonomy.first
    phrases = Phrases(papers)
    if not phrases.keys:
        return []
    membership, is_decided = _membership(classifier, papers, decisions)
    inside = np.asarray(phrases.uses_by_paper.T @ membership)
    worth = _worth(phrases, membership, is_decided)
    known = {_key(cue) for category in facet.walk() for cue in _cues_of(category)}
    names = {
        key
        for key in phrases.keys
        if key not in known and phrases.is_name(key) and key.split()[0] not in _SECOND_HALVES
    }
    found = []
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
            having = np.flatnonzero(phrases.uses(phrases.keys[row]))
            order = having[np.argsort(-membership[having, column], kind="stable")]
            found.append(
                CueProposal(
                    category.id,
                    phrases.cue(phrases.keys[row]),
                    len(having),
                    round(float(inside[row, column])),
                    tuple(papers[at].id for at in having.tolist() if not is_decided[at]),
                    tuple(papers[at].title_display for at in order[:_N_TITLES].tolist()),
                    float(worth[row, column]),
                )
            )
    return sorted(found, key=lambda each: (-each.worth, each.category, each.cue))


def _worth(phrases: Phrases, membership: Array, is_decided: NDArray[np.bool_]) -> Array:
    """Return (phrases, k) expected effects of a "yes"; 0 if a phrase is rare or often elsewhere."""
    uses = phrases.uses_by_paper
    used = np.asarray(uses.sum(axis=0)).reshape(-1, 1)
    usual = _PRIOR_PAPERS * membership.mean(axis=0)
    precision = np.asarray((uses.T @ membership + usual) / (used + _PRIOR_PAPERS))
    is_word = np.array([" " not in key for key in phrases.keys])
    gain = np.asarray(uses.T @ ((1 - membership) * ~is_decided[:, None]))
    gain += _WORTH_OF_LATER_PAPERS * used
    gain[~is_word] *= _WORTH_OF_SEVERAL_WORDS
    worth = np.round(precision**_PRECISION_POWER * gain, 9)
    least = np.where(is_word, _MIN_WORD_PRECISION, _MIN_PRECISION)[:, None]
    return np.where((precision >= least) & (used >= _MIN_PAPERS), worth, 0.0)


def _membership(
    classifier: TaxonomyClassifier, papers: Sequence[Paper], decisions: Decisions
) -> tuple[Array, NDArray[np.bool_]]:
    """Return (n, k) probabilities that papers are filed in a category, and who is decided.

    A decided paper is in all categories that its decision names.
    """
    facet = classifier.taxonomy.first
    membership = classifier.facet_scores(papers)[facet.id].primary.copy()
    is_decided = np.zeros(len(papers), dtype=bool)
    for row, paper in enumerate(papers):
        decision = decisions.get(paper.id, {}).get(facet.id)
        if decision is not None:
            is_decided[row] = True
            tops = facet.tops_of(decision.values)
            membership[row] = [category in tops for category in facet.ids]
    return membership, is_decided


def _cues_of(category: Category) -> Iterator[str]:
    for _, cues in category.cues.views():
        yield from cues


def _key(cue: str) -> str:
    """Return the key of a cue among `Phrases`: its last word reduced to its stem."""
    words = tokens(cue.replace("~", ""))
    return " ".join([*words[:-1], stem(words[-1])]) if words else ""


def _without_parts(rows: Sequence[int], keys: Sequence[str]) -> Iterator[int]:
    """Yield the rows of phrases that share not all their words with a phrase before them."""
    before: list[set[str]] = []
    for row in rows:
        words = set(keys[row].split())
        if not any(words <= other or other <= words for other in before):
            before.append(words)
            yield row
