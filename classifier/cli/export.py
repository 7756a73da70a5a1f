"""`fieldguide export …`: the labelled papers for other tools."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption, command_group, output_option
from classifier.cli.printing import command, count, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import UsageError
from classifier.plugins import plugin_entries
from classifier.project import open_project

CategoryOption = Annotated[
    str,
    typer.Option(
        "--category", metavar="ID", help="Only papers to which this category (or part) applies."
    ),
]
FiledOption = Annotated[
    bool, typer.Option("--filed", help="Of --category only the papers that are filed under it.")
]
QueryOption = Annotated[
    str,
    typer.Option(
        "--query",
        metavar="QUERY",
        help="Only papers that the browse page lists for this: what stands behind the ? of its "
        "address, in quotes.",
    ),
]
OutputOption = Annotated[Path | None, output_option("FILE", "Where to. Default: standard output.")]


def say_warnings(number: int) -> None:
    """Say how many warnings the project's files gave, and who lists them."""
    if number:
        say(f"{count(number, 'warning')} about the project: `fieldguide check` lists them.")


_FORMATS = {
    "bibtex": """Write references as BibTeX, for LaTeX, Zotero and JabRef.

    Cite keys are those of your own files, else the paper's id. Categories are keywords that begin
    with `fieldguide:`, collections JabRef groups. What the format cannot hold: docs/export.md.

    Examples: `fieldguide export bibtex -o references.bib`;
    `fieldguide export bibtex --category benchmarks --filed -o benchmarks.bib`;
    `fieldguide export bibtex --query "code=yes&year=2025" > code.bib`.
    """,
    "ris": """Write references as RIS, for Zotero, EndNote and Mendeley.

    Categories are keywords that begin with `fieldguide:`: Zotero shows them as tags.

    Examples: `fieldguide export ris -o references.ris`;
    `fieldguide export ris --query "status=reviewed" -o reviewed.ris`.
    """,
    "csv": """Write labels and metadata as CSV: the machine's columns, then all fields.

    A sheet to correct is out/labels.csv.

    Examples: `fieldguide export csv -o papers.csv`;
    `fieldguide export csv --category safety | head`.
    """,
    "jsonl": """Write one JSON object a paper: every field, and its labels in `labels`.

    Fieldguide reads the file again, without loss; the labels in it are passed over.

    Examples: `fieldguide export jsonl -o papers.jsonl`;
    `fieldguide export jsonl --query "status=reviewed" | jq -r .title`.
    """,
    "parquet": """Write the columns of `export csv` with types, for pandas and DuckDB (needs -o).

    Needs pyarrow: pip install 'fieldguide[scale]'.

    Examples: `fieldguide export parquet -o papers.parquet`;
    `fieldguide export parquet --category rl-training -o rl.parquet`.
    """,
    "xlsx": """Write the columns of `export csv` as a workbook for Excel or LibreOffice (needs -o).

    Every cell but the confidence is text. A sheet to correct: `fieldguide review next`.

    Example: `fieldguide export xlsx -o papers.xlsx`.
    """,
    "csl-json": """Write references as CSL-JSON, for pandoc, Quarto, Zotero and citeproc.

    Examples: `fieldguide export csl-json -o references.json`, then
    `pandoc --citeproc --bibliography references.json paper.md`.
    """,
}  # fmt: skip
"""Formats that are a single file -> the help of their command."""


def _file_command(name: str, text: str) -> Callable[..., None]:
    """Return the command that exports in a format of one file."""

    def run(
        category: CategoryOption = "",
        filed: FiledOption = False,
        query: QueryOption = "",
        output: OutputOption = None,
        project: ProjectOption = None,
    ) -> None:
        if name in ("parquet", "xlsx") and output is None:
            raise UsageError(f"{name} is not text: name a file with -o papers.{name}.")
        from classifier.commands.export import export

        where = open_project(project)
        chosen = {"category": category, "query": query}
        with progress_bar() as progress:
            made = export(where, name, output, filed=filed, progress=progress, **chosen)
        say_warnings(made.warnings)
        if output is not None:
            print(f"{count(made.papers, 'paper')}: {output}")
            return
        sys.stdout.buffer.write(made.content)
        if not made.papers:
            say("No paper is selected.")

    run.__doc__ = inspect.cleandoc(text)
    return command(run)


@command
def markdown(
    cite: Annotated[
        str, typer.Option("--cite", metavar="ID", help="The section: its anchor in survey.html.")
    ] = "",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Write a section of the survey as Markdown that cites papers by their cite keys.

    `[@key]` is what pandoc and Quarto read: `pandoc --natbib` makes LaTeX with citations of natbib,
    and `fieldguide export bibtex` writes the references. An ID is an anchor of survey.html
    (`survey.html#search-agents`).

    Example: `fieldguide export markdown --cite search-agents -o related.md`, then
    `pandoc --natbib --bibliography references.bib related.md -o related.tex`.
    """
    if not cite:
        raise UsageError("Name a section with --cite, such as --cite search-agents.")
    from classifier.commands.export import export_markdown

    with progress_bar() as progress:
        made = export_markdown(open_project(project), cite, output, progress)
    say_warnings(made.warnings)
    if output is None:
        sys.stdout.buffer.write(made.content)
    else:
        print(f"{output}; its references: `fieldguide export bibtex -o references.bib`")


def latex() -> None:
    """Say what took the place of this command."""
    say(
        "fieldguide: `export latex` was removed. Use `fieldguide export markdown --cite ID` and "
        "`pandoc --natbib` (docs/export.md)."
    )
    raise typer.Exit(2)


@command
def readme(
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="README.md", help="The file with the two markers."),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Write the papers by category as a Markdown list, into a README that you have.

    The list stands between the lines `<!-- fieldguide:begin -->` and `<!-- fieldguide:end -->`;
    write both where you want it. Without --into the list goes to standard output.

    Examples: `fieldguide export readme --into README.md`; `fieldguide export readme > list.md`.
    """
    from classifier.commands.export import write_readme
    from classifier.pipeline import compute
    from classifier.site.exports.readme import readme_list

    where = open_project(project)
    with progress_bar() as progress:
        if into is None:
            text = readme_list(compute(where, progress=progress).survey)
        else:
            changed = write_readme(where, into, progress)
    if into is None:
        sys.stdout.buffer.write(text.encode())
    else:
        print(f"{into}: {'the list is written' if changed else 'is as it would be written'}.")


export_app = command_group(
    "export",
    "Hand the labelled papers to other tools: references for Zotero and LaTeX, tables for "
    "spreadsheets and notebooks, a section with citations.\n\n"
    "Labels are those of `fieldguide build`; nothing is written but what -o names. Which papers: "
    "--category, or any address of the browse page as --query.",
)

for name in ("bibtex", "ris", "csv", "jsonl", "xlsx", "parquet"):
    export_app.command(name)(_file_command(name, _FORMATS[name]))
for each in (markdown, readme):
    export_app.command()(each)
export_app.command(
    hidden=True, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)(latex)
export_app.command("csl-json")(_file_command("csl-json", _FORMATS["csl-json"]))
for plugin in plugin_entries("exports"):
    if plugin.name not in _FORMATS:
        package = plugin.dist.name if plugin.dist else plugin.module
        text = f"Write the papers in the format of the plug-in {package}."
        export_app.command(plugin.name)(_file_command(plugin.name, text))
