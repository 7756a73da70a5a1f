"""`fieldguide review …`: the review loop, a file a command."""

from __future__ import annotations

import typer

from classifier.cli.review.agreement import agreement
from classifier.cli.review.apply import apply
from classifier.cli.review.audit import audit
from classifier.cli.review.next import next_papers
from classifier.cli.review.serve import serve
from classifier.cli.review.status import status

review_app = typer.Typer(
    name="review",
    help="The review loop: draw papers, correct their labels in a sheet, take the edits up.\n\n"
    "`fieldguide build` writes out/labels.csv, what is most worth a reviewer's minute first. Fill "
    "its last columns in any spreadsheet, save it, and run `fieldguide review apply`.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

review_app.command()(apply)
review_app.command("next")(next_papers)
for command in (serve, audit, status, agreement):
    review_app.command()(command)

__all__ = ["review_app"]
