"""Options that say which papers are exported and where to, and the export of one file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.printing import count, say

CategoryOption = Annotated[
    str,
    typer.Option(
        "--category", metavar="ID", help="Only papers to which this category (or part) applies."
    ),
]
FiledOption = Annotated[
    bool, typer.Option("--filed", help="Of --category only the papers that are filed under it.")
]
QueryOption = Annotated[
    str,
    typer.Option(
        "--query",
        metavar="QUERY",
        help="Only papers that the browse page lists for this: what stands behind the ? of its "
        "address, in quotes.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Where to. Default: standard output."),
]


def export_file(
    format_name: str,
    output: Path | None,
    project: Path | None,
    category: str,
    filed: bool,
    query: str,
) -> None:
    """Export in one format and say how many papers; to standard output where no file is named."""
    from classifier.commands.export import export
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    with progress_bar() as progress:
        made = export(
            where,
            format_name,
            output,
            category=category,
            filed=filed,
            query=query,
            progress=progress,
        )
    say_warnings(made.warnings)
    if output is None:
        sys.stdout.buffer.write(made.content)
        if not made.papers:
            say("No paper is selected.")
    else:
        print(f"{count(made.papers, 'paper')}: {output}")


def say_warnings(number: int) -> None:
    """Say how many warnings the project's files gave, and who lists them."""
    if number:
        say(f"{count(number, 'warning')} about the project: `fieldguide check` lists them.")
