"""`fieldguide fetch openalex`."""

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
def openalex(
    query: Annotated[
        str, typer.Argument(metavar="WORDS", help="Words to search in titles, abstracts and texts.")
    ] = "",
    filter_: Annotated[
        str,
        typer.Option(
            "--filter", metavar="FILTER", help="OpenAlex's filter: type:article,language:en."
        ),
    ] = "",
    since: SinceOption = "",
    until: UntilOption = "",
    limit: LimitOption = None,
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch works from OpenAlex, by words, by filter, or both.

    A key, where you have one, is read from the environment variable OPENALEX_API_KEY. OpenAlex
    keeps abstracts word by word: they come back with their words in order, without paragraphs.

    Examples: `fieldguide fetch openalex "agent benchmarks" --since 2025-06-01`;
    `fieldguide fetch openalex --filter "title.search:agent,type:preprint" --limit 500`.
    """
    from classifier.extras.fetch.run import file_name
    from classifier.extras.fetch.source import Query
    from classifier.extras.fetch.sources.openalex import SOURCE

    check_days(since, until)
    fetch_and_tell(
        SOURCE,
        Query(query, since, until, limit, filter_),
        name=file_name(SOURCE.service.name, f"{query} {filter_}"),
        project=project,
        output=output,
        mailto=mailto,
        anew=anew,
    )
