"""Label papers from any files with a project's model: `fieldguide label`.

The output may replace only earlier labels without edits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from classifier.errors import OutputError, PendingEditsError, UsageError, strict_faults
from classifier.files.arrow import import_pyarrow
from classifier.files.lock import sole_writer
from classifier.files.reading import record_keys_of
from classifier.files.targets import SHEET_ENDINGS, check_ending, check_target
from classifier.files.writing import new_file
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.review.edits import filled_rows
from classifier.review.ledger import read_ledger
from classifier.review.sheet import SHEET_COLUMNS
from classifier.review.sheet_file import is_sheet, read_tabs
from classifier.scale.chunks import InputTexts
from classifier.scale.formats import FORMATS
from classifier.scale.joining import Run
from classifier.scale.run import (
    DEFAULT_OPTIONS,
    Advance,
    LabelOptions,
    run_to_stream,
)
from classifier.scale.tasks import LabelModel, LabelTask
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Taxonomy


def label_to(
    target: Path | IO[bytes],
    project: Project,
    sources: Sequence[Path],
    options: LabelOptions = DEFAULT_OPTIONS,
    *,
    progress: Progress | None = None,
    advance: Advance = lambda *_: None,
) -> Run:
    """Label the papers of any files with a project's model, in constant memory.

    The model does not learn from them. Of records with the same id or title, only the first is
    labelled. Decisions of the project's ledger apply. The file is created when it is complete.

    target: a file with an ending of `FORMATS`, or a stream for CSV. Raises InputError with the
    faults of all files; UsageError, OutputError and PendingEditsError as `check_output`;
    WorkerError if a process or cluster ended early.
    """
    if isinstance(target, Path):
        check_output(target, sources)
    options.check_engine()  # Fail before learning, which takes seconds.
    texts = InputTexts(sources, Path.cwd())
    inputs = read_inputs(project, progress, prior=options.prior)
    if options.reviews is not None:
        inputs = _with_ledger(inputs, options.reviews)
    model = label_model(inputs, progress)
    report(progress, "Labelling", 0, 1)
    if isinstance(target, Path):
        task = LabelTask(model, target.suffix)
        with sole_writer(target):
            check_output(target, sources, inputs.taxonomy)
            with new_file(target) as stream:
                run = run_to_stream(
                    stream, texts, task, options.choose_engine, options.chunk_size, advance
                )
    else:
        task = LabelTask(model, ".csv")
        run = run_to_stream(target, texts, task, options.choose_engine, options.chunk_size)
    return replace(run, warnings=(*strict_faults(inputs.warnings), *run.warnings))


def label_model(inputs: Inputs, progress: Progress | None = None) -> LabelModel:
    """Train and return a model that can label any paper."""
    from classifier.learning import train  # Slow: scikit-learn, needed only here.

    classifier = train(inputs, progress)
    known, aliases = {paper.id: paper for paper in inputs.corpus.papers}, inputs.corpus.aliases
    # They include decisions on papers that are not in the project.
    decisions = inputs.ledger.decisions(inputs.taxonomy, aliases, inputs.versions)
    return LabelModel(inputs.taxonomy, classifier, decisions, known, aliases)


def _with_ledger(inputs: Inputs, reviews: Path) -> Inputs:
    if not reviews.exists():
        raise UsageError(
            f"{reviews}: no such file; --reviews expects a ledger like taxonomy/reviews.csv."
        )
    ledger = read_ledger(reviews, str(reviews))
    decisions = ledger.decisions(inputs.taxonomy, inputs.corpus.aliases, inputs.versions)
    return replace(inputs, ledger=ledger, decisions=decisions)


MAX_SHEET_BYTES = 100_000_000
"""Maximum size of a sheet that is searched for edits; this needs ten times as much memory."""


def check_output(path: Path, inputs: Sequence[Path], taxonomy: Taxonomy | None = None) -> None:
    """Raise an error if labels cannot be written to `path`, or would replace other content.

    taxonomy: has the columns for answers; if it is None, the sheet is not searched for edits.

    Raises UsageError for an unsupported ending, a missing package, or one of the `inputs`;
    OutputError for a file that Fieldguide did not write; PendingEditsError for a sheet with edits.
    """
    check_ending(path, tuple(FORMATS))
    if path.suffix == ".parquet":
        import_pyarrow()  # Fail before learning if it is missing.
    if path.suffix in SHEET_ENDINGS and path.is_file() and path.stat().st_size > MAX_SHEET_BYTES:
        raise OutputError(
            f"{path}: is too large to search for edits; nothing was written. Move it away, or "
            "write to another file."
        )
    check_target(path, "-o", is_ours=_is_ours, inputs=inputs)
    if not path.exists() or path.stat().st_size == 0:
        return  # No content would be lost.
    if path.suffix in SHEET_ENDINGS and taxonomy is not None and _is_filled(path, taxonomy):
        raise PendingEditsError(
            f"{path}: has filled cells; nothing was written. Write to another file."
        )


def _is_filled(path: Path, taxonomy: Taxonomy) -> bool:
    """Return whether the user filled a cell, or added a tab or comment to a workbook."""
    sheets, unread = read_tabs(path, taxonomy=taxonomy)
    return bool(unread) or any(filled_rows(sheet, taxonomy) for sheet in sheets)


def _is_ours(path: Path) -> bool:
    if path.suffix in SHEET_ENDINGS:
        return is_sheet(path)
    return record_keys_of(path).issuperset(
        {"id", "scores"} if path.suffix == ".jsonl" else SHEET_COLUMNS
    )
