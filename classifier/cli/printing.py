"""What every command prints alike, errors as messages and exit codes, and how one stops."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO, cast

import typer

from classifier.errors import SEVERITIES, Fault, FieldguideError, InputError, condense, doubtful
from classifier.files.writing import tell_waiting, written
from classifier.text.normalise import ACTS

if TYPE_CHECKING:
    from classifier.evaluation.report import Report
    from classifier.papers.load import InputFile


# Lines by which a program gives orders to GitHub Actions and Azure Pipelines.
_ORDER = re.compile(r"^([^\S\n]*:)(?=:)|(#)(?=#(?:vso)?\[)", re.MULTILINE)


def harmless(text: str) -> str:
    """Return a text as it may be printed: signs that act are shown, orders to CI taken apart.

    >>> harmless("red" + chr(27) + "[31m"), harmless("::add-mask::x")
    ('red\\\\x1b[31m', ': :add-mask::x')
    >>> harmless(chr(160) + "::error::x, ##[error]x")  # a service passes over any blank
    '\\xa0: :error::x, # #[error]x'
    """
    text = ACTS.sub(lambda sign: ascii(sign[0])[1:-1], text).replace("\r", "\\r")
    return _ORDER.sub(lambda order: f"{order[0]} ", text)


class _Harmless:
    """A stream that prints what is harmless; all but writing is left to the stream below."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text as it may be printed."""
        self._stream.write(harmless(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def give_order(line: str) -> None:
    """Print a line of our own that a CI service is to obey; what it holds is escaped already."""
    stream = sys.stdout
    print(line, file=stream._stream if isinstance(stream, _Harmless) else stream)


_NAMES = ("SIGTERM", "SIGHUP")
"""What stops a command as Ctrl-C does; a service manager or the end of a job's time."""


class Told(KeyboardInterrupt):
    """A signal, whose number is the argument, told the process to stop."""


@contextmanager
def stops_when_told() -> Iterator[None]:
    """Let what ends a process stop it as Ctrl-C does, so that it can clean up."""

    def stop(number: int, _: FrameType | None) -> None:
        raise Told(number)

    written.clear()  # one process may run several commands, as tests do
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
    paths = sorted({str(path) for path in written})
    if not paths:
        return "nothing was written"
    return f"{', '.join(paths)} {'was' if len(paths) == 1 else 'were'} written before, as a whole"


MOST_WARNINGS = 20

_CURES = {
    errno.EACCES: "Allow it, or choose another place.",
    errno.EDQUOT: "Make room, then run the command again.",
    errno.EMFILE: "Close other programs or raise the limit (ulimit -n), then run it again.",
    errno.ENOENT: "It was there a moment ago, or has to be: put it back, then run it again.",
    errno.ENOSPC: "Make room, then run the command again.",
    errno.EPERM: "Allow it, or choose another place.",
    errno.EROFS: "Choose a place that can be written.",
}
"""What to do about the commonest refusals of a system."""


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Turn our own errors into a message and an exit code; anything else is a bug and shows."""

    @wraps(function)
    def run(*args: Any, **options: Any) -> None:
        asked = tell_waiting.set(say)
        try:
            with stops_when_told(), redirect_stdout(cast("TextIO", _Harmless(sys.stdout))):
                function(*args, **options)
        except InputError as error:
            print_faults(error.faults)
            is_error = any(fault.severity == "error" for fault in error.faults)
            strict = "" if is_error else " under --strict"
            say(f"{count_faults(error.faults)}{strict}; {what_was_written()}.")
            raise typer.Exit(error.exit_code) from None
        except FieldguideError as error:
            say(f"fieldguide: {error}")
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt as stopped:
            say(f"Stopped; {what_was_written()}.")
            # As a shell calls the end of a process by a signal: 130 of Ctrl-C, 143 of kill.
            number = stopped.args[0] if isinstance(stopped, Told) else signal.SIGINT
            raise typer.Exit(128 + number) from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever read the output has gone: typer ends quietly
                raise
            say(f"fieldguide: {_told(error)}")
            raise typer.Exit(1) from None
        finally:
            tell_waiting.reset(asked)

    return run


def _told(error: OSError) -> str:
    """Return what the system refused, where, and what to do about it."""
    if error.errno == errno.ENOENT and not error.filename and _is_nowhere():
        return "the folder that you are in was deleted. Go to another one."
    place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    reason = error.strerror or str(error) or type(error).__name__
    hint = _CURES.get(error.errno or 0, "See to it, and run the command again.")
    return f"{place}: {reason}. {hint}" if place else f"{reason}. {hint}"


def _is_nowhere() -> bool:
    """Return whether the working folder is gone."""
    try:
        os.getcwd()
    except OSError:
        return True
    return False


def print_warnings(
    warnings: Sequence[Fault], listed_by: str = "; `fieldguide check` lists all"
) -> None:
    """Print the first of them to standard error, and how many more there are.

    listed_by: what tells the others, and the notices; "" where nothing does, so they are told here,
    behind the warnings.
    """
    notices = [] if listed_by else [fault for fault in warnings if fault.severity == "notice"]
    told = [*doubtful(warnings), *notices]
    for fault in told[:MOST_WARNINGS]:
        say(str(fault))
    if len(told) > MOST_WARNINGS:
        say(f"… and {count_faults(told[MOST_WARNINGS:])} more{listed_by}.")


def print_columns(files: Sequence[InputFile]) -> None:
    """Say of each foreign table, to standard error, which of its columns were read."""
    for file in files:
        line = file.columns_line()
        if line:
            say(line)


def print_merged(merged: int) -> None:
    """Say how many papers stood in the files more than once, and how to see why they are one."""
    if merged:
        are = count(merged, "paper stands", "papers stand")
        where = "in the files more than once, and once in the survey"
        print(f"{are} {where}: `fieldguide explain TITLE` says why.")


def print_faults(faults: Sequence[Fault]) -> None:
    """Print them to standard error, the worst first, of one kind the first ten."""
    for fault in condense(sorted(faults, key=lambda fault: SEVERITIES.index(fault.severity))):
        say(str(fault))


def print_report(report: Report) -> None:
    """Print a report as text."""
    from classifier.evaluation.report import text_lines

    print("\n".join(text_lines(report)))


def count_faults(faults: Sequence[Fault]) -> str:
    """Return how many faults there are of each severity, of which there are any.

    >>> count_faults([Fault("notice", "a.bib", 1, "a date", "a day")] * 2)
    '2 notices'
    """
    numbers = {name: sum(fault.severity == name for fault in faults) for name in SEVERITIES}
    return ", ".join(count(number, name) for name, number in numbers.items() if number)


def count(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> count(2, "category", "categories")
    '2 categories'
    >>> count(20_000, "record")
    '20,000 records'
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def say(text: str) -> None:
    """Print a message for people: to standard error, so that output can be piped."""
    print(harmless(text), file=sys.stderr)
