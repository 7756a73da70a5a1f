"""`fieldguide export bibtex`, `ris` and `csl-json`: for reference managers and LaTeX."""

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


@command
def bibtex(
    category: CategoryOption = "",
    filed: FiledOption = False,
    query: QueryOption = "",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Write references as BibTeX, for LaTeX, Zotero and JabRef.

    Kinds, volumes, pages and cite keys are those that your own files stated, else `misc` and the
    paper's id. Categories are keywords that begin with `fieldguide:`, collections JabRef groups;
    the authors' abstracts are in. What the format cannot hold: docs/export.md.

    Examples: `fieldguide export bibtex -o references.bib`;
    `fieldguide export bibtex --category benchmarks --filed -o benchmarks.bib`;
    `fieldguide export bibtex --query "code=yes&year=2025" > code.bib`.
    """
    export_file("bibtex", output, project, category, filed, query)


@command
def ris(
    category: CategoryOption = "",
    filed: FiledOption = False,
    query: QueryOption = "",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Write references as RIS, for Zotero, EndNote and Mendeley.

    Categories are keywords that begin with `fieldguide:`: Zotero shows them as tags.

    Examples: `fieldguide export ris -o references.ris`;
    `fieldguide export ris --query "status=reviewed" -o reviewed.ris`.
    """
    export_file("ris", output, project, category, filed, query)


@command
def csl_json(
    category: CategoryOption = "",
    filed: FiledOption = False,
    query: QueryOption = "",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Write references as CSL-JSON, for pandoc, Quarto, Zotero and citeproc.

    Examples: `fieldguide export csl-json -o references.json`, then
    `pandoc --citeproc --bibliography references.json paper.md`.
    """
    export_file("csl-json", output, project, category, filed, query)
