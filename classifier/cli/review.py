"""`fieldguide review …`: the review loop."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import (
    ExcelOption,
    ProjectOption,
    SheetOption,
    WorkbookOption,
    command_group,
    output_option,
    refuse_workbook,
)
from classifier.cli.printing import command, count, print_report, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import InputError, UsageError
from classifier.files.targets import SHEET_ENDINGS, check_ending
from classifier.project import Project, open_project

if TYPE_CHECKING:
    from classifier.commands.apply import Applied
    from classifier.commands.draw import Drawing


def _hand_out(drawing: Drawing, target: Path, project: Project, *, for_excel: bool) -> None:
    """Write the drawn papers to `target` and print them; nothing is written where there is none."""
    from classifier.commands.draw import drawing_lines, write_drawing

    if not drawing.papers:
        print("Nothing to draw: every paper is reviewed.")
        return
    write_drawing(target, drawing, project, for_excel=for_excel)
    print("\n".join(drawing_lines(drawing)))
    print(f"Fill {target}, then run `fieldguide review apply {target}`.")


@command
def next_papers(
    number: Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many papers.")] = 20,
    category: Annotated[
        str | None,
        typer.Option(
            "--category",
            metavar="ID",
            help="Draw what most likely belongs to this category, to find all of it.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="At most so many papers, as [N]."),
    ] = None,
    output: SheetOption = None,
    xlsx: WorkbookOption = False,
    excel: ExcelOption = False,
    project: ProjectOption = None,
) -> None:
    """Draw the papers most worth a reviewer's minute, as a sheet.

    First the papers that wait (provisional), by what an answer is expected to settle, and among
    them one decision in four that is worth a second look; then confident papers at random.

    Examples: `fieldguide review next`; `fieldguide review next 50 -o ada.csv`;
    `fieldguide review next --category safety` (draw, apply, and again, until nothing new comes).
    """
    refuse_workbook(xlsx, "review next -o FILE.xlsx")
    if output is not None:
        check_ending(output, SHEET_ENDINGS)
    where = open_project(project)
    if category is not None:
        from classifier.taxonomy.load import load_taxonomy
        from classifier.taxonomy.names import find_top_category

        with suppress(InputError):  # faults of the taxonomy are told with those of other files
            find_top_category(load_taxonomy(where.taxonomy_file).taxonomy, category)
    # After what is refused at once: these imports take seconds.
    from classifier.commands.draw import check_sheet, draw_next, sheet_target

    target = sheet_target(where, output, "queue")
    check_sheet(target, where)
    with progress_bar() as progress:
        drawing = draw_next(where, limit or number, category=category, progress=progress)
    _hand_out(drawing, target, where, for_excel=excel)


@command
def audit(
    number: Annotated[int, typer.Argument(metavar="N", min=1, help="How many papers.")],
    shown: Annotated[
        bool,
        typer.Option(
            "--shown", help="With the classifier's labels: quicker, but they lead the reviewer."
        ),
    ] = False,
    output: SheetOption = None,
    xlsx: WorkbookOption = False,
    excel: ExcelOption = False,
    project: ProjectOption = None,
) -> None:
    """Draw unreviewed papers at random, to measure the labels.

    The sheet hides what the classifier says: fill the `review_` columns. What was drawn and is not
    decided is drawn again first. From 30 decided papers on the figures speak for all unreviewed
    ones.

    Examples: `fieldguide review audit 30`; `fieldguide review audit 50 --shown -o audit.csv`.
    """
    refuse_workbook(xlsx, "review audit N -o FILE.xlsx")
    if output is not None:
        check_ending(output, SHEET_ENDINGS)
    # After what is refused at once: these imports take seconds.
    from classifier.commands.draw import check_sheet, draw_audit, sheet_target

    where = open_project(project)
    target = sheet_target(where, output, "audit")
    check_sheet(target, where)
    with progress_bar() as progress:
        drawing = draw_audit(where, number, shown=shown, progress=progress)
    _hand_out(drawing, target, where, for_excel=excel)


_MOST_TOLD = 40


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
            help="The text of a reader's report (“Wrong label?”), saved from an issue or a mail.",
        ),
    ] = None,
    reviewer: Annotated[
        str | None,
        typer.Option(
            "--reviewer",
            metavar="NAME",
            help="Who decided, where a row names nobody. Default: you.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be applied; write nothing.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help=f"Print every row, not the first {_MOST_TOLD}.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Write what people typed into the sheets into the ledger.

    Each filled row becomes decisions in taxonomy/reviews.csv. A row with a fault is named
    and stays as it is (exit code 1). Doing it twice adds nothing.

    In a row: `ok` under verdict approves exactly the labels shown. review_topics takes the full
    list (`safety; benchmarks`) or changes (`add safety; drop benchmarks`), review_primary where
    the paper is filed; ids, names or aliases, in any case. exclude takes a reason, remark a text;
    `withdraw` takes either back. `key` and `not key` under verdict mark key papers.

    The file of a review page may also contain answers on cues, rows with the id `cue`: a phrase as
    title, a category under review_primary, and yes, no or unsure under verdict. They are written
    into taxonomy/taxonomy.yaml.

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
            reviewer=_who_decides(reviewer),
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


def _who_decides(reviewer: str | None) -> str:
    """Return the name that --reviewer gives, or of the login, "" where the system knows none.

    Raises UsageError where --reviewer gives none.
    """
    if reviewer is not None and not reviewer.strip():
        raise UsageError("--reviewer: found no name; expected the name of who decided.")
    if reviewer is not None:
        return reviewer.strip()
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _print_answers(applied: Applied, verbose: bool) -> None:
    told = applied.answers if verbose else applied.answers[:_MOST_TOLD]
    sheet = ""
    for each in told:
        if each.sheet != sheet:
            sheet = each.sheet
            print(f"{sheet}:")
        print(f"  {each}")
    if len(told) < len(applied.answers):
        print(f"  … and {len(applied.answers) - len(told)} more; --verbose tells all")
    sheet = ""
    for answer in applied.cues:
        if answer.sheet != sheet:
            sheet = answer.sheet
            print(f"{sheet}, cues:")
        print(f"  {answer}")


def _print_summary(applied: Applied, dry_run: bool) -> None:
    news = sum(each.state != "known" for each in applied.answers)
    known = len(applied.answers) - news
    verb = "would be applied" if dry_run else "applied"
    parts = [f"{count(news, 'answer')} {verb}"]
    parts += [f"{known} already in the ledger"] if known else []
    rows = len({(fault.file, fault.line) for fault in applied.refused if fault.line})
    if rows:
        left = "row refused" if rows == 1 else "rows refused"
        parts.append(f"{rows} {left}")
    n_cues = sum(answer.is_new for answer in applied.cues)
    if n_cues:
        parts.append(f"{count(n_cues, 'answer')} on cues {verb} in taxonomy/taxonomy.yaml")
    if not applied.answers and not applied.cues and not rows:
        parts = [f"Nothing to take up: no answer is filled in {', '.join(applied.sheets)}"]
    if applied.sheets:
        print("; ".join(parts) + ".")
    if dry_run:
        return
    if applied.stops_build:
        print(
            "The sheet stays as it is. `fieldguide build` stops until these cells are corrected or "
            "emptied; with --ignore-sheet it moves the sheet to sheets/."
        )
    elif news:
        print("The sheets are not changed; the next `fieldguide build` writes a new one.")


@command
def withdraw(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="Its id or title.")],
    reviewer: Annotated[
        str | None,
        typer.Option("--reviewer", metavar="NAME", help="Whose decisions. Default: yours."),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Take a reviewer's decisions on a paper out of the ledger.

    Other reviewers' decisions stay. `fieldguide review undo` puts them back.

    Examples: `fieldguide review withdraw arxiv:2401.10230`; `fieldguide review withdraw
    "Rye at Night" --reviewer ada`.
    """
    from classifier.commands.withdraw import withdraw_decisions

    found = withdraw_decisions(open_project(project), paper, _who_decides(reviewer))
    for entry in found.entries:
        print(f"  {entry.id}  {entry.facet}: {entry.value} ({entry.reviewed_on}) → withdrawn")
    print(
        "A sheet that still holds the answer would apply it again: empty the row, or run "
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
    file: Annotated[Path, typer.Argument(metavar="FILE.xlsx|.csv", help="Where to write it.")],
    excel: ExcelOption = False,
    project: ProjectOption = None,
) -> None:
    """Write the sheet of all papers as a file to hand out.

    A workbook has drop-down lists, the definitions of all categories, and abstracts. An existing
    file is never overwritten, and no other command changes or deletes it.

    Examples: `fieldguide review sheet ada.xlsx`; then `fieldguide review apply ada.xlsx`.
    """
    check_ending(file, SHEET_ENDINGS)
    # After what is refused at once: these imports take seconds.
    from classifier.commands.hand_out import check_new_file, write_hand_out

    where = open_project(project)
    check_new_file(file, where)
    with progress_bar() as progress:
        number = write_hand_out(where, file, for_excel=excel, progress=progress)
    print(f"{file}: {count(number, 'paper')}. Fill it, then run `fieldguide review apply {file}`.")


