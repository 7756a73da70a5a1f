"""`fieldguide export csv`, `jsonl` and `parquet`: for spreadsheets and notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.export.selecting import (
    CategoryOption,
    FiledOption,
    OutputOption,
    QueryOption,
    export_file,
    say_warnings,
)
from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count
from classifier.errors import UsageError


@command
def csv(
    category: CategoryOption = "",
    filed: FiledOption = False,
    query: QueryOption = "",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Write labels and metadata as CSV: the machine's columns of labels.csv, then all fields.

    It is no sheet to correct: that is out/labels.csv, of which `fieldguide review apply` reads what
    people type.

    Examples: `fieldguide export csv -o papers.csv`;
    `fieldguide export csv --category safety | head`.
    """
    export_file("csv", output, project, category, filed, query)


@command
def jsonl(
    category: CategoryOption = "",
    filed: FiledOption = False,
    query: QueryOption = "",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Write one JSON object a paper: every field, and its labels in `labels`.

    Fieldguide reads the file again, without loss; the labels in it are passed over.

    Examples: `fieldguide export jsonl -o papers.jsonl`;
    `fieldguide export jsonl --query "status=reviewed" | jq -r .title`.
    """
    export_file("jsonl", output, project, category, filed, query)


@command
def croissant(
    category: CategoryOption = "",
    filed: FiledOption = False,
    query: QueryOption = "",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="The folder of the data set."),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Write a data set that describes itself, for data catalogues and machine learning (needs -o).

    A folder with croissant.json (MLCommons Croissant 1.0: fields, hashes, creator, citation),
    papers.json and categories.json. It states what your taxonomy states: add a licence before you
    publish it.

    Examples: `fieldguide export croissant -o dataset`;
    `fieldguide export croissant --query "status=reviewed" -o reviewed`.
    """
    from classifier.commands.export import export_croissant
    from classifier.progress import progress_bar
    from classifier.project import open_project

    if output is None:
        raise UsageError("A data set is several files: name a folder with -o dataset.")
    where = open_project(project)
    with progress_bar() as progress:
        made = export_croissant(
            where, output, category=category, filed=filed, query=query, progress=progress
        )
    say_warnings(made.warnings)
    print(f"{count(made.papers, 'paper')}: {output / 'croissant.json'}")


@command
def parquet(
    category: CategoryOption = "",
    filed: FiledOption = False,
    query: QueryOption = "",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Write the columns of `export csv` with types, for pandas, polars and DuckDB (needs -o).

    Lists are lists, numbers are numbers, what nobody states is null. Needs pyarrow:
    pip install 'fieldguide[scale]'.

    Examples: `fieldguide export parquet -o papers.parquet`;
    `fieldguide export parquet --category rl-training -o rl.parquet`.
    """
    if output is None:
        raise UsageError("parquet is no text: name a file with -o papers.parquet.")
    export_file("parquet", output, project, category, filed, query)
