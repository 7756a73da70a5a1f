"""`fieldguide build` and `fieldguide serve`."""

from __future__ import annotations

import time
from collections.abc import Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import (
    BaselineOption,
    CacheOption,
    ExcelOption,
    OpenOption,
    OutOption,
    PdfOption,
    PortOption,
    ProjectOption,
    QuietOption,
    StrictOption,
    VerboseOption,
    set_verbosity,
)
from classifier.cli.printing import (
    MAX_WARNINGS,
    command,
    count,
    count_faults,
    print_merged,
    print_summary_line,
    print_warnings,
    say,
)
from classifier.cli.progress_bar import progress_bar
from classifier.errors import Fault, InputError, UsageError, listed
from classifier.project import Project, embedded_project, open_project

if TYPE_CHECKING:
    from classifier.extras.serve.live_site import Attempt, LiveSite
    from classifier.extras.serve.server import Problem
    from classifier.survey.last_build import BuildOptions, BuildReport


_CACHED = "The labels are those of the last build: nothing that they depend on has changed."


CheckOption = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Write nothing; exit with 1 and list the files of out/ that would change.",
    ),
]
DemoOption = Annotated[
    bool, typer.Option("--demo", help="Build the example survey of Fieldguide into ./out.")
]
EditionOption = Annotated[
    str | None,
    typer.Option(
        "--edition",
        metavar="NAME",
        help="Save the survey as an edition in editions/; builds publish it under NAME/. With "
        "--check: make the edition again and list the files that differ.",
    ),
]
IgnoreSheetOption = Annotated[
    bool,
    typer.Option(
        "--ignore-sheet",
        help="Move a sheet with unapplied edits to sheets/ and build (for CI).",
    ),
]


