"""`fieldguide fetch …`: papers from the network, a file a service."""

from __future__ import annotations

import typer

from classifier.cli.fetch.arxiv import arxiv
from classifier.cli.fetch.crossref import crossref
from classifier.cli.fetch.hf_daily import hf_daily
from classifier.cli.fetch.metadata import metadata
from classifier.cli.fetch.openalex import openalex
from classifier.cli.fetch.semanticscholar import semanticscholar

fetch_app = typer.Typer(
    name="fetch",
    help="Fill papers/ from the network; the only command that uses it, never part of a build.\n\n"
    "Each query has one file of JSON Lines, in which new papers are added and known ones brought "
    "up to date; .fetched/ beside it notes where they came from. What is cut off goes on where it "
    "was when the same command is run again.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for command in (arxiv, openalex, semanticscholar, crossref, metadata):
    fetch_app.command()(command)
fetch_app.command("hf-daily")(hf_daily)

__all__ = ["fetch_app"]
