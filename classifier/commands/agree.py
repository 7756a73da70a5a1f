"""Several reviewers: how far they agree, in pairs, and what is left to settle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from classifier.commands.draw import write_sheet
from classifier.evaluation.metrics import (
    Answers,
    Array,
    Figure,
    cohen_kappa,
    figure,
    resample_weights,
    share,
)
from classifier.evaluation.report import Report, Table, interval, number
from classifier.files.built_folder import MANIFEST_NAME
from classifier.files.targets import check_ending
from classifier.labelling.labels import Decision, Decisions
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.ledger import ADJUDICATED
from classifier.review.second_look import Conflict, conflict_sheet, dispute_text, find_conflicts
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Facet, Taxonomy

MOST_SHOWN = 20
CONFLICTS = "conflicts.csv"
"""What is left to settle, in out/."""


@dataclass(frozen=True, slots=True)
class Reviewers:
    """What the ledger says of its reviewers."""

    inputs: Inputs
    agreement: Agreement
    conflicts: tuple[Conflict, ...]
    """By rank; of an excluded paper only the exclusion can be in dispute."""


def compare_reviewers(project: Project, progress: Progress | None = None) -> Reviewers:
    """Return how far the reviewers of `project` agree, and where they do not.

    Counted are each reviewer's newest decisions, on papers that have left the project, too.
    Adjudicated decisions and those of nobody are no ratings. Raises InputError with the faults of
    the project's files.
    """
    inputs = read_inputs(project, progress)
    taxonomy, aliases = inputs.taxonomy, inputs.corpus.aliases
    by_reviewer = inputs.ledger.by_reviewer(taxonomy, aliases, inputs.versions)
    ratings = {
        name: decided
        for name, decided in by_reviewer.items()
        if decided and name not in ("", ADJUDICATED)
    }
    papers = inputs.corpus.papers
    conflicts = find_conflicts(taxonomy, inputs.ledger, aliases, papers, inputs.versions)
    return Reviewers(inputs, measure_agreement(taxonomy, ratings), tuple(conflicts))


def sheet_target(project: Project, told: Path | None) -> Path | None:
    """Return where the sheet of conflicts goes: as told, else into out/, if that was built."""
    if told is not None:
        return told
    return project.out / CONFLICTS if (project.out / MANIFEST_NAME).is_file() else None


def write_conflicts(path: Path, reviewers: Reviewers, project: Project) -> None:
    """Write the conflicts as a sheet to adjudicate.

    Without a conflict nothing is written where nothing is, and an earlier sheet loses its rows.
    Raises UsageError for another ending than .csv, a build's file and a place among what people
    write, OutputError where the file is not ours or cannot be written, PendingEditsError where a
    person's cells would be lost.
    """
    check_ending(path, (".csv",))
    if not reviewers.conflicts and not path.exists():
        return
    inputs = reviewers.inputs
    data = conflict_sheet(inputs.taxonomy, reviewers.conflicts, inputs.decisions)
    write_sheet(path, data, project, inputs)


def reviewers_report(reviewers: Reviewers) -> Report:
    """Return figures and conflicts for people."""
    report, conflicts = agreement_report(reviewers.agreement), reviewers.conflicts
    below = ["No conflict to settle."] if reviewers.agreement.pairs else []
    if conflicts:
        below = [f"To settle: {len(conflicts)}, what hangs most on it first"]
    for conflict in conflicts[:MOST_SHOWN]:
        below.append(f"  {conflict.paper.id}  {conflict.paper.title_display}")
        for facet_id, answers in conflict.answers.items():
            told = dispute_text(reviewers.inputs.taxonomy, facet_id, answers)
            below.append(f"    {facet_id}: {told}")
    if len(conflicts) > MOST_SHOWN:
        below.append(f"  … and {len(conflicts) - MOST_SHOWN} more")
    return replace(report, sections=(*report.sections, below))


FEW_PAPERS = 10
"""Papers under which a figure of agreement says too little to go by."""
Ratings = Mapping[str, Decisions]
"""Rater -> paper id -> facet id -> their newest decision."""


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """How far two reviewers gave the same answer to one question."""

    n: int
    """Papers on which both answered."""
    kappa: Figure
    """Cohen's kappa; nan where all answers are the same."""
    same: Figure
    """The share of the papers with the same answer; of a list, with equal lists."""
    given: tuple[int, ...] = ()
    """Of a category: the papers for which each reviewer gave it."""


@dataclass(frozen=True, slots=True)
class FacetAgreement:
    """How far two reviewers agree in one facet."""

    reviewers: tuple[str, str]
    facet: str
    n: int
    """Papers that both decided in this facet."""
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


