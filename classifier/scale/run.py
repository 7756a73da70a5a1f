"""A run: chunks labelled where people choose, and their parts joined in input order.

Labelled here, in processes of this machine, or by a Dask cluster (`cluster`).
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import forkserver
from pathlib import Path
from types import ModuleType
from typing import IO

from classifier.errors import UsageError, WorkerError
from classifier.scale.chunks import Chunk, InputTexts, cut
from classifier.scale.formats import FORMATS
from classifier.scale.joining import InputSaid, Join, Part
from classifier.scale.label_model import LabelTask

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


Labelled = Iterator[tuple[Chunk, Part]]
"""Each chunk in its order, with its part."""

_AHEAD = 3
"""Chunks a worker that are read ahead, so that none of them waits for the reader."""
_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"

_task: LabelTask | None = None
"""In a worker: what it does."""


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def label_here(task: LabelTask, chunks: Iterator[Chunk]) -> Labelled:
    """Label chunks in this process."""
    for chunk in chunks:
        yield chunk, task(chunk)


def label_in_processes(task: LabelTask, chunks: Iterator[Chunk], workers: int) -> Labelled:
    """Label chunks in processes, to each of which the task is sent once.

    Raises WorkerError where one of them ends by itself.
    """
    context = multiprocessing.get_context(_METHOD)
    _begin_forkserver(context)
    others = multiprocessing.active_children()
    executor = ProcessPoolExecutor(workers, context, _begin, (pickle.dumps(task),))
    waiting: deque[tuple[Chunk, Future[Part]]] = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, _submit(executor, chunk)))
            if len(waiting) > _AHEAD * workers:
                chunk, labelled = waiting.popleft()
                yield chunk, labelled.result()
        for chunk, labelled in waiting:
            yield chunk, labelled.result()
        executor.shutdown()
    except (BrokenProcessPool, BrokenPipeError) as error:
        raise WorkerError(
            "A worker process ended by itself, perhaps for want of memory. Go on with fewer "
            f"--workers (these were {workers})."
        ) from error
    finally:  # whatever stopped the run, nobody labels on
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()


def _begin_forkserver(context: multiprocessing.context.BaseContext) -> None:
    """Have the libraries loaded once, in the process from which all workers are forked.

    On a terminal Ctrl-C is sent to all processes; it would stop that one amid its imports.
    """
    if _METHOD != "forkserver":
        return
    context.set_forkserver_preload([__name__, "classifier.labelling.classifier"])
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _submit(executor: ProcessPoolExecutor, chunk: Chunk) -> Future[Part]:
    """Hand out a chunk; workers that are started for it do not run the user's program once more.

    They need nothing of it, and without `if __name__ == "__main__":` it would label in each again.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        return executor.submit(_label, chunk)
    finally:
        sys.modules["__main__"] = main


def _begin(task: bytes) -> None:
    """Make this process a worker. It ends with the one that started it, however that ends."""
    global _task
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _task = pickle.loads(task)
    gc.freeze()  # the model stays: looking through it for garbage would take a tenth of the time


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _label(chunk: Chunk) -> Part:
    assert _task is not None
    return _task(chunk)
