"""`fieldguide build`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.collector import no_collector
from classifier.cli.options import ProjectOption, StrictOption
from classifier.cli.printing import (
    MOST_WARNINGS,
    command,
    count,
    print_columns,
    print_merged,
    print_warnings,
    say,
)
from classifier.errors import UsageError

if TYPE_CHECKING:
    from classifier.build import BuildResult
    from classifier.project import Project
    from classifier.survey.changes.compare import Changes


@command
def build(
    project: ProjectOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to. Default: PROJECT/out.")
    ] = None,
    strict: StrictOption = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit 1 and list files if out/ would differ."),
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="DIR", help="An earlier out/: tell what changed since."),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Build the survey that ships with Fieldguide into ./out.")
    ] = False,
    xlsx: Annotated[
        bool,
        typer.Option("--xlsx", help="Write labels.xlsx, too: the sheet with drop-down lists."),
    ] = False,
    bom: Annotated[
        bool,
        typer.Option("--bom", help="Mark labels.csv as UTF-8, which Excel on Windows wants."),
    ] = False,
    pdf: Annotated[
        bool,
        typer.Option(
            "--pdf", help="Write survey.pdf, too (needs weasyprint: pip install 'fieldguide[pdf]')."
        ),
    ] = False,
    ignore_sheet: Annotated[
        bool,
        typer.Option("--ignore-sheet", help="Overwrite a sheet though it holds edits (CI)."),
    ] = False,
) -> None:
    """Build the survey: read, label, compose, and write everything into out/.

    A build reads taxonomy/, papers/ and templates/, and writes only out/. If anything is wrong
    with your files it says all of it at once and leaves the last good out/ as it was. It refuses
    to overwrite an out/labels.csv or labels.xlsx that holds edits. `--check` wants the options
    with which out/ was built.

    Examples: `fieldguide build`; `fieldguide build --strict --check` in CI;
    `fieldguide build --xlsx` for reviewers who like to pick from lists;
    `fieldguide build --pdf` for a version to print;
    `fieldguide build --demo` to see what comes out.
    """
    from classifier.build import build as build_survey
    from classifier.build import compute, differing_files
    from classifier.progress import progress_bar

    started = time.monotonic()
    where, target = _where(project, out, demo)
    with no_collector(), progress_bar() as progress:
        if not check:
            result = build_survey(
                where,
                target,
                baseline=baseline,
                ignore_sheet=ignore_sheet,
                strict=strict,
                xlsx=xlsx,
                mark=bom,
                pdf=pdf,
                progress=progress,
            )
        else:
            result = compute(
                where, baseline=baseline, xlsx=xlsx, mark=bom, pdf=pdf, progress=progress
            )
    print_columns(result.corpus.files)
    print_warnings(result.warnings)
    _say_held(result)
    if check:
        if strict and (result.warnings or result.corpus.quarantined):
            raise typer.Exit(1)
        _finish_check(differing_files(result.files, target), target)
        return
    _print_summary(result, target, time.monotonic() - started)


def _where(project: Path | None, out: Path | None, demo: bool) -> tuple[Project, Path]:
    from classifier.project import embedded_project, open_project

    if demo:
        if project is not None:
            raise UsageError(
                "--demo builds the shipped project; --project names another. Choose one."
            )
        return embedded_project(), out or Path("out")
    where = open_project(project)
    return where, out or where.out


def _print_summary(result: BuildResult, out: Path, seconds: float) -> None:
    total, waiting = result.fact("papers.total"), result.fact("papers.provisional")
    left_out, quarantined = result.fact("papers.left_out"), len(result.corpus.quarantined)
    print(f"Survey of {count(total, 'paper')} in {seconds:.1f} s: {out / 'index.html'}")
    print(
        f"{count(result.fact('papers.reviewed'), 'label is', 'labels are')} reviewed, "
        f"{result.fact('papers.confident')} confident, {count(waiting, 'waits', 'wait')} for "
        f"review: "
        f"{out / 'labels.csv'}"
    )
    if result.recalled:
        print("Nothing that labels depend on has changed: they are those of the last build.")
    if left_out:
        are = count(left_out, "paper is", "papers are")
        print(f"{are} left out by the editors: {out / 'excluded.csv'}")
    for name in result.removed:
        print(f"{out / name} is not written any more (--xlsx): the earlier one was removed.")
    if result.changes is not None:
        print(_change_line(result.changes))
    if without := result.fact("papers.title_only"):
        have = count(without, "paper has", "papers have")
        print(f"{have} no abstract, and a label by title alone: {out / 'browse.html?text=none'}")
    print_merged(result.corpus)
    if quarantined:
        print(f"{count(quarantined, 'record')} could not be read: {out / 'quarantine.csv'}")
    if result.warnings:
        print(f"{count(len(result.warnings), 'warning')} (see above, or `fieldguide check`).")


def _change_line(changes: Changes) -> str:
    from classifier.survey.changes.in_sections import summary

    since = "the lock" if changes.kind == "lock" else "the baseline"
    return f"Since {since}: {summary(changes)}."


def _say_held(result: BuildResult) -> None:
    """Say how many labels the lock keeps from moving, and why they would."""
    from classifier.survey.changes.in_sections import reasons_in_short

    if result.held:
        say(
            f"taxonomy/labels.lock.csv holds {count(len(result.held), 'label')} that would move "
            f"({reasons_in_short(result.held)}): `fieldguide lock` lists them, "
            "`fieldguide lock --update` accepts them."
        )


def _finish_check(differing: Sequence[str], out: Path) -> None:
    if not differing:
        print(f"{out} is what a build would write.")
        return
    for name in differing[:MOST_WARNINGS]:
        say(f"differs: {out / name}")
    if len(differing) > MOST_WARNINGS:
        say(f"… and {len(differing) - MOST_WARNINGS} more")
    say(f"{count(len(differing), 'file')} would differ. Run `fieldguide build`.")
    raise typer.Exit(1)
