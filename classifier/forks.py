"""Work done in forks of this process, on the other cores of the machine.

A fork holds all that this process holds, so the work may be any function; what it returns must be
possible to pickle. Where forks are not safe (all but Linux), in a fork, on a machine of one core,
and where a fork fails, the work is done here: with the same outcome, or the same error.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

FEW = 100
"""Papers, or pages, on which work takes less time than a fork."""


_STEP = 50


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _may_fork(size: int) -> bool:
    in_fork = multiprocessing.parent_process() is not None
    return size > FEW and sys.platform == "linux" and usable_cores() > 1 and not in_fork


@contextmanager
def forked(work: Callable[[], R], size: int) -> Iterator[Callable[[], R]]:
    """Begin a work on `size` papers; give what waits for its outcome.

    It ends with the block, whatever happens there.
    """
    if not _may_fork(size):
        yield work
        return
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(work, there), daemon=True)
    gc.freeze()  # to look through what both hold for garbage would copy it
    with warnings.catch_warnings():  # of other threads: they only draw, serve or compute
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    there.close()

    def outcome() -> R:
        try:
            found: R = here.recv()
        except EOFError:
            return work()
        return found

    try:
        yield outcome
    finally:
        process.terminate()
        process.join()
        here.close()


def _do(work: Callable[[], R], there: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started it
    with suppress(Exception):
        there.send(work())


def spread(
    work: Callable[[T], R],
    items: Sequence[T],
    size: int,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[R]:
    """Return `work` of each item, in order; of work on `size` papers every core does a share.

    tell: is told now and then how many of how many are done.
    """
    cores = usable_cores() if _may_fork(size) else 1
    done: dict[int, R] = {}
    with ExitStack() as forks:
        shares = [range(at, len(items), cores) for at in range(cores)]
        outcomes = [
            forks.enter_context(forked(partial(_done, work, items, share), size))
            for share in shares[1:]
        ]
        for place in shares[0]:
            if place % _STEP == 0:
                tell(place, len(items))
            done[place] = work(items[place])
        for outcome in outcomes:
            done |= outcome()
    tell(len(items), len(items))
    return [done[place] for place in range(len(items))]


def _done(work: Callable[[T], R], items: Sequence[T], share: Sequence[int]) -> dict[int, R]:
    return {place: work(items[place]) for place in share}
