"""Write sheets for reviewers: `fieldguide review next`, `review audit` and `review sheet`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from classifier.errors import OutputError, PendingEditsError, UsageError
from classifier.files.built_folder import MANIFEST_NAME, SHEET, recorded_files
from classifier.files.kept_files import keep_copy
from classifier.files.lock import sole_writer
from classifier.files.targets import SHEET_ENDINGS, check_ending, check_target
from classifier.files.writing import write_file
from classifier.labelling.labels import NO_LABELS, PaperLabels
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.project import Project
from classifier.recall import recall_or_learn
from classifier.review.acts import editorial_acts
from classifier.review.columns import DRAWN_BY, JOINER
from classifier.review.edits import filled_rows
from classifier.review.queue import audit_key
from classifier.review.sheet import QueuedPaper, blank_cells, sheet_rows
from classifier.review.sheet_file import Kind, is_sheet, read_sheet, sheet_file_bytes
from classifier.site.exports.sheets import labels_sheet, unsaved_edits
from classifier.survey.inputs import Inputs, labels_to_publish, read_inputs
from classifier.survey.typed_columns import paper_values
from classifier.taxonomy.model import Category, Facet, Taxonomy
from classifier.taxonomy.names import find_top_category

SelectedBy = Literal["queue", "audit"]
SHEETS: Mapping[SelectedBy, str] = {"queue": "next.csv", "audit": "audit.csv"}
"""Way in which papers were selected -> name of their sheet in out/."""
_TITLE_WIDTH = 60
_MAX_LISTED = 40


@dataclass(frozen=True, slots=True)
class ReviewBatch:
    """Papers selected for review, in reading order."""

    inputs: Inputs
    drawn_by: SelectedBy
    papers: tuple[Paper, ...]
    reasons: tuple[str, ...]
    """Reason for each paper, in words; "" for a random one."""
    labels: tuple[PaperLabels, ...]
    """Labels of each paper; () for a blind sheet."""
    n_unreviewed: int
    """Number of unreviewed papers in the survey, selected or not."""
    n_reviewed: int = 0
    """Number of selected papers that were reviewed before."""

    @property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy of the project."""
        return self.inputs.taxonomy


def select_next(
    project: Project,
    limit: int,
    *,
    category: str | None = None,
    progress: Progress | None = None,
) -> ReviewBatch:
    """Return the first `limit` papers of the review queue (see `review_queue`).

    category: return the papers that most likely belong to it instead. Excluded papers are never
    selected. Raises InputError with the faults of the project's files, and UsageError if
    `category` is not in the taxonomy.
    """
    inputs = read_inputs(project, progress)
    if category is not None:
        find_top_category(inputs.taxonomy, category)
    learned = recall_or_learn(project, inputs, progress)
    return select_from_queue(inputs, learned.machine, learned.queue[:limit], limit, category)


def select_from_queue(
    inputs: Inputs,
    machine: Sequence[PaperLabels],
    queue: Sequence[QueuedPaper],
    limit: int | None,
    category: str | None = None,
) -> ReviewBatch:
    """Return the papers of `select_next` from labels and a review queue.

    machine: labels of the classifier. limit: maximum number of papers of a category; None for all.
    """
    if category is not None:
        chosen = find_top_category(inputs.taxonomy, category)
        queue = _likeliest(machine, inputs, *chosen, limit)
    papers = {paper.id: paper for paper in inputs.corpus.papers}
    current = {label.paper_id: label for label in labels_to_publish(inputs, machine)}
    unreviewed = {paper.id for paper in unreviewed_papers(inputs)}
    return ReviewBatch(
        inputs,
        "queue",
        tuple(papers[each.paper_id] for each in queue),
        tuple(each.reason for each in queue),
        tuple(current[each.paper_id] for each in queue),
        len(unreviewed),
        sum(each.paper_id not in unreviewed for each in queue),
    )


def select_audit(
    project: Project, limit: int, *, show_labels: bool = False, progress: Progress | None = None
) -> ReviewBatch:
    """Return `limit` unreviewed papers at random.

    The first unreviewed papers in a fixed random order, by a hash of their ids, are selected. So
    the same state gives the same papers, undecided papers of the last audit come first, and a
    reviewer cannot leave out difficult ones. show_labels: include the classifier's labels, which
    bias the reviewer.
    """
    inputs = read_inputs(project, progress)
    unreviewed = unreviewed_papers(inputs)
    papers = sorted(unreviewed, key=lambda paper: audit_key(paper.id))[:limit]
    labels: Sequence[PaperLabels] = ()
    if show_labels:
        machine = {each.paper_id: each for each in recall_or_learn(project, inputs).machine}
        labels = [machine[paper.id] for paper in papers]
    reasons = ("",) * len(papers)
    return ReviewBatch(inputs, "audit", tuple(papers), reasons, tuple(labels), len(unreviewed))


