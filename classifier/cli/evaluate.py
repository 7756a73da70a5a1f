"""`fieldguide evaluate` and `fieldguide explain`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import PriorOption, ProjectOption, project_or_embedded
from classifier.cli.printing import command, print_report, say
from classifier.errors import UsageError
from classifier.files.atomic import check_report, check_target, write_file
from classifier.files.json_text import json_bytes
from classifier.progress import progress_bar

if TYPE_CHECKING:
    from classifier.evaluation.outcome import Findings


_REPORT_KEYS = frozenset({"cross_validated", "outcomes", "provenance"})
"""What tells a file of --json from anybody else's."""


@command
def evaluate(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="The papers to score. Default: the project's own.",
            show_default=False,
        ),
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
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="FILE.json",
            help="Earlier figures (--json): exit 1 if core F1, primary accuracy or a further "
            "facet dropped by more than chance.",
        ),
    ] = None,
    most_drop: Annotated[
        float | None,
        typer.Option(
            "--max-drop",
            metavar="0.05",
            min=0,
            max=1,
            help="With --against: exit 1 also for a drop beyond this.",
        ),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            "--markdown", metavar="FILE.md", help="With --against: write the comparison here too."
        ),
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
    prior knows are not scored. With --against, two versions of a project are compared on the papers
    that both scored.

    Examples: `fieldguide evaluate --full` (the ledger, cross-validated);
    `fieldguide evaluate papers/*.txt --gold gold.csv --train none` (the taxonomy alone);
    `fieldguide evaluate --against main.json` (a gate for pull requests).
    """
    from classifier.commands.evaluate import evaluate_project
    from classifier.evaluation.comparison import check_bars
    from classifier.evaluation.outcome import quality_json
    from classifier.evaluation.quality_report import quality_report

    if against is None and (most_drop is not None or markdown is not None):
        raise UsageError("--max-drop and --markdown speak of a comparison: name it with --against.")
    where = project_or_embedded(project)
    if json_file is not None:
        read = [*(files or ()), *(Path(file) for file in (gold, train, prior, against) if file)]
        check_report(json_file, _REPORT_KEYS, inputs=read, folders=where.authored_folders)
    if markdown is not None:
        check_target(markdown, "--markdown", is_ours=_is_comparison)
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
    failures = check_bars(findings.evaluation, fail_under or [])
    if against is not None:
        failures += _compare(findings, against, most_drop, markdown)
    for failure in failures:
        say(failure)
    if failures:
        raise typer.Exit(1)


def _is_comparison(file: Path) -> bool:
    from classifier.evaluation.comparison import HEADING

    with file.open(encoding="utf-8", errors="replace") as lines:
        return lines.readline().rstrip("\n") == f"## {HEADING}"


def _compare(
    findings: Findings, against: Path, most_drop: float | None, markdown: Path | None
) -> list[str]:
    """Print a comparison with earlier figures; return what to say where quality dropped."""
    from classifier.evaluation.comparison import compare_quality, comparison_report
    from classifier.evaluation.outcome import read_outcomes
    from classifier.evaluation.report import markdown as as_markdown

    before = read_outcomes(against, findings.taxonomy)
    comparison = compare_quality(findings.taxonomy, before, findings.outcomes, most_drop=most_drop)
    report = comparison_report(comparison)
    print()
    print_report(report)
    if markdown is not None:
        write_file(markdown, as_markdown(report).encode())
    if not comparison.failures:
        return []
    names = ", ".join(each.label for each in comparison.failures)
    return [f"--against {against}: dropped: {names}."]


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
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as one JSON object.")
    ] = False,
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
