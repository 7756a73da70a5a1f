"""A run: label chunks on the chosen engine, and join the parts in input order.

Labelled here, in processes of this machine, or by a Dask cluster (`cluster`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from classifier.errors import UsageError, WorkerError
from classifier.labelling.labels import Decisions, PaperLabels, with_decisions
from classifier.papers.paper import Paper, mint_id
from classifier.parallel import usable_cores, worker_pool
from classifier.scale.chunks import Chunk, InputTexts, cut
from classifier.scale.formats import FORMATS
from classifier.scale.joining import Join, Part, RecordNote, Run, name_hash, record_names
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_id

if TYPE_CHECKING:
    from classifier.labelling.classifier import TaxonomyClassifier

# What a sheet shows of a paper and the file that is labelled may not state.
_FACTS = ("arxiv_id", "doi", "url", "venue", "authors", "author_count", "organisation")


@dataclass(frozen=True, slots=True)
class LabelModel:
    """An immutable trained classifier with the papers and decisions of a project."""

    taxonomy: Taxonomy
    classifier: TaxonomyClassifier
    decisions: Decisions
    """Of papers that the project does not hold, too."""
    known: Mapping[str, Paper]
    """Id -> paper of the project."""
    aliases: Mapping[str, str]
    """Every other id by which the project knows a paper -> its id."""

    def recognised(self, paper: Paper) -> Paper:
        """Return the paper with its id: the one by which the project knows it, if it does.

        The text is the file's; facts that the file does not state are filled in.
        """
        if not paper.id:
            paper = replace(paper, id=mint_id(paper))
        for identifier in (paper.id, title_id(paper.title)):
            known = self.known.get(self.aliases.get(identifier, identifier))
            if known is not None:
                missing = {
                    name: getattr(known, name) for name in _FACTS if not getattr(paper, name)
                }
                published = paper.published if paper.published.date else known.published
                return replace(paper, id=known.id, published=published, **missing)
        return paper

    def label(self, papers: Sequence[Paper]) -> list[PaperLabels]:
        """Return the labels of papers, in their order; human decisions take precedence.

        The labels of a paper depend on no other one of `papers`.
        """
        machine = self.classifier.label(papers, explain="primary")
        return with_decisions(self.taxonomy, machine, self.decisions)


@dataclass(frozen=True, slots=True)
class LabelTask:
    """A pure function of a chunk; it can run anywhere and repeatedly."""

    model: LabelModel
    ending: str
    """Of the file that is written; see `FORMATS`."""

    def __call__(self, chunk: Chunk) -> Part:
        """Return the part of a chunk."""
        taxonomy = self.model.taxonomy
        pieces = [piece.read() for piece in chunk.pieces]
        read = [paper for papers, _ in pieces for paper in papers]
        papers = [self.model.recognised(paper) for paper in read]
        labels = self.model.label(papers)
        rows = FORMATS[self.ending].rows(taxonomy, papers, labels)
        records = []
        for before, paper, label in zip(read, papers, labels, strict=True):
            names = dict.fromkeys((*record_names(before), paper.id))
            hashes = list(map(name_hash, names))
            is_provisional = label.facets[taxonomy.first.id].status == "provisional"
            source = paper.sources[0]
            place = source.file, source.line
            records.append(RecordNote(hashes, is_provisional, paper.id, paper.title, *place))
        return Part(rows, records, [notes for _, notes in pieces])


Labelled = Iterator[tuple[Chunk, Part]]
"""Each chunk in its order, with its part."""
Engine = Callable[[LabelTask, Iterator[Chunk]], Labelled]
Advance = Callable[[int, int, int], None]
"""Called with the papers that are labelled, and how many bytes of how many are read."""

FEW = 10_000
"""Maximum number of records that are labelled without worker processes."""


def run_to_stream(
    stream: IO[bytes],
    texts: InputTexts,
    task: LabelTask,
    choose: Callable[[int], Engine],
    chunk_size: int,
    advance: Advance = lambda *_: None,
) -> Run:
    """Label all papers of `texts`, and write rows as they come.

    choose: gives the engine for an input of so many records, or more.
    """
    join = Join()
    output = FORMATS[task.ending](task.model.taxonomy, stream)
    try:
        chunks = cut(texts, chunk_size)
        head = list(islice(chunks, max(2, -(-FEW // chunk_size))))
        engine = choose(len(head) * chunk_size)
        for chunk, part in engine(task, chain(head, chunks)):
            kept = join.add(part)
            output.add([row for row, keep in zip(part.rows, kept, strict=True) if keep])
            advance(join.papers, chunk.position, texts.total)
        run = join.run(texts.readers)
    except BaseException:
        output.discard()
        raise
    output.close()
    return run


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """How files are labelled; the labels are the same whatever `workers` and `chunk_size`.

    Raises UsageError for an unknown engine.
    """

    reviews: Path | None = None
    """A ledger in place of the project's."""
    prior: str | None = None
    """A file in place of the project's, `none` for no prior."""
    workers: int | None = None
    """Processes; None for one of a short input, else as many as there are usable cores."""
    chunk_size: int = 1000
    """Number of records per chunk."""
    engine: str = "processes"
    """Who labels: processes of this machine, or with `dask` a Dask cluster."""
    scheduler: str = ""
    """Address of the cluster's scheduler; "" for one of this machine, with `workers` workers."""

    def __post_init__(self) -> None:
        if self.engine not in ("processes", "dask"):
            raise UsageError(f"--engine {self.engine}: expected processes or dask.")
        if self.scheduler and self.engine != "dask":
            raise UsageError("--scheduler is the address of a Dask cluster; add --engine dask.")

    def choose(self, records: int) -> Engine:
        """Return the engine for an input of at least `records` records."""
        workers = self.workers or usable_cores()
        if self.engine == "dask":
            from classifier.scale.cluster import label_on_cluster  # late: an extra

            return lambda task, chunks: label_on_cluster(task, chunks, workers, self.scheduler)
        if self.workers == 1 or (self.workers is None and (records < FEW or workers == 1)):
            return label_here
        return lambda task, chunks: label_in_processes(task, chunks, workers)

    def check_engine(self) -> None:
        """Raise UsageError at once where the engine that is asked for cannot label."""
        if self.engine == "dask":
            try:
                from classifier.scale.cluster import check_cluster  # late: an extra
            except ImportError as error:
                hint = "pip install 'fieldguide[scale]'"
                raise UsageError(f"Dask needs distributed: {hint}.") from error
            check_cluster(self.scheduler)


