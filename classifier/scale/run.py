"""A run: label the chunks of the input on the chosen engine, and write rows in input order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO

from classifier.errors import UsageError
from classifier.parallel import usable_cores
from classifier.scale.chunks import InputTexts, cut_chunks
from classifier.scale.formats import FORMATS
from classifier.scale.joining import Join, Run
from classifier.scale.processes import label_here, label_in_processes
from classifier.scale.tasks import Engine, LabelTask

Advance = Callable[[int, int, int], None]
"""Progress callback, called with (number of labelled papers, bytes read, bytes in total)."""

MAX_RECORDS_ALONE = 10_000
"""Maximum number of records that are labelled without worker processes, unless asked for."""


def run_to_stream(
    stream: IO[bytes],
    texts: InputTexts,
    task: LabelTask,
    choose_engine: Callable[[int], Engine],
    chunk_size: int,
    advance: Advance = lambda *_: None,
) -> Run:
    """Label all papers in `texts`, and write each row as soon as it is ready.

    choose_engine: called with the number of records in the input, or with a lower bound of it.
    """
    join = Join()
    output = FORMATS[task.ending](task.model.taxonomy, stream)
    try:
        chunks = cut_chunks(texts, chunk_size)
        n_first = max(2, -(-MAX_RECORDS_ALONE // chunk_size))
        first_chunks = list(islice(chunks, n_first))
        engine = choose_engine(len(first_chunks) * chunk_size)
        for chunk, part in engine(task, chain(first_chunks, chunks)):
            is_kept = join.add(part)
            output.add([row for row, keep in zip(part.rows, is_kept, strict=True) if keep])
            advance(join.papers, chunk.position, texts.total)
        run = join.run(texts.readers)
    except BaseException:
        output.discard()
        raise
    output.close()
    return run


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """Options for labelling files; `workers` and `chunk_size` do not change the labels.

    Raises UsageError for an unknown engine.
    """

    reviews: Path | None = None
    """A ledger; None for the project's."""
    prior: str | None = None
    """A file with a prior, or `none` for no prior; None for the project's."""
    workers: int | None = None
    """Number of processes; None for one if the input is short, else one per usable core."""
    chunk_size: int = 1000
    """Number of records per chunk."""
    engine: str = "processes"
    """`processes` on this computer, or `dask` for a Dask cluster."""
    scheduler: str = ""
    """Address of the cluster's scheduler; "" for a cluster of `workers` processes here."""

    def __post_init__(self) -> None:
        if self.engine not in ("processes", "dask"):
            raise UsageError(f"--engine {self.engine}: expected processes or dask.")
        if self.scheduler and self.engine != "dask":
            raise UsageError("--scheduler is the address of a Dask cluster; add --engine dask.")

    def choose_engine(self, n_records: int) -> Engine:
        """Return the engine for an input of at least `n_records` records."""
        workers = self.workers or usable_cores()
        if self.engine == "dask":
            from classifier.scale.cluster import label_on_cluster  # late: an optional package

            return lambda task, chunks: label_on_cluster(task, chunks, workers, self.scheduler)
        if self.workers is None and n_records < MAX_RECORDS_ALONE:
            workers = 1
        if workers == 1:
            return label_here
        return lambda task, chunks: label_in_processes(task, chunks, workers)

    def check_engine(self) -> None:
        """Raise UsageError if the chosen engine cannot label."""
        if self.engine == "dask":
            try:
                from classifier.scale.cluster import check_cluster  # late: an optional package
            except ImportError as error:
                hint = "pip install 'fieldguide[scale]'"
                raise UsageError(f"Dask needs distributed: {hint}.") from error
            check_cluster(self.scheduler)


DEFAULT_OPTIONS = LabelOptions()
