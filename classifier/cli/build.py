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
    WorkbookOption,
    refuse_workbook,
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


_CACHED = "Nothing that labels depend on has changed: they are those of the last build."


@command
def build(
    project: ProjectOption = None,
    out: OutOption = None,
    strict: StrictOption = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit 1 and say where, if out/ would differ."),
    ] = False,
    baseline: BaselineOption = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Build the survey that ships with Fieldguide into ./out.")
    ] = False,
    xlsx: WorkbookOption = False,
    excel: ExcelOption = False,
    pdf: PdfOption = False,
    cache: CacheOption = None,
    edition: Annotated[
        str | None,
        typer.Option(
            "--edition",
            metavar="NAME",
            help="Keep the survey as it is now in editions/; builds publish it under NAME/.",
        ),
    ] = None,
    ignore_sheet: Annotated[
        bool,
        typer.Option("--ignore-sheet", help="Move a sheet with edits to sheets/ (CI)."),
    ] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Build the survey: read, label, compose, and write everything into out/.

    A build reads taxonomy/, papers/ and templates/, and writes only out/. Where something is wrong
    with your files, or a sheet holds edits, it leaves the last good out/ as it was. `--check` wants
    the options with which out/ was built.

    Examples: `fieldguide build`; `fieldguide build --strict --check` in CI;
    `fieldguide build --excel` where Excel shows the sheet in one column;
    `fieldguide build --pdf` for a version to print;
    `fieldguide build --demo` to see what comes out.
    """
    from classifier.survey.last_build import BuildOptions, up_to_date

    set_verbosity(quiet, verbose)
    started = time.monotonic()
    refuse_workbook(xlsx, "review sheet FILE.xlsx")
    where, target = project_and_out(project, out, demo)
    options = BuildOptions(
        baseline=baseline,
        ignore_sheet=ignore_sheet,
        strict=strict,
        for_excel=excel,
        pdf=pdf,
        cache=cache,
    )
    if check:
        _check(where, target, options)
        return
    if edition:
        from classifier.pipeline import freeze

        with progress_bar() as progress:
            freeze(where, edition, options, progress)
        say(f"Edition {edition}: editions/{edition}.zip; keep it in version control.")
    told = up_to_date(where, target, options)
    if told is None:
        _build(where, target, options, started)
    elif strict and told.doubtful:
        raise InputError(told.doubtful)
    else:
        print_before(told)
        print_summary(told, target, time.monotonic() - started, ["Nothing has changed."])


def _build(project: Project, out: Path, options: BuildOptions, started: float) -> None:
    """Build, and say what came of it."""
    from classifier.files.built_folder import SHEET
    from classifier.pipeline import build as build_survey

    with progress_bar() as progress:
        result = build_survey(project, out, options, progress)
    lines = [
        f"{out / name} is not written any more (--{name.rpartition('.')[2]}): "
        "the earlier one was removed."
        for name in result.removed
    ]
    if result.kept_sheet:
        lines.append(
            f"{out / SHEET} was changed since the last build: kept as "
            f"{project.shown(result.kept_sheet)}."
        )
    if result.is_cached:
        lines.insert(0, _CACHED)
    print_before(result.report)
    print_summary(result.report, out, time.monotonic() - started, lines)


def _check(project: Project, out: Path, options: BuildOptions) -> None:
    """Say whether `out` is what a build would write; nothing that lies there is believed."""
    from classifier.files.built_folder import differences
    from classifier.pipeline import compute

    with progress_bar() as progress:
        result = compute(project, options, progress)
    print_before(result.report)
    if options.strict and result.report.doubtful:
        raise typer.Exit(1)
    differing = differences(result.files, out)
    if not differing:
        print(f"{out} is what a build would write.")
        return
    for one in differing[:MAX_WARNINGS]:
        say(f"differs: {out / one.name}: {one.how}")
    if len(differing) > MAX_WARNINGS:
        say(f"… and {len(differing) - MAX_WARNINGS} more")
    say(f"{count(len(differing), 'file')} would differ. Run `fieldguide build`.")
    raise typer.Exit(1)


def project_and_out(project: Path | None, out: Path | None, demo: bool) -> tuple[Project, Path]:
    """Return what is built and where to; raises UsageError outside a project."""
    if demo:
        if project is not None:
            raise UsageError(
                "--demo builds the shipped project; --project names another. Choose one."
            )
        return embedded_project(), out or Path("out")
    where, here = open_project(project), Path.cwd()
    # As one would type it: from the folder that one is in, if it lies below.
    typed = where.out.relative_to(here) if where.out.is_relative_to(here) else where.out
    return where, out or typed


def print_before(told: BuildReport) -> None:
    """Say what is doubtful, and how many labels the lock keeps from moving, and why they would."""
    for line in told.columns:
        say(line)
    print_warnings(told.warnings)
    number, reasons = told.held
    if number:
        say(
            f"taxonomy/labels.lock.csv holds {count(number, 'label')} that would move "
            f"({reasons}): `fieldguide lock` lists them, "
            "`fieldguide lock --update` accepts them."
        )


def print_summary(told: BuildReport, out: Path, seconds: float, lines: Sequence[str]) -> None:
    """Say what the survey holds; `lines` stand behind what waits for review."""
    print_summary_line(
        f"Survey of {count(told.papers, 'paper')} in {seconds:.1f} s: {out / 'index.html'}"
    )
    print_summary_line(
        f"{count(told.reviewed, 'label is', 'labels are')} reviewed, "
        f"{f'{told.imported:,} imported, ' if told.imported else ''}"
        f"{told.confident:,} confident, {count(told.provisional, 'waits', 'wait')} for review: "
        f"{out / 'labels.csv'}"
    )
    for line in (*filter(None, (told.waits, told.border)), *lines):
        print_summary_line(line)
    if told.left_out:
        are = count(told.left_out, "paper is", "papers are")
        print_summary_line(f"{are} left out by the editors: {out / 'excluded.csv'}")
    since, changes = told.changes
    if since:
        print_summary_line(f"Since {'the lock' if since == 'lock' else 'the baseline'}: {changes}.")
    if told.title_only:
        have = count(told.title_only, "paper without abstract was", "papers without abstract were")
        print_summary_line(f"{have} read by title alone: {out / 'browse.html?text=none'}")
    if told.retracted:
        were = count(len(told.retracted), "paper was", "papers were")
        print_summary_line(
            f"{were} retracted and {'is' if len(told.retracted) == 1 else 'are'} "
            f"marked: {listed(told.retracted, 3)}."
        )
    print_merged(told.merged)
    if told.quarantined:
        records = count(len(told.quarantined), "record")
        print_summary_line(f"{records} could not be read: {out / 'quarantine.csv'}")
    if told.warnings:
        print_summary_line(f"{count_faults(told.warnings)}: `fieldguide check` lists all.")


@command
def serve(
    project: ProjectOption = None,
    port: PortOption = None,
    open_browser: OpenOption = False,
    out: OutOption = None,
    strict: StrictOption = False,
    baseline: BaselineOption = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve the survey that ships with Fieldguide.")
    ] = False,
    xlsx: WorkbookOption = False,
    excel: ExcelOption = False,
    pdf: PdfOption = False,
    cache: CacheOption = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print a line for each request.")
    ] = False,
) -> None:
    """Serve the survey on this machine, and rebuild and reload it whenever its files change.

    Open pages reload when papers/, taxonomy/, templates/ or the sheet change. A build that fails
    leaves the last good survey, and pages show what is wrong. The review page is at the address
    that is printed; its answers can be saved into sheets/. Ctrl-C ends it.

    Examples: `fieldguide serve --open` while you write a taxonomy or a theme;
    `fieldguide serve --port 0` where another program has the port;
    `fieldguide serve --demo` to look around.
    """
    from classifier.extras.serve.live_site import live_site
    from classifier.extras.serve.review_desk import ReviewDesk
    from classifier.survey.last_build import BuildOptions

    refuse_workbook(xlsx, "review sheet FILE.xlsx")
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
    """Build and serve until somebody ends it."""
    attempt, seconds = _timed_build(site)
    if attempt.report:
        print_before(attempt.report)
        print_summary(attempt.report, out, seconds, [])
    else:
        _print_problem(attempt.problem)
    warnings: Set[Fault] = frozenset(attempt.report.warnings if attempt.report else ())
    site.start()
    watched = ", ".join(site.watched)
    print(
        f"Serving {site.address} to this machine, watching {watched}. Ctrl-C ends it.", flush=True
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
    """Return what came of a build, and the seconds that it took."""
    started = time.monotonic()
    with progress_bar() as progress:
        return site.rebuild(progress), time.monotonic() - started


def _print_attempt(
    attempt: Attempt, changed: list[str], seconds: float, warnings: Set[Fault]
) -> None:
    """Say in a line what a change did to the survey, or all that is wrong."""
    from classifier.survey.changes.told import summary

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