AS_USUAL = LabelOptions()
"""The default options."""


_AHEAD = 3
"""Chunks per worker that are read ahead, so that no worker waits for the reader."""

_task: LabelTask
"""The task of a worker process."""


def label_here(task: LabelTask, chunks: Iterator[Chunk]) -> Labelled:
    """Label chunks in this process."""
    for chunk in chunks:
        yield chunk, task(chunk)


def label_in_processes(task: LabelTask, chunks: Iterator[Chunk], workers: int) -> Labelled:
    """Label chunks in worker processes; raises WorkerError if one of them is lost."""
    waiting: deque[tuple[Chunk, Future[Part]]] = deque()
    try:
        with worker_pool(workers, _set_task, task) as pool:
            for chunk in chunks:
                waiting.append((chunk, pool.submit(_label, chunk)))
                if len(waiting) > _AHEAD * workers:
                    chunk, labelled = waiting.popleft()
                    yield chunk, labelled.result()
            for chunk, labelled in waiting:
                yield chunk, labelled.result()
    except (BrokenProcessPool, BrokenPipeError) as error:
        raise WorkerError(
            "A worker process ended by itself, perhaps for want of memory. Go on with fewer "
            f"--workers (these were {workers})."
        ) from error


def _set_task(task: LabelTask) -> None:
    global _task
    _task = task


def _label(chunk: Chunk) -> Part:
    return _task(chunk)
