"""Categories for a new taxonomy: of how papers were filed, else drafted from what they speak of.

For a draft noun phrases of titles and abstracts, as TF-IDF, are factorised (NMF) into as many
groups as the papers bear, five to nine and a named rest; a group is named by the phrase that most
of its papers and few others use.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from classifier.commands.new.filing import Filing, Place
from classifier.commands.new.phrases import (
    OF_MOST,
    Phrases,
    Scored,
    cues_of,
    phrase_rows,
    scored,
)
from classifier.evaluation.distinctive import TextViews, distinctive_terms, is_content, text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import CueError, parse_cue
from classifier.taxonomy.model import NOT_STATED, Category, Cues, spelling_key
from classifier.taxonomy.names import as_file, slug
from classifier.text.empty_words import says_little
from classifier.text.mentions import abbreviations
from classifier.text.normalise import tokens

OTHER = "other"
"""The category of papers that were filed under nothing large enough."""

_LEAST_SCORE = 1.0
"""Standard errors by which a term must tell a category's papers from the rest."""
_MOST_CUES = 8
_MOST_WORDS = 4
_TITLED = 2
"""Cues of a draft that count in titles: its name, and what tells it best beside that."""
_FEWEST_OF_REST = 3
_EXEMPLARS = 3
# What stands between the phrases of a heading.
_PARTS = re.compile(
    r"[,;:/&|()\[\]“”\"–—]|\b(?:and|or|for|of|in|with|against|on|to)\b", re.IGNORECASE
)
_OF_ADDRESSES = frozenset("com github http https io org www".split())
"""Words of addresses in abstracts (“code at https://…”), which say nothing of a subject."""
_LONGEST_NAME = 120


def categories_of(
    filing: Filing, papers: Sequence[Paper]
) -> tuple[tuple[Category, ...], dict[Place, str]]:
    """Return the categories of a filing, and place -> category id; () is the place of the rest."""
    views = {paper.id: text_views(paper) for paper in papers}
    ids = _ids(filing)
    taken: set[str] = set()
    cues = {place: _cues(place, filing, views, taken) for place in sorted(ids, key=len)}
    names = _names(ids)

    def category(place: Place) -> Category:
        inner = filing.topics.get(place[0], ()) if len(place) == 1 else ()
        inside = (
            paper
            for paper in papers
            if any(other[: len(place)] == place for other in filing.places.get(paper.id, ()))
        )
        return Category(
            id=ids[place],
            name=names[place][:_LONGEST_NAME],
            cues=cues[place],
            exemplars=() if cues[place] else _titles(inside),
            children=tuple(category((*place, name)) for name in inner),
        )

    found = [category((topic,)) for topic in filing.topics]
    rest = [paper for paper in papers if filing.places.get(paper.id) == ()]
    if rest:
        ids[()] = _free(OTHER, ids.values())
        definition = "Papers under headings too small for a category of their own."
        titles = _titles(rest)
        found.append(
            Category(id=ids[()], name="Other topics", definition=definition, exemplars=titles)
        )
    return tuple(found), ids


def draft_categories(papers: Sequence[Paper]) -> tuple[tuple[Category, ...], dict[str, str]]:
    """Return categories drafted from what papers speak of, and id -> what to do with each next.

    They are a first guess, and no paper is filed by them but through their cues and exemplars. Of
    papers too few or too unlike for subjects there is one category, of all.
    """
    phrases = Phrases(papers)
    found, rest = drafts(papers, phrases)
    if len(found) < 2:
        definition = "All papers, until you write categories of your own."
        return (Category(id="papers", definition=definition, exemplars=_titles(papers)),), {}
    categories: list[Category] = []
    for draft in found:
        name = phrases.name(draft.phrase)
        cues = [cue for cue in draft.cues if _is_cue(cue)]
        categories.append(
            Category(
                id=_free(as_file(slug(name)) or "topic", [one.id for one in categories]),
                name=(name[:1].upper() + name[1:])[:_LONGEST_NAME],
                cues=Cues(title=tuple(cues[:_TITLED]), anywhere=tuple(cues[_TITLED:])),
                exemplars=_titles(draft.exemplars),
            )
        )
    notes = {
        category.id: _next_step(draft, categories)
        for category, draft in zip(categories, found, strict=True)
    }
    if len(rest) >= _FEWEST_OF_REST:
        other = _free(OTHER, [one.id for one in categories])
        categories.append(Category(id=other, name="Other topics", exemplars=_titles(rest)))
        notes[other] = (
            f"{len(rest)} papers that fit nothing above; these are the plainest.\n"
            "Is a category missing?"
        )
    return tuple(categories), notes


