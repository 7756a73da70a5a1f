"""`fieldguide evaluate` and `fieldguide explain`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import JsonOption, PriorOption, ProjectOption, project_or_embedded
from classifier.cli.printing import command, print_report, say
from classifier.cli.progress_bar import progress_bar
from classifier.files.json_text import json_bytes
from classifier.files.targets import check_report
from classifier.files.writing import write_file

_REPORT_KEYS = frozenset({"cross_validated", "provenance"})
"""What tells a file of --json from anybody else's."""


@command
def evaluate(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="The papers to score. Default: the project's own."),
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
    prior: PriorOption = None,
    folds: Annotated[
        int, typer.Option("--folds", min=2, max=50, help="Cross-validation folds.")
    ] = 5,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats", min=1, max=100, help="Deal the papers anew so often, and average."
        ),
    ] = 1,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-under", metavar="core=0.85", help="Exit 1 below this figure; may be repeated."
        ),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here too.")
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="Every figure: precision, recall, F1 per category, means, calibration."
        ),
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Measure how good the labels are.

    First: how many papers are filed right, which category is the weakest, and what to do about it.

    A paper that is scored is never learned from: figures are cross-validated, and papers that the
    prior knows are not scored.

    Examples: `fieldguide evaluate --full` (the ledger, cross-validated);
    `fieldguide evaluate papers/*.txt --gold gold.csv --train none` (the taxonomy alone);
    `fieldguide evaluate --fail-under core=0.8` (a bar for CI).
    """
    from classifier.commands.evaluate import check_bars, evaluate_project
    from classifier.evaluation.outcome import quality_json, quality_report

    where = project_or_embedded(project)
    if json_file is not None:
        read = [*(files or ()), *(Path(file) for file in (gold, train, prior) if file)]
        check_report(json_file, _REPORT_KEYS, inputs=read, folders=where.authored_folders)
    with progress_bar() as progress:
        findings = evaluate_project(
            where,
            files or (),
            gold=gold,
            train=train,
            prior=prior,
            folds=folds,
            repeats=repeats,
            bars=fail_under or (),
            progress=progress,
        )
    print_report(quality_report(findings, full=full))
    if json_file is not None:
        write_file(json_file, json_bytes(quality_json(findings)))
    if failures := check_bars(findings.evaluation, fail_under or ()):
        say("\n".join(failures))
        raise typer.Exit(1)


@command
def explain(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="An id, arXiv id, DOI, address, or words of the title."
        ),
    ],
    category: Annotated[
        str | None,
        typer.Option(
            "--category",
            metavar="ID",
            help="Account for this category, or child, alone.",
        ),
    ] = None,
    as_json: JsonOption = False,
    project: ProjectOption = None,
) -> None:
    """Say why a paper has its labels, and where each of its fields came from.

    For every label: the cues (‘…’) and learned words (“…”) for and against it, as a sum that ends
    in its probability; who decided; which categories came near and what they lacked.

    Examples: `fieldguide explain arxiv:2401.10230`; `fieldguide explain "reflexion"`;
    `fieldguide explain 2401.10230 --category safety` (why not safety?);
    `fieldguide explain 2401.10230 --json | jq .facets.topic.near_misses`.
    """
    from classifier.commands.explain import explain_paper
    from classifier.explanation.report import explanation_json, explanation_report

    where = project_or_embedded(project)
    with progress_bar() as progress:
        explanation = explain_paper(where, paper, category=category, progress=progress)
    if as_json:
        sys.stdout.buffer.write(json_bytes(explanation_json(explanation)))
    else:
        print_report(explanation_report(explanation))
