"""`fieldguide evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption, project_or_embedded
from classifier.cli.printing import command, say


@command
def evaluate(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="The papers to score. Default: the project's own.", show_default=False),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            "--gold",
            metavar="FILE.csv",
            help="Their true labels: title, primary, topics, contribution. Default: the ledger.",
        ),
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(
            "--train",
            metavar="FILE.csv|none",
            help="Decisions to learn from; none: the taxonomy alone. Default: the ledger.",
        ),
    ] = None,
    folds: Annotated[
        int, typer.Option("--folds", min=2, max=50, help="Cross-validation folds.")
    ] = 5,
    repeats: Annotated[int, typer.Option("--repeats", min=1, max=100, help="Times over.")] = 1,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-under", metavar="core=0.85", help="Exit 1 below this figure; may be repeated."
        ),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here too.")
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Measure how good the labels are: precision, recall, F1 per category, and the means.

    A paper that is scored is never learned from. Where the scored papers are also the ones to
    learn from, the figures are cross-validated.

    Examples: `fieldguide evaluate` (the ledger, cross-validated);
    `fieldguide evaluate papers/*.txt --gold gold.csv --train none` (the taxonomy alone).
    """
    from classifier.build import json_bytes
    from classifier.evaluate import evaluate_project
    from classifier.evaluation.report import check_bars, report_json, report_text
    from classifier.files.atomic import write_file
    from classifier.progress import progress_bar

    where = project_or_embedded(project)
    with progress_bar() as progress:
        evaluation = evaluate_project(
            where,
            files or (),
            gold=gold,
            train=train,
            folds=folds,
            repeats=repeats,
            bars=fail_under or (),
            progress=progress,
        )
    print(report_text(evaluation), end="")
    if json_file is not None:
        write_file(json_file, json_bytes(report_json(evaluation)))
    failures = check_bars(evaluation, fail_under or [])
    for failure in failures:
        say(failure)
    if failures:
        raise typer.Exit(1)
