"""`fieldguide review …`: the review loop."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import OpenOption, PortOption, ProjectOption, command_group
from classifier.cli.printing import command, print_report, say
from classifier.cli.review_sheets import apply, audit, login_name, named, next_papers
from classifier.files.atomic import check_ending
from classifier.progress import progress_bar
from classifier.project import open_project


@command
def status(project: ProjectOption = None) -> None:
    """Say how far the reviewing is and whether it may stop.

    Reviewed papers by category, by how they were drawn and by reviewer; sheets that hold edits;
    conflicts; probable slips; how many unreviewed papers are filed right, with an interval, from
    audits.

    Example: `fieldguide review status`.
    """
    from classifier.commands.status import review_status, status_report

    where = open_project(project)
    with progress_bar() as progress:
        found = review_status(where, progress)
    print_report(status_report(found))


@command
def agreement(
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.csv",
            help="Where the conflicts go. Default: out/conflicts.csv, once out/ was built.",
        ),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Say how far reviewers agree, and list what to settle.

    Compared are the newest decisions of each reviewer: Cohen's kappa of each pair. Give
    each a copy of the same sheet, so that they decide blind.

    What they disagree on stands in the sheet. Its rows count as decisions of `adjudicated`, which
    win over all others.

    Examples: `fieldguide review agreement`; `fieldguide review apply out/conflicts.csv` after
    that; `fieldguide review agreement -o settle.csv`.
    """
    if output is not None:
        check_ending(output, (".csv",))
    # After what is refused at once: these imports take seconds.
    from classifier.commands.agree import (
        compare_reviewers,
        reviewers_report,
        sheet_target,
        write_conflicts,
    )

    where = open_project(project)
    with progress_bar() as progress:
        reviewers = compare_reviewers(where, progress)
    print_report(reviewers_report(reviewers))
    target = sheet_target(where, output)
    if target is not None:
        write_conflicts(target, reviewers, where)
    if reviewers.conflicts and target is not None:
        print(f"\nFill {target}, then run `fieldguide review apply {target}`.")
    elif reviewers.conflicts:
        print("\nRun `fieldguide build`, or name a file with -o, to get them as a sheet to fill.")


@command
def serve(
    reviewer: Annotated[
        str | None,
        typer.Option("--reviewer", metavar="NAME", help="Who decides. Default: you."),
    ] = None,
    port: PortOption = None,
    open_browser: OpenOption = False,
    project: ProjectOption = None,
) -> None:
    """Review in the browser, a paper a screen.

    Shown are the abstract, the cues of the likeliest categories marked, and the labels. `o` says
    that all labels are right, a number files the paper elsewhere, `x` out of scope, `s` skips it,
    `u` takes the last answer back. Answers go into out/labels.csv; the buttons on the bottom write
    them into the ledger, as `fieldguide review apply` does, and build anew.

    Only this machine is answered, and only who has the address that is printed. Ctrl-C ends it.

    Examples: `fieldguide review serve --open`; `fieldguide review serve --reviewer ada`.
    """
    from classifier.commands.review_page import review_server

    where = open_project(project)
    who = login_name() if reviewer is None else named(reviewer)
    with progress_bar() as progress:
        server, address = review_server(where, who, port, progress)
    try:
        server.start()
        print(f"Reviewing at {address} Ctrl-C ends it.", flush=True)
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        server.wait()
    except KeyboardInterrupt:
        say("Stopped. `fieldguide review apply` writes what is answered into the ledger.")
    finally:
        server.stop()


review_app = command_group(
    "review",
    "The review loop: draw papers, correct their labels in a sheet, take the edits up.\n\n"
    "`fieldguide build` writes out/labels.csv, what is most worth a reviewer's minute first. Fill "
    "its last columns in any spreadsheet, save it, and run `fieldguide review apply`.",
)

review_app.command()(apply)
review_app.command("next")(next_papers)
for each in (serve, audit, status, agreement):
    review_app.command()(each)
