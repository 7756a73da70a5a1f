"""Printing, exit codes and signals of all commands."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO, cast

import typer

from classifier.cli.progress_bar import Verbosity, verbosity
from classifier.errors import (
    SEVERITIES,
    Fault,
    FieldguideError,
    InputError,
    PluginError,
    condense,
    strict_faults,
)
from classifier.files.lock import tell_waiting
from classifier.files.writing import written
from classifier.text.normalise import CONTROL_CHARACTERS

if TYPE_CHECKING:
    from classifier.evaluation.report import Report
    from classifier.papers.load import InputFile


# Workflow commands, by which a program controls GitHub Actions and Azure Pipelines.
_CI_COMMAND = re.compile(r"^([^\S\n]*:)(?=:)|(#)(?=#(?:vso)?\[)", re.MULTILINE)


def make_harmless(text: str) -> str:
    r"""Escape control characters in `text`, and disarm the workflow commands of CI services.

    >>> make_harmless("red" + chr(27) + "[31m"), make_harmless("::add-mask::x")
    ('red\\x1b[31m', ': :add-mask::x')
    >>> make_harmless(chr(160) + "::error::x, ##[error]x")  # CI services skip any blank
    '\xa0: :error::x, # #[error]x'
    """
    text = CONTROL_CHARACTERS.sub(lambda match: ascii(match[0])[1:-1], text).replace("\r", "\\r")
    return _CI_COMMAND.sub(lambda match: f"{match[0]} ", text)


class _HarmlessStream:
    """A text stream that prints harmless text; everything else is delegated to another stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text` after making it harmless; return its length."""
        self._stream.write(make_harmless(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def print_ci_command(line: str) -> None:
    """Print a workflow command for a CI service; its values must already be escaped."""
    stream = sys.stdout
    print(line, file=stream._stream if isinstance(stream, _HarmlessStream) else stream)


_STOP_SIGNALS = ("SIGTERM", "SIGHUP")
"""Signals that stop a command as Ctrl-C does: from a service manager, or when a job times out."""


class StopSignal(KeyboardInterrupt):
    """A signal that stops the process; the argument is the number of the signal."""


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Raise StopSignal for signals that end a process, so that it can clean up."""

    def stop(number: int, _: FrameType | None) -> None:
        raise StopSignal(number)

    written.clear()  # Tests run several commands in one process.
    numbers = [getattr(signal, name) for name in _STOP_SIGNALS if hasattr(signal, name)]
    former = {}
    try:
        for number in numbers:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP
                former[number] = signal.signal(number, stop)
    except ValueError:  # Only the main thread receives signals.
        pass
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def written_files() -> str:
    """Return the files that the command has written so far, as the end of a sentence."""
    paths = sorted({str(path) for path in written})
    if not paths:
        return "nothing was written"
    return f"{', '.join(paths)} {'was' if len(paths) == 1 else 'were'} written completely"


MAX_WARNINGS = 20

_HINTS = {
    errno.EACCES: "Change the permissions, or choose another place.",
    errno.EDQUOT: "Free some space, then run the command again.",
    errno.EMFILE: "Close other programs or raise the limit (ulimit -n), then try again.",
    errno.ENOENT: "The file is missing: restore it, then run the command again.",
    errno.ENOSPC: "Free some space, then run the command again.",
    errno.EPERM: "Change the permissions, or choose another place.",
    errno.EROFS: "Choose a writable place.",
}
"""Hints for the most common errors of the operating system."""


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Turn expected errors into a message and an exit code; all other exceptions are bugs."""

    @wraps(function)
    def run(*args: Any, **options: Any) -> None:
        token = tell_waiting.set(say)
        try:
            with stop_on_signals(), redirect_stdout(cast("TextIO", _HarmlessStream(sys.stdout))):
                function(*args, **options)
        except InputError as error:
            print_faults(error.faults)
            is_error = any(fault.severity == "error" for fault in error.faults)
            strict = "" if is_error else " under --strict"
            _print_error(f"{count_faults(error.faults)}{strict}; {written_files()}.")
            raise typer.Exit(error.exit_code) from None
        except FieldguideError as error:
            if isinstance(error, PluginError) and verbosity.get() == Verbosity.VERBOSE:
                _print_error("".join(traceback.format_exception(error)))
            _print_error(f"fieldguide: {error}")
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt as stopped:
            _print_error(f"Stopped; {written_files()}.")
            # The exit codes of a shell: 130 after Ctrl-C, 143 after kill.
            number = stopped.args[0] if isinstance(stopped, StopSignal) else signal.SIGINT
            raise typer.Exit(128 + number) from None
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # The reader of a pipe closed it. Typer exits without a message.
            _print_error(f"fieldguide: {_system_error(error)}")
            raise typer.Exit(1) from None
        finally:
            tell_waiting.reset(token)

    return run


def _system_error(error: OSError) -> str:
    """Return a message about an error of the operating system: file, reason, hint."""
    if error.errno == errno.ENOENT and not error.filename and _is_folder_gone():
        return "the current folder was deleted. Go to another one."
    place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    reason = error.strerror or str(error) or type(error).__name__
    hint = _HINTS.get(error.errno or 0, "Fix this, then run the command again.")
    return f"{place}: {reason}. {hint}" if place else f"{reason}. {hint}"


def _is_folder_gone() -> bool:
    try:
        os.getcwd()
    except OSError:
        return True
    return False


def print_warnings(
    warnings: Sequence[Fault], listed_by: str = "; `fieldguide check` lists all"
) -> None:
    """Print the first `MAX_WARNINGS` warnings to standard error, and the number of others.

    listed_by: where the user finds the others and the notices; if it is "", notices are printed
    here after the warnings.
    """
    notices = [] if listed_by else [fault for fault in warnings if fault.severity == "notice"]
    faults = [*strict_faults(warnings), *notices]
    for fault in faults[:MAX_WARNINGS]:
        say(str(fault))
    if len(faults) > MAX_WARNINGS:
        say(f"… and {count_faults(faults[MAX_WARNINGS:])} more{listed_by}.")


def print_columns(files: Sequence[InputFile]) -> None:
    """Print to standard error which columns were read from tables of other programs."""
    for file in files:
        line = file.columns_line()
        if line:
            say(line)


def print_merged(merged: int) -> None:
    """Print how many papers occur several times in the files."""
    if merged:
        occur = count(merged, "paper occurs", "papers occur")
        print_summary_line(
            f"{occur} more than once in the files and once in the survey: "
            "`fieldguide explain TITLE` says why."
        )


def print_faults(faults: Sequence[Fault]) -> None:
    """Print faults to standard error, most severe first, at most ten per kind."""
    for fault in condense(sorted(faults, key=lambda fault: SEVERITIES.index(fault.severity))):
        _print_error(str(fault))


def print_report(report: Report) -> None:
    """Print an evaluation report as text."""
    from classifier.evaluation.report import text_lines

    print("\n".join(text_lines(report)))


def count_faults(faults: Sequence[Fault]) -> str:
    """Return the number of faults by severity, without zeros.

    >>> count_faults([Fault("notice", "a.bib", 1, "a date", "a day")] * 2)
    '2 notices'
    """
    numbers = {name: sum(fault.severity == name for fault in faults) for name in SEVERITIES}
    return ", ".join(count(number, name) for name, number in numbers.items() if number)


def count(number: int, singular: str, plural: str = "") -> str:
    """Return a number and its noun.

    >>> count(2, "category", "categories")
    '2 categories'
    >>> count(20_000, "record")
    '20,000 records'
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def say(text: str) -> None:
    """Print a message to standard error, unless `--quiet` was given."""
    if verbosity.get() > Verbosity.QUIET:
        _print_error(text)


def print_summary_line(text: str) -> None:
    """Print a line of a summary to standard output, unless `--quiet` was given."""
    if verbosity.get() > Verbosity.QUIET:
        print(text)


def _print_error(text: str) -> None:
    print(make_harmless(text), file=sys.stderr)
