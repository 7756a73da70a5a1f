"""`fieldguide fetch metadata`, `fetch entries` and `fetch links`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.fetch import AnewOption, MailtoOption, asking, tell_unread
from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count, say
from classifier.errors import FetchError
from classifier.progress import progress_bar
from classifier.project import open_project


@command
def metadata(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE", help="Papers to complete. Default: the project's.", show_default=False
        ),
    ] = None,
    take: Annotated[
        bool, typer.Option("--take", help="Take the rows that say yes; the network is not used.")
    ] = False,
    service: Annotated[
        list[str] | None,
        typer.Option(
            "--service",
            metavar="NAME",
            help="Ask only openalex, arxiv, crossref or semanticscholar; may be repeated, in the "
            "order of asking. Default: all four, in this order.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="Ask for at most so many papers."),
    ] = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Find ids, authors, venue, date and abstract of papers that lack them.

    Papers are asked for by arXiv id or DOI where they have one, else by title. What is found goes
    to taxonomy/metadata-matches.csv: `take` says yes where a match is safe. Correct any cell, write
    yes or no; a later run never changes a row. Then --take writes the rows that say yes to
    papers/metadata.jsonl.

    Examples: `fieldguide fetch metadata --mailto ada@example.org`; `fieldguide fetch metadata
    --service arxiv`; `fieldguide fetch metadata --take`.
    """
    from classifier.extras.fetch.metadata.project import (
        papers_file,
        search_metadata,
        take_metadata,
    )

    where = open_project(project)
    if take:
        taken = take_metadata(where)
        file = papers_file(where)
        print(
            f"{count(taken.papers, 'paper')} taken: {taken.new} new and {taken.updated} updated in "
            f"{where.shown(file)}, {count(taken.aliases, 'old id')} in taxonomy/identity.csv."
        )
        if file.exists():
            tell_unread(where, file)
        return
    with asking(mailto, anew) as (pages, progress):
        searched = search_metadata(
            where, files or (), pages, services=service or (), limit=limit, progress=progress
        )
    for name, why in searched.failures.items():
        say(f"{name} was left out: {why}")
    if not searched.lacking:
        print("Nothing to ask for: every paper has an id, authors, a date and an abstract.")
        return
    if searched.failures and not searched.safe + searched.doubtful:
        raise FetchError("Nothing was found, and what was left out may know more.")
    known = searched.lacking - searched.asked
    waiting = f" ({known} not asked for: in the sheet already, or beyond --limit)" if known else ""
    print(
        f"{count(searched.lacking, 'paper lacks', 'papers lack')} something{waiting}: "
        f"{searched.safe} with a safe match, {searched.doubtful} with doubtful ones, "
        f"{searched.asked - searched.safe - searched.doubtful} with none."
    )
    shown = where.shown(searched.sheet)
    print(f"Look through {shown}, then run `fieldguide fetch metadata --take`.")


@command
def entries(
    files: Annotated[list[Path], typer.Argument(metavar="LIST", help="A list, such as README.md.")],
    before: Annotated[
        list[Path] | None,
        typer.Option(
            "--before",
            metavar="FILE",
            help="The list as it was. Default: new is what the project has no abstract of.",
            show_default=False,
        ),
    ] = None,
    take: Annotated[
        bool,
        typer.Option(
            "--take",
            help="Write what was found to papers/list.jsonl, and file it under its heading, where "
            "that names a category and nobody decided.",
        ),
    ] = False,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Look up the new entries of a list, and say where each would be filed, and why.

    The answer is a list in Markdown, for the summary of a pull request. What the classifier
    proposes decides nothing: the heading under which an entry stands is its keeper's.

    Examples: `fieldguide fetch entries README.md --before base/README.md`;
    `fieldguide fetch entries README.md --take`.
    """
    from classifier.commands.apply import place_by_headings
    from classifier.commands.label import label_model
    from classifier.extras.fetch.entries import headings_of, propose
    from classifier.extras.fetch.entries import take as take_entries
    from classifier.survey.inputs import read_inputs

    where = open_project(project)
    with asking(mailto, anew) as (pages, progress):
        inputs = read_inputs(where, progress)
        proposals, failures = propose(
            where,
            inputs,
            lambda papers: label_model(inputs, progress).label(papers),
            files,
            before or (),
            pages,
            progress,
        )
    for name, why in failures.items():
        say(f"{name} was left out: {why}")
    if not proposals:
        print("No new entry.")
        return
    for each in proposals:
        print(each.line)
    if take:
        path = take_entries(where, proposals)
        say(f"{count(len(proposals), 'entry', 'entries')} written to {where.shown(path)}.")
        tell_unread(where, path)
        placed, unknown = place_by_headings(where, headings_of(proposals))
        say(f"{count(len(placed), 'paper')} filed under its heading, as imported.")
        if unknown:
            names = ", ".join(sorted(unknown))
            say(f"No category is named {names}: papers there wait for review.")


@command
def links(project: ProjectOption = None) -> None:
    """Ask for each link of the survey's papers, and print those that are dead.

    Dead is what answers 404 or 410 twice; then the command ends with 1. A server that could not be
    asked is named, too. One question a second to a host.

    Example: `fieldguide fetch links`.
    """
    from classifier.extras.fetch.links import check_links
    from classifier.survey.inputs import read_inputs

    where = open_project(project)
    with progress_bar() as progress:
        inputs = read_inputs(where, progress)
        found = check_links(inputs.corpus.papers, progress)
    for link in found:
        print(f"{link.state} ({link.said}): {link.address} of {link.paper.title_display}")
    dead = sum(link.state == "dead" for link in found)
    say(f"{count(dead, 'dead link')}, {len(found) - dead} not reached.")
    if dead:
        raise typer.Exit(1)
