"""The commands of `fieldguide`, gathered from their files."""

from __future__ import annotations

from typing import Annotated

import typer

from classifier import __version__
from classifier.cli.build import build
from classifier.cli.check import check
from classifier.cli.diff import diff
from classifier.cli.evaluate import evaluate
from classifier.cli.explain import explain
from classifier.cli.export import export_app
from classifier.cli.fetch import fetch_app
from classifier.cli.label import label
from classifier.cli.lock import lock
from classifier.cli.new import new
from classifier.cli.prior import prior
from classifier.cli.recipe import recipe
from classifier.cli.review import review_app
from classifier.cli.serve import serve
from classifier.cli.skos import skos_app

app = typer.Typer(
    name="fieldguide",
    help="Turn a pile of paper abstracts into a living survey.\n\n"
    "You write a taxonomy (taxonomy/taxonomy.yaml) and put papers into papers/. Fieldguide labels "
    "every paper, you correct labels in taxonomy/reviews.csv, and it writes the survey into out/. "
    "No language model, no network; the same input gives the same bytes.\n\n"
    "Start with what you have: `fieldguide new my-survey library.bib` (or README.md, a CSV, any "
    "export) makes a project, `fieldguide build` in it the survey. `fieldguide build --demo` "
    "builds the shipped one anywhere.",
    epilog="Exit codes: 0 good, 1 a fault in your files, 2 wrong use.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for command in (
    new, build, serve, label, evaluate, explain, check, prior, lock, diff, recipe,
):  # fmt: skip
    app.command()(command)
for commands in (review_app, export_app, fetch_app, skos_app):
    app.add_typer(commands)


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)
    ] = False,
) -> None:
    if version:
        print(f"fieldguide {__version__}")
        raise typer.Exit
