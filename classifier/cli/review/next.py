"""`fieldguide review next`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import MarkOption, ProjectOption, SheetOption, WorkbookOption
from classifier.cli.printing import command
from classifier.cli.review.handing_out import hand_out
from classifier.errors import InputError

if TYPE_CHECKING:
    from classifier.project import Project


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
    output: SheetOption = None,
    xlsx: WorkbookOption = False,
    bom: MarkOption = False,
    project: ProjectOption = None,
) -> None:
    """Draw the papers most worth a reviewer's minute, as a sheet.

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
    from classifier.files.write_guard import SHEET_ENDINGS, check_ending
    from classifier.project import open_project

    if output is not None:
        check_ending(output, SHEET_ENDINGS)
    where = open_project(project)
    if category is not None:
        _check_category(where, category)
    # After what is refused at once: these imports take seconds.
    from classifier.commands.draw import check_sheet, draw_next, sheet_target
    from classifier.progress import progress_bar

    target = sheet_target(where, output, "queue", xlsx=xlsx)
    check_sheet(target, where)
    with progress_bar() as progress:
        most = number if limit is None else limit
        drawing = draw_next(where, most, category=category, progress=progress)
    hand_out(drawing, target, where, mark=bom)


def _check_category(project: Project, text: str) -> None:
    """Raise UsageError where `text` names no top category.

    Faults of the taxonomy are told later, with those of the other files.
    """
    from classifier.taxonomy.find import find_top_category
    from classifier.taxonomy.load import load_taxonomy

    with suppress(InputError):
        find_top_category(load_taxonomy(project.taxonomy_file).taxonomy, text)
