"""`fieldguide fetch semanticscholar`."""

from __future__ import annotations

from typing import Annotated

import typer

from classifier.cli.fetch.asking import fetch_and_tell
from classifier.cli.fetch.options import (
    AnewOption,
    LimitOption,
    MailtoOption,
    OutputOption,
    SinceOption,
    UntilOption,
    check_days,
)
from classifier.cli.options import ProjectOption
from classifier.cli.printing import command


@command
def semanticscholar(
    query: Annotated[
        str,
        typer.Argument(
            metavar="WORDS", help='Words; + and, | or, - not, "a phrase" in quotation marks.'
        ),
    ],
    since: SinceOption = "",
    until: UntilOption = "",
    limit: LimitOption = None,
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch papers from Semantic Scholar by bulk search in titles and abstracts.

    A key, where you have one, is read from the environment variable SEMANTIC_SCHOLAR_API_KEY;
    without one all users share a rate, and waiting is likely.

    Example: `fieldguide fetch semanticscholar "agent + benchmark" --since 2025-01-01`.
    """
    from classifier.extras.fetch.run import file_name
    from classifier.extras.fetch.source import Query
    from classifier.extras.fetch.sources.semantic_scholar import SOURCE

    check_days(since, until)
    fetch_and_tell(
        SOURCE,
        Query(query, since, until, limit),
        name=file_name(SOURCE.service.name, query),
        project=project,
        output=output,
        mailto=mailto,
        anew=anew,
    )