def measure_agreement(taxonomy: Taxonomy, ratings: Ratings) -> Agreement:
    """Return how far the raters agree, with 95 % bootstrap intervals over papers.

    ratings: of the raters alone, so without adjudicated decisions. Only top categories count: who
    names no child has not denied one.
    """
    papers = {rater: len(decided) for rater, decided in sorted(ratings.items())}
    return Agreement(
        papers,
        tuple(
            found
            for raters in combinations(papers, 2)
            for facet in taxonomy.facets.values()
            if (found := _agreement(taxonomy, facet, raters, ratings)).n
        ),
    )


def _agreement(
    taxonomy: Taxonomy, facet: Facet, raters: tuple[str, str], ratings: Ratings
) -> FacetAgreement:
    one, other = (ratings[rater] for rater in raters)
    papers = sorted(key for key in one if facet.id in one[key] and facet.id in other.get(key, {}))
    weights = resample_weights(len(papers))
    decisions = [[of[key][facet.id] for of in (one, other)] for key in papers]
    questions, categories = {}, {}
    if facet.kind == "single" or facet is taxonomy.first:
        filed = _answers(facet, decisions, filed=True)
        name = "value" if facet.kind == "single" else "primary"
        questions[name] = _question(filed, weights)
    if facet.kind == "multi":
        applied = _answers(facet, decisions, filed=False)
        questions["all that applies"] = _question(applied, weights)
        categories = {
            category: _question(applied[:, [k]], weights) for k, category in enumerate(facet.ids)
        }
    return FacetAgreement(raters, facet.id, len(papers), questions, categories)


def _answers(facet: Facet, decisions: Sequence[Sequence[Decision]], *, filed: bool) -> Answers:
    """Return (n, m, 2): what each rater answers to m questions on each paper.

    filed: one question, the number of the category under which a paper is filed; else one for each
    of k top categories, whether it applies. Where it may be said that nothing is stated, that is an
    answer; else there is none without a top category.
    """
    width = 1 if filed else len(facet.ids)
    answers = np.full((len(decisions), width, 2), -1, dtype=np.int64)
    numbers = {name: number for number, name in enumerate(facet.ids)}
    for row, of_paper in enumerate(decisions):
        for column, decision in enumerate(of_paper):
            tops = set(facet.ids).intersection(decision.values)
            if not (tops or facet.may_be_unstated):
                continue
            answers[row, :, column] = (
                [numbers.get(decision.primary, len(numbers))]
                if filed
                else [-1 if name in decision.unknown else name in tops for name in facet.ids]
            )
    return answers


def _question(answers: Answers, weights: Array) -> QuestionAgreement:
    """Return the agreement in (n, m, 2) answers, which are pooled."""
    one, other = np.moveaxis(answers, 2, 0)
    answered = ((one >= 0) & (other >= 0)).any(axis=1)
    same = ((one == other) | (one < 0) | (other < 0)).all(axis=1)
    return QuestionAgreement(
        int(answered.sum()),
        figure(cohen_kappa(one, other, weights)),
        figure(share(same[answered], weights[:, answered])),
        (int((one == 1).sum()), int((other == 1).sum())),
    )


_HEAD = ("papers", "same", "kappa", "95 %")
_LEGEND = (
    "same: share of papers with the same answer. kappa: 1 is full agreement, 0 is what chance",
    "gives. 95 %: bootstrap over papers.",
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
    tables += [_category_table(pair) for pair in agreement.pairs if pair.categories]
    notes = (*_LEGEND, *_notes(agreement))
    return Report((head,), (*([table] for table in tables), notes), "Agreement")


def _cells(figures: QuestionAgreement) -> tuple[str, ...]:
    kappa = figures.kappa
    # Where no resample differs there is no interval to read.
    range_ = "" if kappa.low == kappa.high else interval(kappa)
    return str(figures.n), number(figures.same.value), number(kappa.value), range_


def _category_table(pair: FacetAgreement) -> Table:
    """Return a row for each category that one of two reviewers gave."""
    rows = [
        (category, *map(str, figures.given), *_cells(figures))
        for category, figures in pair.categories.items()
        if any(figures.given)
    ]
    heading = f"{pair.facet} by category: how many papers each gave it, and agreement"
    return Table(("", *pair.reviewers, *_HEAD), tuple(rows), heading)


def _notes(agreement: Agreement) -> Iterator[str]:
    """Yield what the figures do not say themselves."""
    few = [f"{_names(pair)}: {pair.facet}" for pair in agreement.pairs if pair.n < FEW_PAPERS]
    shown = [
        figures.kappa
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


def _names(pair: FacetAgreement) -> str:
    return " – ".join(pair.reviewers)
