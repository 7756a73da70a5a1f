"""Papers as words, and the terms that tell one group of them from the rest."""

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
    """A paper as blank-separated tokens."""

    title: str
    whole_text: str
    """Title, and abstract or digest."""


def text_views(paper: Paper) -> TextViews:
    """Return a paper as words; without an abstract only the title is there."""
    return _views(paper.title, paper.abstract)


@lru_cache(maxsize=8192)
def _views(title: str, abstract: str) -> TextViews:
    words = tokens(clean_title(title))
    sentences = (tokens(span.text) for span in split_sentences(clean_abstract(abstract)))
    return TextViews(" ".join(words), " ".join(chain(words, *sentences)))


_PRIOR_PAPERS = 10.0
"""How many papers' worth of the common vocabulary stands on each side before any is counted."""


@dataclass(frozen=True, slots=True)
class DistinctiveTerm:
    """A word, or a pair of neighbours, that one group of papers uses more than the rest."""

    term: str
    """Blank-separated tokens, as a cue matches them."""
    score: float
    """z-score of the log-odds; about 2 and more is unlikely to be chance."""
    inside: int
    """Papers of the group that use it."""
    outside: int
    """Papers of the rest that use it."""


def distinctive_terms(
    inside: Sequence[TextViews], outside: Sequence[TextViews], most: int = 8
) -> tuple[DistinctiveTerm, ...]:
    """Return at most `most` terms that tell `inside` from `outside`, strongest first.

    The z-score of the log-odds ratio with an informative Dirichlet prior, the vocabulary of both
    groups (Monroe, Colaresi & Quinn, "Fightin' words", Political Analysis 16(4), 2008), on the
    number of papers that use a term in the title or the abstract. A term that says no more than a
    stronger one ("web agent", "web agents", "agents") is left out, as are terms of fewer than two
    papers inside and pairs that hold a function word.
    """
    here, there = _paper_counts(inside), _paper_counts(outside)
    names = sorted(here.keys() | there.keys())
    count = np.array([[here[name], there[name]] for name in names], dtype=np.float64).reshape(-1, 2)
    prior = count.sum(axis=1, keepdims=True) * (_PRIOR_PAPERS / max(len(inside) + len(outside), 1))
    counted = np.maximum(count + prior, 1e-9)
    odds = np.log(counted / np.maximum(counted.sum(axis=0) - counted, 1e-9))
    scores = (odds[:, 0] - odds[:, 1]) / np.sqrt((1 / counted).sum(axis=1))
    found = [
        DistinctiveTerm(name, round(float(score), 3), here[name], there[name])
        for name, score in zip(names, scores, strict=True)
        if score > 0 and here[name] >= 2
    ]
    # Of a pair and its words in the same papers the pair says more.
    found.sort(key=lambda term: (-term.score, -term.term.count(" "), term.term))
    kept: list[DistinctiveTerm] = []
    stems: list[frozenset[str]] = []
    for term in found:
        own = frozenset(stem(word) for word in term.term.split())
        if len(kept) < most and not any(own <= other or other <= own for other in stems):
            kept.append(term)
            stems.append(own)
    return tuple(kept)


def _paper_counts(papers: Sequence[TextViews]) -> Counter[str]:
    """Return term -> number of papers that use it, without pairs that hold a function word."""
    counts = Counter(term for paper in papers for term in set(terms(paper.whole_text)))
    # Asked once a term, not once a paper: it takes longer than to count.
    return Counter({term: count for term, count in counts.items() if is_content(term)})


@lru_cache(maxsize=2**13)  # advice asks for the same texts, facet by facet
def terms(text: str) -> tuple[str, ...]:
    """Return the words and pairs of neighbours of `text`, without those of stop words alone.

    As they stand in the text: what is proposed as a cue has to match there.

    >>> terms("we train the agent")
    ('train', 'agent', 'we train', 'train the', 'the agent')
    """
    words = text.split()
    single = (word for word in words if word not in ENGLISH_STOP_WORDS)
    pairs = (pair for pair in pairwise(words) if not ENGLISH_STOP_WORDS.issuperset(pair))
    return (*single, *map(" ".join, pairs))


def is_content(term: str) -> bool:
    """Say whether no word of a term is a function word or a bare number or sign."""
    return all(
        word not in ENGLISH_STOP_WORDS and len(word) > 1 and not word.isdigit()
        for word in term.split()
    )
