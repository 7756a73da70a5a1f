"""`fieldguide export readme`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command


@command
def readme(
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="README.md", help="The file with the two markers."),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Write the papers by category as a Markdown list, into a README that you have.

    The list stands between the lines `<!-- fieldguide:begin -->` and `<!-- fieldguide:end -->`;
    write both where you want it. Nothing else in the file is touched, and a second run changes
    nothing. Without --into the list goes to standard output.

    Examples: `fieldguide export readme --into README.md`; `fieldguide export readme > list.md`.
    """
    from classifier.build import compute
    from classifier.commands.readme import write_readme
    from classifier.progress import progress_bar
    from classifier.project import open_project
    from classifier.site.exports.readme import readme_list

    where = open_project(project)
    with progress_bar() as progress:
        if into is None:
            text = readme_list(compute(where, progress=progress).edition)
        else:
            changed = write_readme(where, into, progress)
    if into is None:
        sys.stdout.buffer.write(text.encode())
    else:
        print(f"{into}: {'the list is written' if changed else 'is as it would be written'}.")
