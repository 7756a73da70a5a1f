"""Labelling any files with a project's model: `fieldguide label`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from classifier.errors import Fault, UsageError, doubtful
from classifier.files.atomic import write_file
from classifier.files.built_folder import digest
from classifier.files.content import STANDARD_INPUT
from classifier.files.lock import sole_writer
from classifier.files.meter import address_mark
from classifier.files.parts import file_mark
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.learned import learning_key
from classifier.papers.load import Corpus
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.review.ledger import read_ledger
from classifier.review.sheet import sheet_frame
from classifier.scale.chunks import InputTexts, Source, cut
from classifier.scale.formats import FORMATS
from classifier.scale.joining import Join
from classifier.scale.label_lines import label_objects
from classifier.scale.label_model import LabelModel, LabelTask, facts_of, label_pieces
from classifier.scale.label_target import check_output
from classifier.scale.options import (
    AS_USUAL,
    LabelOptions,
    check_engine,
    engine_of,
    shares,
    wants_processes,
)
from classifier.scale.part import Part
from classifier.scale.processes import prepare_workers
from classifier.scale.run import (
    CHUNK_SIZE,
    Advance,
    Run,
    kept_parts,
    run_to_file,
    run_to_stream,
)
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Taxonomy

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """What was labelled into a file or a stream."""

    taxonomy: Taxonomy
    run: Run
    warnings: tuple[Fault, ...]
    """Of the project, without its notices, which `check` lists; then of the files."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """The papers of some files with their labels, in input order."""

    taxonomy: Taxonomy
    corpus: Corpus
    labels: tuple[PaperLabels, ...]
    warnings: tuple[Fault, ...]
    paths: tuple[Path, ...]
    """The files; none of them is ever written."""


def label_to(
    target: Path | IO[bytes],
    project: Project,
    sources: Sequence[Source],
    options: LabelOptions = AS_USUAL,
    *,
    progress: Progress | None = None,
    advance: Advance = lambda *_: None,
    outdated: Callable[[str], None] = lambda what: None,
) -> LabelledFile:
    """Label the papers of any files and addresses with a project's model, in constant memory.

    The model never learns from them. Of records of equal id or title the first is labelled; a paper
    that the project's ledger decides keeps that decision. A file is there when it is whole; if the
    run ends early its finished parts are kept beside it, and the next run goes on from them.

    target: a file whose ending is a form of `FORMATS`, or a stream, to which CSV is written.
    outdated: called with what has changed, where parts are there that cannot be used.
    Raises InputError with the faults of all files; UsageError, OutputError and PendingEditsError as
    `check_output`; WorkerError where a process or a cluster was lost.
    """
    paths = [source for source in sources if isinstance(source, Path)]
    ending = ".csv"
    if isinstance(target, Path):
        ending = target.suffix
        check_output(target, paths)
    check_engine(options)  # before the seconds of learning
    texts = InputTexts(sources, Path.cwd(), shares(options))
    if wants_processes(options, texts.meter.total):
        prepare_workers()
    inputs = _with_ledger(read_inputs(project, progress, prior=options.prior), options.reviews)
    if isinstance(target, Path):
        check_output(target, paths, inputs.taxonomy)
    task = LabelTask(label_model(inputs, progress), ending)
    choose = engine_of(options)
    report(progress, "Labelling", 0, 1)
    if isinstance(target, Path):
        made_of = _made_of(project, inputs, task, sources, options)
        restart = options.restart or STANDARD_INPUT in sources  # a pipe never comes again
        with sole_writer(target):  # and its parts
            check_output(target, paths, inputs.taxonomy)  # somebody may have typed since
            kept = kept_parts(target, made_of, options.chunk_size, restart=restart)
            if kept.outdated:
                outdated(kept.outdated)
            run = run_to_file(target, texts, task, choose, kept, made_of, advance)
    else:
        run = run_to_stream(target, texts, task, choose, options.chunk_size)
    return LabelledFile(inputs.taxonomy, run, (*doubtful(inputs.warnings), *run.said.warnings))


def label_files(
    project: Project,
    paths: Sequence[Path],
    *,
    reviews: Path | None = None,
    prior: str | None = None,
    progress: Progress | None = None,
) -> Labelled:
    """Return the same as `label_to`, as objects in memory.

    Raises InputError with the faults of all files.
    """
    texts = InputTexts(paths, Path.cwd())
    inputs = _with_ledger(read_inputs(project, progress, prior=prior), reviews)
    model = label_model(inputs, progress)
    join = Join()
    papers: list[Paper] = []
    labels: list[PaperLabels] = []
    for chunk in cut(texts, CHUNK_SIZE, lambda: 0):
        found, told, part = label_pieces(model, [piece.read() for piece in chunk.pieces])
        kept = np.flatnonzero(join.add(part)).tolist()
        papers += (found[row] for row in kept)
        labels += (told[row] for row in kept)
    said = join.said(texts.readers)
    records = join.papers + join.passed_over
    corpus = Corpus(tuple(papers), records, said.quarantined, said.warnings, said.files, {})
    warnings = (*doubtful(inputs.warnings), *said.warnings)
    return Labelled(inputs.taxonomy, corpus, tuple(labels), warnings, tuple(paths))


def label_model(inputs: Inputs, progress: Progress | None = None) -> LabelModel:
    """Return what labelling any paper with a project's model takes; it is trained here."""
    from classifier.learning import train  # late: scikit-learn, where there is something to learn

    classifier = train(inputs, progress)
    papers, aliases = inputs.corpus.papers, inputs.corpus.aliases
    return LabelModel(inputs.taxonomy, classifier, _decisions(inputs), facts_of(papers), aliases)


