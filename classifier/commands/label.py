"""Labelling any files with a project's model: `fieldguide label`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from classifier.errors import Fault, UsageError, doubtful
from classifier.files.atomic import new_file
from classifier.files.lock import sole_writer
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.review.ledger import read_ledger
from classifier.scale.chunks import InputTexts
from classifier.scale.label_model import LabelModel, LabelTask, facts_of
from classifier.scale.label_target import check_output
from classifier.scale.options import AS_USUAL, LabelOptions
from classifier.scale.run import Advance, Run, run_to_stream
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Taxonomy


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """What was labelled into a file or a stream."""

    taxonomy: Taxonomy
    run: Run
    warnings: tuple[Fault, ...]
    """Of the project, without its notices, which `check` lists; then of the files."""


def label_to(
    target: Path | IO[bytes],
    project: Project,
    sources: Sequence[Path],
    options: LabelOptions = AS_USUAL,
    *,
    progress: Progress | None = None,
    advance: Advance = lambda *_: None,
) -> LabelledFile:
    """Label the papers of any files with a project's model, in constant memory.

    The model never learns from them. Of records of equal id or title the first is labelled; a paper
    that the project's ledger decides keeps that decision. A file is there when it is whole.

    target: a file whose ending is a form of `FORMATS`, or a stream, to which CSV is written.
    Raises InputError with the faults of all files; UsageError, OutputError and PendingEditsError as
    `check_output`; WorkerError where a process or a cluster was lost.
    """
    if isinstance(target, Path):
        check_output(target, sources)
    options.check_engine()  # before the seconds of learning
    texts = InputTexts(sources, Path.cwd())
    inputs = _with_ledger(read_inputs(project, progress, prior=options.prior), options.reviews)
    model = label_model(inputs, progress)
    report(progress, "Labelling", 0, 1)
    if isinstance(target, Path):
        task = LabelTask(model, target.suffix)
        with sole_writer(target):
            check_output(target, sources, inputs.taxonomy)
            with new_file(target) as stream:
                run = run_to_stream(
                    stream, texts, task, options.choose, options.chunk_size, advance
                )
    else:
        task = LabelTask(model, ".csv")
        run = run_to_stream(target, texts, task, options.choose, options.chunk_size)
    return LabelledFile(inputs.taxonomy, run, (*doubtful(inputs.warnings), *run.said.warnings))


def label_model(inputs: Inputs, progress: Progress | None = None) -> LabelModel:
    """Return what labelling any paper with a project's model takes; it is trained here."""
    from classifier.learning import train  # late: scikit-learn, where there is something to learn

    classifier = train(inputs, progress)
    papers, aliases = inputs.corpus.papers, inputs.corpus.aliases
    # Decisions on papers that the project does not hold are among them.
    decisions = inputs.ledger.decisions(inputs.taxonomy, aliases, inputs.versions)
    return LabelModel(inputs.taxonomy, classifier, decisions, facts_of(papers), aliases)


def _with_ledger(inputs: Inputs, reviews: Path | None) -> Inputs:
    if reviews is None:
        return inputs
    if not reviews.exists():
        raise UsageError(
            f"{reviews}: no such file; --reviews wants a ledger like taxonomy/reviews.csv."
        )
    ledger = read_ledger(reviews, str(reviews))
    return replace(
        inputs,
        ledger=ledger,
        decisions=ledger.decisions(inputs.taxonomy, inputs.corpus.aliases, inputs.versions),
    )
