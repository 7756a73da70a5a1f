"""`fieldguide diff` and `fieldguide lock`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import JsonOption, ProjectOption, check_day
from classifier.cli.printing import command, count, print_report, print_warnings, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import UsageError
from classifier.files.json_text import json_bytes
from classifier.project import open_project


@command
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="An earlier out/ folder or lock.")],
    new: Annotated[
        Path | None,
        typer.Argument(metavar="NEW", help="A later out/ folder or lock; not with --since."),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown for a comment, at most 60 kB.")
    ] = False,
    as_json: JsonOption = False,
    digest: Annotated[
        bool,
        typer.Option(
            "--digest",
            help="Print new papers by topic, for a newsletter or a chat.",
        ),
    ] = False,
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="DATE",
            help="With --digest and one out/ folder: print what entered or moved since this day, "
            "such as 2026-01-31.",
        ),
    ] = "",
    alarm: Annotated[
        bool,
        typer.Option("--alarm", help="Exit with 1 if papers disappeared that no editor excluded."),
    ] = False,
) -> None:
    """List the changes between two builds, with their reasons.

    The list has papers that were added, removed or merged, and labels that changed. The reasons are
    human (a decision), text (of the paper), taxonomy (a category was added or removed), version (of
    Fieldguide), cue (other cues match), model and unknown. A build does not publish
    facets with `hidden: true`, so their labels are not compared. The exit code is 1 only with
    --alarm.

    Examples: `fieldguide diff out.old out`; `fieldguide diff taxonomy/labels.lock.csv out`;
    `fieldguide diff out.old out --digest --markdown > news.md`;
    `fieldguide diff out --digest --since 2026-01-31`.
    """
    from classifier.commands.changes import diff as compared
    from classifier.commands.changes import diff_digest, digest_since
    from classifier.evaluation.report import markdown_report as as_markdown
    from classifier.survey.changes.report import changes_json, changes_report

    if markdown and as_json:
        raise UsageError("--markdown and --json cannot be used together. Use one of them.")
    if digest and as_json:
        raise UsageError("--digest and --json cannot be used together. Use one of them.")
    check_day("--since", since)
    if since and (not digest or new or alarm):
        raise UsageError("--since expects --digest and one out/ folder.")
    if since:
        print(digest_since(old, since, markdown=markdown), end="")
        return
    if new is None:
        raise UsageError("Missing NEW: name two folders, or one with --digest and --since.")
    changes = compared(old, new)
    if digest:
        print(diff_digest(old, new, markdown=markdown), end="")
    elif as_json:
        sys.stdout.buffer.write(json_bytes(changes_json(changes)))
    elif markdown:
        print(as_markdown(changes_report(changes)), end="")
    else:
        print_report(changes_report(changes))
    lost = [paper.id for paper in changes.dropped if paper.id not in changes.left_out]
    if alarm and lost:
        say(f"{count(len(lost), 'paper')} disappeared without an exclusion, such as {lost[0]}.")
        raise typer.Exit(1)


@command
def lock(
    update: Annotated[
        bool, typer.Option("--update", help="Write the current labels to the lock.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Lock the published labels, so that unreviewed papers keep them until you agree to changes.

    With --update, this command writes taxonomy/labels.lock.csv. Decisions still win, and new papers
    are labelled as usual. Each later update also records when papers entered the survey and when
    their primary changed, for feeds: SOURCE_DATE_EPOCH if it is set, else today.

    Without --update, it lists the labels that would change, by reason, and exits with 1 if one of
    them would change for another reason than a decision.

    Examples: `fieldguide lock --update` before you publish the survey; `fieldguide lock` after some
    reviews, to see the changes; `fieldguide lock --update` to accept them.
    """
    from classifier.commands.changes import plan_lock, write_lock
    from classifier.survey.changes.report import changes_report

    with progress_bar() as progress:
        plan = plan_lock(open_project(project), progress)
    print_warnings(plan.warnings)
    papers = count(plan.papers, "paper")
    if plan.changes:
        print_report(changes_report(plan.changes))
        print()
    elif plan.changes is not None:
        print(f"No label would change in {count(plan.changes.papers[1], 'paper')}.")
    if plan.changes is None and not update:
        print(f"The project has no lock yet. A lock keeps the labels of {papers}: unreviewed")
        print("labels change only when you accept it. Nothing was written.")
        print("  fieldguide lock --update   writes the lock")
    elif update:
        write_lock(plan)
        print(f"The labels of {papers} are locked: {plan.path}")
    elif plan.changes:
        say("Nothing was written. `fieldguide lock --update` accepts these changes.")
        if any(move.reason != "human" for move in plan.changes.relabelled):
            raise typer.Exit(1)