def _titles(papers: Iterable[Paper]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paper.title_display for paper in papers))[:_EXEMPLARS]


def _next_step(draft: Draft, categories: Sequence[Category]) -> str:
    """Return the comment above a draft: how many papers, and what it is to be told from."""
    at, number = draft.nearest
    told = f"{draft.papers} papers are mostly of this; the exemplars are the clearest. Next: "
    if 4 * number > draft.papers:
        name = categories[at].name
        return (
            f"{told}{number} of\nthem speak as much of “{name}”: merge the two, or say in "
            "`excludes:` what parts them."
        )
    return f"{told}a name and\na definition of your own; strike cues that mean something else."


def _ids(filing: Filing) -> dict[Place, str]:
    ids: dict[Place, str] = {}
    for topic, children in filing.topics.items():
        ids[topic,] = _free(as_file(slug(topic)) or "topic", ids.values())
        for name in children:
            base = f"{ids[topic,]}/{as_file(slug(name)) or 'part'}"
            ids[topic, name] = _free(base, ids.values())
    return ids


def _names(places: Collection[Place]) -> dict[Place, str]:
    """Return names that differ: a child whose name another has too is told with its parent's."""
    count = Counter(spelling_key(place[-1]) for place in places)
    return {
        place: ": ".join(place) if count[spelling_key(place[-1])] > 1 else place[-1]
        for place in places
    }


def _free(base: str, taken: Iterable[str]) -> str:
    """Return `base`, or with a number behind it where it is taken."""
    known = {*taken, NOT_STATED}
    names = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(name for name in names if name not in known)


def _cues(place: Place, filing: Filing, views: Mapping[str, TextViews], taken: set[str]) -> Cues:
    """Return the words of a heading and the terms that tell its papers from those beside them.

    A cue is given once: two categories that share one are not told apart by it.
    """
    depth = len(place)
    beside = [
        paper_id
        for paper_id, places in filing.places.items()
        if depth == 1 or any(other[:1] == place[:1] for other in places)
    ]
    inside = {
        paper_id
        for paper_id in beside
        if any(other[:depth] == place for other in filing.places[paper_id])
    }
    own = [views[paper_id] for paper_id in beside if paper_id in inside]
    rest = [views[paper_id] for paper_id in beside if paper_id not in inside]
    found = [
        term.term
        for term in distinctive_terms(own, rest, _MOST_CUES)
        if term.score >= _LEAST_SCORE
        and term.inside > term.outside
        and _OF_ADDRESSES.isdisjoint(term.term.split())
        and not says_little(term.term)
    ]
    named = [
        words
        for words in _heading_words(place[-1])
        if any(f" {words} " in f" {view.title} " for view in views.values())
    ]
    cues = [cue for cue in dict.fromkeys([*named, *found]) if cue not in taken and _is_cue(cue)]
    taken |= set(cues)
    titled = tuple(cue for cue in cues if cue in named)
    return Cues(title=titled, anywhere=tuple(cue for cue in cues if cue not in named))


def _heading_words(name: str) -> list[str]:
    """Return the phrases of a heading: “Jailbreak & prompt injection” has two."""
    parts = _PARTS.split(name)
    phrases = dict.fromkeys(" ".join(tokens(part)) for part in parts)
    return [
        words
        for words in phrases
        if words and len(words.split()) <= _MOST_WORDS and is_content(words)
    ]


def _is_cue(text: str) -> bool:
    try:
        parse_cue(text)
    except CueError:
        return False
    return True


Array = NDArray[np.float64]

FEWEST, MOST = 5, 9
"""Categories besides the rest."""
_PAPERS_A_CATEGORY = 22
_FEW_PAPERS = 12
"""Of fewer papers no groups are made."""
_GROUPS_A_PHRASE = 2.5
"""A phrase that papers for more groups than these use names what all are about."""
_LEAST_SHARE = 0.02
"""A group of fewer of the papers is none."""
_MEMBER = 0.35
"""A paper is a group's own from this share of its strengths on."""
_LEAST_NAME = 0.25
"""What a name tells of its group, at least: of a mixed lot no phrase does."""


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
    rows, names = phrase_rows(phrases, fewest, min(OF_MOST, _GROUPS_A_PHRASE / groups))
    if min(rows.shape) <= groups:
        return [], []
    with threadpool_limits(limits=1):  # the same digits on every machine
        shares, strengths = _shares(rows, groups)
    found = list(_groups(shares, strengths, phrases, names, papers, fewest))
    own = (shares >= _MEMBER) & (strengths > 0)
    weakest = np.argsort(strengths.max(axis=1), kind="stable")
    rest = [papers[i] for i in weakest.tolist() if not own[i].any()]
    return found, rest


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
