"""`fieldguide lock`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count, print_warnings, say

if TYPE_CHECKING:
    from classifier.survey.changes.compare import Changes


@command
def lock(
    update: Annotated[
        bool, typer.Option("--update", help="Accept every label as it would be now.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Pin the labels as published: without your consent no unreviewed paper moves.

    Writes taxonomy/labels.lock.csv, for version control. From then on a paper that nobody reviewed
    keeps its locked labels in all that a build writes, whatever the classifier learns; decisions
    win, new papers are labelled freely, and each build says how many labels it holds and why.

    Where there is a lock, it is not overwritten: what would move is listed by reason, and the exit
    code is 1 where a label would that nobody decided. With --update all of it is accepted.

    Examples: `fieldguide lock` once, before the survey is published; `fieldguide lock` after some
    reviews, to read what they would move; `fieldguide lock --update` to accept it.
    """
    from classifier.commands.lock import plan_lock, write_lock
    from classifier.progress import progress_bar
    from classifier.project import open_project

    with progress_bar() as progress:
        plan = plan_lock(open_project(project), progress)
    print_warnings(plan.warnings)
    papers = count(plan.papers, "paper")
    if plan.changes is not None:
        _print_changes(plan.changes)
    if plan.changes is None or update:
        write_lock(plan)
        print(f"The labels of {papers} are locked: {plan.path}")
    elif plan.changes.moves_labels:
        say("Nothing was written. `fieldguide lock --update` accepts all of this.")
        if any(move.reason != "human" for move in plan.changes.relabelled):
            raise typer.Exit(1)


def _print_changes(changes: Changes) -> None:
    from classifier.survey.changes.in_sections import change_sections, summary
    from classifier.survey.changes.in_text import section_lines

    if not changes.moves_labels:
        print(f"No label would move: {count(changes.papers[1], 'paper')}.")
        return
    print(f"{summary(changes)}.")
    print("\n".join(section_lines(change_sections(changes))))
    print()
