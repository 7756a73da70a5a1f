"""Progress callbacks for long work."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Progress callback, called with (stage, done, total)."""


def report(progress: Progress | None, stage: str, done: int, total: int) -> None:
    """Call `progress`, unless it is None."""
    if progress:
        progress(stage, done, total)
