"""Ending a long command: `kill` and service managers end it as Ctrl-C does."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stops_when_told() -> Iterator[None]:
    """Let `kill`, a service manager or the end of a job's time stop a run as Ctrl-C does."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread, which alone is told
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
