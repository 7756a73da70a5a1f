"""What every command prints in the same way, and errors as messages and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import typer

from classifier.cli.harmless import harmless, harmless_output
from classifier.errors import Fault, FieldguideError, InputError

if TYPE_CHECKING:
    from classifier.corpus.load import InputFile

MOST_WARNINGS = 20


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Turn our own errors into a message and an exit code; anything else is a bug and shows."""

    @wraps(function)
    def run(*args: Any, **options: Any) -> None:
        try:
            with harmless_output():
                function(*args, **options)
        except InputError as error:
            print_faults(error.faults)
            if all(fault.severity == "warning" for fault in error.faults):
                say(f"{count(len(error.faults), 'warning')} under --strict; nothing was written.")
            raise typer.Exit(error.exit_code) from None
        except FieldguideError as error:
            say(f"fieldguide: {error}")
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            say("Stopped; nothing was written.")
            raise typer.Exit(130) from None

    return run


def print_warnings(
    warnings: Sequence[Fault], listed_by: str = "; `fieldguide check` lists all"
) -> None:
    """Print the first of them to standard error, and how many more there are.

    listed_by: what tells the others; "" where nothing does.
    """
    for fault in warnings[:MOST_WARNINGS]:
        say(str(fault))
    if len(warnings) > MOST_WARNINGS:
        say(f"… and {len(warnings) - MOST_WARNINGS:,} more warnings{listed_by}.")


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
    """Print all of them to standard error, and where there are errors, how many."""
    for fault in faults:
        say(str(fault))
    errors = sum(fault.severity == "error" for fault in faults)
    if errors:
        rest = count(len(faults) - errors, "warning")
        say(f"{count(errors, 'error')}, {rest}; nothing was written.")


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
