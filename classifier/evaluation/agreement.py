"""How far reviewers agree, by facet and category: in pairs, and all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from classifier.evaluation.kappa import (
    Answers,
    cohen_kappa,
    krippendorff_alpha,
    masi_distance,
    nominal_distance,
    shared_f1,
)
from classifier.evaluation.metrics import Array, Figure, figure, resample_weights, share
from classifier.labelling.labels import Decisions
from classifier.taxonomy.model import Facet, Taxonomy

FEW_PAPERS = 10
"""Papers under which a figure of agreement says too little to go by."""
Ratings = Mapping[str, Decisions]
"""Rater -> paper id -> facet id -> their newest decision."""


@dataclass(frozen=True, slots=True)
class PairFigures:
    """How far two reviewers gave the same answer to one question."""

    n: int
    """Papers on which both answered."""
    same: Figure
    """Share of the papers with the same answer."""
    kappa: Figure
    """Cohen's kappa; nan where both gave one and the same answer throughout."""
    f1: Figure | None = None
    """F1 between the categories that both gave; None where exactly one is given."""
    given: tuple[int, int] = (0, 0)
    """Of a single category: the papers for which the one and the other reviewer gave it."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two reviewers agree in one facet."""

    reviewers: tuple[str, str]
    facet: str
    filed: PairFigures | None
    """The value of a single facet, the primary of the first; None elsewhere."""
    listed: PairFigures | None = None
    """The whole list: `same` are equal lists, kappa and F1 pool categories; None if single."""
    categories: Mapping[str, PairFigures] = field(default_factory=dict)
    """Top category -> whether it applies; of multi facets."""

    @property
    def n(self) -> int:
        """Papers that both decided in this facet."""
        figures = self.filed or self.listed
        return figures.n if figures else 0


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """How far all reviewers agree in one facet: Krippendorff's alpha."""

    facet: str
    n: int
    """Papers that at least two reviewers decided in this facet."""
    filed: Figure | None
    """Of the value of a single facet, of the primary of the first; None elsewhere."""
    pooled: Figure | None = None
    """Of whether a category applies, all categories together; None if single."""
    lists: Figure | None = None
    """Of the lists as sets, at the MASI distance; None if single."""
    categories: Mapping[str, Figure] = field(default_factory=dict)
    """Top category -> of whether it applies; of multi facets."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """All figures on how far reviewers agree."""

    papers: Mapping[str, int]
    """Reviewer -> how many papers they decided."""
    pairs: tuple[PairAgreement, ...]
    """By pair of reviewers and facet, where both decided a paper."""
    groups: tuple[GroupAgreement, ...]
    """By facet, where at least two decided a paper; () of fewer than three reviewers."""


def measure_agreement(taxonomy: Taxonomy, ratings: Ratings) -> Agreement:
    """Return how far the raters agree, with 95 % bootstrap intervals over papers.

    ratings: of the raters alone, so without adjudicated decisions. Only top categories count: who
    names no child has not denied one.
    """
    papers = {rater: len(decided) for rater, decided in sorted(ratings.items())}
    pairs = (
        _pair(taxonomy, facet, (one, other), ratings)
        for one, other in combinations(papers, 2)
        for facet in taxonomy.facets.values()
    )
    groups = [_group(taxonomy, facet, tuple(papers), ratings) for facet in taxonomy.facets.values()]
    return Agreement(
        papers,
        tuple(pair for pair in pairs if pair.n),
        tuple(group for group in groups if group.n) if len(papers) > 2 else (),
    )


def _pair(
    taxonomy: Taxonomy, facet: Facet, reviewers: tuple[str, str], ratings: Ratings
) -> PairAgreement:
    papers = _papers_of_several(facet, reviewers, ratings)
    weights = resample_weights(len(papers))
    filed = None
    if _files(taxonomy, facet):
        one, other = np.moveaxis(_filed(facet, papers, reviewers, ratings), 2, 0)
        filed = _pair_figures(one, other, weights)
    if facet.kind == "single":
        return PairAgreement(reviewers, facet.id, filed)
    one, other = np.moveaxis(_applied(facet, papers, reviewers, ratings), 2, 0)
    return PairAgreement(
        reviewers,
        facet.id,
        filed,
        _list_figures(one, other, weights),
        {
            category: _list_figures(one[:, [k]], other[:, [k]], weights)
            for k, category in enumerate(facet.ids)
        },
    )


def _pair_figures(one: Answers, other: Answers, weights: Array) -> PairFigures:
    known = (one >= 0) & (other >= 0)
    same = ((one == other) | ~known).all(axis=1)
    answered = known.any(axis=1)
    return PairFigures(
        int(answered.sum()),
        figure(share(same[answered], weights[:, answered])),
        figure(cohen_kappa(one, other, weights)),
    )


def _list_figures(one: Answers, other: Answers, weights: Array) -> PairFigures:
    figures = _pair_figures(one, other, weights)
    f1 = figure(shared_f1(one, other, weights))
    given = (int((one == 1).sum()), int((other == 1).sum()))
    return PairFigures(figures.n, figures.same, figures.kappa, f1, given)


def _group(
    taxonomy: Taxonomy, facet: Facet, raters: Sequence[str], ratings: Ratings
) -> GroupAgreement:
    papers = _papers_of_several(facet, raters, ratings)
    weights = resample_weights(len(papers))
    filed = None
    if _files(taxonomy, facet):
        answers = _filed(facet, papers, raters, ratings)
        filed = _alpha(answers, nominal_distance(len(facet.ids) + 1), weights)
    if facet.kind == "single":
        return GroupAgreement(facet.id, len(papers), filed)
    applied, binary = _applied(facet, papers, raters, ratings), nominal_distance(2)
    lists, distance = _lists(facet, papers, raters, ratings)
    return GroupAgreement(
        facet.id,
        len(papers),
        filed,
        _alpha(applied, binary, weights),
        _alpha(lists, distance, weights),
        {
            category: _alpha(applied[:, [k]], binary, weights)
            for k, category in enumerate(facet.ids)
        },
    )


def _alpha(answers: Answers, distance: Array, weights: Array) -> Figure:
    return figure(krippendorff_alpha(answers, distance, weights))


def _files(taxonomy: Taxonomy, facet: Facet) -> bool:
    """Say whether a paper is filed under one category of the facet."""
    return facet.kind == "single" or facet is taxonomy.first


def _papers_of_several(facet: Facet, raters: Sequence[str], ratings: Ratings) -> list[str]:
    """Return the ids of the papers that at least two of `raters` decided in a facet, sorted."""
    ids = {paper_id for rater in raters for paper_id in ratings[rater]}
    return [
        paper_id
        for paper_id in sorted(ids)
        if sum(facet.id in ratings[rater].get(paper_id, {}) for rater in raters) >= 2
    ]


def _tops(facet: Facet, paper_id: str, rater: str, ratings: Ratings) -> frozenset[str] | None:
    """Return the top categories that a rater gave; None where they gave no answer.

    That nothing is stated is an answer, where it may be one.
    """
    decision = ratings[rater].get(paper_id, {}).get(facet.id)
    given = frozenset(facet.ids) & frozenset(decision.values if decision else ())
    return given if given or (decision and facet.may_be_unstated) else None


def _filed(facet: Facet, papers: Sequence[str], raters: Sequence[str], ratings: Ratings) -> Answers:
    """Return (n, 1, r): the number of the category under which each rater files each paper.

    One more than there are categories stands for: not stated.
    """
    answers = np.full((len(papers), 1, len(raters)), -1, dtype=np.int64)
    for row, paper_id in enumerate(papers):
        for column, rater in enumerate(raters):
            decision = ratings[rater].get(paper_id, {}).get(facet.id)
            if decision and decision.primary in facet.ids:
                answers[row, 0, column] = facet.ids.index(decision.primary)
            elif _tops(facet, paper_id, rater, ratings) is not None:
                answers[row, 0, column] = len(facet.ids)
    return answers


def _applied(
    facet: Facet, papers: Sequence[str], raters: Sequence[str], ratings: Ratings
) -> Answers:
    """Return (n, k, r): whether each rater says that each of k top categories applies."""
    answers = np.full((len(papers), len(facet.ids), len(raters)), -1, dtype=np.int64)
    for row, paper_id in enumerate(papers):
        for column, rater in enumerate(raters):
            given = _tops(facet, paper_id, rater, ratings)
            if given is not None:
                unknown = ratings[rater][paper_id][facet.id].unknown
                answers[row, :, column] = [
                    -1 if category in unknown else category in given for category in facet.ids
                ]
    return answers


def _lists(
    facet: Facet, papers: Sequence[str], raters: Sequence[str], ratings: Ratings
) -> tuple[Answers, Array]:
    """Return (n, 1, r) numbers of the lists that were given, and the distances between these."""
    given = [[_tops(facet, paper_id, rater, ratings) for rater in raters] for paper_id in papers]
    different = sorted({tuple(sorted(one)) for row in given for one in row if one is not None})
    numbers = {frozenset(one): number for number, one in enumerate(different)}
    answers = [[[-1 if one is None else numbers[one] for one in row]] for row in given]
    shape = (len(papers), 1, len(raters))
    distance = masi_distance([frozenset(one) for one in different])
    return np.array(answers, dtype=np.int64).reshape(shape), distance