@command
def build(
    project: ProjectOption = None,
    out: OutOption = None,
    strict: StrictOption = False,
    check: CheckOption = False,
    baseline: BaselineOption = None,
    demo: DemoOption = False,
    excel: ExcelOption = False,
    pdf: PdfOption = False,
    cache: CacheOption = None,
    edition: EditionOption = None,
    ignore_sheet: IgnoreSheetOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Build the survey from your papers and taxonomy into out/.

    If your files have errors, or a sheet has edits that you have not applied, out/ stays as it is.
    Use `--check` with the same options as the build that wrote out/.

    Examples: `fieldguide build`; `fieldguide build --strict --check` in CI;
    `fieldguide build --demo` to see an example.
    """
    from classifier.survey.last_build import BuildOptions, report_if_up_to_date

    set_verbosity(quiet, verbose)
    started = time.monotonic()
    where, target = project_and_out(project, out, demo)
    options = BuildOptions(
        baseline=baseline,
        ignore_sheet=ignore_sheet,
        strict=strict,
        for_excel=excel,
        pdf=pdf,
        cache=cache,
    )
    if check and edition:
        _check_edition(where, edition, options)
        return
    if check:
        _check(where, target, options)
        return
    if edition:
        from classifier.pipeline import freeze

        with progress_bar() as progress:
            freeze(where, edition, options, progress)
        say(f"Edition {edition}: editions/{edition}.zip; keep it in version control.")
    report = report_if_up_to_date(where, target, options)
    if report is None:
        _build(where, target, options, started)
    elif strict and report.strict_faults:
        raise InputError(report.strict_faults)
    else:
        print_before(report)
        print_summary(report, target, time.monotonic() - started, ["Nothing has changed."])


def _build(project: Project, out: Path, options: BuildOptions, start_time: float) -> None:
    from classifier.files.built_folder import SHEET
    from classifier.pipeline import build as build_survey

    with progress_bar() as progress:
        result = build_survey(project, out, options, progress)
    lines = [
        f"Removed {out / name}: this build ran without --{name.rpartition('.')[2]}."
        for name in result.removed
    ]
    if result.kept_sheet:
        lines.append(
            f"{out / SHEET} was changed after the last build. The changed sheet was moved to "
            f"{project.shown(result.kept_sheet)}."
        )
    if result.is_cached:
        lines.insert(0, _CACHED)
    print_before(result.report)
    print_summary(result.report, out, time.monotonic() - start_time, lines)


def _check(project: Project, out: Path, options: BuildOptions) -> None:
    """Print whether `out` is up to date, by a full build in memory; exit with 1 if not."""
    from classifier.files.built_folder import differences
    from classifier.pipeline import compute

    with progress_bar() as progress:
        result = compute(project, options, progress)
    print_before(result.report)
    if options.strict and result.report.strict_faults:
        raise typer.Exit(1)
    differing = differences(result.files, out)
    if not differing:
        print(f"{out} is up to date.")
        return
    for difference in differing[:MAX_WARNINGS]:
        say(f"differs: {out / difference.name}: {difference.how}")
    if len(differing) > MAX_WARNINGS:
        say(f"… and {len(differing) - MAX_WARNINGS} more")
    say(f"{count(len(differing), 'file')} would change. Run `fieldguide build`.")
    raise typer.Exit(1)


def _check_edition(project: Project, name: str, options: BuildOptions) -> None:
    """Print whether an edition can be built again, byte for byte; exit with 1 if it cannot."""
    from classifier.pipeline import check_frozen

    with progress_bar() as progress:
        differing = check_frozen(project, name, options, progress)
    if not differing:
        print(f"Edition {name}: every file was reproduced byte for byte.")
        return
    for path in differing[:MAX_WARNINGS]:
        say(f"differs: {name}/{path}")
    say(
        f"Edition {name}: {count(len(differing), 'file differs', 'files differ')}. Check out the "
        "commit that made the edition, with the same version of Fieldguide."
    )
    raise typer.Exit(1)


def project_and_out(project: Path | None, out: Path | None, demo: bool) -> tuple[Project, Path]:
    """Return the project to build and its output folder; raise UsageError outside a project."""
    if demo:
        if project is not None:
            raise UsageError(
                "--demo and --project cannot be used together: --demo builds the example project."
            )
        return embedded_project(), out or Path("out")
    where, here = open_project(project), Path.cwd()
    # Messages show the path as a user would type it: relative to the current folder.
    typed = where.out.relative_to(here) if where.out.is_relative_to(here) else where.out
    return where, out or typed


def print_before(report: BuildReport) -> None:
    """Print the columns that were read, the warnings, and the labels that the lock keeps."""
    for line in report.columns:
        say(line)
    print_warnings(report.warnings)
    number, reasons = report.moves_without_lock
    if number:
        say(
            f"taxonomy/labels.lock.csv keeps {count(number, 'label')} that would change "
            f"({reasons}): `fieldguide lock` lists them, "
            "`fieldguide lock --update` accepts the changes."
        )


def print_summary(report: BuildReport, out: Path, seconds: float, lines: Sequence[str]) -> None:
    """Print a summary of the build.

    lines: printed after the number of labels that wait for review.
    """
    print_summary_line(
        f"Survey of {count(report.papers, 'paper')} in {seconds:.1f} s: {out / 'index.html'}"
    )
    print_summary_line(
        f"{count(report.reviewed, 'label is', 'labels are')} reviewed, "
        f"{f'{report.imported:,} imported, ' if report.imported else ''}"
        f"{report.confident:,} confident, {count(report.provisional, 'waits', 'wait')} for review: "
        f"{out / 'labels.csv'}"
    )
    for line in (*filter(None, (report.provisional_line, report.confidence_line)), *lines):
        print_summary_line(line)
    if report.left_out:
        are = count(report.left_out, "paper is", "papers are")
        print_summary_line(f"{are} left out by the editors: {out / 'excluded.csv'}")
    since, changes = report.changes
    if since:
        print_summary_line(f"Since {'the lock' if since == 'lock' else 'the baseline'}: {changes}.")
    if report.title_only:
        have = count(
            report.title_only, "paper without abstract was", "papers without abstract were"
        )
        print_summary_line(f"{have} labelled by title alone: {out / 'browse.html?text=none'}")
    if report.retracted:
        were = count(len(report.retracted), "paper was", "papers were")
        print_summary_line(
            f"{were} retracted: marked everywhere, results and evidence not counted: "
            f"{listed(report.retracted, 3)}."
        )
    print_merged(report.merged)
    if report.quarantined:
        records = count(len(report.quarantined), "record")
        print_summary_line(f"{records} could not be read: {out / 'quarantine.csv'}")
    if report.warnings:
        print_summary_line(f"{count_faults(report.warnings)}: `fieldguide check` lists all.")


@command
def serve(
    project: ProjectOption = None,
    port: PortOption = None,
    open_browser: OpenOption = False,
    out: OutOption = None,
    strict: StrictOption = False,
    baseline: BaselineOption = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve the example survey of Fieldguide.")
    ] = False,
    excel: ExcelOption = False,
    pdf: PdfOption = False,
    cache: CacheOption = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print a line for each request.")
    ] = False,
) -> None:
    """Show the survey in your browser; rebuild it when its files change.

    If a build fails, the last good survey stays and its pages show the errors. The command also
    prints the address of the review page. Only this computer can open the addresses. Press Ctrl-C
    to stop.

    Examples: `fieldguide serve --open` while you write a taxonomy or a theme;
    `fieldguide serve --demo` to see an example.
    """
    from classifier.extras.serve.live_site import live_site
    from classifier.extras.serve.review_desk import ReviewDesk
    from classifier.survey.last_build import BuildOptions

    where, target = project_and_out(project, out, demo)
    options = BuildOptions(baseline=baseline, strict=strict, for_excel=excel, pdf=pdf, cache=cache)

    def make_page(token: str) -> bytes:
        from classifier.commands.review_page import review_page  # late: scikit-learn

        return review_page(where).html(token=token)

    desk = ReviewDesk(make_page, where.kept_sheets)
    log = say if verbose else lambda _: None
    try:
        with live_site(where, target, options, port, log, desk) as site:
            _serve(site, target, open_browser)
    except KeyboardInterrupt:
        say("Stopped serving.")


def _serve(site: LiveSite, out: Path, open_browser: bool) -> None:
    attempt, seconds = _timed_build(site)
    if attempt.report:
        print_before(attempt.report)
        print_summary(attempt.report, out, seconds, [])
    else:
        _print_problem(attempt.problem)
    warnings: Set[Fault] = frozenset(attempt.report.warnings if attempt.report else ())
    site.start()
    watched = ", ".join(site.watched_paths)
    print(
        f"Serving {site.address} to this computer, watching {watched}. Press Ctrl-C to stop.",
        flush=True,
    )
    print(f"Review page: {site.review_address}", flush=True)
    if open_browser:
        import webbrowser

        webbrowser.open(site.address)
    while True:
        changed = site.wait()
        attempt, seconds = _timed_build(site)
        _print_attempt(attempt, changed, seconds, warnings)
        if attempt.report:
            warnings = frozenset(attempt.report.warnings)


def _timed_build(site: LiveSite) -> tuple[Attempt, float]:
    started = time.monotonic()
    with progress_bar() as progress:
        return site.rebuild(progress), time.monotonic() - started


def _print_attempt(
    attempt: Attempt, changed_files: list[str], seconds: float, warnings: Set[Fault]
) -> None:
    from classifier.survey.changes.report import changes_summary

    name = Path(changed_files[0]).name if changed_files else "a file"
    what = (
        name
        if len(changed_files) < 2
        else f"{name} and {count(len(changed_files) - 1, 'more file')}"
    )
    if attempt.report is None:
        say(f"{what} changed:")
        _print_problem(attempt.problem)
        return
    if attempt.pages:
        moved = f"; {changes_summary(attempt.changes)}" if attempt.changes else ""
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
        "Nothing was written; the survey stays as it is until you apply the edits."
        if problem.kind == "waits"
        else "Nothing was written; the last good survey is served until you fix this."
    )
