"""How far reviewers agree, by facet and category: in pairs, and all of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from classifier.evaluation.metrics import (
    METHOD,
    Answers,
    Array,
    Figure,
    cohen_kappa,
    figure,
    krippendorff_alpha,
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
class QuestionAgreement:
    """How far reviewers gave the same answer to one question."""

    n: int
    """Papers on which at least two answered."""
    coefficient: Figure
    """Cohen's kappa of two, Krippendorff's alpha of more; nan where all answers are the same."""
    same: Figure | None = None
    """Of two: the share of the papers with the same answer; of a list, with equal lists."""
    f1: Figure | None = None
    """Of two: F1 between the categories that both gave; None where exactly one is given."""
    given: tuple[int, ...] = ()
    """Of a category: the papers for which each reviewer gave it."""


@dataclass(frozen=True, slots=True)
class FacetAgreement:
    """How far two reviewers, or all, agree in one facet."""

    reviewers: tuple[str, ...]
    facet: str
    n: int
    """Papers that at least two of them decided in this facet."""
    questions: Mapping[str, QuestionAgreement]
    """`primary` of the first facet, `value` of a single one, `all that applies` of a multi one."""
    categories: Mapping[str, QuestionAgreement]
    """Top category -> whether it applies; of multi facets."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """All figures on how far reviewers agree."""

    papers: Mapping[str, int]
    """Reviewer -> how many papers they decided."""
    pairs: tuple[FacetAgreement, ...]
    """By pair of reviewers and facet, where both decided a paper."""
    groups: tuple[FacetAgreement, ...]
    """By facet, where at least two decided a paper; () of fewer than three reviewers."""


def measure_agreement(taxonomy: Taxonomy, ratings: Ratings) -> Agreement:
    """Return how far the raters agree, with 95 % bootstrap intervals over papers.

    ratings: of the raters alone, so without adjudicated decisions. Only top categories count: who
    names no child has not denied one.
    """
    papers = {rater: len(decided) for rater, decided in sorted(ratings.items())}
    everybody = [tuple(papers)] if len(papers) > 2 else []
    pairs, groups = (
        tuple(
            found
            for raters in chosen
            for facet in taxonomy.facets.values()
            if (found := _agreement(taxonomy, facet, raters, ratings)).n
        )
        for chosen in (list(combinations(papers, 2)), everybody)
    )
    return Agreement(papers, pairs, groups)


def _agreement(
    taxonomy: Taxonomy, facet: Facet, raters: tuple[str, ...], ratings: Ratings
) -> FacetAgreement:
    decided = Counter(
        paper_id for rater in raters for paper_id, of in ratings[rater].items() if facet.id in of
    )
    papers = sorted(paper_id for paper_id, raters_of in decided.items() if raters_of >= 2)
    weights = resample_weights(len(papers))
    decisions = [
        [ratings[rater].get(paper_id, {}).get(facet.id) for rater in raters] for paper_id in papers
    ]
    questions, categories = {}, {}
    if facet.kind == "single" or facet is taxonomy.first:
        filed = _answers(facet, decisions, len(raters), filed=True)
        name = "value" if facet.kind == "single" else "primary"
        questions[name] = _question(filed, len(facet.ids) + 1, weights)
    if facet.kind == "multi":
        applied = _answers(facet, decisions, len(raters), filed=False)
        questions["all that applies"] = _question(applied, 2, weights, is_list=True)
        categories = {
            category: _question(applied[:, [k]], 2, weights, is_list=True)
            for k, category in enumerate(facet.ids)
        }
    return FacetAgreement(raters, facet.id, len(papers), questions, categories)


def _answers(
    facet: Facet, decisions: Sequence[Sequence[Decision | None]], raters: int, *, filed: bool
) -> Answers:
    """Return (n, m, r): what each rater answers to m questions on each paper.

    filed: one question, the number of the category under which a paper is filed; else one for each
    of k top categories, whether it applies. Where it may be said that nothing is stated, that is an
    answer; else there is none without a top category.
    """
    width = 1 if filed else len(facet.ids)
    answers = np.full((len(decisions), width, raters), -1, dtype=np.int64)
    numbers = {name: number for number, name in enumerate(facet.ids)}
    for row, of_paper in enumerate(decisions):
        for column, decision in enumerate(of_paper):
            tops = set(facet.ids).intersection(decision.values) if decision else set()
            if decision is None or not (tops or facet.may_be_unstated):
                continue
            answers[row, :, column] = (
                [numbers.get(decision.primary, len(numbers))]
                if filed
                else [-1 if name in decision.unknown else name in tops for name in facet.ids]
            )
    return answers


def _question(
    answers: Answers, size: int, weights: Array, *, is_list: bool = False
) -> QuestionAgreement:
    """Return the agreement in (n, m, r) answers, 0 to size - 1, that are pooled."""
    answered = ((answers >= 0).sum(axis=2) >= 2).any(axis=1)
    n = int(answered.sum())
    if answers.shape[2] > 2:
        return QuestionAgreement(n, figure(krippendorff_alpha(answers, size, weights)))
    one, other = np.moveaxis(answers, 2, 0)
    same = ((one == other) | (one < 0) | (other < 0)).all(axis=1)
    return QuestionAgreement(
        n,
        figure(cohen_kappa(one, other, weights)),
        figure(share(same[answered], weights[:, answered])),
        figure(shared_f1(one, other, weights)) if is_list else None,
        (int((one == 1).sum()), int((other == 1).sum())) if is_list else (),
    )


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
    of_pairs = [
        (f"{_names(pair)}: {pair.facet}, {question}", *_cells(figures))
        for pair in agreement.pairs
        for question, figures in pair.questions.items()
    ]
    tables = [Table(("", *_HEAD), tuple(of_pairs))]
    if agreement.groups:
        tables += map(_group_table, agreement.groups)
    else:
        tables += [_category_table(pair) for pair in agreement.pairs if pair.categories]
    notes = (*_LEGEND, *_notes(agreement))
    return Report((head,), (*([table] for table in tables), notes), "Agreement")


def _cells(figures: QuestionAgreement) -> tuple[str, ...]:
    same, f1 = (number(f.value) if f else "" for f in (figures.same, figures.f1))
    kappa = figures.coefficient
    return str(figures.n), same, number(kappa.value), _interval(kappa), f1


def _interval(value: Figure) -> str:
    """Return an interval, or nothing where no resample differs: then there is nothing to read."""
    return "" if value.low == value.high else interval(value)


def _category_table(pair: FacetAgreement) -> Table:
    """Return a row for each category that one of two reviewers gave."""
    rows = [
        (category, *map(str, figures.given), *_cells(figures))
        for category, figures in pair.categories.items()
        if any(figures.given)
    ]
    heading = f"{pair.facet} by category: how many papers each gave it, and agreement"
    return Table(("", *pair.reviewers, *_HEAD), tuple(rows), heading)


def _group_table(group: FacetAgreement) -> Table:
    """Return Krippendorff's alpha of all reviewers, a row a question."""
    rows = [
        (name, number(each.coefficient.value), _interval(each.coefficient))
        for name, each in (*group.questions.items(), *group.categories.items())
        # A category that nobody gave, or everybody always, has no alpha.
        if name in group.questions or not math.isnan(each.coefficient.value)
    ]
    caption = f"{group.facet}, all reviewers ({paper_count(group.n)} of two or more): Krippendorff"
    return Table(("", "alpha", "95 %"), tuple(rows), f"{caption}'s alpha")


