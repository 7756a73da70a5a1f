"""`fieldguide rename`, `fieldguide merge` and `fieldguide split`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count
from classifier.project import open_project

if TYPE_CHECKING:
    from classifier.commands.categories import CategoryChange

_MAX_LISTED = 20

FacetOption = Annotated[
    str,
    typer.Option(
        "--facet", metavar="ID", help="The facet, if categories of several facets have this id."
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Print what would change; write nothing.")
]


@command
def rename(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The id of a category.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new id.")],
    facet: FacetOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
) -> None:
    """Change the id of a category; labels stay the same.

    The new id is written into taxonomy.yaml and claims.yaml, and the old one becomes an alias, so
    that decisions, the lock, the prior and links to the old page follow. Children are renamed with
    their parent. To change only the name that readers see, edit `name` in taxonomy.yaml.

    Example: `fieldguide rename gui-agents screen-agents --dry-run`.
    """
    from classifier.commands.categories import rename_category

    done = rename_category(open_project(project), old, new, facet, dry_run=dry_run)
    _print_lines(done)
    _print_followers(done, f"name {old} and follow the alias")
    _print_end(dry_run, f"{old} is now {new}; labels stay the same.")


@command
def merge(
    one: Annotated[str, typer.Argument(metavar="A", help="The id of a category.")],
    other: Annotated[str, typer.Argument(metavar="B", help="The id of another one.")],
    into: Annotated[
        str,
        typer.Argument(
            metavar="INTO",
            help="The id of the result, existing or new. Default: A.",
            show_default=False,
        ),
    ] = "",
    facet: FacetOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
) -> None:
    """Merge two categories: papers and decisions of both go to one of them.

    The other one stays in taxonomy.yaml with `replaced_by`. Its cues and exemplars count for the
    result; its name, definition and claims are no longer printed.

    Examples: `fieldguide merge ovens stoves` files both under ovens;
    `fieldguide merge ovens stoves heat` gives the result a new id.
    """
    from classifier.commands.categories import merge_categories

    done = merge_categories(open_project(project), one, other, into, facet, dry_run=dry_run)
    _print_lines(done)
    _print_followers(done, f"name {one} or {other} and count for {done.category}")
    if done.merged and (done.merged.definition or done.merged.claims):
        print(
            f"The definition and claims of {done.merged.id} stay in taxonomy.yaml, but are no "
            f"longer printed. Move the texts that you need to {done.category}."
        )
    _print_end(dry_run, f"{one} and {other} are now {done.category}.")


@command
def split(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The id of a category.")],
    new: Annotated[list[str], typer.Argument(metavar="NEW", help="The ids of new categories.")],
    facet: FacetOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
) -> None:
    """Add new categories next to an old one, and list the decisions to review.

    Each new category gets a name and one cue, the words of its id; you write its definition and
    divide the cues. The old category keeps its cues, and its decisions apply until you review them.
    Delete it when it has no papers left.

    Example: `fieldguide split gui-agents web-agents phone-agents`.
    """
    from classifier.commands.categories import split_category

    done = split_category(open_project(project), old, new, facet, dry_run=dry_run)
    _print_lines(done)
    papers = {entry.id: entry.title for entry in done.decisions}
    if papers:
        name = count(len(papers), "reviewed paper is", "reviewed papers are")
        print(f"{name} in {old}. Review whether they belong to a new category:")
        for paper_id, title in sorted(papers.items())[:_MAX_LISTED]:
            print(f"  {paper_id}  {title}")
        if len(papers) > _MAX_LISTED:
            print(f"  … and {len(papers) - _MAX_LISTED} more in taxonomy/reviews.csv")
    print(f"Next: write the definitions in taxonomy.yaml and divide the cues of {old}. After a")
    print("build, `fieldguide review next` lists reviewed papers that may fit a new category.")
    _print_end(dry_run, f"{', '.join(new)}: added next to {old}.")


def _print_lines(done: CategoryChange) -> None:
    for line in done.lines:
        print(line)


def _print_followers(done: CategoryChange, effect: str) -> None:
    """Print how many rows in ledger and lock have an old id.

    effect: verb phrase about these rows.
    """
    if done.decisions:
        print(f"taxonomy/reviews.csv: {count(len(done.decisions), 'row')} {effect}.")
    if done.locked:
        print(f"taxonomy/labels.lock.csv: {count(done.locked, 'row')} {effect}.")


def _print_end(dry_run: bool, text: str) -> None:
    if dry_run:
        print("Nothing was written (--dry-run).")
    else:
        print(f"{text} `fieldguide build` writes the survey.")
