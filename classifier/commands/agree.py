"""Agreement between reviewers, in pairs, and their conflicts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from classifier.commands.review_batch import write_sheet
from classifier.evaluation.metrics import (
    Answers,
    Array,
    Estimate,
    cohen_kappa,
    estimate,
    resample_weights,
    weighted_share,
)
from classifier.evaluation.report import Report, Table, format_interval, format_number
from classifier.files.built_folder import MANIFEST_NAME
from classifier.files.targets import check_ending
from classifier.labelling.labels import Decision, Decisions
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.ledger import ADJUDICATED
from classifier.review.second_look import Conflict, conflict_sheet, conflict_text, find_conflicts
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Facet, Taxonomy

MAX_CONFLICTS = 20
CONFLICTS = "conflicts.csv"
"""Name of the sheet of conflicts in out/."""


@dataclass(frozen=True, slots=True)
class Reviewers:
    """Agreement and conflicts of the reviewers in a ledger."""

    inputs: Inputs
    agreement: Agreement
    conflicts: tuple[Conflict, ...]
    """In order of importance; for an excluded paper only the exclusion can be a conflict."""


def compare_reviewers(project: Project, progress: Progress | None = None) -> Reviewers:
    """Return the agreement and the conflicts of the reviewers of `project`.

    Only the newest decision of each reviewer counts, also on papers that were removed from the
    project. Adjudicated decisions and those without a reviewer do not count. Raises InputError with
    the faults of the project's files.
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


def conflicts_target(project: Project, output: Path | None) -> Path | None:
    """Return the path of the sheet of conflicts: `output`, else in out/ if it was built."""
    if output is not None:
        return output
    return project.out / CONFLICTS if (project.out / MANIFEST_NAME).is_file() else None


def write_conflicts(path: Path, reviewers: Reviewers, project: Project) -> None:
    """Write the conflicts as a sheet to fill.

    Without conflicts, no new sheet is written, and an existing sheet loses its rows. Raises
    UsageError if the ending is not .csv, or the path is a file of a build or in a folder of the
    user's files; OutputError if the file was not written by Fieldguide or cannot be written;
    PendingEditsError if edits would be lost.
    """
    check_ending(path, (".csv",))
    if not reviewers.conflicts and not path.exists():
        return
    inputs = reviewers.inputs
    data = conflict_sheet(inputs.taxonomy, reviewers.conflicts, inputs.decisions)
    write_sheet(path, data, project, inputs)


def reviewers_report(reviewers: Reviewers) -> Report:
    """Return the printed report: agreement, then conflicts."""
    report, conflicts = agreement_report(reviewers.agreement), reviewers.conflicts
    lines = ["No conflict to settle."] if reviewers.agreement.pairs else []
    if conflicts:
        lines = [f"Conflicts to settle: {len(conflicts)}, the most important first"]
    for conflict in conflicts[:MAX_CONFLICTS]:
        lines.append(f"  {conflict.paper.id}  {conflict.paper.title_display}")
        for facet_id, answers in conflict.answers.items():
            dispute = conflict_text(reviewers.inputs.taxonomy, facet_id, answers)
            lines.append(f"    {facet_id}: {dispute}")
    if len(conflicts) > MAX_CONFLICTS:
        lines.append(f"  … and {len(conflicts) - MAX_CONFLICTS} more")
    return replace(report, sections=(*report.sections, lines))


MIN_PAPERS = 10
"""Minimum number of papers for a reliable figure of agreement."""
Ratings = Mapping[str, Decisions]
"""Reviewer -> paper id -> facet id -> newest decision."""


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """Agreement of two reviewers on one question."""

    n: int
    """Number of papers with answers of both."""
    kappa: Estimate
    """Cohen's kappa; nan if all answers are the same."""
    same: Estimate
    """Share of papers with the same answer, or for lists, with equal lists."""
    n_given: tuple[int, ...] = ()
    """For a category, the number of papers to which each reviewer assigned it."""


