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
"""Keys that identify a file written by --json, which may be overwritten."""


FilesArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE", help="Files of papers to score. Default: the project's papers."),
]
GoldOption = Annotated[
    Path | None,
    typer.Option(
        "--gold",
        metavar="FILE.csv",
        help="Correct labels: title, primary, topics, contribution. Default: the ledger.",
    ),
]
TrainOption = Annotated[
    str | None,
    typer.Option(
        "--train",
        metavar="FILE.csv|none",
        help="Decisions to learn from, or none for the taxonomy alone. Default: the ledger.",
    ),
]
FoldsOption = Annotated[
    int, typer.Option("--folds", min=2, max=50, help="Number of cross-validation folds.")
]
RepeatsOption = Annotated[
    int,
    typer.Option("--repeats", min=1, max=100, help="Number of cross-validation runs to average."),
]
FailUnderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-under",
        metavar="core=0.85",
        help="Exit with 1 below this value; may be repeated.",
    ),
]
JsonFileOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Also write the figures to this file."),
]
FullOption = Annotated[
    bool,
    typer.Option(
        "--full", help="Print precision, recall and F1 per category, means and confusions."
    ),
]


@command
def evaluate(
    files: FilesArgument = None,
    gold: GoldOption = None,
    train: TrainOption = None,
    prior: PriorOption = None,
    folds: FoldsOption = 5,
    repeats: RepeatsOption = 1,
    fail_under: FailUnderOption = None,
    json_file: JsonFileOption = None,
    full: FullOption = False,
    project: ProjectOption = None,
) -> None:
    """Measure how good the labels are.

    The first lines state the share of correctly filed papers, the weakest category, and how to
    improve it. The model never learns from a paper that it is scored on.

    Examples: `fieldguide evaluate`;
    `fieldguide evaluate papers/*.txt --gold gold.csv --train none` (the taxonomy alone);
    `fieldguide evaluate --fail-under core=0.8` (a minimum for CI).
    """
    from classifier.commands.evaluate import check_bars, evaluate_project
    from classifier.evaluation.outcome import quality_json
    from classifier.evaluation.quality_report import quality_report

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
    print_report(quality_report(findings, is_full=full))
    if json_file is not None:
        write_file(json_file, json_bytes(quality_json(findings)))
    if failures := check_bars(findings.evaluation, fail_under or ()):
        say("\n".join(failures))
        raise typer.Exit(1)


@command
def explain(
    paper: Annotated[
        str,
        typer.Argument(metavar="PAPER", help="Id, arXiv id, DOI, address, or words of the title."),
    ],
    category: Annotated[
        str | None,
        typer.Option(
            "--category",
            metavar="ID",
            help="Explain only this category or subcategory.",
        ),
    ] = None,
    as_json: JsonOption = False,
    project: ProjectOption = None,
) -> None:
    """Explain the labels of a paper, and the source of each of its fields.

    For each label, this command lists the cues (‘…’) and learned words (“…”) for and against it
    with their weights, the probability that results, and the reviewer who decided. It also lists
    the categories that came close.

    Examples: `fieldguide explain "reflexion"`;
    `fieldguide explain 2401.10230 --category safety` (why not safety?).
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
