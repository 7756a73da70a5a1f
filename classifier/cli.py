"""The command line: each command parses, makes one library call, prints. Only here is printed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from classifier import __version__
from classifier.errors import Fault, FieldguideError, InputError, UsageError, sort_faults

if TYPE_CHECKING:
    from classifier.build import BuildResult
    from classifier.project import Project

# Heavy parts (scikit-learn, pandas, …) are imported inside the commands: --help answers at once.

app = typer.Typer(
    name="fieldguide",
    help="Turn a pile of paper abstracts into a living survey.\n\n"
    "You write a taxonomy (taxonomy/taxonomy.yaml) and put papers into papers/. Fieldguide labels "
    "every paper, you correct labels in taxonomy/reviews.csv, and it writes the survey into out/. "
    "No language model, no network; the same input gives the same bytes.\n\n"
    "Start with `fieldguide build` in a project, or `fieldguide build --demo` anywhere.",
    epilog="Exit codes: 0 good, 1 a fault in your files, 2 wrong use.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

ProjectOption = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help="The project's folder. Default: the nearest one upwards with taxonomy/taxonomy.yaml.",
    ),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Let warnings fail the command.")]

_MOST_WARNINGS = 20


def _command(function: Callable[..., None]) -> Callable[..., None]:
    """Turn our own errors into a message and an exit code; anything else is a bug and shows."""

    @wraps(function)
    def run(*args: Any, **options: Any) -> None:
        try:
            function(*args, **options)
        except InputError as error:
            _print_faults(error.faults)
            raise typer.Exit(error.exit_code) from None
        except FieldguideError as error:
            _say(f"fieldguide: {error}")
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            _say("Stopped; nothing was written.")
            raise typer.Exit(130) from None

    return run


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)
    ] = False,
) -> None:
    if version:
        print(f"fieldguide {__version__}")
        raise typer.Exit


@app.command()
@_command
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
    ignore_sheet: Annotated[
        bool,
        typer.Option("--ignore-sheet", help="Overwrite labels.csv though it holds edits (CI)."),
    ] = False,
) -> None:
    """Build the survey: read, label, compose, and write everything into out/.

    A build reads taxonomy/, papers/ and templates/, and writes only out/. If anything is wrong
    with your files it says all of it at once and leaves the last good out/ as it was. It refuses
    to overwrite an out/labels.csv that holds edits.

    Examples: `fieldguide build`; `fieldguide build --strict --check` in CI;
    `fieldguide build --demo` to see what comes out.
    """
    from classifier.build import build as build_survey
    from classifier.build import compute, differing_files
    from classifier.progress import progress_bar

    started = time.monotonic()
    where, target = _where(project, out, demo)
    with progress_bar() as progress:
        if not check:
            result = build_survey(
                where,
                target,
                baseline=baseline,
                ignore_sheet=ignore_sheet,
                strict=strict,
                progress=progress,
            )
        else:
            result = compute(where, baseline=baseline, progress=progress)
    _print_warnings(result.warnings)
    if check:
        if strict and (result.warnings or result.corpus.quarantined):
            raise typer.Exit(1)
        _finish_check(differing_files(result.files, target), target)
        return
    _print_summary(result, target, time.monotonic() - started)


@app.command()
@_command
def label(
    files: Annotated[
        list[Path], typer.Argument(help="Papers in any format that Fieldguide reads.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="labels.csv, .jsonl or .parquet."),
    ] = None,
    project: ProjectOption = None,
    reviews: Annotated[
        Path | None,
        typer.Option("--reviews", metavar="FILE", help="A ledger in place of the project's."),
    ] = None,
) -> None:
    """Label any papers with the project's model; it never learns from them.

    One row a distinct paper, in input order. Outside a project the model that ships with
    Fieldguide (agentic AI) is used. Without -o the CSV goes to standard output.

    Examples: `fieldguide label new.jsonl -o labels.csv`; `fieldguide label pages/*.txt | head`.
    """
    from classifier.label import check_output, label_bytes, label_files, write_labels
    from classifier.progress import progress_bar

    where = _project_or_embedded(project)
    if output is not None:
        check_output(output, files)
    with progress_bar() as progress:
        labelled = label_files(where, files, reviews=reviews, progress=progress)
    _print_warnings(labelled.warnings)
    for record in labelled.corpus.quarantined:
        _say(f"{record.file}:{record.line}: not read: {record.reason} ({record.record[:60]})")
    if output is None:
        sys.stdout.buffer.write(label_bytes(".csv", labelled))
        return
    write_labels(output, labelled)
    first = labelled.taxonomy.first.id
    waiting = sum(row.facets[first].status == "provisional" for row in labelled.labels)
    print(f"{_count(len(labelled.labels), 'paper')} labelled, {waiting} provisionally: {output}")


@app.command()
@_command
def evaluate(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="The papers to score. Default: the project's own.", show_default=False),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            "--gold",
            metavar="FILE.csv",
            help="Their true labels: title, primary, topics, contribution. Default: the ledger.",
        ),
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(
            "--train",
            metavar="FILE.csv|none",
            help="Decisions to learn from; none: the taxonomy alone. Default: the ledger.",
        ),
    ] = None,
    folds: Annotated[
        int, typer.Option("--folds", min=2, max=50, help="Cross-validation folds.")
    ] = 5,
    repeats: Annotated[int, typer.Option("--repeats", min=1, max=100, help="Times over.")] = 1,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-under", metavar="core=0.85", help="Exit 1 below this figure; may be repeated."
        ),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here too.")
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Measure how good the labels are: precision, recall, F1 per category, and the means.

    A paper that is scored is never learned from. Where the scored papers are also the ones to
    learn from, the figures are cross-validated.

    Examples: `fieldguide evaluate` (the ledger, cross-validated);
    `fieldguide evaluate papers/*.txt --gold gold.csv --train none` (the taxonomy alone).
    """
    from classifier.build import json_bytes
    from classifier.evaluate import evaluate_project
    from classifier.evaluation.report import check_bars, report_json, report_text
    from classifier.files.atomic import write_file
    from classifier.progress import progress_bar

    where = _project_or_embedded(project)
    with progress_bar() as progress:
        evaluation = evaluate_project(
            where,
            files or (),
            gold=gold,
            train=train,
            folds=folds,
            repeats=repeats,
            bars=fail_under or (),
            progress=progress,
        )
    print(report_text(evaluation), end="")
    if json_file is not None:
        write_file(json_file, json_bytes(report_json(evaluation)))
    failures = check_bars(evaluation, fail_under or [])
    for failure in failures:
        _say(failure)
    if failures:
        raise typer.Exit(1)


