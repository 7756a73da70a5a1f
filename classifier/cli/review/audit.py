"""`fieldguide review audit`."""

from __future__ import annotations

from typing import Annotated

import typer

from classifier.cli.options import MarkOption, ProjectOption, SheetOption, WorkbookOption
from classifier.cli.printing import command
from classifier.cli.review.handing_out import hand_out


@command
def audit(
    number: Annotated[int, typer.Argument(metavar="N", min=1, help="How many papers.")],
    shown: Annotated[
        bool,
        typer.Option(
            "--shown", help="With the classifier's labels: quicker, but they lead the reviewer."
        ),
    ] = False,
    output: SheetOption = None,
    xlsx: WorkbookOption = False,
    bom: MarkOption = False,
    project: ProjectOption = None,
) -> None:
    """Draw unreviewed papers at random, to measure the labels.

    What a queue draws is hard, so figures from it say nothing of the other papers; an audit does.
    `fieldguide review status` and the quality page count audited papers alone, once there are 30.

    The sheet does not show what the classifier says, since a reviewer who sees a label agrees too
    easily: fill `review_primary` and `review_topics` (and the other facets). With --shown it does,
    and `ok` approves what it shows.

    What was drawn and is not decided is drawn again first: do not leave out what is hard. Later
    draws continue where the earlier ended.

    Examples: `fieldguide review audit 30`; `fieldguide review audit 50 --shown -o audit.csv`.
    """
    from classifier.files.write_guard import SHEET_ENDINGS, check_ending

    if output is not None:
        check_ending(output, SHEET_ENDINGS)
    # After what is refused at once: these imports take seconds.
    from classifier.commands.draw import check_sheet, draw_audit, sheet_target
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    target = sheet_target(where, output, "audit", xlsx=xlsx)
    check_sheet(target, where)
    with progress_bar() as progress:
        drawing = draw_audit(where, number, shown=shown, progress=progress)
    hand_out(drawing, target, where, mark=bom)
