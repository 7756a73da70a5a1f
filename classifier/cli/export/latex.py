"""`fieldguide export latex`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.export.selecting import say_warnings
from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count, say
from classifier.errors import UsageError


@command
def latex(
    section: Annotated[
        str,
        typer.Option("--section", metavar="ID", help="Only this section of the survey."),
    ] = "",
    table: Annotated[
        str, typer.Option("--table", metavar="ID", help="Only this table of the survey.")
    ] = "",
    sentence: Annotated[
        str, typer.Option("--sentence", metavar="ID", help="Only this sentence of the survey.")
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR|FILE.tex",
            help="The folder of the article; of a part a file, with its .bib beside it. Default of "
            "a part: standard output.",
        ),
    ] = None,
    project: ProjectOption = None,
) -> None:
    r"""Write the survey as an article, or a part of it for a paper's related work.

    The article is a folder with article.tex, references.bib and figures/, and compiles with
    pdflatex or lualatex (latexmk -pdf article.tex). Figures need weasyprint:
    pip install 'fieldguide[pdf]'; without it they are left out. A part cites with \citep from
    natbib; -o FILE.tex writes what it cites into FILE.bib. IDs are those of survey.html's anchors
    (`survey.html#search-agents`, `#table-categories`) and of out/sentences.jsonl.

    Examples: `fieldguide export latex -o article`;
    `fieldguide export latex --section search-agents -o related.tex`;
    `fieldguide export latex --table categories`;
    `fieldguide export latex --sentence abstract-sorted`.
    """
    asked = {"section": section, "table": table, "sentence": sentence}
    named = [(kind, identifier) for kind, identifier in asked.items() if identifier]
    if len(named) > 1:
        raise UsageError("Choose one of --section, --table and --sentence.")
    if named:
        _part(*named[0], output, project)
    elif output is None or output.suffix == ".tex":
        raise UsageError("An article is several files: name a folder with -o article.")
    else:
        _article(output, project)


def _article(output: Path, project: Path | None) -> None:
    from classifier.commands.export import export_article
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    with progress_bar() as progress:
        made = export_article(where, output, progress)
    say_warnings(made.warnings)
    if made.figures < made.all_figures:
        left_out = count(made.all_figures - made.figures, "figure is", "figures are")
        say(f"{left_out} left out: they need weasyprint (pip install 'fieldguide[pdf]').")
    print(f"{count(made.papers, 'reference')}, {count(made.figures, 'figure')}: {output}")


def _part(kind: str, identifier: str, output: Path | None, project: Path | None) -> None:
    from classifier.commands.export import export_fragment
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    with progress_bar() as progress:
        made = export_fragment(where, kind, identifier, output, progress)
    if output is None:
        sys.stdout.buffer.write(made.tex.encode())
        say(f"It cites {count(made.cited, 'paper')}; -o FILE.tex writes them into FILE.bib.")
    else:
        print(f"{output}; it cites {count(made.cited, 'paper')}: {output.with_suffix('.bib')}")