def in_survey(inputs: Inputs) -> list[Paper]:
    """Return the papers of the project without those that the editors excluded."""
    excluded = editorial_acts(inputs.ledger, inputs.corpus.aliases).excluded
    return [paper for paper in inputs.corpus.papers if paper.id not in excluded]


def unreviewed_papers(inputs: Inputs) -> list[Paper]:
    """Return the papers of the survey without a decision in the first facet."""
    first = inputs.taxonomy.first.id
    return [p for p in in_survey(inputs) if first not in inputs.decisions.get(p.id, {})]


def _likeliest(
    machine: Sequence[PaperLabels],
    inputs: Inputs,
    facet: Facet,
    category: Category,
    limit: int | None,
) -> list[QueuedPaper]:
    """Return the papers that most likely belong to a category.

    They include papers with a decision that is older than the category.
    """
    labels = {each.paper_id: each.facets.get(facet.id, NO_LABELS) for each in machine}
    candidates: list[tuple[float, str]] = []
    for paper in in_survey(inputs):
        decision = inputs.decisions.get(paper.id, {}).get(facet.id)
        if decision is None or category.id in decision.unknown:
            probability = labels[paper.id].probabilities.get(category.id, 0.0)
            candidates.append((-probability, paper.id))
    return [
        QueuedPaper(paper_id, f"{category.name} applies: {-100 * negated:.0f} %")
        for negated, paper_id in sorted(candidates)[:limit]
    ]


def sheet_target(project: Project, output: Path | None, drawn_by: SelectedBy) -> Path:
    """Return the path of a sheet for review: `output`, or else in out/.

    Raises UsageError if out/ was not built, because a build would refuse to replace the folder.
    """
    if output is not None:
        return output
    if not (project.out / MANIFEST_NAME).is_file():
        raise UsageError(
            "out/ was not built yet: run `fieldguide build`, or choose a file with -o."
        )
    return project.out / SHEETS[drawn_by]


def check_sheet(path: Path, project: Project, inputs: Inputs | None = None) -> None:
    """Raise an error if a sheet cannot be written to `path`, or would replace edits.

    Raises UsageError for a wrong ending, a file of a build, or a path in a folder of the user's
    files; OutputError for an existing workbook or a file that is not ours; and, with `inputs`,
    PendingEditsError if the sheet has answers that are not in the ledger.
    """
    check_ending(path, SHEET_ENDINGS)
    if path.suffix == ".xlsx" and os.path.lexists(path):
        raise OutputError(
            f"{path}: exists, and a workbook is never overwritten. Choose another file with -o."
        )
    place = path.resolve()
    for folder in (project.out.resolve(), place.parent):
        built = recorded_files(folder / MANIFEST_NAME)
        names = {*built, SHEET, MANIFEST_NAME} if built else set()
        if any(place == folder / name for name in names):  # The next build would overwrite it.
            raise UsageError(f"{path}: is written by a build; choose another file with -o.")
    check_target(path, "-o", is_ours=is_sheet, folders=project.authored_folders)
    if inputs is None or not path.exists() or not path.stat().st_size:
        return
    if edits := unsaved_edits(path, inputs):
        raise PendingEditsError(
            f"{path}: has edits not in the ledger; nothing was written. The first: {edits[0]}\n"
            f"`fieldguide review apply {path}` adds answers to the ledger; or choose another "
            "file with -o."
        )


def write_batch(
    path: Path, batch: ReviewBatch, project: Project, *, for_excel: bool = False
) -> None:
    """Write the sheet with the selected papers; raises the errors of `write_sheet`."""
    kind: Kind = "xlsx" if path.suffix == ".xlsx" else "csv"
    data = batch_bytes(batch, kind, for_excel=for_excel)
    write_sheet(path, data, project, batch.inputs)


def write_sheet(path: Path, data: bytes, project: Project, inputs: Inputs) -> None:
    """Write a sheet for reviewers; copy a filled sheet that it replaces to sheets/.

    Raises the errors of `check_sheet`, and OutputError if the file cannot be written.
    """
    # The lock of out/ prevents a build from copying the sheet at the same time.
    is_in_out = (path.parent / MANIFEST_NAME).is_file()
    with sole_writer(path.parent if is_in_out else path), sole_writer(path):
        check_sheet(path, project, inputs)
        is_filled = path.exists() and path.stat().st_size > 0
        if is_filled and filled_rows(read_sheet(path), inputs.taxonomy):
            keep_copy(path, project.kept_sheets)
        write_file(path, data)


