"""`fieldguide serve`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.build import print_before, print_summary, project_and_out
from classifier.cli.options import (
    BaselineOption,
    CacheOption,
    LabelsMarkOption,
    LabelsWorkbookOption,
    OutOption,
    PdfOption,
    ProjectOption,
    StrictOption,
)
from classifier.cli.printing import command, count, print_warnings, say

if TYPE_CHECKING:
    from classifier.errors import Fault
    from classifier.extras.serve.live_site import Attempt, LiveSite
    from classifier.extras.serve.problem import Problem


@command
def serve(
    project: ProjectOption = None,
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
        bool, typer.Option("--open", help="Open the front page in the browser.")
    ] = False,
    out: OutOption = None,
    strict: StrictOption = False,
    baseline: BaselineOption = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve the survey that ships with Fieldguide.")
    ] = False,
    xlsx: LabelsWorkbookOption = False,
    bom: LabelsMarkOption = False,
    pdf: PdfOption = False,
    cache: CacheOption = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print a line for each request, too.")
    ] = False,
) -> None:
    """Serve the survey on this machine, and rebuild and reload it whenever its files change.

    It builds into out/ as `fieldguide build` does, serves that to browsers of this machine only,
    and watches papers/, taxonomy/, templates/ and the sheet. When a file changes it builds anew,
    and open pages reload where they are scrolled. A build that fails leaves the last good survey:
    pages show what is wrong until it is mended, and so does the terminal. A sheet that holds edits
    is never overwritten: the survey then stays as it is until `fieldguide review apply` has taken
    them up. Ctrl-C ends it.

    Pages get a script for this while they are served; out/ holds what a build writes and nothing
    else.

    Examples: `fieldguide serve --open` while you write a taxonomy or a theme;
    `fieldguide serve --port 0` where another program has the port;
    `fieldguide serve --demo` to look around.
    """
    from classifier.extras.serve.live_site import live_site
    from classifier.survey.last_build import BuildOptions

    where, target = project_and_out(project, out, demo)
    options = BuildOptions(
        baseline=baseline, strict=strict, xlsx=xlsx, mark=bom, pdf=pdf, cache=cache
    )
    try:
        with live_site(where, target, options, port, say if verbose else _ignore) as site:
            _serve(site, target, open_browser)
    except KeyboardInterrupt:
        say("Stopped serving.")


def _serve(site: LiveSite, out: Path, open_browser: bool) -> None:
    """Build and serve until somebody ends it."""
    warnings = _first(site, out)
    site.start()
    folders = ", ".join(f"{place.folder.name}/" for place in site.watched)
    print(
        f"Serving {site.address} to this machine, watching {folders}. Ctrl-C ends it.", flush=True
    )
    if open_browser:
        import webbrowser

        webbrowser.open(site.address)
    while True:
        changed = site.wait()
        with _timed_build(site) as (attempt, seconds):
            _print_attempt(attempt, changed, seconds, warnings)
        if attempt.report:
            warnings = frozenset(attempt.report.warnings)


def _first(site: LiveSite, out: Path) -> Set[Fault]:
    """Build for the first time, tell of it as `build` does, and return the warnings."""
    with _timed_build(site) as (attempt, seconds):
        if attempt.report is None:
            _print_problem(attempt.problem)
            return frozenset()
        print_before(attempt.report)
        print_summary(attempt.report, out, seconds, [])
        return frozenset(attempt.report.warnings)


@contextmanager
def _timed_build(site: LiveSite) -> Iterator[tuple[Attempt, float]]:
    """Give what came of a build, and the seconds that it took; clear up behind it."""
    from classifier.progress import progress_bar

    started = time.monotonic()
    with progress_bar() as progress:
        attempt = site.rebuild(progress)
    yield attempt, time.monotonic() - started


def _print_attempt(
    attempt: Attempt, changed: list[str], seconds: float, warnings: Set[Fault]
) -> None:
    """Say in a line what a change did to the survey, or all that is wrong."""
    from classifier.survey.changes.in_sections import summary

    name = Path(changed[0]).name if changed else "a file"
    what = name if len(changed) < 2 else f"{name} and {count(len(changed) - 1, 'more file')}"
    if attempt.report is None:
        say(f"{what} changed:")
        _print_problem(attempt.problem)
        return
    if attempt.pages:
        moved = f"; {summary(attempt.changes)}" if attempt.changes else ""
        pages = count(attempt.pages, "page")
        print(f"{what} changed: {pages} rebuilt in {seconds:.1f} s{moved}.", flush=True)
    else:
        print(f"{what} changed: the survey is up to date.", flush=True)
    print_warnings([fault for fault in attempt.report.warnings if fault not in warnings])


def _print_problem(problem: Problem | None) -> None:
    assert problem is not None
    say(problem.trace or problem.text)
    if problem.trace:
        say(problem.text)
    say(
        "The survey stays as it is until then."
        if problem.kind == "waits"
        else "Nothing was written; the last good survey is served until this is mended."
    )


def _ignore(line: str) -> None:
    """Say nothing of a request."""