@app.command()
@_command
def check(project: ProjectOption = None, strict: StrictOption = False) -> None:
    """Check taxonomy, papers and ledger: every fault at once, nothing written.

    An error (broken syntax, an unknown key, an id used twice, a file that cannot be read) makes
    the exit code 1; a warning does so only with --strict.
    """
    from classifier.build import quarantine_fault, read_inputs
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    with progress_bar() as progress:
        inputs = read_inputs(where, progress)
    doubtful = [*inputs.warnings, *map(quarantine_fault, inputs.corpus.quarantined)]
    _print_faults(sort_faults(doubtful))
    categories = sum(len(facet.ids) for facet in inputs.taxonomy.facets.values())
    print(
        f"{_count(len(inputs.taxonomy.facets), 'facet')} with "
        f"{_count(categories, 'category', 'categories')}, "
        f"{_count(len(inputs.corpus.papers), 'paper')} from "
        f"{_count(inputs.corpus.records, 'record')}, {len(inputs.decisions)} of them reviewed: "
        f"no error, {_count(len(doubtful), 'warning')}."
    )
    if strict and doubtful:
        raise typer.Exit(1)


def main() -> None:
    """Run the command line."""
    app()


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


def _project_or_embedded(folder: Path | None) -> Project:
    from classifier.project import embedded_project, find_project, open_project

    found = open_project(folder) if folder is not None else find_project(Path.cwd())
    if found is None:
        _say("No project here: using the model that ships with Fieldguide (agentic AI).")
        return embedded_project()
    return found


def _print_summary(result: BuildResult, out: Path, seconds: float) -> None:
    total, waiting = result.fact("papers.total"), result.fact("papers.provisional")
    quarantined = len(result.corpus.quarantined)
    print(f"Survey of {_count(total, 'paper')} in {seconds:.1f} s: {out / 'index.html'}")
    print(
        f"{result.fact('papers.reviewed')} labels are reviewed, "
        f"{result.fact('papers.confident')} confident, {waiting} wait for review: "
        f"{out / 'labels.csv'}"
    )
    if quarantined:
        print(f"{_count(quarantined, 'record')} could not be read: {out / 'quarantine.csv'}")
    if result.warnings:
        print(f"{_count(len(result.warnings), 'warning')} (see above, or `fieldguide check`).")


def _finish_check(differing: Sequence[str], out: Path) -> None:
    if not differing:
        print(f"{out} is what a build would write.")
        return
    for name in differing[:_MOST_WARNINGS]:
        _say(f"differs: {out / name}")
    if len(differing) > _MOST_WARNINGS:
        _say(f"… and {len(differing) - _MOST_WARNINGS} more")
    _say(f"{_count(len(differing), 'file')} would differ. Run `fieldguide build`.")
    raise typer.Exit(1)


def _print_warnings(warnings: Sequence[Fault]) -> None:
    for fault in warnings[:_MOST_WARNINGS]:
        _say(str(fault))
    if len(warnings) > _MOST_WARNINGS:
        _say(f"… and {len(warnings) - _MOST_WARNINGS} more warnings; `fieldguide check` lists all.")


def _print_faults(faults: Sequence[Fault]) -> None:
    for fault in faults:
        _say(str(fault))
    errors = sum(fault.severity == "error" for fault in faults)
    if errors:
        rest = _count(len(faults) - errors, "warning")
        _say(f"{_count(errors, 'error')}, {rest}; nothing was written.")


def _count(number: int, singular: str, plural: str = "") -> str:
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def _say(text: str) -> None:
    print(text, file=sys.stderr)


__all__ = ["app", "main"]
