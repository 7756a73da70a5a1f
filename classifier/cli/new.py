"""`fieldguide new`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.collector import no_collector
from classifier.cli.printing import command, count, print_warnings

if TYPE_CHECKING:
    from classifier.new.first_look import FirstLook
    from classifier.new.project import NewProject

_SHOWN = 5


@command
def new(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The project's folder, not there yet or empty.")
    ],
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="What you have: README.md, library.bib, …"),
    ],
) -> None:
    """Make a project from the papers or the list that you have; nothing is asked.

    The files are copied into DIR/papers/ as they are. Headings of a list, collections of Zotero,
    groups of JabRef or a column of tags become the categories of DIR/taxonomy/taxonomy.yaml, and
    where each paper stood becomes a decision in DIR/taxonomy/reviews.csv (drawn_by imported).
    Where nothing was filed, the categories are made of terms that papers share: a first guess.

    It then says what to look at: papers that look misfiled, duplicates, papers without abstract.

    Examples: `fieldguide new my-survey README.md`; `fieldguide new bees library.bib scopus.csv`.
    """
    from datetime import date

    from classifier.new.first_look import look
    from classifier.new.project import new_project
    from classifier.progress import progress_bar

    with no_collector(), progress_bar() as progress:
        made = new_project(folder, files, date.today(), progress)
        found = look(folder, progress)
    print_warnings(made.corpus.faults)
    _print_made(made)
    _print_look(found)
    print(
        f"\nNext:\n  fieldguide build --project {folder}    then open {folder / 'out/index.html'}\n"
        f"  fieldguide check --deep --project {folder}    what to do about the taxonomy"
    )


def _print_made(made: NewProject) -> None:
    categories = sum(1 for _ in made.taxonomy.first.walk())
    papers, records = len(made.corpus.papers), made.corpus.records
    print(f"{made.folder}: {count(papers, 'paper')} from {count(records, 'record')}")
    origin = "your collections" if made.filing else "terms that papers share: a first guess"
    if made.filing and made.filing.source == "keywords":
        origin = "keywords that many papers have"
    print(f"  taxonomy/taxonomy.yaml  {count(categories, 'category', 'categories')}, from {origin}")
    if made.placements:
        placed = count(made.placements, "paper is", "papers are")
        print(f"  taxonomy/reviews.csv    {placed} filed as before")
    if made.filing and made.filing.folded:
        small = made.filing.folded
        print(f"  under “Other topics”    {_some(small)}: too few papers for a category")
    for name in made.files:
        if name.startswith("papers/"):
            print(f"  {name}")


def _print_look(found: FirstLook) -> None:
    if found.misfiled:
        print(f"\n{count(len(found.misfiled), 'paper looks', 'papers look')} misfiled:")
        for slip in found.misfiled[:_SHOWN]:
            print(f"  {slip.title}\n    under “{slip.filed}”; its words speak for “{slip.said}”")
        _more(len(found.misfiled))
    if found.duplicates:
        stand = count(len(found.duplicates), "paper stands", "papers stand")
        print(f"\n{stand} in the files more than once, and once in the survey:")
        for title, places in found.duplicates[:_SHOWN]:
            print(f"  {title} ({', '.join(places)})")
        _more(len(found.duplicates))
    if found.without_abstract:
        number = len(found.without_abstract)
        print(
            f"\n{number} of {count(found.papers, 'paper')} without abstract: labelled by title "
            f"alone, and marked so.\n  {_some(found.without_abstract[:3])}"
        )


def _more(number: int) -> None:
    if number > _SHOWN:
        print(f"  … and {number - _SHOWN} more")


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown
