"""Options that the commands of `fetch` share."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from classifier.errors import UsageError

SinceOption = Annotated[
    str, typer.Option("--since", metavar="DATE", help="Papers of this day or later: 2026-01-01.")
]
UntilOption = Annotated[
    str, typer.Option("--until", metavar="DATE", help="Papers of this day or earlier.")
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="At most so many papers.")
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE.jsonl",
        help="Default: a file in the project's papers/, named after service and query.",
    ),
]
MailtoOption = Annotated[
    str,
    typer.Option(
        "--mailto",
        metavar="ADDRESS",
        envvar="FIELDGUIDE_MAILTO",
        show_envvar=False,
        help="Your mail address, told to the service, so that it can reach you. Default: the "
        "environment variable FIELDGUIDE_MAILTO.",
    ),
]
AnewOption = Annotated[
    bool,
    typer.Option(
        "--anew",
        help="Begin again: ask for what was fetched within the last day, or before a run was cut "
        "off, too.",
    ),
]


def check_days(since: str, until: str) -> None:
    """Raise UsageError where a day is none, or the last comes before the first."""
    for option, text in (("--since", since), ("--until", until)):
        try:
            valid = not text or date.fromisoformat(text).isoformat() == text
        except ValueError:
            valid = False
        if not valid:
            raise UsageError(f"{option} {text!r}: is no day; wanted one such as 2026-01-31.")
    if since and until and until < since:
        raise UsageError(f"--until {until}: lies before --since {since}.")
