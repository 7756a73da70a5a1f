"""`fieldguide review next`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count


@command
def next_papers(
    number: Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many papers.")] = 20,
    category: Annotated[
        str | None,
        typer.Option(
            "--category",
            metavar="ID",
            help="Draw what most likely belongs to this category, to find all of it.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="At most so many papers, as [N]."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.csv|.xlsx",
            help="The sheet. Default: out/next.csv.",
        ),
    ] = None,
    xlsx: Annotated[
        bool, typer.Option("--xlsx", help="As out/next.xlsx, with drop-down lists.")
    ] = False,
    bom: Annotated[
        bool, typer.Option("--bom", help="Begin a CSV with a byte order mark, for Excel.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Draw the papers that are most worth a reviewer's minute, as a sheet to fill.

    First decisions that are probably slips: the classifier, which had not seen them, is sure of
    something else. They take a quarter of the draw at most, and a decision that is given a second
    time, on another day or by another reviewer, is not asked for again. Then papers that nobody
    reviewed, those first of which the classifier is unsure, above all in categories with few
    reviewed papers, and no two that say nearly the same.

    Fill the sheet, save it, and run `fieldguide review apply out/next.csv`. A sheet that holds
    edits is never overwritten.

    Examples: `fieldguide review next`; `fieldguide review next 50 -o ada.csv`;
    `fieldguide review next --category safety` (draw, apply, and again, until nothing new comes).
    """
    from classifier.draw import (
        check_sheet,
        draw_next,
        drawing_lines,
        sheet_target,
        write_drawing,
    )
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    target = sheet_target(where, output, "queue", xlsx=xlsx)
    check_sheet(target, where)
    with progress_bar() as progress:
        most = number if limit is None else limit
        drawing = draw_next(where, most, category=category, progress=progress)
    if not drawing.papers:
        print("Nothing to draw: every paper is reviewed.")
        return
    write_drawing(target, drawing, where, mark=bom)
    print("\n".join(drawing_lines(drawing)))
    print(f"\n{count(len(drawing.papers), 'paper')} of {drawing.left} unreviewed: {target}")
    print(f"Fill it, then run `fieldguide review apply {target}`.")
