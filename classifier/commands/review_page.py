"""The review page of a project: `fieldguide review page`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from classifier.commands.agree import compare_reviewers
from classifier.commands.review_batch import (
    batch_rows,
    select_audit,
    select_from_queue,
    unreviewed_papers,
)
from classifier.errors import UsageError
from classifier.extras.review_page.render import render_page
from classifier.extras.review_page.step_record import step_record
from classifier.files.built_folder import digest
from classifier.files.lock import sole_writer
from classifier.files.targets import check_ending, check_target
from classifier.files.writing import write_file
from classifier.labelling.cue_index import CueIndex
from classifier.labelling.labels import PaperLabels
from classifier.labelling.last_step import UNKNOWN
from classifier.labelling.trained import Trained, select_trained
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.project import Project
from classifier.recall import recall_all
from classifier.review.acts import editorial_acts
from classifier.review.columns import BACK, DRAWN_BY
from classifier.review.ledger import ADJUDICATED
from classifier.review.marks import marked_text
from classifier.review.queue import (
    audit_key,
    decided_counts,
    facet_uncertainty_text,
    is_waiting,
    mean_similarity,
    total_uncertainty,
)
from classifier.review.read_rows import is_reviewer
from classifier.review.second_look import conflict_rows
from classifier.review.sheet import QueuedPaper, blank_cells, sheet_columns
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Category, Facet
from classifier.taxonomy.names import find_top_category

if TYPE_CHECKING:  # slow to import
    from classifier.labelling.classifier import TaxonomyClassifier

QUEUES = ("next", "audit", "conflicts")
MAX_PAPERS = 1_500
"""Maximum number of papers on a page."""
N_MARKED = 4
"""Maximum number of categories whose cues are marked in an abstract."""
MAX_CUES = 30
"""Maximum number of proposed cues on a page."""
MAX_DECIDED = 60
"""Maximum number of decided papers for questions about cues. Answers about cues raised the accuracy
of projects without decisions, but not of those with a hundred (`python -m tools.cue_answers`)."""
MIN_CUE_WORTH = 0.5
"""Minimum worth of a proposed cue; below it, a decision on a paper is worth more."""
MARK = b"<title>Review: "
"""Text that identifies an existing review page, which may be overwritten."""


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A review page, and its numbers of papers for the terminal."""

    data: Mapping[str, object]
    """The data of the page's script."""
    n_papers: int
    n_waiting: int
    """Number of undecided papers with a provisional label."""

    def html(self, *, token: str = "") -> bytes:
        """Return the page as HTML. token: allows the page to send answers to its server."""
        return render_page({**self.data, "token": token}, may_connect=bool(token))


@dataclass(frozen=True, slots=True)
class _PagePapers:
    """The papers of a page in order, with their rows of the sheet."""

    papers: Sequence[Paper]
    rows: Sequence[Mapping[str, str]]
    reasons: Sequence[str]
    is_blind: bool


@dataclass(frozen=True, slots=True)
class _PageModel:
    """The results of learning, by the last build or for this page."""

    machine: Sequence[PaperLabels]
    """Labels of the classifier for all papers."""
    queue: Sequence[QueuedPaper]
    """The review queue."""
    trained: Trained
    classifier: TaxonomyClassifier | None
    """The classifier; None unless the page asks about cues."""


def review_page(
    project: Project,
    queue: str = "next",
    *,
    reviewer: str = "",
    blind: bool = False,
    progress: Progress | None = None,
) -> ReviewPage:
    """Return the review page of a project.

    queue: `next`, `audit`, `conflicts`, or a category, for the papers that most probably belong to
    it. reviewer: if empty, the page asks for the name. blind: hide labels until a paper is
    answered; an audit always does. Raises InputError with the faults of the project's files, and
    UsageError if `queue` or `reviewer` is invalid.
    """
    if not is_reviewer(reviewer):
        raise UsageError(
            f"--reviewer {reviewer!r}: found a semicolon or a line break; expected one name."
        )
    inputs = read_inputs(project, progress)
    if queue not in QUEUES:
        find_top_category(inputs.taxonomy, queue)
    model = _load_model(project, inputs, queue, blind=blind, progress=progress)
    selection = _page_papers(project, inputs, model, queue, blind=blind)
    n_omitted = max(0, len(selection.papers) - MAX_PAPERS)
    selection = replace(
        selection, papers=selection.papers[:MAX_PAPERS], rows=selection.rows[:MAX_PAPERS]
    )
    labels = {label.paper_id: label for label in model.machine}
    names = [name for name in sheet_columns(inputs.taxonomy) if name not in {c.name for c in BACK}]
    papers = _paper_records(inputs, model.trained.cue_index(), selection, labels)
    build = digest(
        repr((inputs.version, inputs.taxonomy.digest, queue, selection.is_blind)).encode()
    )
    fit = _fit_record(inputs, model, selection, papers) if queue == "next" else None
    data = {
        "title": inputs.taxonomy.survey.title,
        "digest": build[:12],
        "reviewer": reviewer,
        "queue": queue,
        "blind": selection.is_blind,
        "columns": [*names, DRAWN_BY],
        "facets": [_facet_record(facet) for facet in inputs.taxonomy.facets.values()],
        "papers": papers,
        "nOmitted": n_omitted,
        "locked": inputs.lock is not None,
        "fit": fit,
        "cues": _cue_records(inputs, model.classifier, selection),
    }
    waiting = sum(
        is_waiting(inputs.taxonomy, labels[paper.id], inputs.decisions)
        for paper in selection.papers
    )
    return ReviewPage(data, len(selection.papers), waiting)


