"""Options that several commands share, and the project that they lead to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from classifier.cli.printing import say
from classifier.project import Project, embedded_project, find_project, open_project


def output_option(metavar: str, text: str) -> Any:
    """Return the option that says where to write."""
    return typer.Option("-o", "--output", metavar=metavar, help=text)


ProjectOption = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help="The project's folder. Default: the nearest one upwards with taxonomy/taxonomy.yaml.",
    ),
]
PriorOption = Annotated[
    str | None,
    typer.Option(
        "--prior",
        metavar="FILE.npz|none",
        help="Term weights learned beforehand (see `fieldguide prior`), or none. Default: "
        "taxonomy/prior.npz.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")]
SheetOption = Annotated[
    Path | None,
    output_option("FILE.csv|.xlsx", "The sheet. Default: in out/, named after the command."),
]
WorkbookOption = Annotated[
    bool, typer.Option("--xlsx", help="A workbook in out/, with drop-down lists.")
]
MarkOption = Annotated[
    bool, typer.Option("--bom", help="Begin a CSV with a byte order mark, for Excel on Windows.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Where to. Default: PROJECT/out.")
]
BaselineOption = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="DIR", help="An earlier out/: say what changed since."),
]
CacheOption = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        help="Where to keep what the next build can use again. Default: .fieldguide/ in the "
        "project.",
    ),
]
PdfOption = Annotated[
    bool,
    typer.Option(
        "--pdf", help="Write survey.pdf, too (needs weasyprint: pip install 'fieldguide[pdf]')."
    ),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Let a warning fail the command; a notice never does.")
]
PortOption = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=0,
        max=65535,
        help="The port; 0 for any free one. Default: the first free one from 8000 on.",
    ),
]
OpenOption = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]


def command_group(name: str, text: str, **further: Any) -> typer.Typer:
    """Return a group of commands that prints plain help where it is called without a command.

    further: what else `typer.Typer` takes.
    """
    return typer.Typer(
        name=name,
        help=text,
        **further,
        rich_markup_mode=None,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )


def project_or_embedded(folder: Path | None) -> Project:
    """Return the project of `--project` or the nearest one; outside any, the shipped one, said."""
    found = open_project(folder) if folder is not None else find_project(Path.cwd())
    if found is None:
        say("No project here: using the model that ships with Fieldguide (agentic AI).")
        return embedded_project()
    return found
