"""Work on many papers, shared with forks of this process on the other cores of the machine.

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
from contextlib import contextmanager, suppress
from functools import update_wrapper
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Tell = Callable[[int, int], None]
"""Is told now and then how many of how many are done."""

FEW = 100
"""Papers, or pages, on which work takes less time than a fork."""
MOST = 7
"""Forks at a time: each takes memory, and what is not shared soon takes longest."""
_at_work: list[Connection] = []
"""What the outcomes of forks come through that are not done yet, nor taken from them."""
_TICKET = 4
_MOST_TICKETS = 10_000
"""What a pipe takes that nobody reads yet."""
_STEP = 50


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Callable[[T], R], items: Sequence[T], size: int, tell: Tell = lambda done, total: None
) -> list[R]:
    """Return `work` of each item, in order; every core helps where it is on `size` papers."""
    with begun(work, items, size) as finish:
        return finish(tell)


class Remembered(Generic[R]):
    """A function of a text that remembers what it said of the texts that it read last.

    Of many texts that are to be read all the same, `ask` lets every core read some.
    """

    most = 2**14

    def __init__(self, work: Callable[[str], R]) -> None:
        update_wrapper(self, work)
        self._work = work
        self._known: dict[str, R] = {}

    def __call__(self, text: str) -> R:
        """Return what the function says of a text."""
        if text in self._known:
            return self._known[text]
        if len(self._known) >= self.most:
            del self._known[next(iter(self._known))]  # what has been known longest
        said = self._known[text] = self._work(text)
        return said

    def __reduce__(self) -> str:
        return self._work.__qualname__  # pickled as what has its name, which remembers for itself

    def ask(self, texts: Sequence[str]) -> None:
        """Let the function read texts, to remember what it says of them."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        new = new[: max(0, self.most - len(self._known))]
        self._known |= zip(new, spread(self._work, new, len(new)), strict=True)


@contextmanager
def begun(
    work: Callable[[T], R], items: Sequence[T], size: int
) -> Iterator[Callable[..., list[R]]]:
    """Begin in forks a work on items that are `size` papers; give what finishes it.

    That does here what no fork has begun, and returns the outcome of each item, in their order. Who
    is free takes the next item. Whatever happens in the block, the forks end with it.
    """
    may_fork = sys.platform == "linux" and multiprocessing.parent_process() is None
    busy = sum(not here.poll() for here in _at_work)
    free = max(0, usable_cores() - 1 - busy)
    number = min(free, size // FEW, MOST) if may_fork else 0
    tickets = _tickets(len(items)) if number else None
    forks: list[tuple[BaseProcess, Connection]] = []
    with suppress(OSError):  # no more processes, or no memory for them
        for _ in range(number):
            forks.append(_fork(work, items, tickets))  # noqa: PERF401 - what began is kept
    _at_work.extend(here for _, here in forks)

    def finish(tell: Tell = lambda done, total: None) -> list[R]:
        done: dict[int, R] = {}
        for place in _taken(tickets, len(items)):
            if place % _STEP == 0:
                tell(place, len(items))
            done[place] = work(items[place])
        for _, here in forks:
            with suppress(EOFError, OSError):  # it ended by itself, perhaps amid its answer
                done |= here.recv()
        tell(len(items), len(items))
        return [done[place] if place in done else work(item) for place, item in enumerate(items)]

    try:
        yield finish
    finally:
        for process, here in forks:
            process.kill()  # SIGTERM would be answered as this process answers it, with a message
            process.join()
            _at_work.remove(here)
            here.close()
        if tickets is not None:
            os.close(tickets)


def _fork(
    work: Callable[[T], R], items: Sequence[T], tickets: int | None
) -> tuple[BaseProcess, Connection]:
    """Return a fork that is at work, and what its outcome comes through."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_help, args=(work, items, tickets, there), daemon=True)
    gc.freeze()  # to look through what both hold for garbage would copy it
    with warnings.catch_warnings():  # of other threads: they only draw, serve or compute
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    there.close()
    return process, here


def _help(
    work: Callable[[T], R], items: Sequence[T], tickets: int | None, there: Connection
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started it
    with suppress(Exception):
        there.send({place: work(items[place]) for place in _taken(tickets, len(items))})


def _tickets(items: int) -> int:
    """Return a pipe from which each item, or few neighbours, can be taken once by anybody."""
    tickets, filled = os.pipe()
    places = range(0, items, _neighbours(items))
    os.write(filled, b"".join(place.to_bytes(_TICKET, "little") for place in places))
    os.close(filled)
    return tickets


def _taken(tickets: int | None, items: int) -> Iterator[int]:
    """Yield the places that are taken here: all, where there are no tickets."""
    if tickets is None:
        yield from range(items)
        return
    while ticket := os.read(tickets, _TICKET):
        first = int.from_bytes(ticket, "little")
        yield from range(first, min(first + _neighbours(items), items))


def _neighbours(items: int) -> int:
    return items // _MOST_TICKETS + 1
