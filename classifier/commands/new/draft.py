"""Draft categories of papers that were filed nowhere: five to nine subjects and a named rest.

Noun phrases of titles and abstracts, as TF-IDF, are factorised (NMF) into as many groups as the
papers bear; a group is named by the phrase that most of its papers and few others use.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

from classifier.commands.new.phrases import NOUN_LIKE, Phrases
from classifier.papers.paper import Paper
from classifier.text.mentions import abbreviations

Array = NDArray[np.float64]

FEWEST, MOST = 5, 9
"""Categories besides the rest."""
_PAPERS_A_CATEGORY = 22
_FEW_PAPERS = 12
"""Of fewer papers no groups are made."""
_OF_MOST = 0.34
"""A phrase that a larger share of the papers uses parts nothing …"""
_GROUPS_A_PHRASE = 2.5
"""… and one that papers for more groups than these use names what all are about."""
_LEAST_SHARE = 0.02
"""A group of fewer of the papers is none."""
_MEMBER = 0.35
"""A paper is a group's own from this share of its strengths on."""
_LEAST_NAME = 0.25
"""What a name tells of its group, at least: of a mixed lot no phrase does."""
_CUES = 10
_LEAST_PRECISION = 0.5
"""Of the papers that use a cue, how many are the group's own."""
_EXEMPLARS = 3


@dataclass(frozen=True, slots=True)
class Draft:
    """One subject that papers share."""

    phrase: str
    """Key of the phrase that names it."""
    cues: tuple[str, ...]
    """As people write them, the strongest first; no other draft has them."""
    exemplars: tuple[Paper, ...]
    """The clearest first."""
    papers: int
    """That are its own."""
    nearest: tuple[int, int]
    """The draft that shares most papers with it, by its place, and how many; (-1, 0) for none."""


def drafts(papers: Sequence[Paper], phrases: Phrases) -> tuple[list[Draft], list[Paper]]:
    """Return the subjects of papers, the largest first, and the papers that fit none best.

    Nothing is random: the factorisation begins at a singular value decomposition, in one thread.
    """
    if len(papers) < _FEW_PAPERS:
        return [], []
    fewest = max(2, round(len(papers) / 100))
    groups = min(MOST, max(FEWEST, round(len(papers) / _PAPERS_A_CATEGORY)))
    rows, names = phrase_rows(phrases, fewest, min(_OF_MOST, _GROUPS_A_PHRASE / groups))
    if min(rows.shape) <= groups:
        return [], []
    with threadpool_limits(limits=1):  # the same digits on every machine
        shares, strengths = _shares(rows, groups)
    found = list(_groups(shares, strengths, phrases, names, papers, fewest))
    own = (shares >= _MEMBER) & (strengths > 0)
    weakest = np.argsort(strengths.max(axis=1), kind="stable")
    rest = [papers[i] for i in weakest.tolist() if not own[i].any()]
    return found, rest


def phrase_rows(
    phrases: Phrases, fewest: int, most: float = _OF_MOST
) -> tuple[csr_matrix, list[str]]:
    """Return (n, d) TF-IDF rows of the phrases of papers, and the phrases.

    Phrases are those that `fewest` papers use, and no larger share of them than `most`.
    """
    count = TfidfVectorizer(
        analyzer=lambda keys: keys, min_df=fewest, max_df=most, sublinear_tf=True
    )
    if not any(phrases.papers):
        return csr_matrix((len(phrases.papers), 0)), []
    try:
        rows = count.fit_transform(phrases.papers)
    except ValueError:  # no phrase is shared by some, but not most
        return csr_matrix((len(phrases.papers), 0)), []
    return rows, count.get_feature_names_out().tolist()


def _shares(rows: csr_matrix, groups: int) -> tuple[Array, Array]:
    """Return (n, k) the share of each group in a paper, and its strength in units of the rows."""
    model = NMF(groups, init="nndsvda", max_iter=300, random_state=0)
    with warnings.catch_warnings():  # what has not converged is good enough for a draft
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", RuntimeWarning)  # the root of an error rounded below zero
        strengths = model.fit_transform(rows) * np.linalg.norm(model.components_, axis=1)
    strengths = np.round(strengths, 6)
    total = strengths.sum(axis=1, keepdims=True)
    return strengths / np.maximum(total, 1e-9), strengths


