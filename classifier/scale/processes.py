"""Engines on this computer: one process, or several worker processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

from classifier.errors import WorkerError
from classifier.parallel import worker_pool
from classifier.scale.chunks import Chunk
from classifier.scale.joining import Part
from classifier.scale.tasks import LabelledChunks, LabelTask

_CHUNKS_AHEAD = 3
"""Chunks per worker that are submitted ahead, so that no worker waits for the reader."""

_task: LabelTask
"""The task of a worker process."""


def label_here(task: LabelTask, chunks: Iterator[Chunk]) -> LabelledChunks:
    """Label chunks in this process."""
    for chunk in chunks:
        yield chunk, task(chunk)


def label_in_processes(task: LabelTask, chunks: Iterator[Chunk], workers: int) -> LabelledChunks:
    """Label chunks in worker processes; raise WorkerError if one of them ends early."""
    submitted: deque[tuple[Chunk, Future[Part]]] = deque()
    try:
        with worker_pool(workers, _set_task, task) as pool:
            for chunk in chunks:
                submitted.append((chunk, pool.submit(_label, chunk)))
                if len(submitted) > _CHUNKS_AHEAD * workers:
                    first, future = submitted.popleft()
                    yield first, future.result()
            for chunk, future in submitted:
                yield chunk, future.result()
    except (BrokenProcessPool, BrokenPipeError) as error:
        raise WorkerError(
            "A worker process ended early, perhaps because memory ran out. Use fewer --workers "
            f"(now {workers})."
        ) from error


def _set_task(task: LabelTask) -> None:
    """Store the task in a worker process."""
    global _task
    _task = task


def _label(chunk: Chunk) -> Part:
    """Run the stored task."""
    return _task(chunk)
