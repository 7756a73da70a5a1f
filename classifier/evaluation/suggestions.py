"""Proposals of new categories: groups of papers that share words which no category explains."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer
from threadpoolctl import threadpool_limits

from classifier.evaluation.distinctive import DistinctiveTerm, distinctive_terms, is_content
from classifier.labelling.decide import is_out_of_scope
from classifier.labelling.features import terms
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.labelling.views import TextViews, text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.model import CATEGORY_ID, Facet, Taxonomy

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# A coarse cut finds broad gaps, a fine one small ones; chosen by leave-one-category-out on lists
# of papers (`python -m tools.benchmarks.growing`), flat around these values.
_CUTS = (5, 12)
_PAPERS_A_GROUP = 8
_SMALLEST = 4
"""A group of fewer papers is no category; also the rank of the paper that sets a group's scale."""
_MEMBER = 0.15
"""A paper belongs to a group from this share of its `_SMALLEST`-th strongest paper on."""
_SAME_GROUP = 0.6
"""Two groups are one proposal from this Jaccard similarity of their papers on."""
_BACKGROUND = 0.3
"""Membership of every paper in what all papers share."""
_COMMON, _RARE, _MOST_TERMS = 0.4, 4, 2000
_MAX_PAPERS = 3000
"""Of more papers only the least explained are looked at: the rows are dense."""
_PLAIN = re.compile(r"[a-z][a-z -]*")
_YAML_WORDS = frozenset({"true", "false", "null"})


@dataclass(frozen=True, slots=True)
class Proposal:
    """A group of papers that may deserve a category of its own."""

    id: str
    """A category id that the facet does not have yet, made of the strongest terms."""
    name: str
    """A name made of the strongest terms."""
    terms: tuple[DistinctiveTerm, ...]
    """What tells its papers from the rest, strongest first: starting cues."""
    papers: tuple[str, ...]
    """Ids of its papers, the most typical first; they may be in other categories, too."""
    titles: tuple[str, ...]
    """Their titles, in the same order."""
    cohesion: float
    """Mean cosine of two of its papers in what the categories leave unexplained, -1 to 1."""
    unexplained: float
    """Mean over its papers of 1 - probability of the likeliest category in scope."""
    score: float
    """size * cohesion * unexplained; proposals are ranked by it."""

    @property
    def size(self) -> int:
        """The number of its papers."""
        return len(self.papers)


@dataclass(frozen=True, slots=True)
class _Group:
    strengths: Array
    """(n,) how typical a paper is."""
    members: Mask
    cohesion: float
    unexplained: float

    @property
    def score(self) -> float:
        return float(self.members.sum()) * self.cohesion * self.unexplained


def propose_categories(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    *,
    most: int = 10,
) -> list[Proposal]:
    """Return at most `most` proposals for the first facet, best first.

    labels: of `papers`, in their order, as `TaxonomyClassifier.predict` gives them; what a person
    decided counts as certain. A paper out of scope is an unexplained one; only what all papers out
    of scope have in common is no gap.

    TF-IDF rows of the papers are factorised beside the categories' probabilities
    (`factorise_beside`), coarsely and finely. Each factor is a group of papers with terms in
    common that no category accounts for. Groups are ranked by how much of the residual they
    gather and how unexplained their papers are.

    The order of the papers does not matter. Under 16 papers there are no proposals.
    """
    order = sorted(range(len(papers)), key=lambda i: (papers[i].id, papers[i].title))
    facet = taxonomy.first
    known = _known([labels[i].facets[facet.id] for i in order], facet)
    in_scope = [not is_out_of_scope(facet, name) for name in facet.ids]
    loose = 1 - known[:, in_scope].max(axis=1, initial=0.0)
    kept = np.sort(np.argsort(-loose, kind="stable")[:_MAX_PAPERS])
    chosen = [papers[order[i]] for i in kept.tolist()]
    views = [text_views(paper) for paper in chosen]
    rows = _rows(views)
    if len(chosen) < 2 * _PAPERS_A_GROUP or min(rows.shape) < _SMALLEST:
        return []
    with threadpool_limits(limits=1):  # the same digits on every machine
        groups = _distinct(_groups(rows, known[kept], loose[kept]))[:most]
    return list(_named(facet, [_proposal(group, chosen, views) for group in groups]))


