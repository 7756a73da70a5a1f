"""A run: chunks labelled where people choose, and their parts joined in input order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO

from classifier.errors import UsageError
from classifier.scale.chunks import Chunk, InputTexts, cut
from classifier.scale.formats import FORMATS
from classifier.scale.joining import InputSaid, Join, Part
from classifier.scale.label_model import LabelTask
from classifier.scale.processes import label_here, label_in_processes, usable_cores

CHUNK_SIZE = 1_000
"""Records of a chunk, where nobody says otherwise."""

Engine = Callable[[LabelTask, Iterator[Chunk]], Iterator[tuple[Chunk, Part]]]
"""Labels chunks: yields each in its order with its part."""
ChooseEngine = Callable[[int], Engine]
"""Returns the engine for an input of so many records, or more."""
Advance = Callable[[int, int, int], None]
"""Called with the papers that are labelled, and how many bytes of how many are read."""

FEW = 10_000
"""Records up to which it is not worth a second to start processes."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did."""

    papers: int
    """Rows that are written."""
    provisional: int
    """How many of them nobody stands by, neither a person nor the classifier."""
    passed_over: int
    """Records that were left out, since an earlier one has their id or title."""
    said: InputSaid


def run_to_stream(
    stream: IO[bytes],
    texts: InputTexts,
    task: LabelTask,
    choose: ChooseEngine,
    chunk_size: int,
    advance: Advance = lambda *_: None,
) -> Run:
    """Label all papers of `texts`, and write rows as they come."""
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
        said = join.said(texts.readers)
    except BaseException:
        output.discard()
        raise
    output.close()
    return Run(join.papers, join.provisional, join.passed_over, said)


_NO_DISTRIBUTED = "Dask needs distributed: pip install 'fieldguide[scale]'."


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """How files are labelled; the labels are the same whatever `workers` and `chunk_size`.

    Raises UsageError for what is no engine.
    """

    reviews: Path | None = None
    """A ledger in place of the project's."""
    prior: str | None = None
    """A file in place of the project's, `none` for no prior."""
    workers: int | None = None
    """Processes; None for one of a short input, else as many as there are usable cores."""
    chunk_size: int = CHUNK_SIZE
    """Records that are labelled at a time."""
    engine: str = "processes"
    """Who labels: processes of this machine, or with `dask` a Dask cluster."""
    scheduler: str = ""
    """Address of the cluster's scheduler; "" for one of this machine, with `workers` workers."""

    def __post_init__(self) -> None:
        if self.engine not in ("processes", "dask"):
            raise UsageError(f"--engine {self.engine}: wanted processes or dask.")
        if self.scheduler and self.engine != "dask":
            raise UsageError("--scheduler is the address of a Dask cluster; add --engine dask.")

    def choose(self, records: int) -> Engine:
        """Return the engine for an input of so many records, or more."""
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
                raise UsageError(_NO_DISTRIBUTED) from error
            check_cluster(self.scheduler)


AS_USUAL = LabelOptions()
"""What holds where nobody says otherwise."""
