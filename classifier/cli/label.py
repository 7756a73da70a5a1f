"""`fieldguide label`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import PriorOption, ProjectOption, project_or_embedded
from classifier.cli.printing import command, count, print_columns, print_warnings, say


@command
def label(
    files: Annotated[
        list[Path], typer.Argument(help="Papers in any format that Fieldguide reads.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="labels.csv, .xlsx, .jsonl or .parquet."
        ),
    ] = None,
    project: ProjectOption = None,
    reviews: Annotated[
        Path | None,
        typer.Option("--reviews", metavar="FILE", help="A ledger in place of the project's."),
    ] = None,
    prior: PriorOption = None,
) -> None:
    """Label any papers with the project's model; it never learns from them.

    One row a distinct paper, in input order. Outside a project the model that ships with
    Fieldguide (agentic AI) is used. Without -o the CSV goes to standard output.

    Examples: `fieldguide label new.jsonl -o labels.csv`; `fieldguide label pages/*.txt | head`.
    """
    from classifier.label import check_output, label_bytes, label_files, write_labels
    from classifier.progress import progress_bar

    where = project_or_embedded(project)
    if output is not None:
        check_output(output, files)
    with progress_bar() as progress:
        labelled = label_files(where, files, reviews=reviews, prior=prior, progress=progress)
    print_columns(labelled.corpus.files)
    print_warnings(labelled.warnings)
    for record in labelled.corpus.quarantined:
        say(f"{record.file}:{record.line}: not read: {record.reason} ({record.record[:60]})")
    if output is None:
        sys.stdout.buffer.write(label_bytes(".csv", labelled))
        return
    write_labels(output, labelled)
    first = labelled.taxonomy.first.id
    waiting = sum(row.facets[first].status == "provisional" for row in labelled.labels)
    print(f"{count(len(labelled.labels), 'paper')} labelled, {waiting} provisionally: {output}")
