"""Ctrl-C, `kill` and a closed terminal: a command stops, cleans up, and says so in one line."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP")
"""What stops a command as Ctrl-C does; a service manager or the end of a job's time."""
_INTERRUPTED = 130


class Told(KeyboardInterrupt):
    """A signal told the process to stop."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = 128 + number


def exit_code_of(stopped: KeyboardInterrupt) -> int:
    """Return how a shell calls the end of a process by this signal: 130 of Ctrl-C, 143 of kill."""
    return stopped.exit_code if isinstance(stopped, Told) else _INTERRUPTED


@contextmanager
def stops_when_told() -> Iterator[None]:
    """Let what ends a process stop it as Ctrl-C does, so that it can clean up."""

    def stop(number: int, _: FrameType | None) -> None:
        raise Told(number)

    _forget_written()
    numbers = [number for name in _NAMES if (number := getattr(signal, name, None)) is not None]
    before = {}
    try:
        for number in numbers:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
                before[number] = signal.signal(number, stop)
    except ValueError:  # not in the main thread, which alone is told
        pass
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def what_was_written() -> str:
    """Return what the command has done by now, as the end of a sentence."""
    written = sorted({str(path) for path in _written()})
    if not written:
        return "nothing was written"
    return (
        f"{', '.join(written)} {'was' if len(written) == 1 else 'were'} written before, as a whole"
    )


def _written() -> list[Path]:
    """Return the list that writing appends to; where that was not loaded, nothing was written."""
    atomic = sys.modules.get("classifier.files.atomic")
    return atomic.written if atomic else []


def _forget_written() -> None:
    """Begin anew: one process may run several commands, as tests do."""
    _written().clear()
