"""`fieldguide diff`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.printing import command, say
from classifier.errors import UsageError


@command
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="An earlier out/, or a lock.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="A later out/, or a lock.")],
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown for a comment: at most 60 kB.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as one JSON object.")
    ] = False,
    alarm: Annotated[
        bool,
        typer.Option(
            "--alarm",
            help="Exit 1 where something happened that nobody asked for: papers lost, a file that "
            "gives none any more, decisions that do not count any more, more provisional labels, "
            "labels shown as sure that moved by themselves, more records that cannot be read.",
        ),
    ] = False,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow",
            metavar="NAME=N|any",
            help="With --alarm: what is still usual; may be repeated. Defaults: papers=0, "
            "sources=0, decisions=0, provisional=5 (points), flips=5 (percent), unread=5.",
        ),
    ] = None,
) -> None:
    """Tell what changed between two builds, and why.

    Papers that came, went or were merged; labels that moved, by reason: human (a decision is new,
    changed or withdrawn), text (title or abstract changed), taxonomy (a category is new or gone),
    version (another version of Fieldguide gave the label), cue (other cues fire in the same text),
    model (the classifier judges otherwise), unknown (an older build does not tell); status,
    confidence and quality that moved. A renamed or merged category is no change. The exit code is
    0 whatever changed, but 1 where --alarm finds cause.

    Alarms are for a job that runs unattended. Growth is none, and neither is what people did:
    papers that the editors left out, that are part of another one, or that were decided anew.

    Examples: `fieldguide diff out.old out`; `fieldguide diff taxonomy/labels.lock.csv out`;
    `fieldguide diff base/out out --markdown > comment.md`;
    `fieldguide diff out.old out --json | jq .reasons`;
    `fieldguide diff published out --alarm --allow papers=3 --allow flips=any` at night.
    """
    from classifier.commands.diff import diff_with_alarms
    from classifier.files.json_text import json_bytes
    from classifier.survey.changes.alarms import alarms_json, alarms_markdown, parse_limits
    from classifier.survey.changes.in_json import changes_json
    from classifier.survey.changes.in_markdown import LONGEST, changes_markdown
    from classifier.survey.changes.in_text import changes_lines

    if markdown and as_json:
        raise UsageError("--markdown and --json are two forms of the same; choose one.")
    if allow and not alarm:
        raise UsageError("--allow says what raises no alarm: give --alarm, too.")
    changes, found = diff_with_alarms(old, new, parse_limits(allow or ()))
    alarms = found if alarm else []
    if as_json:
        told = changes_json(changes) | ({"alarms": alarms_json(alarms)} if alarm else {})
        sys.stdout.buffer.write(json_bytes(told))
    elif markdown:
        above = alarms_markdown(alarms)
        print(above + changes_markdown(changes, LONGEST - len(above.encode())), end="")
    else:
        print("\n".join(changes_lines(changes)))
    for each in alarms:
        say(f"alarm ({each.name}): {each}")
    if alarms:
        raise typer.Exit(1)
