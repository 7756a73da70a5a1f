"""How far reviewers agree, by facet and category: in pairs, and all of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np

from classifier.evaluation.metrics import (
    METHOD,
    Answers,
    Array,
    Figure,
    cohen_kappa,
    figure,
    krippendorff_alpha,
    masi_distance,
    nominal_distance,
    resample_weights,
    share,
    shared_f1,
)
from classifier.evaluation.report import (
    Report,
    Table,
    figure_json,
    interval,
    json_values,
    number,
    paper_count,
)
from classifier.labelling.labels import Decision, Decisions
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
    each = {
        category: _list_figures(one[:, [k]], other[:, [k]], weights)
        for k, category in enumerate(facet.ids)
    }
    return PairAgreement(reviewers, facet.id, filed, _list_figures(one, other, weights), each)


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
    each = {
        category: _alpha(applied[:, [k]], binary, weights) for k, category in enumerate(facet.ids)
    }
    pooled, as_sets = _alpha(applied, binary, weights), _alpha(lists, distance, weights)
    return GroupAgreement(facet.id, len(papers), filed, pooled, as_sets, each)


def _alpha(answers: Answers, distance: Array, weights: Array) -> Figure:
    return figure(krippendorff_alpha(answers, distance, weights))


def _files(taxonomy: Taxonomy, facet: Facet) -> bool:
    """Say whether a paper is filed under one category of the facet."""
    return facet.kind == "single" or facet is taxonomy.first


def _papers_of_several(facet: Facet, raters: Sequence[str], ratings: Ratings) -> list[str]:
    """Return the ids of the papers that at least two of `raters` decided in a facet, sorted."""
    decided = Counter(
        paper_id for rater in raters for paper_id, of in ratings[rater].items() if facet.id in of
    )
    return sorted(paper_id for paper_id, number in decided.items() if number >= 2)


def _answers(
    facet: Facet,
    papers: Sequence[str],
    raters: Sequence[str],
    ratings: Ratings,
    width: int,
    answers: Callable[[Decision, frozenset[str]], Sequence[int]],
) -> Answers:
    """Return (n, width, r): what each rater answers to the questions on each paper.

    answers: gives them for a decision and its top categories, of which there may be none where it
    may be said that nothing is stated; else that is no answer.
    """
    found = np.full((len(papers), width, len(raters)), -1, dtype=np.int64)
    for (row, paper_id), (column, rater) in product(enumerate(papers), enumerate(raters)):
        decision = ratings[rater].get(paper_id, {}).get(facet.id)
        if decision is not None:
            tops = frozenset(facet.ids) & frozenset(decision.values)
            if tops or facet.may_be_unstated:
                found[row, :, column] = answers(decision, tops)
    return found


def _filed(facet: Facet, papers: Sequence[str], raters: Sequence[str], ratings: Ratings) -> Answers:
    """Return (n, 1, r): the number of the category under which each rater files each paper.

    One more than there are categories stands for: not stated.
    """
    numbers = {name: number for number, name in enumerate(facet.ids)}

    def filed(decision: Decision, _: frozenset[str]) -> Sequence[int]:
        return [numbers.get(decision.primary, len(numbers))]

    return _answers(facet, papers, raters, ratings, 1, filed)


def _applied(
    facet: Facet, papers: Sequence[str], raters: Sequence[str], ratings: Ratings
) -> Answers:
    """Return (n, k, r): whether each rater says that each of k top categories applies."""

    def applied(decision: Decision, tops: frozenset[str]) -> Sequence[int]:
        return [-1 if name in decision.unknown else name in tops for name in facet.ids]

    return _answers(facet, papers, raters, ratings, len(facet.ids), applied)


def _lists(
    facet: Facet, papers: Sequence[str], raters: Sequence[str], ratings: Ratings
) -> tuple[Answers, Array]:
    """Return (n, 1, r) numbers of the lists that were given, and the distances between these."""
    given: dict[frozenset[str], int] = {}

    def listed(_: Decision, tops: frozenset[str]) -> Sequence[int]:
        return [given.setdefault(tops, len(given))]

    answers = _answers(facet, papers, raters, ratings, 1, listed)
    return answers, masi_distance(list(given))


_HEAD = ("papers", "same", "kappa", "95 %", "F1")
_LEGEND = (
    "same: share of papers with the same answer. kappa, alpha: 1 is full agreement, 0 is what "
    "chance gives.",
    "F1: of the categories that both give. 95 %: bootstrap over papers.",
)


def agreement_report(agreement: Agreement) -> Report:
    """Return all figures; how to get any where there are none."""
    who = ", ".join(f"{name} {n}" for name, n in agreement.papers.items())
    head = f"Decided papers: {who}." if who else "Nobody has decided a paper yet."
    if not agreement.pairs:
        lack = "a paper that two reviewers decided"
        lack = "two reviewers" if len(agreement.papers) < 2 else lack
        return Report(
            (
                head,
                f"Agreement needs {lack}. Draw papers with `fieldguide review next 30`,",
                "give a copy of the sheet to each reviewer, and take up one after the other, as in",
                "`fieldguide review apply ada.csv --reviewer ada`.",
            )
        )
    sections = [_pairs_table(agreement.pairs)]
    if agreement.groups:
        sections += map(_group_table, agreement.groups)
    else:
        sections += [_category_table(pair) for pair in agreement.pairs if pair.categories]
    return Report(
        (head,), (*([table] for table in sections), (*_LEGEND, *_notes(agreement))), "Agreement"
    )


def _pairs_table(pairs: Sequence[PairAgreement]) -> Table:
    rows = [
        (f"{_names(pair)}: {pair.facet}, {question}", *_cells(figures))
        for pair in pairs
        for question, figures in (
            ("primary" if pair.listed else "value", pair.filed),
            ("all that applies", pair.listed),
        )
        if figures
    ]
    return Table(("", *_HEAD), tuple(rows))


def _cells(figures: PairFigures) -> tuple[str, ...]:
    f1 = number(figures.f1.value) if figures.f1 else ""
    kappa = number(figures.kappa.value), _interval(figures.kappa)
    return str(figures.n), number(figures.same.value), *kappa, f1


def _interval(value: Figure) -> str:
    """Return an interval, or nothing where no resample differs: then there is nothing to read."""
    return "" if value.low == value.high else interval(value)


def _category_table(pair: PairAgreement) -> Table:
    """Return a row for each category that one of two reviewers gave."""
    rows = [
        (category, *map(str, figures.given), *_cells(figures))
        for category, figures in pair.categories.items()
        if any(figures.given)
    ]
    heading = f"{pair.facet} by category: how many papers each gave it, and agreement"
    return Table(("", *pair.reviewers, *_HEAD), tuple(rows), heading)


def _group_table(group: GroupAgreement) -> Table:
    """Return Krippendorff's alpha of all reviewers, a row a question."""
    questions = {
        "value" if group.pooled is None else "primary": group.filed,
        "all that applies, categories pooled": group.pooled,
        "all that applies, as sets (MASI)": group.lists,
        # A category that nobody gave, or everybody always, has no alpha.
        **{name: f for name, f in group.categories.items() if not math.isnan(f.value)},
    }
    rows = [(name, number(f.value), _interval(f)) for name, f in questions.items() if f]
    caption = f"{group.facet}, all reviewers ({paper_count(group.n)} of two or more): Krippendorff"
    return Table(("", "alpha", "95 %"), tuple(rows), f"{caption}'s alpha")


