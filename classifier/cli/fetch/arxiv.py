"""`fieldguide fetch arxiv`."""

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
def arxiv(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="In arXiv's language: cat:, ti:, abs:, au:, AND.")
    ],
    since: SinceOption = "",
    until: UntilOption = "",
    limit: LimitOption = None,
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch what arXiv finds, by the day of its first version.

    arXiv is asked every three seconds for 200 papers at most. With --limit the newest come. The
    same query writes the same file, whatever its days: so --since may move on week by week.

    Examples: `fieldguide fetch arxiv "cat:cs.AI AND abs:agent" --since 2026-01-01`;
    `fieldguide fetch arxiv "ti:benchmark AND cat:cs.SE" --limit 50 -o papers/benchmarks.jsonl`.
    """
    from classifier.extras.fetch.run import file_name
    from classifier.extras.fetch.source import Query
    from classifier.extras.fetch.sources.arxiv import SOURCE

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
