"""Find the subjects of papers without collections or keywords, to draft categories.

Non-negative matrix factorisation (NMF) of TF-IDF phrases finds five to nine subjects. The name of a
subject is the phrase that most of its papers, and few others, use.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from classifier.commands.new.phrases import Phrases, ScoredPhrase
from classifier.papers.paper import Paper
from classifier.text.mentions import abbreviations
from classifier.text.normalise import stem

MIN_CATEGORIES, MAX_CATEGORIES = 5, 9
_PAPERS_PER_CATEGORY = 22
_MIN_PAPERS = 12
"""Minimum number of papers for more than one category."""
_MIN_SHARE = 0.35
"""Minimum share of a paper's strongest subject in its strengths; below it, the paper fits none."""
_MIN_GROUP_SHARE = 0.02
_MIN_NAME_PRECISION = 0.35
_N_CUES = 10
_MIN_CUE_PAPERS = 3
_N_EXEMPLARS = 3

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a group of papers."""

    name: str
    cues: tuple[str, ...]
    """The strongest first; the first cue is the name."""
    exemplars: tuple[Paper, ...]
    """The most typical papers, the most typical first."""
    n_papers: int


def find_subjects(papers: Sequence[Paper]) -> tuple[list[Subject], list[Paper]]:
    """Return the subjects of papers, the largest first, and the papers that fit none of them.

    The result is deterministic: NMF starts from a singular value decomposition, and strengths are
    rounded.
    """
    if len(papers) < _MIN_PAPERS:
        return [], []
    phrases = Phrases(papers, min_papers=max(2, round(len(papers) / 150)))
    n_groups = round(len(papers) / _PAPERS_PER_CATEGORY)
    n_groups = min(MAX_CATEGORIES, max(MIN_CATEGORIES, n_groups))
    if min(phrases.rows.shape) <= n_groups:
        return [], []
    strengths = _strengths(phrases, n_groups)
    shares = strengths / np.maximum(strengths.sum(axis=1, keepdims=True), 1e-9)
    best = np.where(shares.max(axis=1) >= _MIN_SHARE, shares.argmax(axis=1), -1)
    sizes = {k: int((best == k).sum()) for k in range(n_groups)}
    min_size = max(3, _MIN_GROUP_SHARE * len(papers))
    order = sorted((k for k in sizes if sizes[k] >= min_size), key=lambda k: (-sizes[k], k))
    names = _name_groups(order, best, phrases, papers)
    used = set(names.values())
    subjects: list[Subject] = []
    for k, name in names.items():
        scored = phrases.score(best == k, _MIN_CUE_PAPERS)
        cues = [name, *phrases.cues(scored, used, _N_CUES - 1)]
        used |= set(cues)
        typicality = strengths[:, k] * shares[:, k] * (best == k) * (0.1 + phrases.uses(name))
        typical = np.argsort(-np.round(typicality, 6), kind="stable")[:_N_EXEMPLARS]
        subjects.append(
            Subject(
                name=phrases.name(name),
                cues=tuple(dict.fromkeys(map(phrases.cue, cues))),
                exemplars=tuple(papers[i] for i in typical.tolist()),
                n_papers=int((best == k).sum()),
            )
        )
    rest = [paper for paper, k in zip(papers, best.tolist(), strict=True) if k not in names]
    return subjects, rest


def _strengths(phrases: Phrases, n_groups: int) -> Array:
    """Return the strength of each subject in each paper, as a (papers, subjects) matrix."""
    model = NMF(n_groups, init="nndsvda", max_iter=300, random_state=0)
    with (
        threadpool_limits(limits=1),
        warnings.catch_warnings(),
    ):  # The same digits on every machine.
        warnings.simplefilter("ignore", ConvergenceWarning)  # A draft needs no convergence.
        warnings.simplefilter("ignore", RuntimeWarning)
        strengths = model.fit_transform(phrases.rows)
    scaled: Array = np.round(strengths * np.linalg.norm(model.components_, axis=1), 6)
    return scaled


def _name_groups(
    groups: Sequence[int], best: NDArray[np.int64], phrases: Phrases, papers: Sequence[Paper]
) -> dict[int, str]:
    """Return group -> the key of the phrase that names it, without groups that have no name.

    A group is merged into another one, in `best`, if one name is an abbreviation of the other.
    """
    long_forms = abbreviations(f"{p.title_display}. {p.abstract_display}" for p in papers)
    same = {_stems(short): _stems(long) for short, long in long_forms.items()}
    names: dict[int, str] = {}
    for k in groups:
        name = _name(phrases.score(best == k, _MIN_CUE_PAPERS), phrases, names.values())
        pairs = {j: (_stems(name), _stems(other)) for j, other in names.items()}
        joined = [
            j
            for j, (one, other) in pairs.items()
            if any(
                (short <= one and long <= other) or (short <= other and long <= one)
                for short, long in same.items()
            )
        ]
        if joined:
            best[best == k] = joined[0]
        elif name:
            names[k] = name
    return names


def _stems(phrase: str) -> frozenset[str]:
    return frozenset(map(stem, phrase.lower().split()))


def _name(scored: Sequence[ScoredPhrase], phrases: Phrases, used: Collection[str]) -> str:
    """Return the key of the phrase that names a group, or "" if no phrase is typical enough."""
    for phrase in scored:
        is_candidate = phrase.key not in used and phrase.precision >= _MIN_NAME_PRECISION
        if is_candidate and phrases.is_name(phrase.key):
            return phrase.key
    return ""
