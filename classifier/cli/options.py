"""Options that several commands share, and the layout of their help."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from classifier.cli.printing import command, say
from classifier.cli.progress_bar import Verbosity, verbosity
from classifier.errors import PluginError, UsageError
from classifier.project import Project, embedded_project, find_project, open_project


def output_option(metavar: str, text: str) -> Any:
    """Return the `-o` option, which sets the output file."""
    return typer.Option("-o", "--output", metavar=metavar, help=text)


ProjectOption = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help="The project folder. Default: the nearest parent folder with taxonomy/taxonomy.yaml.",
    ),
]
PriorOption = Annotated[
    str | None,
    typer.Option(
        "--prior",
        metavar="FILE.npz|none",
        help="Term weights learned from other papers, or none. Default: taxonomy/prior.npz.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]
SheetOption = Annotated[
    Path | None,
    output_option(
        "FILE.csv|.xlsx", "The sheet to write. Default: a file in out/, named after the command."
    ),
]
ExcelOption = Annotated[
    bool,
    typer.Option(
        "--excel",
        "--bom",
        help="Write the CSV sheet with semicolons and a byte order mark, so that Excel opens it.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="The output folder. Default: PROJECT/out."),
]
BaselineOption = Annotated[
    Path | None,
    typer.Option(
        "--baseline", metavar="DIR", help="An earlier out/ folder; report the changes since then."
    ),
]
CacheOption = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        help="The build cache folder. Default: .fieldguide/ in the project.",
    ),
]
PdfOption = Annotated[
    bool,
    typer.Option(
        "--pdf", help="Also write survey.pdf (needs weasyprint: pip install 'fieldguide[pdf]')."
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict", help="Exit with 1 if there is a warning. Notices never change the exit code."
    ),
]
PortOption = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=0,
        max=65535,
        help="Port of the server; 0 for any free port. Default: the first free port from 8000.",
    ),
]
OpenOption = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]


QuietOption = Annotated[
    bool, typer.Option("-q", "--quiet", help="Print errors only.", show_default=False)
]
VerboseOption = Annotated[
    bool,
    typer.Option("-v", "--verbose", help="Print each step and its duration.", show_default=False),
]


def set_verbosity(quiet: bool, verbose: bool) -> None:
    """Set how much the command prints; raise UsageError for both options at once."""
    if quiet and verbose:
        raise UsageError("--quiet and --verbose cannot be used together. Use one of them.")
    if quiet:
        verbosity.set(Verbosity.QUIET)
    elif verbose:
        verbosity.set(Verbosity.VERBOSE)


# Typer prints Python types and braces after the name of an argument.
_TYPE = re.compile(r" <(?!int)[^<>]*>$")
_NUMBER = re.compile(r" <int[^<>]*>$")
_BOUND = re.compile(r"x>=(\d+)")


class PlainCommand(TyperCommand):
    """A command whose help shows argument names without Python types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line: `[OPTIONS] FILE...`, `[N]`."""
        pieces = super().collect_usage_pieces(ctx)
        return [re.sub(r"^\{(.*)\}|^\[(\[.*\])\]", r"\1\2", piece) for piece in pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections Arguments and Options."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            is_option = parameter.param_type_name == "option"
            name = _NUMBER.sub(" N" if is_option else "", _TYPE.sub("", record[0]))
            text = _BOUND.sub(r"at least \1", record[1])
            sections["Options" if is_option else "Arguments"].append((name, text))
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


_F = TypeVar("_F", bound=Callable[..., Any])


class CommandGroup(typer.Typer):
    """A group of commands with plain help."""

    def command(self, name: str | None = None, **options: Any) -> Callable[[_F], _F]:
        """Register a command; the parameters are those of `typer.Typer.command`."""
        return super().command(name, **{"cls": PlainCommand, **options})


def command_group(name: str, text: str, **options: Any) -> CommandGroup:
    """Create a command group that prints its help if no command is given.

    options: further parameters of `typer.Typer`.
    """
    return CommandGroup(
        name=name,
        help=text,
        rich_markup_mode=None,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **{"add_completion": False, **options},
    )


def add_refused_command(group: typer.Typer, name: str, error: UsageError | PluginError) -> None:
    """Add a hidden command that raises `error`, whatever its parameters."""

    def refuse() -> None:
        raise error

    context = {"allow_extra_args": True, "ignore_unknown_options": True}
    group.command(name, hidden=True, help=str(error), context_settings=context)(command(refuse))


def project_or_embedded(folder: Path | None) -> Project:
    """Return the project of `--project`, else the nearest project, else the shipped project.

    Prints a message if the shipped project is used.
    """
    found = open_project(folder) if folder is not None else find_project(Path.cwd())
    if found is None:
        say("This folder is not in a project: using the model of the shipped survey (agentic AI).")
        return embedded_project()
    return found


def check_day(option: str, text: str) -> None:
    """Raise UsageError if the value of an option is not a date; it may be empty."""
    from classifier.papers.dates import is_full_date

    if text and not is_full_date(text):
        raise UsageError(f"{option}: {text!r} is not a date; expected a date such as 2026-01-31.")
