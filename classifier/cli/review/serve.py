"""`fieldguide review serve`."""

from __future__ import annotations

from typing import Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, say


@command
def serve(
    reviewer: Annotated[
        str | None,
        typer.Option("--reviewer", metavar="NAME", help="Who decides. Default: you."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help="The port; 0 for any free one. Default: the first free one from 8000 on.",
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Review in the browser, a paper a screen.

    What is most worth a minute comes first.

    Shown are the abstract, the cues of the likeliest categories marked, and the labels. `o` says
    that all labels are right, a number files the paper elsewhere, `s` skips it, `u` takes the last
    answer back. Answers go into out/labels.csv, as if typed there; the button on the bottom, or
    `fieldguide review apply`, writes them into the ledger.

    Only this machine is answered, and only who has the address that is printed. Ctrl-C ends it.

    Examples: `fieldguide review serve --open`; `fieldguide review serve --reviewer ada`.
    """
    from classifier.cli.review.apply import login_name, named
    from classifier.commands.review_page import review_server
    from classifier.progress import progress_bar
    from classifier.project import open_project

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
