"""Several reviewers: how far they agree, and what is left to settle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from classifier.commands.draw import write_sheet
from classifier.evaluation.agreement import (
    Agreement,
    agreement_report,
    measure_agreement,
)
from classifier.evaluation.report import Report
from classifier.files.atomic import check_ending
from classifier.files.built_folder import MANIFEST_NAME
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.acts import editorial_acts
from classifier.review.ledger import ADJUDICATED
from classifier.review.second_look import Conflict, conflict_sheet, dispute_text, find_conflicts
from classifier.survey.inputs import Inputs, read_inputs

MOST_SHOWN = 20
SHEET = "conflicts.csv"


@dataclass(frozen=True, slots=True)
class Reviewers:
    """What the ledger says of its reviewers."""

    inputs: Inputs
    agreement: Agreement
    conflicts: tuple[Conflict, ...]
    """On papers of the survey, the worst first; one that is left out has nothing to settle."""


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
    excluded = editorial_acts(inputs.ledger, aliases).excluded
    papers = [paper for paper in inputs.corpus.papers if paper.id not in excluded]
    conflicts = find_conflicts(taxonomy, inputs.ledger, aliases, papers, inputs.versions)
    return Reviewers(inputs, measure_agreement(taxonomy, ratings), tuple(conflicts))


def sheet_target(project: Project, told: Path | None) -> Path | None:
    """Return where the sheet of conflicts goes: as told, else into out/, if that was built."""
    if told is not None:
        return told
    return project.out / SHEET if (project.out / MANIFEST_NAME).is_file() else None


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
    taxonomy = reviewers.inputs.taxonomy
    data = conflict_sheet(taxonomy, reviewers.conflicts, reviewers.inputs.decisions)
    write_sheet(path, data, project, taxonomy)


def reviewers_report(reviewers: Reviewers) -> Report:
    """Return figures and conflicts for people."""
    report, conflicts = agreement_report(reviewers.agreement), reviewers.conflicts
    below = [line for one in conflicts[:MOST_SHOWN] for line in _conflict_lines(reviewers, one)]
    if conflicts:
        below.insert(0, f"To settle: {len(conflicts)}, what hangs most on it first")
    elif reviewers.agreement.pairs:
        below = ["No conflict to settle."]
    if len(conflicts) > MOST_SHOWN:
        below.append(f"  … and {len(conflicts) - MOST_SHOWN} more")
    return replace(report, sections=(*report.sections, below))


def _conflict_lines(reviewers: Reviewers, conflict: Conflict) -> Iterator[str]:
    yield f"  {conflict.paper.id}  {conflict.paper.title_display}"
    for facet_id, answers in conflict.answers.items():
        yield f"    {facet_id}: {dispute_text(reviewers.inputs.taxonomy, facet_id, answers)}"
