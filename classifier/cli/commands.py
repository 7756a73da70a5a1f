"""The `fieldguide` command with all its subcommands."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from classifier import __version__
from classifier.cli.build import build, serve
from classifier.cli.categories import merge, rename, split
from classifier.cli.changes import diff, lock
from classifier.cli.check import check
from classifier.cli.evaluate import evaluate, explain
from classifier.cli.export import export_app
from classifier.cli.fetch import fetch_app
from classifier.cli.label import label
from classifier.cli.new import new, recipe
from classifier.cli.options import (
    QuietOption,
    VerboseOption,
    command_group,
    set_verbosity,
)
from classifier.cli.plugin_group import PluginGroup
from classifier.cli.printing import command as printing_command
from classifier.cli.progress_bar import Verbosity, verbosity
from classifier.cli.review import review_app
from classifier.cli.skos import skos_app
from classifier.errors import FieldguideError
from classifier.plugins import guard, load_plugin

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_DAILY = ("new", "build", "serve", "review", "label", "evaluate", "explain", "check")
"""Commands that most users need; help lists them first."""
_PASSED = (
    FieldguideError, OSError, KeyboardInterrupt, SystemExit, typer.Exit, typer.Abort,
    typer.BadParameter,
)  # fmt: skip
"""Exceptions by which a command of a plug-in may end."""


class _Commands(PluginGroup):
    """The top-level commands: everyday commands first, commands of plug-ins last."""

    kind = "commands"

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in the order of the help."""
        names = super().list_commands(ctx)
        own = sorted(self.commands.keys() - set(_DAILY))
        return [*_DAILY, *own, *names[len(self.commands) :]]

    def function_of(self, entry: EntryPoint) -> Callable[..., None]:
        """Import the function of a plug-in."""
        function = load_plugin(entry, FunctionType)

        @wraps(function)
        def run(*arguments: Any, **options: Any) -> None:
            with guard(entry, f"the command `{entry.name}`", passed=_PASSED):
                function(*arguments, **options)

        return printing_command(run)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        names = [name for name in self.list_commands(ctx) if name in self.commands]
        plugins = [name for name in self.list_commands(ctx) if name not in self.commands]
        width = max(map(len, names))
        for title, listed in (("Commands", names[: len(_DAILY)]), ("More", names[len(_DAILY) :])):
            with formatter.section(title):
                texts = [(self.commands[each].help or "").split("\n\n")[0] for each in listed]
                formatter.write_dl([
                    (name.ljust(width), " ".join(text.split()))
                    for name, text in zip(listed, texts, strict=True)
                ])  # fmt: skip
        if plugins:
            with formatter.section("Plug-ins"):
                formatter.write_dl([(name, "") for name in plugins])


app = command_group(
    "fieldguide",
    "Turn a collection of paper abstracts into a survey that you can keep up to date.\n\n"
    "You write a taxonomy (taxonomy/taxonomy.yaml) and put papers into papers/. Fieldguide labels "
    "each paper, you correct labels in a spreadsheet (out/labels.csv), and it writes the survey "
    "into out/. A build uses no language model and no network; the same input gives the same "
    "bytes.\n\n"
    "Start with your own files: `fieldguide new my-survey library.bib` (or README.md, a CSV, any "
    "export) creates a project, and `fieldguide build` in its folder builds the survey. "
    "`fieldguide build --demo` builds the example survey that comes with Fieldguide.",
    epilog="Exit codes: 0 success, 1 a fault in your files, 2 wrong use of a command.",
    cls=_Commands,
    add_completion=True,
)

for command in (
    new, build, serve, label, evaluate, explain, check, lock, diff, recipe,
    rename, merge, split,
):  # fmt: skip
    app.command()(command)
for group in (review_app, export_app, fetch_app, skos_app):
    app.add_typer(group)


@app.callback(invoke_without_command=True)
def _global_options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)
    ] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    if version:
        print(f"fieldguide {__version__}")
        raise typer.Exit
    verbosity.set(Verbosity.NORMAL)  # Tests run several commands in one process.
    set_verbosity(quiet, verbose)
