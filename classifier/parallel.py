"""Apply a function to many papers, with worker processes on all cores of the machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Advance = Callable[[int, int], None]
"""Progress callback, called with (done, total)."""

MIN_PAPERS = 1000
"""Minimum number of papers for worker processes: with fewer they cost more time than they save."""
MAX_WORKERS = 8
"""Maximum number of worker processes: each needs memory of its own."""
_CHUNKS_PER_WORKER = 8
_METHOD = "fork" if sys.platform == "linux" else "spawn"


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
    """Return `work(item)` for each item, in order.

    With `MIN_PAPERS` or more papers, worker processes do the work.
    """
    with background_map(work, items, n_papers) as finish:
        return finish(advance)


@contextmanager
def background_map(
    work: Callable[[T], R], items: Sequence[T], n_papers: int
) -> Iterator[Callable[..., list[R]]]:
    """Start `parallel_map` in the background; yield the function that waits for its result.

    The result or the error is the same with and without worker processes. The processes end with
    the `with` block.
    """

    def map_here(advance: Advance = lambda done, total: None) -> list[R]:
        """Do the work in this process."""
        return _collect(map(work, items), len(items), advance)

    n_workers = min(usable_cores(), len(items), MAX_WORKERS)
    is_worker = multiprocessing.parent_process() is not None
    # A fork inherits the work and the items, whereas joblib and spawned processes pickle them:
    # closures over the whole survey and its templates. Only Linux forks safely.
    if n_papers < MIN_PAPERS or n_workers < 2 or is_worker or _METHOD != "fork":
        yield map_here
        return
    chunk_size = max(1, len(items) // (n_workers * _CHUNKS_PER_WORKER))
    with ExitStack() as stack:
        try:
            pool = stack.enter_context(worker_pool(n_workers, _set_work, work, items))
        except OSError:  # the system cannot start another process
            yield map_here
            return
        results = pool.map(_work_on, range(len(items)), chunksize=chunk_size)

        def finish(advance: Advance = lambda done, total: None) -> list[R]:
            """Wait for the result."""
            try:
                return _collect(results, len(items), advance)
            except BrokenProcessPool:  # the system ended a worker, perhaps because memory ran out
                return map_here(advance)

        yield finish


@contextmanager
def worker_pool(
    n_workers: int, initialize: Callable[..., None], *arguments: object
) -> Iterator[ProcessPoolExecutor]:
    """Start worker processes that first call `initialize(*arguments)`.

    They end with the `with` block (immediately if it raises an error), and also if this process is
    killed. Raises OSError if the system cannot start a process.
    """
    others = multiprocessing.active_children()
    context = multiprocessing.get_context(_METHOD)
    pool = ProcessPoolExecutor(n_workers, context, _start_worker, (initialize, arguments))
    workers: list[BaseProcess] = []
    try:
        with _signals_blocked(), warnings.catch_warnings():
            # Python warns of a fork while threads run; ours only print progress or compute.
            warnings.simplefilter("ignore", DeprecationWarning)
            pool.submit(os.getpid)  # the first task starts all workers
        workers = [each for each in multiprocessing.active_children() if each not in others]
        yield pool
    except BaseException:
        for process in workers:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _collect(results: Iterator[R], total: int, advance: Advance) -> list[R]:
    """Collect the results, and report the progress."""
    found: list[R] = []
    for result in results:
        found.append(result)
        advance(len(found), total)
    return found


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block signals until new workers have their own handlers; else they would print tracebacks."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLERS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# Ctrl-C reaches all processes of the group; workers ignore it, and the parent ends them.
_HANDLERS = {signal.SIGINT: signal.SIG_IGN, signal.SIGTERM: signal.SIG_DFL}


def _start_worker(initialize: Callable[..., None], arguments: tuple[object, ...]) -> None:
    """Initialise a worker process."""
    for number, handler in _HANDLERS.items():
        signal.signal(number, handler)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLERS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    initialize(*arguments)


def _end_with_parent() -> None:
    """End this process when its parent ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


_work: Callable[[Any], Any]
_items: Sequence[Any]


def _set_work(work: Callable[[Any], Any], items: Sequence[Any]) -> None:
    """Store the function and its items in a worker process."""
    global _work, _items
    _work, _items = work, items


def _work_on(position: int) -> Any:
    """Apply the stored function to the item at a position."""
    return _work(_items[position])
