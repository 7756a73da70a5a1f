"""How far labelling is: a bar with rate and time left on a terminal, and the rate at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

WORTH_A_RATE = 10_000
"""Records from which on a rate is told: of fewer it is mostly that of the first ones."""


class LabelProgress:
    """Takes what a run tells of itself; draws it where there is a bar."""

    def __init__(self, bar: Bar | None = None) -> None:
        self._bar = bar
        self._task = bar.add_task("Starting", total=None, told="") if bar else None
        self._began = time.monotonic()
        self._first: int | None = None

    def stage(self, name: str, done: int, total: int) -> None:
        """Show a stage before labelling, and how many of its parts are done."""
        self._began = time.monotonic()
        self._show(name, done, total, f"{done}/{total}")

    def advance(self, papers: int, position: int, total: int) -> None:
        """Show how many papers are labelled, and how many bytes of the input they come from."""
        if self._first is None:
            self._first, self._began = papers, time.monotonic()
        seconds = time.monotonic() - self._began
        rate = f", {(papers - self._first) / seconds:,.0f} a second" if seconds > 1 else ""
        # Less than all until the file is written, or the time left would be none too early.
        self._show("Labelling", min(position, total - 1), total, f"{papers:,} papers{rate}")

    def rate(self, records: int) -> str:
        """Return how fast the records were labelled that this run labelled; "" of few."""
        seconds = time.monotonic() - self._began
        if records < WORTH_A_RATE or seconds <= 0:
            return ""
        return f"{records:,} records in {seconds:,.0f} s: {records / seconds:,.0f} a second."

    def _show(self, name: str, done: int, total: int, told: str) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=name, completed=done, total=total, told=told)


@contextmanager
def label_progress() -> Iterator[LabelProgress]:
    """Give what takes the progress of a run, with a bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield LabelProgress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description:<24}"),
        BarColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield LabelProgress(bar)
