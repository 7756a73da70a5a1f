"""`fieldguide label`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import PriorOption, ProjectOption, output_option, project_or_embedded
from classifier.cli.printing import command, count, print_columns, print_warnings, say
from classifier.cli.progress_bar import progress_bar
from classifier.progress import report

if TYPE_CHECKING:
    from classifier.scale.joining import Run


_WORTH_A_RATE = 10_000
"""Records from which on a rate is told: of fewer it is mostly that of the first ones."""


@command
def label(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Papers in any format that Fieldguide reads."),
    ],
    output: Annotated[
        Path | None, output_option("FILE", "labels.csv, .xlsx, .jsonl or .parquet.")
    ] = None,
    project: ProjectOption = None,
    reviews: Annotated[
        Path | None,
        typer.Option("--reviews", metavar="FILE", help="A ledger in place of the project's."),
    ] = None,
    prior: PriorOption = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            help="Processes that label. Default: one for a short input, else one a core.",
        ),
    ] = None,
    chunk_size: Annotated[
        int,
        typer.Option("--chunk-size", min=1, help="Papers that are labelled and kept at a time."),
    ] = 1000,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="processes|dask",
            help="Who labels: processes of this machine (the default), or a Dask cluster.",
        ),
    ] = "processes",
    scheduler: Annotated[
        str,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="The cluster's scheduler, as tcp://10.0.0.1:8786. Default: a cluster of this "
            "machine is started.",
        ),
    ] = "",
) -> None:
    """Label any papers with the project's model; it never learns from them.

    One row a distinct paper, in input order. Outside a project the model that ships with Fieldguide
    (agentic AI) is used. Without -o the CSV goes to standard output.

    Files may be of any length, packed or not; the output appears when it is whole.

    Examples: `fieldguide label new.jsonl -o labels.csv`; `fieldguide label pages/*.txt | head`;
    `fieldguide label arxiv.jsonl.zst -o labels.parquet --workers 4`; `fieldguide label
    papers.jsonl -o labels.parquet --engine dask --scheduler tcp://10.0.0.1:8786`.
    """
    from classifier.scale.run import LabelOptions

    options = LabelOptions(reviews, prior, workers, chunk_size, engine, scheduler)
    where = project_or_embedded(project)
    if scheduler:
        say(f"Asking the scheduler at {scheduler}; it has 10 seconds to answer.")
    from classifier.commands.label import label_to

    began = 0.0

    def advance(papers: int, position: int, total: int) -> None:
        nonlocal began
        began = began or time.monotonic()
        # Less than all until the file is written, or the time left would be none too early.
        report(progress, f"Labelling: {papers:,} papers", min(position, total - 1), total)

    target = output or sys.stdout.buffer
    with progress_bar() as progress:
        run = label_to(target, where, files, options, progress=progress, advance=advance)
    _print_said(run)
    records = run.papers + run.passed_over
    if output is not None and records >= _WORTH_A_RATE:
        seconds = max(time.monotonic() - began, 0.001)
        say(f"{records:,} records in {seconds:,.0f} s: {records / seconds:,.0f} a second.")
    if output is not None:
        print(f"{count(run.papers, 'paper')} labelled, {run.provisional:,} provisionally: {output}")
    if run.unread and not run.papers:  # a file that holds nothing is no error
        say(f"fieldguide: none of {count(run.unread, 'record')} could be read as a paper.")
        raise typer.Exit(1)


def _print_said(run: Run) -> None:
    """Say, to standard error, what was read besides papers that are labelled."""
    print_columns(run.files)
    print_warnings(run.warnings, listed_by="")
    for record in run.quarantined:
        say(f"{record.file}:{record.line}: not read: {record.actual} ({record.record[:60]})")
    more = run.unread - len(run.quarantined)
    if more:
        say(f"… and {count(more, 'more record')} that could not be read.")
    if run.passed_over:
        records = count(run.passed_over, "record was", "records were")
        say(f"{records} passed over: an earlier one has the same id or title.")
