"""Progress of the review, and whether it may stop: `fieldguide review status`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from classifier.commands.agree import CONFLICTS
from classifier.commands.review_batch import SHEETS, in_survey
from classifier.errors import InputError
from classifier.evaluation.audit import AuditEstimate
from classifier.evaluation.report import Report, Table
from classifier.files.built_folder import SHEET
from classifier.labelling.labels import IMPORTED
from classifier.progress import Progress
from classifier.project import Project
from classifier.recall import recall_or_learn
from classifier.review.queue import decided_counts, is_waiting
from classifier.review.second_look import find_conflicts, outdated_decisions
from classifier.site.exports.sheets import unsaved_edits
from classifier.survey.inputs import Inputs, read_inputs

_BAR = 30
"""Width of the longest bar."""
_REVIEW_SHEETS = (*SHEETS.values(), CONFLICTS)
"""Names of the sheets in out/ that review commands write."""


@dataclass(frozen=True, slots=True)
class ReviewStatus:
    """The progress of the review of a project."""

    papers: int
    """Number of papers in the survey, without excluded ones."""
    reviewed: int
    """Number of these papers with a decision in the first facet."""
    provisional: int
    """Number of papers that wait for a review: undecided, with a provisional label."""
    excluded: int
    decided: Mapping[str, Mapping[str, int]]
    """Facet -> top category -> number of reviewed papers of the survey with it."""
    drawn_by: Mapping[str, int]
    """queue, audit, volunteer, imported or "" -> number of reviewed papers."""
    reviewers: Mapping[str, int]
    """Reviewer -> number of decided papers."""
    unapplied: Mapping[str, int | None]
    """Sheet -> number of filled rows that are not applied yet; None if it cannot be read."""
    conflicts: int
    """Number of papers on which reviewers disagree."""
    doubtful: int
    """Number of decisions worth a second look: the classifier is sure of another category."""
    outdated: int
    """Number of papers whose decisions are older than a change of the taxonomy."""
    estimates: tuple[AuditEstimate, ...]
    """Accuracy of the labels of unreviewed papers, one estimate per facet."""


def review_status(project: Project, progress: Progress | None = None) -> ReviewStatus:
    """Return the state of the review of `project`, with the model of the last build.

    Raises InputError with the faults of the project's files.
    """
    inputs = read_inputs(project, progress)
    taxonomy, decisions, aliases = inputs.taxonomy, inputs.decisions, inputs.corpus.aliases
    papers = in_survey(inputs)
    first = taxonomy.first.id
    ids = {paper.id for paper in papers}
    reviewed = [paper.id for paper in papers if first in decisions.get(paper.id, {})]
    in_papers = {paper.id: decisions[paper.id] for paper in papers if paper.id in decisions}
    by_reviewer = inputs.ledger.by_reviewer(taxonomy, aliases)
    learned = recall_or_learn(project, inputs, progress)
    machine = learned.machine
    outdated = outdated_decisions(taxonomy, inputs.ledger, inputs.versions, aliases, machine)
    return ReviewStatus(
        papers=len(papers),
        reviewed=len(reviewed),
        provisional=sum(
            label.paper_id in ids and is_waiting(taxonomy, label, decisions) for label in machine
        ),
        excluded=len(inputs.corpus.papers) - len(papers),
        decided={
            facet_id: dict(zip(facet.ids, map(int, decided_counts(facet, in_papers)), strict=True))
            for facet_id, facet in taxonomy.facets.items()
        },
        drawn_by=Counter(decisions[paper_id][first].drawn_by for paper_id in reviewed),
        reviewers={name: len(decided) for name, decided in by_reviewer.items()},
        unapplied=_unapplied_rows(project.out, inputs),
        conflicts=len(
            find_conflicts(taxonomy, inputs.ledger, aliases, inputs.corpus.papers, inputs.versions)
        ),
        doubtful=learned.n_doubtful_decisions,
        outdated=len({each.paper_id for each in outdated}),
        estimates=learned.estimates,
    )


def _unapplied_rows(out: Path, inputs: Inputs) -> dict[str, int | None]:
    """Return sheet in out/ -> number of edited rows, if any; None for an unreadable sheet."""
    edited: dict[str, int | None] = {}
    for name in (SHEET, *_REVIEW_SHEETS):
        try:
            edited[name] = len({fault.line for fault in unsaved_edits(out / name, inputs)})
        except InputError:
            edited[name] = None
    return {name: rows for name, rows in edited.items() if rows != 0}


def status_report(status: ReviewStatus) -> Report:
    """Return the printed report on the status."""
    imported = status.drawn_by.get(IMPORTED, 0)
    by_reviewers = status.reviewed - imported
    head = f"{by_reviewers} of {status.papers} papers reviewed"
    if imported:
        head += f", {imported} imported"
    if status.excluded:
        head += f"; {status.excluded} more excluded by the editors"
    lines = [head]
    if status.provisional:
        wait = "1 paper waits" if status.provisional == 1 else f"{status.provisional} papers wait"
        lines.append(
            f"{wait} for review (provisional); `fieldguide review next` selects them first"
        )
    if by_reviewers:
        lines.append(f"drawn by: {_counts(status.drawn_by, 'unknown')}")
        lines.append(f"reviewers: {_counts(status.reviewers, 'no name')}")
    decided = {facet: counts for facet, counts in status.decided.items() if any(counts.values())}
    bars = ([_bars(facet, counts)] for facet, counts in decided.items())
    undecided = [facet for facet in status.decided if facet not in decided]
    notes = [f"facets without a decided paper: {', '.join(undecided)}"] if undecided else []
    return Report(tuple(lines), (*bars, notes, list(_to_do(status)), list(_quality(status))))


def _counts(counts: Mapping[str, int], unnamed: str) -> str:
    order = sorted(counts, key=lambda name: (-counts[name], name))
    return ", ".join(f"{name or unnamed} {counts[name]}" for name in order)


def _bars(facet_id: str, counts: Mapping[str, int]) -> Table:
    maximum = max(counts.values(), default=0) or 1
    rows = [(name, f"{'█' * -(-_BAR * n // maximum)} {n}".strip()) for name, n in counts.items()]
    return Table((), tuple(rows), f"{facet_id}: decided or imported papers per category", "l", "  ")


def _to_do(status: ReviewStatus) -> Iterator[str]:
    for name, rows in status.unapplied.items():
        state = "cannot be read" if rows is None else f"{rows} filled, not applied yet"
        yield f"out/{name}: {state}: `fieldguide review apply out/{name}`"
    one_in_four = "`fieldguide review next` adds one of them to every three waiting papers"
    for number, task, command in (
        (status.conflicts, "papers on which reviewers disagree", "`fieldguide review agreement`"),
        (status.doubtful, "decisions or imports worth a second look", one_in_four),
        (status.outdated, "papers to review again after a change of the taxonomy", one_in_four),
    ):
        if number:
            yield f"{task}: {number}: {command}"
    if not (status.unapplied or status.conflicts or status.doubtful or status.outdated):
        yield "No open tasks: no filled sheet, no conflict, no doubtful decision."


def _quality(status: ReviewStatus) -> Iterator[str]:
    if status.reviewed == status.papers:
        yield "All papers are decided."
        return
    for estimate in status.estimates:
        yield estimate_text(estimate, status.papers - status.reviewed)
    if any(not estimate.n_missing for estimate in status.estimates):
        yield "Stop when these figures are good enough; four times the audit halves an interval."


def estimate_text(estimate: AuditEstimate, n_unreviewed: int) -> str:
    """Return an estimate as text, or a hint on how to get one."""
    if estimate.n_missing > n_unreviewed:
        return (
            f"{estimate.facet}: {estimate.audited} papers audited and {n_unreviewed} unreviewed, "
            "too few for an estimate"
        )
    if estimate.n_missing:
        return (
            f"{estimate.facet}: {estimate.audited} papers audited; an estimate needs "
            f"{estimate.n_missing} more: `fieldguide review audit {estimate.n_missing}`"
        )
    right, low, high = (f"{100 * share:.0f} %" for share in (estimate.accuracy, *estimate.interval))
    return (
        f"{estimate.facet}: about {right} of the unreviewed papers have the right category "
        f"(95 % interval {low} to {high}; {estimate.right} of {estimate.audited} random papers)"
    )