@dataclass(frozen=True, slots=True)
class FacetAgreement:
    """Agreement of two reviewers in one facet."""

    reviewers: tuple[str, str]
    facet: str
    n: int
    """Number of papers that both decided in this facet."""
    questions: Mapping[str, QuestionAgreement]
    """`primary` for the first facet, `value` for single ones, `all that applies` for multi ones."""
    categories: Mapping[str, QuestionAgreement]
    """Top category -> agreement on whether it applies; {} except for multi facets."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """All figures of agreement."""

    papers: Mapping[str, int]
    """Reviewer -> number of decided papers."""
    pairs: tuple[FacetAgreement, ...]
    """One per pair of reviewers and facet with a paper that both decided."""


def measure_agreement(taxonomy: Taxonomy, ratings: Ratings) -> Agreement:
    """Return the agreement of the reviewers, with 95 % bootstrap intervals over papers.

    ratings: without adjudicated decisions. Only top categories count, since an answer without a
    subcategory does not reject one.
    """
    n_papers = {reviewer: len(decided) for reviewer, decided in sorted(ratings.items())}
    pairs = (
        _agreement(taxonomy, facet, pair, ratings)
        for pair in combinations(n_papers, 2)
        for facet in taxonomy.facets.values()
    )
    return Agreement(n_papers, tuple(pair for pair in pairs if pair.n))


def _agreement(
    taxonomy: Taxonomy, facet: Facet, reviewers: tuple[str, str], ratings: Ratings
) -> FacetAgreement:
    one, other = (ratings[reviewer] for reviewer in reviewers)
    papers = sorted(key for key in one if facet.id in one[key] and facet.id in other.get(key, {}))
    weights = resample_weights(len(papers))
    decisions = [(one[key][facet.id], other[key][facet.id]) for key in papers]
    questions, categories = {}, {}
    if facet.kind == "single" or facet is taxonomy.first:
        primaries = _answers(facet, decisions, only_primary=True)
        name = "value" if facet.kind == "single" else "primary"
        questions[name] = _question(primaries, weights)
    if facet.kind == "multi":
        applied = _answers(facet, decisions, only_primary=False)
        questions["all that applies"] = _question(applied, weights)
        categories = {
            category: _question(applied[:, [k]], weights) for k, category in enumerate(facet.ids)
        }
    return FacetAgreement(reviewers, facet.id, len(papers), questions, categories)


def _answers(
    facet: Facet, decisions: Sequence[Sequence[Decision]], *, only_primary: bool
) -> Answers:
    """Return an (n, m, 2) array: the answers of two reviewers to m questions on n papers.

    only_primary: ask one question, with the number of the primary category as answer; otherwise one
    per top category, whether it applies. A decision without a top category is an answer only if the
    facet allows "not stated". -1 means no answer.
    """
    n_questions = 1 if only_primary else len(facet.ids)
    answers = np.full((len(decisions), n_questions, 2), -1, dtype=np.int64)
    numbers = {name: number for number, name in enumerate(facet.ids)}
    for row, pair in enumerate(decisions):
        for column, decision in enumerate(pair):
            tops = set(facet.ids).intersection(decision.values)
            if not (tops or facet.may_be_unstated):
                continue
            answers[row, :, column] = (
                [numbers.get(decision.primary, len(numbers))]
                if only_primary
                else [-1 if name in decision.unknown else name in tops for name in facet.ids]
            )
    return answers


def _question(answers: Answers, weights: Array) -> QuestionAgreement:
    one, other = np.moveaxis(answers, 2, 0)
    answered = ((one >= 0) & (other >= 0)).any(axis=1)
    same = ((one == other) | (one < 0) | (other < 0)).all(axis=1)
    return QuestionAgreement(
        int(answered.sum()),
        estimate(cohen_kappa(one, other, weights)),
        estimate(weighted_share(same[answered], weights[:, answered])),
        (int((one == 1).sum()), int((other == 1).sum())),
    )


_HEAD = ("papers", "same", "kappa", "95 %")
_LEGEND = (
    "same: share of papers with the same answer. kappa: 1 is full agreement, 0 is agreement by",
    "chance. 95 %: bootstrap over papers.",
)


def agreement_report(agreement: Agreement) -> Report:
    """Return the report with all figures, or with a hint on how to get them."""
    names = ", ".join(f"{name} {n}" for name, n in agreement.papers.items())
    head = f"Decided papers: {names}." if names else "No reviewer has decided anything yet."
    if not agreement.pairs:
        missing = "a paper that two reviewers decided"
        if len(agreement.papers) < 2:
            missing = "two reviewers"
        return Report(
            (
                head,
                f"Agreement needs {missing}. Select papers with `fieldguide review next 30`,",
                "give a copy of the sheet to each reviewer, and apply each copy, as in",
                "`fieldguide review apply ada.csv --reviewer ada`.",
            )
        )
    rows = [
        (f"{_names(pair)}: {pair.facet}, {question}", *_cells(figures))
        for pair in agreement.pairs
        for question, figures in pair.questions.items()
    ]
    tables = [Table(("", *_HEAD), tuple(rows))]
    tables += [_category_table(pair) for pair in agreement.pairs if pair.categories]
    notes = (*_LEGEND, *_notes(agreement))
    return Report((head,), (*([table] for table in tables), notes), "Agreement")


def _cells(figures: QuestionAgreement) -> tuple[str, ...]:
    kappa = figures.kappa
    # The interval is empty if all resamples are equal.
    range_ = "" if kappa.low == kappa.high else format_interval(kappa)
    return str(figures.n), format_number(figures.same.value), format_number(kappa.value), range_


def _category_table(pair: FacetAgreement) -> Table:
    rows = [
        (category, *map(str, figures.n_given), *_cells(figures))
        for category, figures in pair.categories.items()
        if any(figures.n_given)
    ]
    heading = f"{pair.facet} by category: papers per reviewer, and agreement"
    return Table(("", *pair.reviewers, *_HEAD), tuple(rows), heading)


def _notes(agreement: Agreement) -> Iterator[str]:
    small = [f"{_names(pair)}: {pair.facet}" for pair in agreement.pairs if pair.n < MIN_PAPERS]
    kappas: list[Estimate] = []
    for pair in agreement.pairs:
        kappas += [figures.kappa for figures in pair.questions.values()]
        kappas += [figures.kappa for figures in pair.categories.values() if any(figures.n_given)]
    if small:
        yield f"Fewer than {MIN_PAPERS} papers, too few for reliable figures: {'; '.join(small)}."
    if any(math.isnan(kappa.value) for kappa in kappas):
        yield "–: not defined, because both gave the same answer to every paper."
    if any(kappa.low == kappa.high for kappa in kappas):
        yield "No interval: no answers differ, or there are too few papers."


def _names(pair: FacetAgreement) -> str:
    return " – ".join(pair.reviewers)