def proposal_lines(proposals: Sequence[Proposal]) -> list[str]:
    """Return proposals as text: what each is about, and YAML to paste below `categories`."""
    lines: list[str] = []
    for rank, proposal in enumerate(proposals, start=1):
        head = f"{rank}. {proposal.name}: {proposal.size} papers, cohesion {proposal.cohesion:.2f}"
        lines.append(f"{head}, {proposal.unexplained:.0%} unexplained")
        lines += [f"   e.g. {title}" for title in proposal.titles[:3]]
        lines += _yaml(proposal)
    return lines


def _known(labels: Sequence[FacetLabels], facet: Facet) -> Array:
    """Return (n, k) probabilities of the top categories; 0 or 1 where a person decided."""
    rows = [
        [float(name in one.top_categories) for name in facet.ids]
        if one.is_decided
        else [one.probabilities.get(name, 0.0) for name in facet.ids]
        for one in labels
    ]
    return np.array(rows, dtype=np.float64).reshape(len(labels), len(facet.ids))


def _rows(papers: Sequence[TextViews]) -> Array:
    """Return (n, d) TF-IDF rows of length one: whole text, and twice the title.

    A term is kept that a few papers use, and not too many.
    """
    count = CountVectorizer(analyzer=_content_terms, binary=True)
    if not any(_content_terms(paper.whole_text) for paper in papers):  # scikit-learn would raise
        return np.zeros((len(papers), 0))
    whole = count.fit_transform([paper.whole_text for paper in papers]).astype(np.float64)
    title = count.transform([" ".join(paper.title) for paper in papers])
    used = np.asarray(whole.sum(axis=0)).ravel()
    fit = (used >= min(_RARE, len(papers) // 4)) & (used < _COMMON * len(papers))
    columns = np.sort(np.argsort(-np.where(fit, used, 0), kind="stable")[:_MOST_TERMS])
    columns = columns[fit[columns]]
    weighted = (2 * title + whole)[:, columns].toarray()
    weighted = weighted * np.log(len(papers) / used[columns])
    length = np.linalg.norm(weighted, axis=1, keepdims=True)
    return np.asarray(weighted / np.maximum(length, 1e-9))


def _content_terms(text: str) -> list[str]:
    return [term for term in terms(text) if is_content(term)]


def _groups(rows: Array, known: Array, loose: Array) -> list[_Group]:
    explained = np.hstack([known, np.full((len(rows), 1), _BACKGROUND)])
    left = residual(rows, explained)
    most = min(len(rows) // _PAPERS_A_GROUP, rows.shape[1])
    groups = []
    for cut in sorted({min(cut, most) for cut in _CUTS}):
        for strengths in factorise_beside(rows, explained, cut).strengths.T:
            members = strengths > _MEMBER * np.sort(strengths)[-_SMALLEST]
            if members.sum() >= _SMALLEST:
                mean = float(loose[members].mean())
                groups.append(_Group(strengths, members, _cohesion(left[members]), mean))
    return groups


def _cohesion(rows: Array) -> float:
    """Return the mean scalar product of two different rows."""
    pairs = len(rows) * (len(rows) - 1)
    return float((np.square(rows.sum(axis=0)).sum() - np.square(rows).sum()) / pairs)


def _distinct(groups: Sequence[_Group]) -> list[_Group]:
    """Return groups by falling score, without those of nearly the same papers as a better one."""
    kept: list[_Group] = []
    for group in sorted(groups, key=lambda group: -group.score):
        if group.score > 0 and all(_jaccard(group, other) < _SAME_GROUP for other in kept):
            kept.append(group)
    return kept


def _jaccard(one: _Group, other: _Group) -> float:
    both = (one.members & other.members).sum()
    return float(both / (one.members | other.members).sum())


def _proposal(group: _Group, papers: Sequence[Paper], views: Sequence[TextViews]) -> Proposal:
    order = [i for i in np.argsort(-group.strengths, kind="stable").tolist() if group.members[i]]
    found = distinctive_terms(
        [views[i] for i in order],
        [view for view, member in zip(views, group.members, strict=True) if not member],
    )
    return Proposal(
        "",
        " / ".join(term.term for term in found[:3]),
        found,
        tuple(papers[i].id for i in order),
        tuple(papers[i].title_display for i in order),
        round(group.cohesion, 4),
        round(group.unexplained, 4),
        round(group.score, 4),
    )


def _named(facet: Facet, proposals: Sequence[Proposal]) -> Iterator[Proposal]:
    """Yield proposals that have terms, each with an id of its own."""
    taken = {category.id for category in facet.walk(retired=True)}
    for proposal in proposals:
        if not proposal.terms:
            continue
        words = "-".join(term.term for term in proposal.terms[:2]).replace(" ", "-")
        base = words if re.search(CATEGORY_ID, words) else "new-category"
        free = (base, *(f"{base}-{number}" for number in range(2, len(taken) + 3)))
        identifier = next(name for name in free if name not in taken)
        taken.add(identifier)
        yield replace(proposal, id=identifier)


def _yaml(proposal: Proposal) -> list[str]:
    """Return a category as YAML; terms that mostly its own papers use are cues of the title."""
    sharp = [term.term for term in proposal.terms if term.inside > term.outside]
    every = [term.term for term in proposal.terms]
    return [
        f"      - id: {_scalar(proposal.id)}",
        "        cues:",
        *([f"          title: {_list(sharp)}"] if sharp else []),
        f"          anywhere: {_list(every)}",
    ]


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_scalar, texts))}]"


