"""`fieldguide review agreement`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command

_REPORT_KEYS = frozenset({"reviewers", "pairs", "alpha", "conflicts"})
"""What tells a file of --json from anybody else's."""


@command
def agreement(
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.csv",
            help="Where the conflicts go. Default: out/conflicts.csv, once out/ was built.",
        ),
    ] = None,
    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write figures and conflicts here too."),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Say how far reviewers agree, and list what to settle.

    Compared are the newest decisions of each reviewer, paper by paper: for each pair Cohen's kappa
    of the primary, of all that applies and of each category; of more than two reviewers
    Krippendorff's alpha, too. Figures mean something only where reviewers decided blind: give each
    a copy of the same sheet, and take the copies up one by one.

    What they disagree on stands in the sheet, who gave what in `why`, the decision in force in the
    label columns: fill it like any sheet. Its rows count as decisions of `adjudicated`, which win
    over all others.

    Examples: `fieldguide review agreement`; `fieldguide review apply out/conflicts.csv` after
    that; `fieldguide review agreement -o settle.csv --json agreement.json`.
    """
    from classifier.files.write_guard import check_ending, check_report

    if output is not None:
        check_ending(output, (".csv",))
    # After what is refused at once: these imports take seconds.
    from classifier.commands.agree import (
        compare_reviewers,
        reviewers_json,
        reviewers_lines,
        sheet_target,
        write_conflicts,
    )
    from classifier.files.atomic import write_file
    from classifier.files.json_text import json_bytes
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    if json_file is not None:
        check_report(json_file, _REPORT_KEYS, folders=where.authored_folders)
    with progress_bar() as progress:
        reviewers = compare_reviewers(where, progress)
    print("\n".join(reviewers_lines(reviewers)))
    target = sheet_target(where, output)
    if target is not None:
        write_conflicts(target, reviewers, where)
    if json_file is not None:
        write_file(json_file, json_bytes(reviewers_json(reviewers)))
    if reviewers.conflicts and target is not None:
        print(f"\nFill {target}, then run `fieldguide review apply {target}`.")
    elif reviewers.conflicts:
        print("\nRun `fieldguide build`, or name a file with -o, to get them as a sheet to fill.")
