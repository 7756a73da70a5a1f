"""Find terms that one group of papers uses more often than other papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from classifier.papers.paper import Paper
from classifier.text.clean import clean_abstract, clean_title
from classifier.text.normalise import stem, tokens
from classifier.text.sentences import split_sentences

_PRIOR_PAPERS = 10.0
"""Weight of the Dirichlet prior on each side, in papers."""
_MIN_SCORE = 1.0
"""Minimum z-score of a term."""


def distinctive_terms(
    inside: Sequence[Paper], outside: Sequence[Paper], max_terms: int
) -> list[str]:
    """Return at most `max_terms` terms that distinguish the papers `inside`, strongest first.

    A term is a word or a pair of adjacent words, as a cue matches them. Its score is the z-score of
    the log-odds ratio of paper counts, with the vocabulary of both groups as an informative
    Dirichlet prior (Monroe, Colaresi & Quinn, "Fightin' words", Political Analysis 16(4), 2008).
    Variants of a stronger term ("web agent", "web agents", "agents") are omitted, and so are pairs
    with a function word and terms in fewer than two papers inside.
    """
    here, there = _paper_counts(inside), _paper_counts(outside)
    names = sorted(here.keys() | there.keys())
    count = np.array([[here[name], there[name]] for name in names], dtype=np.float64).reshape(-1, 2)
    prior = count.sum(axis=1, keepdims=True) * (_PRIOR_PAPERS / max(len(inside) + len(outside), 1))
    counted = np.maximum(count + prior, 1e-9)
    odds = np.log(counted / np.maximum(counted.sum(axis=0) - counted, 1e-9))
    scores = np.round((odds[:, 0] - odds[:, 1]) / np.sqrt((1 / counted).sum(axis=1)), 3)
    # A pair is more specific than its words in the same papers, so it comes first.
    ranked = sorted(
        (-float(score), -name.count(" "), name)
        for name, score in zip(names, scores, strict=True)
        if score >= _MIN_SCORE and here[name] >= 2
    )
    kept: dict[str, frozenset[str]] = {}
    for _, _, name in ranked:
        own = frozenset(map(stem, name.split()))
        if len(kept) < max_terms and not any(own <= each or each <= own for each in kept.values()):
            kept[name] = own
    return [name for name in kept if here[name] > there[name]]


def _paper_counts(papers: Sequence[Paper]) -> Counter[str]:
    """Return the number of papers that use each term; pairs with a function word are omitted."""
    counts = Counter(term for paper in papers for term in _terms(paper.title, paper.abstract))
    # Check each term once and not once per paper: the check is slower than counting.
    return Counter({term: count for term, count in counts.items() if is_content_term(term)})


@lru_cache(maxsize=2**13)  # a paper is compared with several groups
def _terms(title: str, abstract: str) -> frozenset[str]:
    """Return the words and pairs of adjacent words of a paper, except those of stop words alone."""
    sentences = (tokens(span.text) for span in split_sentences(clean_abstract(abstract)))
    words = [*tokens(clean_title(title)), *(word for sentence in sentences for word in sentence)]
    pairs = (pair for pair in pairwise(words) if not ENGLISH_STOP_WORDS.issuperset(pair))
    single = (word for word in words if word not in ENGLISH_STOP_WORDS)
    return frozenset((*single, *map(" ".join, pairs)))


def is_content_term(term: str) -> bool:
    """Return whether no word of a term is a function word, a number or a single character."""
    return all(
        word not in ENGLISH_STOP_WORDS and len(word) > 1 and not word.isdigit()
        for word in term.split()
    )
