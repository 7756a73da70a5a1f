"""`fieldguide review …`: select papers, review their labels, apply the decisions."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import (
    ExcelOption,
    ProjectOption,
    SheetOption,
    add_refused_command,
    command_group,
    output_option,
)
from classifier.cli.printing import command, count, print_report, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import InputError, UsageError, escape_line
from classifier.files.targets import SHEET_ENDINGS, check_ending
from classifier.project import Project, open_project

if TYPE_CHECKING:
    from classifier.commands.apply import Applied
    from classifier.commands.review_batch import ReviewBatch


def _write_batch(batch: ReviewBatch, target: Path, project: Project, *, for_excel: bool) -> None:
    from classifier.commands.review_batch import batch_lines, write_batch

    if not batch.papers:
        print("Nothing to select: every paper is reviewed.")
        return
    write_batch(target, batch, project, for_excel=for_excel)
    print("\n".join(batch_lines(batch)))
    print(f"Fill {target}, then run `fieldguide review apply {target}`.")


@command
def next_papers(
    number: Annotated[int, typer.Argument(metavar="[N]", min=1, help="Number of papers.")] = 20,
    category: Annotated[
        str | None,
        typer.Option(
            "--category",
            metavar="ID",
            help="Select the papers that most probably belong to this category.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="The same as [N]."),
    ] = None,
    output: SheetOption = None,
    excel: ExcelOption = False,
    project: ProjectOption = None,
) -> None:
    """Write a sheet with the papers whose review helps most.

    Provisional papers come first, in the order of the expected benefit of a decision. Every fourth
    paper is a decision worth a second look. Confident papers follow in random order.

    With --category, you find all papers of a category: apply the sheet and run the command again
    until no new paper belongs to it.

    Examples: `fieldguide review next`; `fieldguide review next 50 -o ada.csv`;
    `fieldguide review next --category safety`.
    """
    if output is not None:
        check_ending(output, SHEET_ENDINGS)
    where = open_project(project)
    if category is not None:
        from classifier.taxonomy.load import load_taxonomy
        from classifier.taxonomy.names import find_top_category

        with suppress(InputError):  # Faults of the taxonomy are reported with those of other files.
            find_top_category(load_taxonomy(where.taxonomy_file).taxonomy, category)
    # These imports take seconds, so they follow the checks of the options.
    from classifier.commands.review_batch import check_sheet, select_next, sheet_target

    target = sheet_target(where, output, "queue")
    check_sheet(target, where)
    with progress_bar() as progress:
        batch = select_next(where, limit or number, category=category, progress=progress)
    _write_batch(batch, target, where, for_excel=excel)


@command
def audit(
    number: Annotated[int, typer.Argument(metavar="N", min=1, help="Number of papers.")],
    shown: Annotated[
        bool,
        typer.Option(
            "--shown", help="Show the classifier's labels: quicker, but they bias the reviewer."
        ),
    ] = False,
    output: SheetOption = None,
    excel: ExcelOption = False,
    project: ProjectOption = None,
) -> None:
    """Write a sheet of random papers, to measure the labels.

    Only unreviewed papers are selected, undecided papers of an earlier audit first. The sheet hides
    the labels of the classifier: fill the `review_` columns. From 30 decided papers on, `fieldguide
    review status` estimates the accuracy for all unreviewed papers.

    Examples: `fieldguide review audit 30`; `fieldguide review audit 50 --shown -o audit.csv`.
    """
    if output is not None:
        check_ending(output, SHEET_ENDINGS)
    # These imports take seconds, so they follow the checks of the options.
    from classifier.commands.review_batch import check_sheet, select_audit, sheet_target

    where = open_project(project)
    target = sheet_target(where, output, "audit")
    check_sheet(target, where)
    with progress_bar() as progress:
        batch = select_audit(where, number, show_labels=shown, progress=progress)
    _write_batch(batch, target, where, for_excel=excel)


_MAX_ANSWERS = 40


@command
def apply(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Sheets (.csv, .xlsx). Default: those in out/."),
    ] = None,
    issue: Annotated[
        list[Path] | None,
        typer.Option(
            "--issue",
            metavar="FILE",
            help="Text file with a reader's report (“Wrong label?”) from an issue or a mail.",
        ),
    ] = None,
    reviewer: Annotated[
        str | None,
        typer.Option(
            "--reviewer",
            metavar="NAME",
            help="Reviewer of rows without a name. Default: your login name.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be applied; write nothing.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help=f"Print all rows, not only {_MAX_ANSWERS}.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Apply the decisions in sheets to the ledger.

    Each filled row becomes decisions in taxonomy/reviews.csv. A row with a fault is reported and
    not applied (exit code 1). Applying a sheet twice adds nothing.

    `ok` in the column verdict approves exactly the labels of the row. review_topics takes the full
    list (`safety; benchmarks`) or changes (`add safety; drop benchmarks`); review_primary takes the
    category under which the paper is filed. Use ids, names or aliases. exclude takes a reason, and
    remark a text; `withdraw` removes either. `key` and `not key` in verdict mark key papers.

    The file of a review page can also have answers on cues. Accepted cues are written to
    taxonomy/taxonomy.yaml.

    Examples: `fieldguide review apply`; `fieldguide review apply ~/Downloads/labels.csv
    --reviewer ada`; `fieldguide review apply --dry-run`; `fieldguide review apply --issue
    issue.txt`.
    """
    from classifier.commands.apply import apply_sheets

    where = open_project(project)
    with progress_bar() as progress:
        applied = apply_sheets(
            where,
            files or (),
            issues=issue or (),
            reviewer=_reviewer_name(reviewer),
            dry_run=dry_run,
            progress=progress,
        )
    _print_answers(applied, verbose)
    for line in applied.unread:
        say(line)
    for fault in (*applied.faults, *applied.refused, *applied.misplaced):
        say(str(fault))
    _print_summary(applied, dry_run)
    if not applied.is_whole:
        raise typer.Exit(1)