def write_labels(path: Path, labelled: Labelled) -> None:
    """Write the labels as CSV, workbook, JSONL or Parquet, by the ending of `path`.

    Raises UsageError for another ending or an input, PendingEditsError where a person's cells
    would be lost, OutputError where the file is not ours or cannot be written.
    """
    check_output(path, labelled.paths, labelled.taxonomy)
    write_file(path, label_bytes(path.suffix, labelled))


def label_bytes(suffix: str, labelled: Labelled) -> bytes:
    """Return the labels in the format of a file ending."""
    form, taxonomy, papers = FORMATS[suffix], labelled.taxonomy, labelled.corpus.papers
    payload, ends = form.rows(taxonomy, papers, labelled.labels)
    stream = io.BytesIO()
    output = form.output(taxonomy, stream)
    everything = np.ones(len(papers), dtype=bool)
    nothing = np.zeros(0, dtype=np.int64)
    part = Part(payload, ends, everything, nothing.astype(np.uint64), nothing, (), ())
    output.add(part, everything)
    output.close()
    return stream.getvalue()


def labels_frame(labelled: Labelled) -> pd.DataFrame:
    """Return the labels as a data frame with the sheet's columns, in input order."""
    return sheet_frame(labelled.taxonomy, labelled.corpus.papers, labelled.labels)


def label_records(labelled: Labelled) -> Iterable[dict[str, object]]:
    """Yield one object a paper, as `label -o labels.jsonl` writes it."""
    return label_objects(labelled.taxonomy, labelled.corpus.papers, labelled.labels)


def _made_of(
    project: Project,
    inputs: Inputs,
    task: LabelTask,
    sources: Sequence[Source],
    options: LabelOptions,
) -> dict[str, object]:
    """Return what the parts of a run depend on, each under the name that a message has for it."""
    prior = Path(options.prior or project.prior_file)
    model = [
        learning_key(project, inputs),
        inputs.taxonomy.digest,
        inputs.version,
        digest(repr(sorted(task.model.decisions.items())).encode()),
        digest(prior.read_bytes()) if prior.is_file() else "",
    ]
    return {
        "the input": [[str(source), _mark(source)] for source in sources],
        "the model": digest(repr(model).encode()),
        "the format": task.ending,
        "the engine": [options.engine, bool(options.scheduler)],  # which says where chunks end
    }


def _mark(source: Source) -> object:
    """Return by what an input is known to be unchanged."""
    if isinstance(source, str):
        return address_mark(source)
    return "" if source == STANDARD_INPUT else file_mark(source)


def _decisions(inputs: Inputs) -> Decisions:
    """Return the decisions in force, those on papers that the project does not hold among them."""
    return inputs.ledger.decisions(inputs.taxonomy, inputs.corpus.aliases, inputs.versions)


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