def _scalar(text: str) -> str:
    """Return a text as a YAML scalar, quoted unless it is plain words."""
    is_plain = _PLAIN.fullmatch(text) and text not in _YAML_WORDS
    return text if is_plain else json.dumps(text, ensure_ascii=False)


_ROUNDS = 30
_START_ROUNDS = 40
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Factors:
    """What m groups add to the known ones, over n papers and d terms."""

    strengths: Array
    """(n, m) how much of a group is in a paper, 0 and more, in the unit of the rows."""
    terms: Array
    """(m, d) what a group speaks of; rows of length one."""


def factorise_beside(rows: Array, known: Array, groups: int) -> Factors:
    """Return `groups` non-negative factors of (n, d) `rows` beside (n, k) `known` memberships.

    Non-negative matrix factorisation, rows ≈ [known, strengths] · [own terms; terms], by the
    multiplicative updates of Lee & Seung ("Algorithms for non-negative matrix factorization",
    2001), with `known` held fixed: so a group gets what the known ones leave unexplained, and a
    paper may be in both. It starts from a factorisation of the residual.
    """
    own = _least_squares(rows, known)
    strengths, terms = _start(np.maximum(rows - known @ own, 0), groups)
    for _ in range(_ROUNDS):
        memberships, parts = np.hstack([known, strengths]), np.vstack([own, terms])
        parts *= (memberships.T @ rows) / np.maximum(memberships.T @ memberships @ parts, _TINY)
        own, terms = parts[: known.shape[1]], parts[known.shape[1] :]
        terms, strengths = _unit_terms(terms, strengths)
        fitted = known @ own + strengths @ terms
        strengths = strengths * (rows @ terms.T) / np.maximum(fitted @ terms.T, _TINY)
    # Rounded, so that the last digits of a sum decide nothing.
    return Factors(np.round(strengths, 9), terms)


def residual(rows: Array, known: Array) -> Array:
    """Return (n, d) what a least-squares fit of `rows` on (n, k) `known` leaves."""
    return np.asarray(rows - known @ np.linalg.solve(_gram(known), known.T @ rows))


def _least_squares(rows: Array, known: Array) -> Array:
    return np.asarray(np.maximum(np.linalg.solve(_gram(known), known.T @ rows), _TINY))


def _gram(known: Array) -> Array:
    """Return the Gram matrix with a little ridge: a category may have no paper at all."""
    return np.asarray(known.T @ known + 1e-3 * np.eye(known.shape[1]))


def _start(rows: Array, groups: int) -> tuple[Array, Array]:
    model = NMF(groups, init="nndsvda", max_iter=_START_ROUNDS, random_state=0)
    with warnings.catch_warnings():  # a start need not have converged
        warnings.simplefilter("ignore", ConvergenceWarning)
        strengths = model.fit_transform(rows)
    return np.maximum(strengths, 1e-6), np.maximum(model.components_, 1e-6)


def _unit_terms(terms: Array, strengths: Array) -> tuple[Array, Array]:
    length = np.maximum(np.linalg.norm(terms, axis=1), _TINY)
    return terms / length[:, None], strengths * length