def check_page(path: Path, project: Project) -> None:
    """Raise UsageError or OutputError if the page cannot be written to `path`.

    A file is overwritten only if it is a review page.
    """
    check_ending(path, (".html",))
    check_target(path, "-o", is_ours=_is_page, folders=project.authored_folders)


def write_page(path: Path, page: ReviewPage, project: Project) -> None:
    """Write a page; raises the errors of `check_page`."""
    with sole_writer(path):
        check_page(path, project)
        write_file(path, page.html())


def _is_page(path: Path) -> bool:
    with path.open("rb") as file:
        return MARK in file.read(3_000)


def _load_model(
    project: Project, inputs: Inputs, queue: str, *, blind: bool, progress: Progress | None
) -> _PageModel:
    """Return the model of the last build; train one if it is not cached or the page needs cues."""
    first = inputs.taxonomy.first.id
    n_decided = sum(first in of_paper for of_paper in inputs.decisions.values())
    asks_about_cues = queue == "next" and not blind and n_decided < MAX_DECIDED
    cached = None if asks_about_cues else recall_all(project, inputs, with_step=True)
    if cached:
        learned, trained = cached
        return _PageModel(learned.machine, learned.queue, trained, None)
    from classifier.learning import project_queue, train_and_label  # late: slow to import

    classifier, machine = train_and_label(inputs, progress)
    return _PageModel(
        machine,
        project_queue(inputs, classifier, machine),
        select_trained(classifier, inputs.corpus.papers),
        classifier if asks_about_cues else None,
    )


def _page_papers(
    project: Project,
    inputs: Inputs,
    model: _PageModel,
    queue: str,
    *,
    blind: bool,
) -> _PagePapers:
    if queue == "conflicts":
        conflicts = compare_reviewers(project).conflicts
        rows = conflict_rows(inputs.taxonomy, conflicts, inputs.decisions)
        reasons = [row["why"].rpartition(" [")[0] for row in rows]  # without the checksum
        return _PagePapers([each.paper for each in conflicts], rows, reasons, is_blind=False)
    if queue == "audit":
        batch = select_audit(project, len(inputs.corpus.papers))
        blind = True
    else:
        category = None if queue == "next" else queue
        batch = select_from_queue(inputs, model.machine, model.queue, None, category)
    rows = batch_rows(batch)
    if blind:
        rows = [{**blank_cells(each), DRAWN_BY: batch.drawn_by} for each in batch.papers]
    return _PagePapers(batch.papers, rows, batch.reasons, is_blind=blind)


def _facet_record(facet: Facet) -> dict[str, object]:
    return {
        "id": facet.id,
        "name": facet.name,
        "single": facet.kind == "single",
        "mayBeUnstated": facet.may_be_unstated,
        "atMost": facet.at_most or 0,
        "appliesTo": list(facet.applies_to),
        "outOfScope": facet.out_of_scope.id if facet.out_of_scope else "",
        "tops": list(facet.ids),
        "categories": [_category_record(facet, category) for category in facet.walk()],
    }


def _category_record(facet: Facet, category: Category) -> dict[str, str]:
    definition = " ".join(category.definition.replace("*", "").split()) or "no definition yet"
    top = facet.top_id_of(category.id)
    return {"id": category.id, "name": category.name, "top": top, "definition": definition}


def _paper_records(
    inputs: Inputs, cues: CueIndex, selection: _PagePapers, machine: Mapping[str, PaperLabels]
) -> list[dict[str, object]]:
    taxonomy, aliases = inputs.taxonomy, inputs.corpus.aliases
    first = taxonomy.first
    acts = editorial_acts(inputs.ledger, aliases)
    deciders: dict[str, set[str]] = {}
    for name, decided in inputs.ledger.by_reviewer(taxonomy, aliases).items():
        for paper_id in decided:
            deciders.setdefault(paper_id, set()).add(name)
    records: list[dict[str, object]] = []
    for paper, row, why in zip(selection.papers, selection.rows, selection.reasons, strict=False):
        labels = machine[paper.id].facets
        probabilities = [labels[first.id].probabilities.get(name, 0.0) for name in first.ids]
        order = sorted(range(len(probabilities)), key=lambda k: -probabilities[k])
        marked = dict.fromkeys([labels[first.id].primary, *(first.ids[k] for k in order)])
        waits = is_waiting(taxonomy, machine[paper.id], inputs.decisions)
        is_disputed = row.get("reviewer") == ADJUDICATED
        editorial = acts.of(paper.id)
        if waits and not is_disputed:
            why = facet_uncertainty_text(first, labels[first.id])
        # The reason names categories, so that a blind page has none.
        why = f"Why this paper: {why}" if why and not selection.is_blind else ""
        if "exclude" in editorial:
            why = f"{editorial['exclude'].exclusion}. {why}"
        abstract = _abstract(paper, cues, first, list(marked), is_blind=selection.is_blind)
        cued = ", ".join(dict.fromkeys(category for _, category in abstract if category))
        about = ", ".join(paper.authors[:3]), paper.venue, paper.published.year
        records.append(
            {
                "id": paper.id,
                "title": paper.title_display,
                "url": paper.link,
                "about": " · ".join(filter(None, about)),
                "abstract": abstract,
                "marks": f"Highlighted: cues of {cued}." if cued else "",
                "why": why,
                "cells": {name: cell for name, cell in row.items() if cell and name != "abstract"},
                "predicted": {name: list(of.categories) for name, of in labels.items()},
                "primary": labels[first.id].primary,
                "confidence": labels[first.id].confidence,
                "waits": waits,
                "decided": first.id in inputs.decisions.get(paper.id, {}),
                "probabilities": [round(probability, 4) for probability in probabilities],
                "children": dict(labels[first.id].children),
                "locked": paper.id in inputs.locked,
                "reviewers": sorted(filter(None, deciders.get(paper.id, ()))),
            }
        )
    return records


