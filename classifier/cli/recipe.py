"""`fieldguide recipe`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command


class ForgeName(StrEnum):
    """Where a survey is rebuilt."""

    GITHUB = "github"
    GITLAB = "gitlab"


@command
def recipe(
    forge: Annotated[
        ForgeName,
        typer.Argument(
            metavar="FORGE", help="Where the project's repository is: github or gitlab."
        ),
    ],
    write: Annotated[
        bool,
        typer.Option(
            "--write",
            help="Write the workflow and requirements.txt; nothing that is there is overwritten.",
        ),
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Print the CI workflow of a project, or write it: checks, comparisons, nights, the site.

    A pull request is checked, built and compared with its target branch: what changes is told in a
    comment, and a real drop in quality fails it. From the default branch the site is published,
    and rebuilt every night; a night that loses papers, or after which labels flip, keeps the old
    site. `fieldguide new` writes the same; in a repository that holds more than the project, the
    workflow goes to its top.

    Examples: `fieldguide recipe github | less`; `fieldguide recipe github --write`;
    `fieldguide recipe gitlab --write --project bees`.
    """
    from classifier.commands.new.recipe import workflow_of, write_recipe
    from classifier.project import open_project

    where = open_project(project)
    if write:
        for file in write_recipe(where, forge.value):
            print(f"{file}: written; it is yours to change.")
    else:
        print(workflow_of(where, forge.value)[1], end="")
