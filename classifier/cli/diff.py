"""`fieldguide diff`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.printing import command
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
) -> None:
    """Tell what changed between two builds, and why.

    Papers that came, went or were merged; labels that moved, by reason: human (a decision is new,
    changed or withdrawn), text (title or abstract changed), taxonomy (a category is new or gone),
    cue (other cues fire in the same text), model (the classifier judges otherwise), unknown (an
    older build does not tell); status, confidence and quality that moved. A renamed or merged
    category is no change. The exit code is 0 whatever changed.

    Examples: `fieldguide diff out.old out`; `fieldguide diff taxonomy/labels.lock.csv out`;
    `fieldguide diff base/out out --markdown > comment.md`;
    `fieldguide diff out.old out --json | jq .reasons`.
    """
    from classifier.diff import diff as compare_builds
    from classifier.files.json_text import json_bytes
    from classifier.survey.changes.in_json import changes_json
    from classifier.survey.changes.in_markdown import changes_markdown
    from classifier.survey.changes.in_text import changes_lines

    if markdown and as_json:
        raise UsageError("--markdown and --json are two forms of the same; choose one.")
    changes = compare_builds(old, new)
    if as_json:
        print(json_bytes(changes_json(changes)).decode(), end="")
    elif markdown:
        print(changes_markdown(changes), end="")
    else:
        print("\n".join(changes_lines(changes)))