def _fit_record(
    inputs: Inputs, model: _PageModel, selection: _PagePapers, records: list[dict[str, object]]
) -> dict[str, object] | None:
    """Return the data with which the page updates its labels; None if labels are hidden.

    Also adds the numbers that determine the order of papers to their records.
    """
    taxonomy, decisions, first = inputs.taxonomy, inputs.decisions, inputs.taxonomy.first
    step = model.trained.step
    if selection.is_blind or step is None or not selection.papers:
        return None
    row_of = {paper_id: row for row, paper_id in enumerate(model.trained.paper_ids)}
    on_page = {paper.id for paper in selection.papers}
    labels = {label.paper_id: label for label in model.machine}
    chosen = [labels[paper.id] for paper in selection.papers]
    undecided = [paper.id for paper in unreviewed_papers(inputs)]
    similarities = mean_similarity(
        step.rows,
        [row_of[paper.id] for paper in selection.papers],
        [row_of[paper_id] for paper_id in undecided],
    )
    further = [facet_id for facet_id in taxonomy.facets if facet_id != first.id]
    uncertain = total_uncertainty(taxonomy, chosen, decisions, further)
    audit_ranks = {key: rank for rank, key in enumerate(sorted(on_page, key=audit_key))}
    for record, paper, similarity, uncertainty in zip(
        records, selection.papers, similarities, uncertain, strict=True
    ):
        is_reviewed = first.id in decisions.get(paper.id, {})
        record |= {
            "similarity": round(float(similarity), 9),
            "furtherUncertainty": round(float(uncertainty), 9),
            "auditRank": audit_ranks[paper.id],
            "isSecondLook": is_reviewed,
        }
    is_decided = np.any([(q.truth != UNKNOWN).any(axis=1) for q in step.questions.values()], axis=0)
    others = [
        row_of[paper.id]
        for paper in inputs.corpus.papers
        if paper.id not in on_page and is_decided[row_of[paper.id]]
    ]
    rows = [*(row_of[paper.id] for paper in selection.papers), *others]
    return step_record(step.of(rows)) | {"counts": decided_counts(first, decisions).tolist()}


def _cue_records(
    inputs: Inputs, classifier: TaxonomyClassifier | None, selection: _PagePapers
) -> list[dict[str, object]]:
    """Return the proposed cues in the form of the page's data, the most useful first.

    classifier: None if the page has no questions about cues.
    """
    if classifier is None or selection.is_blind:
        return []
    on_page = {paper.id for paper in selection.papers}
    records: list[dict[str, object]] = []
    from classifier.commands.cue_proposals import propose_cues  # late: scikit-learn

    for proposal in propose_cues(classifier, inputs.corpus.papers, inputs.decisions)[:MAX_CUES]:
        if proposal.worth < MIN_CUE_WORTH:
            break
        records.append(
            {
                "category": proposal.category,
                "phrase": proposal.cue,
                "n": proposal.n_papers,
                "likely": proposal.n_likely,
                "papers": [each for each in proposal.undecided if each in on_page],
                "titles": proposal.titles,
            }
        )
    return records


def _abstract(
    paper: Paper, cues: CueIndex, first: Facet, categories: Sequence[str], *, is_blind: bool
) -> list[tuple[str, str]]:
    """Split the abstract at cues; return pairs of text and the category of the cue, or "".

    is_blind: mark no cues, since the reviewer must not see labels.
    """
    text = paper.abstract_display
    if is_blind:
        return [(text, "")] if text else []
    marked = [name for name in categories if name][:N_MARKED]
    names = {category.id: category.name for category in first.walk()}
    pieces = marked_text(text, cues, first.id, marked)
    # A single letter or a bare number explains nothing, though it may be part of a cue.
    return [
        (piece, "" if len(piece) < 2 or piece.isdecimal() else names.get(category, ""))
        for piece, category in pieces
    ]