def _reviewer_name(reviewer: str | None) -> str:
    """Return the name given with --reviewer, else the login name, else "".

    Raises UsageError if --reviewer is empty.
    """
    if reviewer is not None and not reviewer.strip():
        raise UsageError("--reviewer: found no name; expected the name of the reviewer.")
    if reviewer is not None:
        return reviewer.strip()
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _print_answers(applied: Applied, verbose: bool) -> None:
    printed = applied.answers if verbose else applied.answers[:_MAX_ANSWERS]
    sheet = ""
    for each in printed:
        if each.sheet != sheet:
            sheet = each.sheet
            print(f"{sheet}:")
        print(f"  {escape_line(str(each))}")
    if len(printed) < len(applied.answers):
        print(f"  … and {len(applied.answers) - len(printed)} more; --verbose lists all")
    sheet = ""
    for answer in applied.cues:
        if answer.sheet != sheet:
            sheet = answer.sheet
            print(f"{sheet}, cues:")
        print(f"  {answer}")


def _print_summary(applied: Applied, dry_run: bool) -> None:
    from classifier.review.cue_answers import UNSURE

    verb = "would be applied" if dry_run else "applied"
    new = [each for each in applied.answers if each.state != "known"]
    by_facet = Counter(each.facet for each in new)
    parts = [f"{count(len(new), 'answer')} {verb}"]
    if new:
        parts[0] += f" on {count(len({each.paper_id for each in new}), 'paper')}"
    if len(by_facet) > 1:
        parts[0] += f" ({', '.join(f'{n} {facet}' for facet, n in by_facet.items())})"
    if n_known := len(applied.answers) - len(new):
        parts.append(f"{n_known} already in the ledger")
    rows = len({(fault.file, fault.line) for fault in applied.refused if fault.line})
    if rows:
        parts.append(count(rows, "row refused", "rows refused"))
    n_cues = sum(answer.is_new for answer in applied.cues)
    if n_cues:
        parts.append(f"{count(n_cues, 'answer')} on cues {verb} in taxonomy/taxonomy.yaml")
    if n_open := sum(answer.verdict == UNSURE for answer in applied.cues):
        parts.append(f"{count(n_open, 'answer')} on cues left open")
    if not applied.answers and not applied.cues and not rows:
        parts = [f"Nothing to apply: no answer in {', '.join(applied.sheets)}"]
    if applied.sheets:
        print("; ".join(parts) + ".")
    if dry_run:
        return
    if applied.stops_build:
        print(
            "The sheet stays as it is. `fieldguide build` stops until these cells are corrected or "
            "emptied; with --ignore-sheet it moves the sheet to sheets/."
        )
    elif new:
        print("The sheets are not changed; the next `fieldguide build` writes a new one.")