def batch_bytes(batch: ReviewBatch, kind: Kind = "csv", *, for_excel: bool = False) -> bytes:
    """Return the sheet for reviewers: the columns of labels.csv and `drawn_by`."""
    rows = batch_rows(batch)
    return sheet_file_bytes(
        batch.taxonomy, rows, kind, for_excel=for_excel, further_columns=(DRAWN_BY,)
    )


def batch_rows(batch: ReviewBatch) -> list[dict[str, str]]:
    """Return one row per selected paper (column -> cell), without the columns for answers."""
    if not batch.labels:
        return [{**blank_cells(paper), DRAWN_BY: batch.drawn_by} for paper in batch.papers]
    inputs = batch.inputs
    acts = editorial_acts(inputs.ledger, inputs.corpus.aliases, inputs.taxonomy)
    values = paper_values(inputs.taxonomy, batch.papers, batch.labels, acts)
    labelled = sheet_rows(inputs.taxonomy, batch.papers, batch.labels, values=values)
    rows: list[dict[str, str]] = []
    for row, why in zip(labelled, batch.reasons, strict=True):
        reason = f"{why}{JOINER}{row['why']}" if why else row["why"]
        rows.append({**row, "why": reason, DRAWN_BY: batch.drawn_by})
    return rows


def batch_lines(batch: ReviewBatch) -> list[str]:
    """Return the selected papers as printed lines, and the number of papers in the last line."""
    first = batch.taxonomy.first.id
    width = max((len(paper.id) for paper in batch.papers), default=0)
    lines: list[str] = []
    n_papers = len(batch.papers)
    for rank, (paper, why) in enumerate(zip(batch.papers, batch.reasons, strict=True), 1):
        if rank > _MAX_LISTED:
            lines.append(f"… and {n_papers - _MAX_LISTED} more in the sheet")
            break
        title = paper.title_display
        if len(title) > _TITLE_WIDTH:
            title = f"{title[: _TITLE_WIDTH - 1].rstrip()}…"
        lines.append(f"{rank:3}  {paper.id:{width}}  {title}")
        if batch.labels:
            labels = batch.labels[rank - 1].facets[first]
            note = f"filed under {labels.primary} ({labels.status}, {labels.confidence:.2f})"
            if why:
                note += f"; {why}"
            lines.append(f"     {'':{width}}  {note}")
    papers, n_new = f"{n_papers} paper{'' if n_papers == 1 else 's'}", n_papers - batch.n_reviewed
    summary = f"{papers} of {batch.n_unreviewed} unreviewed"
    if batch.n_reviewed:
        summary = f"{papers}: {n_new} of {batch.n_unreviewed} unreviewed, {batch.n_reviewed} to "
        summary += "review again"
    return [*lines, "", summary]


def check_new_file(path: Path, project: Project) -> None:
    """Raise an error if `path` exists or a sheet cannot be written there.

    Raises UsageError for a path in a folder of the user's files, else OutputError.
    """
    if os.path.lexists(path):
        raise OutputError(f"{path}: exists, and is never overwritten. Choose another file.")
    check_target(path, "another FILE", is_ours=lambda _: False, folders=project.authored_folders)


def write_all(
    project: Project, path: Path, *, for_excel: bool = False, progress: Progress | None = None
) -> int:
    """Write the sheet of all papers to a new file; return the number of papers.

    for_excel: write a CSV with semicolons and a byte order mark. Raises InputError with the faults
    of the project's files, and the errors of `check_new_file`.
    """
    from classifier.pipeline import label  # late: slow to import

    labelled = label(project, progress)
    kind: Kind = "xlsx" if path.suffix == ".xlsx" else "csv"
    inputs, labels = labelled.inputs, labelled.labels
    acts = editorial_acts(inputs.ledger, inputs.corpus.aliases, inputs.taxonomy)
    values = paper_values(inputs.taxonomy, inputs.corpus.papers, labels, acts)
    data = labels_sheet(
        inputs, labels, labelled.learned.queue, kind, for_excel=for_excel, values=values
    )
    with sole_writer(path):
        check_new_file(path, project)
        write_file(path, data)
    return len(labelled.labels)
