"""`fieldguide fetch metadata`, `fetch entries` and `fetch links`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.fetch import AnewOption, MailtoOption, asking, tell_unread
from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import FetchError
from classifier.project import open_project

_MOST_TOLD = 40
"""Doubtful matches that are printed."""


@command
def metadata(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Papers to complete. Default: the project's."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be taken; write nothing.")
    ] = False,
    service: Annotated[
        list[str] | None,
        typer.Option(
            "--service",
            metavar="NAME",
            help="Ask only openalex, arxiv, crossref or semanticscholar; may be repeated, in the "
            "order of asking. Default: all four, in this order.",
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

    Papers are asked for by arXiv id or DOI where they have one, else by title. A safe match is
    written to papers/metadata.jsonl. Of a doubtful one you decide: `arxiv:…,p-…,same` in
    taxonomy/identity.csv has it taken by the next run, `different` keeps it out.

    Examples: `fieldguide fetch metadata --mailto ada@example.org`; `fieldguide fetch metadata
    --service arxiv --dry-run`.
    """
    from classifier.extras.fetch.metadata import complete_metadata, papers_file

    where = open_project(project)
    former = where.root / "taxonomy" / "metadata-matches.csv"
    if former.exists():
        say(
            f"{where.shown(former)} is not read any more: write what it says yes to into "
            "taxonomy/identity.csv, as `ID,OLD ID,same`, and delete it."
        )
    with asking(mailto, anew) as (pages, progress):
        done = complete_metadata(
            where,
            files or (),
            pages,
            services=service or (),
            limit=limit,
            dry_run=dry_run,
            progress=progress,
        )
    for name, why in done.failures.items():
        say(f"{name} was left out: {why}")
    if not done.lacking:
        print("Nothing to ask for: every paper has an id, authors, a date and an abstract.")
        return
    if done.failures and not done.taken and not done.doubtful:
        raise FetchError("Nothing was found, and what was left out may know more.")
    nothing = done.asked - len(done.taken) - len(done.doubtful)
    waiting = f" ({done.lacking - done.asked} beyond --limit)" if done.asked < done.lacking else ""
    print(
        f"{count(done.lacking, 'paper lacks', 'papers lack')} something{waiting}: "
        f"{len(done.taken)} with a safe match, {len(done.doubtful)} with a doubtful one, "
        f"{nothing} with none."
    )
    for old, (paper, match) in list(done.doubtful.items())[:_MOST_TOLD]:
        known = match.found.arxiv_id or match.found.doi
        print(
            f"  {old} “{paper.title_display}”: {known} “{match.found.title_display}” ({match.why})"
        )
    file = papers_file(where)
    print(
        f"{done.new} new and {done.updated} updated in {where.shown(file)}, "
        f"{count(done.aliases, 'old id')} in taxonomy/identity.csv"
        f"{' (nothing was written)' if dry_run else ''}."
    )
    if file.exists():
        tell_unread(where, file)


@command
def entries(
    files: Annotated[list[Path], typer.Argument(metavar="LIST", help="A list, such as README.md.")],
    before: Annotated[
        list[Path] | None,
        typer.Option(
            "--before",
            metavar="FILE",
            help="The list as it was. Default: new is what the project has no abstract of.",
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