def _groups(
    shares: Array,
    strengths: Array,
    phrases: Phrases,
    names: Sequence[str],
    papers: Sequence[Paper],
    fewest: int,
) -> Iterator[Draft]:
    own = [
        [i for i in range(len(papers)) if shares[i, k] >= _MEMBER and strengths[i, k] > 0]
        for k in range(shares.shape[1])
    ]
    least = max(3, _LEAST_SHARE * len(papers))
    order = sorted((k for k in range(len(own)) if len(own[k]) >= least), key=lambda k: -len(own[k]))
    texts = (f"{each.title_display}. {each.abstract_display}" for each in papers)
    long = {short.lower(): words for short, words in abbreviations(texts).items()}
    told: dict[int, list[Scored]] = {}
    best: dict[int, str] = {}
    for k in order:
        told[k] = scored(own[k], phrases, names)
        name = _name(told[k], phrases, fewest)
        same = next((j for j in best if _is_same(name, best[j], long)), None)
        if same is not None:
            own[same] = sorted({*own[same], *own[k]})
            told[same] = scored(own[same], phrases, names)
        elif name:
            best[k] = name
    order = list(best)
    taken: set[str] = set()
    for k in order:
        others = {best[j] for j in order if j != k}
        cues = cues_of(best[k], told[k], taken | others, phrases)
        taken |= set(cues)
        named = [i for i in own[k] if best[k] in phrases.papers[i]]
        clear = sorted(named, key=lambda i: (-strengths[i, k] * shares[i, k], papers[i].id))
        shared = [(len(set(own[k]) & set(own[j])), -n) for n, j in enumerate(order) if j != k]
        number, at = max(shared, default=(0, 1))
        yield Draft(
            best[k],
            tuple(dict.fromkeys(map(phrases.cue, cues))),
            tuple(papers[i] for i in clear[:_EXEMPLARS]),
            len(own[k]),
            (-at, number) if number else (-1, 0),
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """A phrase, and what it tells of a group."""

    key: str
    score: float
    inside: int
    """Papers of the group that use it."""
    precision: float


def scored(own: Sequence[int], phrases: Phrases, names: Sequence[str]) -> list[Scored]:
    """Return the phrases of a group by what they tell of it, the most telling first.

    By F1 of "uses the phrase" for "is in the group", papers counted; a phrase of several words
    says more than a word, and one of a title more than one of an abstract.
    """
    inside = Counter(key for i in own for key in set(phrases.papers[i]))
    titled = Counter(key for i in own for key in phrases.titles[i])
    found = []
    for key in names:
        here, everywhere = inside[key], phrases.used[key]
        if here < 2:
            continue
        precision, cover = here / everywhere, here / len(own)
        f1 = 2 * precision * cover / (precision + cover)
        words = key.count(" ") + 1
        score = f1 * (1, 1.9, 2.1, 1.8)[min(words, 4) - 1] * (0.3 + titled[key] / here)
        found.append(Scored(key, score, here, precision))
    return sorted(found, key=lambda one: (-one.score, one.key))


def _name(scored: Sequence[Scored], phrases: Phrases, fewest: int) -> str:
    """Return the phrase that names a group, or "" where none is used by `fewest` of its papers."""
    fit = (
        one.key
        for one in scored
        if one.precision >= _MEMBER
        and one.inside >= fewest
        and one.score >= _LEAST_NAME
        and phrases.is_name(one.key)  # last: it reads all papers
    )
    return next(fit, "")


def _is_same(one: str, other: str, long: Mapping[str, str]) -> bool:
    """Say whether one phrase has the words of the other, or an abbreviation of some: “ABC
    transporters” is one subject with “ATP-binding cassettes”.
    """
    if {word[:5] for word in one.split()} == {word[:5] for word in other.split()}:
        return True
    return any(
        word in long and all(each.removesuffix("s") in words for each in long[word].split())
        for short, words in ((one, other), (other, one))
        for word in short.split()
    )


def cues_of(name: str, scored: Sequence[Scored], taken: set[str], phrases: Phrases) -> list[str]:
    """Return what names a group, and what else most tells it from the others."""
    kept = [name] if name and name not in taken else []
    for one in scored:
        if len(kept) >= _CUES:
            break
        words = set(one.key.split())
        if (
            one.key not in taken
            and one.precision >= _LEAST_PRECISION
            and one.inside >= 2
            and phrases.ends[one.key] >= NOUN_LIKE
            and not any(words >= set(key.split()) for key in kept)
        ):
            kept.append(one.key)
    return kept
