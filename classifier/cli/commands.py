"""The `fieldguide` command with all its subcommands."""

from __future__ import annotations

from types import FunctionType
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

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
from classifier.cli.printing import command as printing_command
from classifier.cli.progress_bar import Verbosity, verbosity
from classifier.cli.review import review_app
from classifier.cli.skos import skos_app
from classifier.plugins import load_plugin, plugin_entries

_DAILY = ("new", "build", "serve", "review", "label", "evaluate", "explain", "check")
"""Commands that most users need; help lists them first."""


class _Commands(TyperGroup):
    """Top-level commands: daily commands first, commands of plug-ins last."""

    def list_commands(self, ctx: Any) -> list[str]:
        own = sorted(self.commands.keys() - set(_DAILY))
        others = [entry.name for entry in plugin_entries("commands")]
        return [*_DAILY, *own, *(name for name in others if name not in self.commands)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command. A command of a plug-in is imported only when it is called."""
        if cmd_name not in self.commands:
            for entry in plugin_entries("commands"):
                if entry.name == cmd_name:
                    single = typer.Typer(rich_markup_mode=None, add_completion=False)
                    single.command(cmd_name)(printing_command(load_plugin(entry, FunctionType)))
                    return typer.main.get_command(single)
        return super().get_command(ctx, cmd_name)

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
