"""Progress of long work: a bar on a terminal, one line per stage with `--verbose`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum

from classifier.progress import Progress


class Verbosity(IntEnum):
    """How much a command prints about its work."""

    QUIET = -1
    NORMAL = 0
    VERBOSE = 1


verbosity: ContextVar[Verbosity] = ContextVar("verbosity", default=Verbosity.NORMAL)
"""Set by `--quiet` and `--verbose`."""


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """Yield a progress callback that prints to standard error; None if nothing is printed."""
    level = verbosity.get()
    if level == Verbosity.VERBOSE:
        with _stage_lines() as progress:
            yield progress
    elif level == Verbosity.NORMAL and sys.stderr.isatty():
        with _terminal_bar() as progress:
            yield progress
    else:
        yield None


@contextmanager
def _stage_lines() -> Iterator[Progress]:
    current: tuple[str, int, float] | None = None

    def finish() -> None:
        if current is not None:
            stage, total, start = current
            size = f" ({total:,})" if total else ""
            sys.stderr.write(f"{stage}{size}: {time.monotonic() - start:.1f} s\n")

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal current
        if current is None or current[0] != stage:
            finish()
            current = (stage, total, time.monotonic())
        else:
            current = (stage, total, current[2])

    yield progress
    finish()


@contextmanager
def _terminal_bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("{task.description:<24}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("Starting", total=None)

        def progress(stage: str, done: int, total: int) -> None:
            bar.update(task, description=stage, completed=done, total=total)

        yield progress
