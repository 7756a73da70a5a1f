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
from contextlib import contextmanager
from multiprocessing import forkserver
from types import ModuleType

from classifier.errors import WorkerError
from classifier.scale.chunks import Chunk
from classifier.scale.label_model import LabelTask

Labelled = Iterator[tuple[Chunk, bytes]]
"""Each chunk in its order, with its part as bytes."""

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


def prepare_workers() -> None:
    """Have the libraries loaded once, while something else is done, from where workers start."""
    if _METHOD == "forkserver":
        context = multiprocessing.get_context(_METHOD)
        context.set_forkserver_preload([__name__, "classifier.labelling.classifier"])
        with _deaf_to_interrupts():
            forkserver.ensure_running()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes be started that Ctrl-C does not reach: it is for the one that started them.

    On a terminal it is sent to all of them, and would stop them in the middle of their imports.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Let processes be started that do not run the program that called us once more.

    They need nothing of it, and without `if __name__ == "__main__":` it would label in each again.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def label_here(task: LabelTask, chunks: Iterator[Chunk]) -> Labelled:
    """Label chunks in this process."""
    gc.freeze()  # the model stays: looking through it for garbage would take a tenth of the time
    try:
        for chunk in chunks:
            yield chunk, task(chunk)
    finally:
        gc.unfreeze()


def label_in_processes(task: LabelTask, chunks: Iterator[Chunk], workers: int) -> Labelled:
    """Label chunks in processes, to each of which the task is sent once.

    Raises WorkerError where one of them ends by itself.
    """
    prepare_workers()  # or each of them would load the libraries by itself
    context = multiprocessing.get_context(_METHOD)
    others = multiprocessing.active_children()
    executor = ProcessPoolExecutor(workers, context, _begin, (pickle.dumps(task),))
    waiting: deque[tuple[Chunk, Future[bytes]]] = deque()
    try:
        for chunk in chunks:
            with _without_main():
                waiting.append((chunk, executor.submit(_label, chunk)))
            if len(waiting) > _AHEAD * workers:
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
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


def _first(waiting: deque[tuple[Chunk, Future[bytes]]]) -> tuple[Chunk, bytes]:
    chunk, labelled = waiting.popleft()
    return chunk, labelled.result()


def _begin(task: bytes) -> None:
    """Make this process a worker. It ends with the one that started it, however that ends."""
    global _task
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _task = pickle.loads(task)
    gc.freeze()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _label(chunk: Chunk) -> bytes:
    assert _task is not None
    return _task(chunk)
