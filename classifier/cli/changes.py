"""`fieldguide diff` and `fieldguide lock`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import JsonOption, ProjectOption
from classifier.cli.printing import command, count, print_report, print_warnings, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import UsageError
from classifier.files.json_text import json_bytes
from classifier.project import open_project


@command
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="An earlier out/, or a lock.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="A later out/, or a lock.")],
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown for a comment: at most 60 kB.")
    ] = False,
    as_json: JsonOption = False,
    alarm: Annotated[
        bool,
        typer.Option("--alarm", help="Exit 1 where papers are gone that no editor left out."),
    ] = False,
) -> None:
    """Say what changed between two builds, and why.

    Papers that came, went or were merged; labels that moved, by reason: human (a decision), text,
    taxonomy (a category is new or gone), version (of Fieldguide), cue (other cues fire), model,
    unknown. The exit code is 1 only where --alarm finds cause.

    Examples: `fieldguide diff out.old out`; `fieldguide diff taxonomy/labels.lock.csv out`;
    `fieldguide diff base/out out --markdown > comment.md`;
    `fieldguide diff out.old out --json | jq .reasons`;
    `fieldguide diff published out --alarm` at night.
    """
    from classifier.commands.changes import diff as compared
    from classifier.evaluation.report import markdown as as_markdown
    from classifier.survey.changes.told import changes_json, changes_report

    if markdown and as_json:
        raise UsageError("--markdown and --json are two forms of the same; choose one.")
    changes = compared(old, new)
    if as_json:
        sys.stdout.buffer.write(json_bytes(changes_json(changes)))
    elif markdown:
        print(as_markdown(changes_report(changes)), end="")
    else:
        print_report(changes_report(changes))
    lost = [paper.id for paper in changes.dropped if paper.id not in changes.left_out]
    if alarm and lost:
        say(f"{count(len(lost), 'paper')} gone that no editor left out, such as {lost[0]}.")
        raise typer.Exit(1)


@command
def lock(
    update: Annotated[
        bool, typer.Option("--update", help="Pin every label as it would be now.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Pin the labels as published: without your consent no unreviewed paper moves.

    Alone it writes nothing: it lists what would move, by reason, and exits with 1 where a label
    would that nobody decided.

    With --update it writes taxonomy/labels.lock.csv. From then on a paper that nobody reviewed
    keeps its labels; decisions win, and new papers are labelled freely.

    Examples: `fieldguide lock --update` once, before the survey is published; `fieldguide lock`
    after some reviews, to read what they would move; `fieldguide lock --update` to accept it.
    """
    from classifier.commands.changes import plan_lock, write_lock
    from classifier.survey.changes.told import changes_report

    with progress_bar() as progress:
        plan = plan_lock(open_project(project), progress)
    print_warnings(plan.warnings)
    papers = count(plan.papers, "paper")
    if plan.changes:
        print_report(changes_report(plan.changes))
        print()
    elif plan.changes is not None:
        print(f"No label would move: {count(plan.changes.papers[1], 'paper')}.")
    if plan.changes is None and not update:
        print(f"No lock yet. One would hold the labels of {papers} as they are now: those that")
        print("nobody reviewed would move no more until you accept it. Nothing was written.")
        print("  fieldguide lock --update   pins them")
    elif update:
        write_lock(plan)
        print(f"The labels of {papers} are locked: {plan.path}")
    elif plan.changes:
        say("Nothing was written. `fieldguide lock --update` accepts all of this.")
        if any(move.reason != "human" for move in plan.changes.relabelled):
            raise typer.Exit(1)