def _notes(agreement: Agreement) -> Iterator[str]:
    """Yield what the figures do not say themselves."""
    few = [f"{_names(pair)}: {pair.facet}" for pair in agreement.pairs if pair.n < FEW_PAPERS]
    shown = [
        figures
        for pair in agreement.pairs
        for figures in (pair.filed, pair.listed, *pair.categories.values())
        if figures and (figures in (pair.filed, pair.listed) or any(figures.given))
    ]
    if few:
        yield f"Fewer than {FEW_PAPERS} papers, too few to go by: {'; '.join(few)}."
    if any(math.isnan(figures.kappa.value) for figures in shown):
        yield "–: not defined; both gave one and the same answer to every paper."
    if any(figures.kappa.low == figures.kappa.high for figures in shown):
        yield "No interval: no paper differs, or too few to resample."
    if agreement.groups:
        yield "Kappas of each pair by category: --json FILE."


def _names(pair: PairAgreement) -> str:
    return " – ".join(pair.reviewers)


def agreement_json(agreement: Agreement) -> dict[str, object]:
    """Return all figures as JSON values; undefined ones are None, all are rounded to 4 digits."""
    return {
        "reviewers": dict(agreement.papers),
        "pairs": [
            json_values({"reviewers": pair.reviewers, "facet": pair.facet})
            | {"filed": _figures_json(pair.filed), "listed": _figures_json(pair.listed)}
            | {"categories": {name: _figures_json(f) for name, f in pair.categories.items()}}
            for pair in agreement.pairs
        ],
        "alpha": [
            {"facet": group.facet, "n": group.n, "filed": figure_json(group.filed)}
            | {"pooled": figure_json(group.pooled), "masi": figure_json(group.lists)}
            | {"categories": {name: figure_json(f) for name, f in group.categories.items()}}
            for group in agreement.groups
        ],
        "method": METHOD,
    }


def _figures_json(figures: PairFigures | None) -> dict[str, object] | None:
    if figures is None:
        return None
    return {
        "n": figures.n,
        "same": figure_json(figures.same),
        "kappa": figure_json(figures.kappa),
        "f1": figure_json(figures.f1),
        "given": list(figures.given) if any(figures.given) else None,
    }
