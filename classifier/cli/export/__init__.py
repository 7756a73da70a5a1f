"""`fieldguide export`: a file a group of formats, a command a format."""

from __future__ import annotations

import typer

from classifier.cli.export.data import croissant, csv, jsonl, parquet
from classifier.cli.export.latex import latex
from classifier.cli.export.readme import readme
from classifier.cli.export.references import bibtex, csl_json, ris

export_app = typer.Typer(
    name="export",
    help="Hand the labelled papers to other tools: references for Zotero and LaTeX, tables for "
    "spreadsheets and notebooks, a data set, an article.\n\n"
    "Labels are those of `fieldguide build`; nothing is written but what -o names. Which papers: "
    "--category, or any address of the browse page as --query.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for command in (bibtex, ris, csv, jsonl, parquet, croissant, latex, readme):
    export_app.command()(command)
export_app.command("csl-json")(csl_json)

__all__ = ["export_app"]