@command
def status(project: ProjectOption = None) -> None:
    """Say how far the reviewing is and whether it may stop.

    Reviewed papers by category, by how they were drawn and by reviewer; sheets that hold edits;
    conflicts; decisions worth a second look; how many unreviewed papers are filed right, with an
    interval, from audits.

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
            "FILE.csv", "Where the conflicts go. Default: out/conflicts.csv, once out/ was built."
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
def page(
    output: Annotated[
        Path,
        output_option("FILE.html", "Where to write the page. Default: review.html."),
    ] = Path("review.html"),
    queue: Annotated[
        str,
        typer.Option(
            "--queue",
            metavar="next|audit|conflicts|ID",
            help="Which papers: as `review next`, as `review audit`, those on which reviewers "
            "disagree, or the likeliest of a category. Default: next.",
        ),
    ] = "next",
    reviewer: Annotated[
        str,
        typer.Option("--reviewer", metavar="NAME", help="Who decides. Default: the page asks."),
    ] = "",
    blind: Annotated[
        bool, typer.Option("--blind", help="Hide labels until a paper is answered, as audits do.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Write a page on which labels are reviewed in any browser.

    The page is one file that needs no server, no network and no Python: send it by mail. It shows
    one paper at a time. The browser keeps the answers until they are saved as reviews-NAME.csv,
    which `fieldguide review apply` takes.

    Examples: `fieldguide review page`; `fieldguide review page --queue audit -o audit.html`;
    `fieldguide review page --reviewer bo --blind`.
    """
    # After what is refused at once: these imports take seconds.
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
        f"{output}: {count(found.n_papers, 'paper')}, {found.n_waiting} of them wait. Open it in a "
        "browser, save the answers, then run `fieldguide review apply reviews-NAME.csv`."
    )


@command
def serve(
    options: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
) -> None:
    """Point to `fieldguide review page` and `fieldguide serve`, which replace this command."""
    raise UsageError(
        "`fieldguide review serve` was replaced: `fieldguide review page` writes the page as a "
        "file, and `fieldguide serve` offers it at the address that it prints."
    )


review_app = command_group(
    "review",
    "The review loop: draw papers, correct their labels in a sheet, take the edits up.\n\n"
    "`fieldguide review page` writes a page to review in a browser. `fieldguide build` writes the "
    "sheet out/labels.csv for a spreadsheet. `fieldguide review apply` takes the answers of both.",
)

review_app.command()(apply)
review_app.command("next")(next_papers)
for each in (page, sheet, audit, status, agreement, withdraw, undo):
    review_app.command()(each)
_PASSED_ON = {"ignore_unknown_options": True, "allow_extra_args": True}
review_app.command(hidden=True, context_settings=_PASSED_ON)(serve)
