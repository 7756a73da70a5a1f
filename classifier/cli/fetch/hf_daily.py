"""`fieldguide fetch hf-daily`."""

from __future__ import annotations

from classifier.cli.fetch.asking import fetch_and_tell
from classifier.cli.fetch.options import (
    AnewOption,
    MailtoOption,
    OutputOption,
    SinceOption,
    UntilOption,
    check_days,
)
from classifier.cli.options import ProjectOption
from classifier.cli.printing import command


@command
def hf_daily(
    since: SinceOption = "",
    until: UntilOption = "",
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch the Daily Papers of Hugging Face, day by day.

    Without --until up to yesterday, the last day that is whole; without --since that day alone.

    Examples: `fieldguide fetch hf-daily`;
    `fieldguide fetch hf-daily --since 2026-01-01 --until 2026-01-31`.
    """
    from datetime import UTC, datetime, timedelta

    from classifier.extras.fetch.source import Query
    from classifier.extras.fetch.sources.hugging_face import SOURCE

    check_days(since, until)
    last = until or (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    check_days(since, last)
    fetch_and_tell(
        SOURCE,
        Query(since=since or last, until=last),
        name=SOURCE.service.name,
        project=project,
        output=output,
        mailto=mailto,
        anew=anew,
    )
