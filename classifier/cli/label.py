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


_MIN_RECORDS_FOR_RATE = 10_000
"""Minimum number of records for which the speed is printed: shorter runs are mostly start-up."""


FilesArgument = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="Papers in any format that Fieldguide reads."),
]
OutputOption = Annotated[
    Path | None, output_option("FILE", "The file to write: .csv, .xlsx, .jsonl or .parquet.")
]
ReviewsOption = Annotated[
    Path | None,
    typer.Option("--reviews", metavar="FILE", help="Ledger of decisions. Default: the project's."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Number of processes. Default: one for a short input, else one per core.",
    ),
]
ChunkSizeOption = Annotated[
    int,
    typer.Option("--chunk-size", min=1, help="Number of papers labelled at a time."),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="processes|dask",
        help="Where to run: processes on this computer (the default) or a Dask cluster.",
    ),
]
SchedulerOption = Annotated[
    str,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Address of the Dask scheduler, such as tcp://10.0.0.1:8786. Default: a new "
        "cluster on this computer.",
    ),
]


@command
def label(
    files: FilesArgument,
    output: OutputOption = None,
    project: ProjectOption = None,
    reviews: ReviewsOption = None,
    prior: PriorOption = None,
    workers: WorkersOption = None,
    chunk_size: ChunkSizeOption = 1000,
    engine: EngineOption = "processes",
    scheduler: SchedulerOption = "",
) -> None:
    """Label papers from any files with the project's model.

    The output has one row per distinct paper, in input order. The model does not learn from these
    papers. Outside a project, the model of the example survey (agentic AI) is used. Without -o, CSV
    goes to standard output. Files may be large or compressed.

    Examples: `fieldguide label new.jsonl -o labels.csv`; `fieldguide label pages/*.txt | head`;
    `fieldguide label arxiv.jsonl.gz -o labels.parquet --engine dask`.
    """
    from classifier.scale.run import LabelOptions

    options = LabelOptions(reviews, prior, workers, chunk_size, engine, scheduler)
    where = project_or_embedded(project)
    if scheduler:
        say(f"Connecting to the scheduler at {scheduler} (timeout: 10 seconds).")
    from classifier.commands.label import label_to

    began = 0.0

    def advance(papers: int, position: int, total: int) -> None:
        nonlocal began
        began = began or time.monotonic()
        # The bar reaches 100 % only when the file is written.
        report(progress, f"Labelling: {papers:,} papers", min(position, total - 1), total)

    target = output or sys.stdout.buffer
    with progress_bar() as progress:
        run = label_to(target, where, files, options, progress=progress, advance=advance)
    _print_skipped(run)
    if output is not None:
        _print_result(run, output, time.monotonic() - began)
    if run.unread and not run.papers:  # An empty file is not an error.
        say(f"fieldguide: none of {count(run.unread, 'record')} could be read as a paper.")
        raise typer.Exit(1)


def _print_result(run: Run, output: Path, seconds: float) -> None:
    records = run.papers + run.skipped
    if records >= _MIN_RECORDS_FOR_RATE:
        seconds = max(seconds, 0.001)
        say(f"{records:,} records in {seconds:,.0f} s: {records / seconds:,.0f} per second.")
    print(f"{count(run.papers, 'paper')} labelled, {run.provisional:,} provisionally: {output}")


def _print_skipped(run: Run) -> None:
    print_columns(run.files)
    print_warnings(run.warnings, listed_by="")
    for record in run.quarantined:
        say(f"{record.file}:{record.line}: not read: {record.actual} ({record.record[:60]})")
    more = run.unread - len(run.quarantined)
    if more:
        say(f"… and {count(more, 'more record')} that could not be read.")
    if run.skipped:
        records = count(run.skipped, "record was", "records were")
        say(f"{records} skipped: an earlier record has the same id or title.")
