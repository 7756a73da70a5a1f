"""`fieldguide export csv`, `jsonl` and `parquet`: for spreadsheets and notebooks."""

from __future__ import annotations

from classifier.cli.export.selecting import (
    CategoryOption,
    FiledOption,
    OutputOption,
    QueryOption,
    export_file,
)
from classifier.cli.options import ProjectOption
from classifier.cli.printing import command
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
