"""Find terms that one group of papers uses more often than other papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from classifier.papers.paper import Paper
from classifier.text.clean import clean_abstract, clean_title
from classifier.text.normalise import stem, tokens
from classifier.text.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class TextViews:
    """The words of a paper, separated by blanks."""

    title: str
    whole_text: str
    """Title, and abstract or digest."""


def text_views(paper: Paper) -> TextViews:
    """Return the words of a paper; if it has no abstract, the words of its title."""
    return _split_views(paper.title, paper.abstract)


@lru_cache(maxsize=8192)
def _split_views(title: str, abstract: str) -> TextViews:
    words = tokens(clean_title(title))
    sentences = (tokens(span.text) for span in split_sentences(clean_abstract(abstract)))
    return TextViews(" ".join(words), " ".join(chain(words, *sentences)))


_PRIOR_PAPERS = 10.0
"""Weight of the Dirichlet prior on each side, in papers."""


@dataclass(frozen=True, slots=True)
class DistinctiveTerm:
    """A word or a pair of adjacent words that one group of papers uses more often than others."""

    term: str
    """Blank-separated tokens, as a cue matches them."""
    score: float
    """z-score of the log-odds; above about 2 it is unlikely to be chance."""
    inside: int
    """Papers of the group that use it."""
    outside: int
    """Other papers that use it."""


def distinctive_terms(
    inside_papers: Sequence[TextViews], outside_papers: Sequence[TextViews], max_terms: int = 8
) -> tuple[DistinctiveTerm, ...]:
    """Return at most `max_terms` terms that distinguish the papers inside, strongest first.

    The score is the z-score of the log-odds ratio of paper counts, with the vocabulary of both
    groups as an informative Dirichlet prior (Monroe, Colaresi & Quinn, "Fightin' words", Political
    Analysis 16(4), 2008). Variants of a stronger term ("web agent", "web agents", "agents") are
    omitted, and so are terms in fewer than two papers inside, and pairs with a function word.
    """
    here, there = _paper_counts(inside_papers), _paper_counts(outside_papers)
    names = sorted(here.keys() | there.keys())
    count = np.array([[here[name], there[name]] for name in names], dtype=np.float64).reshape(-1, 2)
    prior = count.sum(axis=1, keepdims=True) * (
        _PRIOR_PAPERS / max(len(inside_papers) + len(outside_papers), 1)
    )
    counted = np.maximum(count + prior, 1e-9)
    odds = np.log(counted / np.maximum(counted.sum(axis=0) - counted, 1e-9))
    scores = (odds[:, 0] - odds[:, 1]) / np.sqrt((1 / counted).sum(axis=1))
    found = [
        DistinctiveTerm(name, round(float(score), 3), here[name], there[name])
        for name, score in zip(names, scores, strict=True)
        if score > 0 and here[name] >= 2
    ]
    # A pair is more specific than its words in the same papers, so it comes first.
    found.sort(key=lambda term: (-term.score, -term.term.count(" "), term.term))
    kept: list[DistinctiveTerm] = []
    stems: list[frozenset[str]] = []
    for term in found:
        own = frozenset(stem(word) for word in term.term.split())
        if len(kept) < max_terms and not any(own <= other or other <= own for other in stems):
            kept.append(term)
            stems.append(own)
    return tuple(kept)


def _paper_counts(papers: Sequence[TextViews]) -> Counter[str]:
    """Return the number of papers that use each term; pairs with a function word are omitted."""
    counts = Counter(term for paper in papers for term in set(text_terms(paper.whole_text)))
    # Check each term once and not once per paper: the check is slower than counting.
    return Counter({term: count for term, count in counts.items() if is_content_term(term)})


@lru_cache(maxsize=2**13)  # advice uses the same texts for each facet
def text_terms(text: str) -> tuple[str, ...]:
    """Return the words and pairs of adjacent words in `text`, except those of stop words alone.

    They are unchanged, so that a term matches the text if it is used as a cue.

    >>> text_terms("we train the agent")
    ('train', 'agent', 'we train', 'train the', 'the agent')
    """
    words = text.split()
    single = (word for word in words if word not in ENGLISH_STOP_WORDS)
    pairs = (pair for pair in pairwise(words) if not ENGLISH_STOP_WORDS.issuperset(pair))
    return (*single, *map(" ".join, pairs))


def is_content_term(term: str) -> bool:
    """Return whether no word of a term is a function word, a number or a single character."""
    return all(
        word not in ENGLISH_STOP_WORDS and len(word) > 1 and not word.isdigit()
        for word in term.split()
    )
