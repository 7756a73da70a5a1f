"""`fieldguide export …`: the labelled papers for other tools."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import (
    ProjectOption,
    add_refused_command,
    command_group,
    output_option,
)
from classifier.cli.plugin_group import PluginGroup
from classifier.cli.printing import command, count, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import UsageError
from classifier.plugins import package_of
from classifier.project import open_project

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

CategoryOption = Annotated[
    str,
    typer.Option("--category", metavar="ID", help="Only papers with this category or subcategory."),
]
FiledOption = Annotated[
    bool, typer.Option("--filed", help="Only papers whose primary category is --category.")
]
QueryOption = Annotated[
    str,
    typer.Option(
        "--query",
        metavar="QUERY",
        help="Only papers that the browse page lists: the part of its address after ?, in quotes.",
    ),
]
OutputOption = Annotated[
    Path | None, output_option("FILE", "The file to write. Default: standard output.")
]


def say_warnings(number: int) -> None:
    """Print the number of warnings about the project's files."""
    if number:
        say(f"{count(number, 'warning')} about the project: `fieldguide check` lists them.")


_FORMATS = {
    "bibtex": """Write references as BibTeX, for LaTeX, Zotero and JabRef.

    A cite key comes from your own files, else it is the paper's id. Categories become keywords that
    begin with `fieldguide:`; collections become JabRef groups.

    Examples: `fieldguide export bibtex -o references.bib`;
    `fieldguide export bibtex --category benchmarks --filed -o benchmarks.bib`;
    `fieldguide export bibtex --query "code=yes&year=2025" > code.bib`.
    """,
    "ris": """Write references as RIS, for Zotero, EndNote and Mendeley.

    Categories become keywords that begin with `fieldguide:`; Zotero shows them as tags.

    Example: `fieldguide export ris -o references.ris`.
    """,
    "csv": """Write labels and metadata as CSV: label columns first, then all fields.

    To correct labels, use out/labels.csv instead.

    Example: `fieldguide export csv -o papers.csv`.
    """,
    "jsonl": """Write one JSON object per paper: every field, and its labels in `labels`.

    Fieldguide can read the file again without loss; it then ignores the labels.

    Example: `fieldguide export jsonl --query "status=reviewed" | jq -r .title`.
    """,
    "parquet": """Write the columns of `export csv` with types, for pandas and DuckDB (needs -o).

    Needs pyarrow: pip install 'fieldguide[scale]'.

    Example: `fieldguide export parquet -o papers.parquet`.
    """,
    "xlsx": """Write the columns of `export csv` as a workbook for Excel or LibreOffice (needs -o).

    All cells are text, except the confidence. To correct labels, use `fieldguide review next`.

    Example: `fieldguide export xlsx -o papers.xlsx`.
    """,
    "csl-json": """Write references as CSL-JSON, for pandoc, Quarto, Zotero and citeproc.

    Example: `fieldguide export csl-json -o references.json`.
    """,
}  # fmt: skip
"""Name of a single-file format -> help text of its command."""


def _file_command(name: str, text: str) -> Callable[..., None]:

    def run(
        category: CategoryOption = "",
        filed: FiledOption = False,
        query: QueryOption = "",
        output: OutputOption = None,
        project: ProjectOption = None,
    ) -> None:
        """Write the selected papers."""
        if name in ("parquet", "xlsx") and output is None:
            raise UsageError(f"{name} is a binary format. Choose a file: -o papers.{name}.")
        from classifier.commands.export import export, find_format

        where = open_project(project)
        chosen = {"category": category, "query": query}
        with progress_bar() as progress:
            made = export(
                where, find_format(name), output, filed=filed, progress=progress, **chosen
            )
        say_warnings(made.warnings)
        if output is not None:
            print(f"{count(made.papers, 'paper')}: {output}")
            return
        sys.stdout.buffer.write(made.content)
        if not made.papers:
            say("No paper matches the selection.")

    run.__doc__ = inspect.cleandoc(text)
    return command(run)


@command
def markdown(
    cite: Annotated[
        str,
        typer.Option("--cite", metavar="ID", help="Id of the section: its anchor in survey.html."),
    ] = "",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Write a section of the survey as Markdown that cites papers by their cite keys.

    pandoc and Quarto read the citations `[@key]`; `fieldguide export bibtex` writes the references.
    ID is an anchor of survey.html, such as `search-agents` in `survey.html#search-agents`.

    Example: `fieldguide export markdown --cite search-agents -o related.md`, then
    `pandoc --natbib --bibliography references.bib related.md -o related.tex`.
    """
    if not cite:
        raise UsageError("--cite is missing. Choose a section, such as --cite search-agents.")
    from classifier.commands.export import export, markdown_format

    with progress_bar() as progress:
        made = export(open_project(project), markdown_format(cite), output, progress=progress)
    say_warnings(made.warnings)
    if output is None:
        sys.stdout.buffer.write(made.content)
    else:
        print(f"{output}: written. For its references: fieldguide export bibtex -o references.bib")


@command
def readme(
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="README.md", help="The file that has the two marker lines."),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Write the papers by category as a Markdown list into your README.

    First add the two lines `<!-- fieldguide:begin -->` and `<!-- fieldguide:end -->` to your
    README. The list replaces the text between them. Without --into, it goes to standard output.

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
        print(f"{into}: {'list written' if changed else 'list is up to date'}.")


class _Exports(PluginGroup):
    """The export formats, those of plug-ins last."""

    kind = "exports"

    def function_of(self, entry: EntryPoint) -> Callable[..., None]:
        """Return the function of a command; it imports the plug-in when it is called."""
        text = f"Write the papers in the format of the plug-in {package_of(entry)}."
        return _file_command(entry.name, text)


export_app = command_group(
    "export",
    "Export the labelled papers for other tools: references for Zotero and LaTeX, tables for "
    "spreadsheets and notebooks, or a section with citations.\n\n"
    "Labels are those of `fieldguide build`. Only the file of -o is written. Select papers with "
    "--category, or with --query and the query part of an address of the browse page.\n\n"
    "Example: `fieldguide export bibtex -o references.bib`.",
    cls=_Exports,
)

for name in ("bibtex", "ris", "csv", "jsonl", "xlsx", "parquet"):
    export_app.command(name)(_file_command(name, _FORMATS[name]))
for each in (markdown, readme):
    export_app.command()(each)
add_refused_command(
    export_app,
    "latex",
    UsageError(
        "`export latex` was removed. Use `fieldguide export markdown --cite ID` and "
        "`pandoc --natbib` (docs/export.md)."
    ),
)
export_app.command("csl-json")(_file_command("csl-json", _FORMATS["csl-json"]))