def _notes(agreement: Agreement) -> Iterator[str]:
    """Yield what the figures do not say themselves."""
    few = [f"{_names(pair)}: {pair.facet}" for pair in agreement.pairs if pair.n < FEW_PAPERS]
    shown = [
        figures.coefficient
        for pair in agreement.pairs
        for figures in (
            *pair.questions.values(),
            *(each for each in pair.categories.values() if any(each.given)),
        )
    ]
    if few:
        yield f"Fewer than {FEW_PAPERS} papers, too few to go by: {'; '.join(few)}."
    if any(math.isnan(kappa.value) for kappa in shown):
        yield "–: not defined; both gave one and the same answer to every paper."
    if any(kappa.low == kappa.high for kappa in shown):
        yield "No interval: no paper differs, or too few to resample."
    if agreement.groups:
        yield "Kappas of each pair by category: --json FILE."


def _names(pair: FacetAgreement) -> str:
    return " – ".join(pair.reviewers)


def agreement_json(agreement: Agreement) -> dict[str, object]:
    """Return all figures as JSON values; undefined ones are None, all are rounded to 4 digits."""
    return {
        "reviewers": dict(agreement.papers),
        "pairs": [_facet_json(pair, "kappa") for pair in agreement.pairs],
        "alpha": [_facet_json(group, "alpha") for group in agreement.groups],
        "method": METHOD,
    }


def _facet_json(found: FacetAgreement, coefficient: str) -> dict[str, object]:
    def figures(of: Mapping[str, QuestionAgreement]) -> dict[str, object]:
        return {
            name: {"n": each.n, coefficient: figure_json(each.coefficient)}
            | {"same": figure_json(each.same), "f1": figure_json(each.f1)}
            | {"given": list(each.given)}
            for name, each in of.items()
        }

    head = json_values({"reviewers": found.reviewers, "facet": found.facet, "n": found.n})
    return {
        **head,
        "questions": figures(found.questions),
        "categories": figures(found.categories),
    }
