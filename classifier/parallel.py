"""Map a function over many papers with worker processes on all cores of the machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Advance = Callable[[int, int], None]
"""Progress callback, called with (done, total)."""

MIN_PAPERS = 300
"""Number of papers from which on worker processes save more time than they cost."""
MAX_WORKERS = 8
"""Maximum number of worker processes: each needs memory of its own."""
_CHUNKS_PER_WORKER = 8


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parallel_map(
    work: Callable[[T], R],
    items: Sequence[T],
    n_papers: int,
    advance: Advance = lambda done, total: None,
) -> list[R]:
    """Return `work(item)` of each item, in order; with worker processes from `MIN_PAPERS` on."""
    with background_map(work, items, n_papers) as finish:
        return finish(advance)


@contextmanager
def background_map(
    work: Callable[[T], R], items: Sequence[T], n_papers: int
) -> Iterator[Callable[..., list[R]]]:
    """Start `parallel_map` in the background; yield the function that waits for its result.

    The result, or the error, is the same whether worker processes are used or not. They end with
    the block.
    """

    def map_here(advance: Advance = lambda done, total: None) -> list[R]:
        return _collect(map(work, items), len(items), advance)

    n_workers = min(usable_cores(), len(items), MAX_WORKERS)
    is_worker = multiprocessing.parent_process() is not None
    # Only Linux forks safely. A fork inherits the work and the items, whereas joblib and spawned
    # processes pickle them: closures over the whole survey and its templates.
    if n_papers < MIN_PAPERS or n_workers < 2 or is_worker or sys.platform != "linux":
        yield map_here
        return
    executor = ProcessPoolExecutor(
        n_workers, multiprocessing.get_context("fork"), _start_worker, (work, items)
    )
    chunk_size = max(1, len(items) // (n_workers * _CHUNKS_PER_WORKER))
    others = multiprocessing.active_children()
    try:
        with warnings.catch_warnings():  # about other threads, which only draw or compute
            warnings.simplefilter("ignore", DeprecationWarning)
            results = executor.map(_work_on, range(len(items)), chunksize=chunk_size)
    except OSError:  # no room for another process
        yield map_here
        return

    def finish(advance: Advance = lambda done, total: None) -> list[R]:
        try:
            return _collect(results, len(items), advance)
        except BrokenProcessPool:  # the system ended a worker, perhaps for want of memory
            return map_here(advance)

    workers = [process for process in multiprocessing.active_children() if process not in others]
    try:
        yield finish
    except BaseException:
        for process in workers:
            process.kill()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _collect(results: Iterator[R], total: int, advance: Advance) -> list[R]:
    found: list[R] = []
    for result in results:
        found.append(result)
        advance(len(found), total)
    return found


_work: Callable[[Any], Any]
_items: Sequence[Any]


def _start_worker(work: Callable[[T], R], items: Sequence[T]) -> None:
    global _work, _items
    _work, _items = work, items
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _work_on(place: int) -> Any:
    return _work(_items[place])