@command
def withdraw(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="Id or title of the paper.")],
    reviewer: Annotated[
        str | None,
        typer.Option("--reviewer", metavar="NAME", help="Reviewer. Default: your login name."),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Delete a reviewer's decisions on a paper from the ledger.

    Decisions of other reviewers stay. `fieldguide review undo` restores the deleted ones.

    Examples: `fieldguide review withdraw arxiv:2401.10230`; `fieldguide review withdraw
    "Rye at Night" --reviewer ada`.
    """
    from classifier.commands.withdraw import withdraw_decisions

    for entry in withdraw_decisions(open_project(project), paper, _reviewer_name(reviewer)):
        print(f"  {entry.id}  {entry.facet}: {entry.value} ({entry.reviewed_on}) → withdrawn")
    print(
        "A sheet that still has the answer would apply it again. Empty the row, or run "
        "`fieldguide build --ignore-sheet`."
    )


@command
def undo(project: ProjectOption = None) -> None:
    """Restore the ledger as it was before the last apply or withdraw.

    Cues that the apply added to taxonomy.yaml are removed, too.

    Example: `fieldguide review undo`.
    """
    from classifier.commands.withdraw import undo_last_apply

    where = open_project(project)
    for path in undo_last_apply(where):
        print(f"{where.shown(path)}: restored as it was before the last change.")
    print("The sheets are not changed: correct them before you apply them again.")


@command
def sheet(
    file: Annotated[Path, typer.Argument(metavar="FILE.xlsx|.csv", help="The file to write.")],
    excel: ExcelOption = False,
    project: ProjectOption = None,
) -> None:
    """Write a sheet of all papers for a reviewer.

    A workbook has drop-down lists, the definitions of all categories, and abstracts. An existing
    file is never overwritten, and no other command changes or deletes it.

    Examples: `fieldguide review sheet ada.xlsx`; then `fieldguide review apply ada.xlsx`.
    """
    check_ending(file, SHEET_ENDINGS)
    # These imports take seconds, so they follow the checks of the options.
    from classifier.commands.review_batch import check_new_file, write_all

    where = open_project(project)
    check_new_file(file, where)
    with progress_bar() as progress:
        number = write_all(where, file, for_excel=excel, progress=progress)
    print(
        f"{file}: {count(number, 'paper')}. Fill it in, then run `fieldguide review apply {file}`."
    )


@command
def status(project: ProjectOption = None) -> None:
    """Print the progress of the review and open tasks.

    The report counts reviewed papers by category, selection and reviewer. It lists sheets with
    edits, conflicts and decisions worth a second look. With enough audited papers, it estimates the
    share of unreviewed papers with the right category, to help you decide when to stop.

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
        output_option(
            "FILE.csv", "The sheet of conflicts. Default: out/conflicts.csv, if out/ was built."
        ),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Measure how far reviewers agree, and list conflicts.

    The report has Cohen's kappa for each pair of reviewers, from the newest decisions of each. Give
    each reviewer a copy of the same sheet, so that they decide independently.

    Fill and apply the sheet of conflicts to settle them. Its rows become decisions of
    `adjudicated`, which win over all others.

    Examples: `fieldguide review agreement`, then `fieldguide review apply out/conflicts.csv`;
    `fieldguide review agreement -o settle.csv`.
    """
    if output is not None:
        check_ending(output, (".csv",))
    # These imports take seconds, so they follow the checks of the options.
    from classifier.commands.agree import (
        compare_reviewers,
        conflicts_target,
        reviewers_report,
        write_conflicts,
    )

    where = open_project(project)
    with progress_bar() as progress:
        reviewers = compare_reviewers(where, progress)
    print_report(reviewers_report(reviewers))
    target = conflicts_target(where, output)
    if target is not None:
        write_conflicts(target, reviewers, where)
    if reviewers.conflicts and target is not None:
        print(f"\nFill {target}, then run `fieldguide review apply {target}`.")
    elif reviewers.conflicts:
        print("\nTo get a sheet with them, run `fieldguide build` first, or choose a file with -o.")


@command
def page(
    output: Annotated[
        Path,
        output_option("FILE.html", "The page to write. Default: review.html."),
    ] = Path("review.html"),
    queue: Annotated[
        str,
        typer.Option(
            "--queue",
            metavar="next|audit|conflicts|ID",
            help="Papers of the page: those of `review next`, of `review audit`, conflicts, or "
            "the most probable papers of a category. Default: next.",
        ),
    ] = "next",
    reviewer: Annotated[
        str,
        typer.Option("--reviewer", metavar="NAME", help="The reviewer. Default: the page asks."),
    ] = "",
    blind: Annotated[
        bool, typer.Option("--blind", help="Hide labels until a paper is answered, as audits do.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Write a page for reviewing labels in a browser.

    The page is one file that works without a server, network or Python: you can send it by mail. It
    shows one paper at a time. The browser keeps the answers until the reviewer saves them as
    reviews-NAME.csv for `fieldguide review apply`.

    Examples: `fieldguide review page`; `fieldguide review page --queue audit -o audit.html`;
    `fieldguide review page --reviewer bo --blind`.
    """
    # These imports take seconds, so they follow the checks of the options.
    from classifier.commands.review_page import check_page, review_page, write_page

    where = open_project(project)
    check_page(output, where)
    with progress_bar() as progress:
        found = review_page(where, queue, reviewer=reviewer.strip(), blind=blind, progress=progress)
    if not found.n_papers:
        print("No page was written: no paper is left to review.")
        return
    write_page(output, found, where)
    print(
        f"{output}: {count(found.n_papers, 'paper')}, {found.n_waiting} provisional. Open it in a "
        "browser, save the answers, then run `fieldguide review apply reviews-NAME.csv`."
    )


review_app = command_group(
    "review",
    "Review labels: select papers, correct their labels, apply the decisions.\n\n"
    "`fieldguide review page` writes a page for a browser. `fieldguide build` writes the sheet "
    "out/labels.csv for a spreadsheet. `fieldguide review apply` applies the answers of both.",
)

review_app.command()(apply)
review_app.command("next")(next_papers)
for each in (page, sheet, audit, status, agreement, withdraw, undo):
    review_app.command()(each)
add_refused_command(
    review_app,
    "serve",
    UsageError(
        "`fieldguide review serve` was removed. Use `fieldguide review page` to write the page as "
        "a file, or `fieldguide serve` to open it at the address that it prints."
    ),
)
