"""Chunks labelled by processes of this machine."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver
from types import ModuleType

from classifier.errors import WorkerError
from classifier.scale.chunks import Chunk
from classifier.scale.joining import Part
from classifier.scale.label_model import LabelTask

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
