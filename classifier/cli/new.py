"""`fieldguide new` and `fieldguide recipe`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count, print_columns, print_warnings
from classifier.cli.progress_bar import progress_bar
from classifier.commands.new.recipe import WORKFLOW, Forge, workflow_of, write_recipe
from classifier.errors import listed
from classifier.project import open_project

if TYPE_CHECKING:
    from classifier.commands.new.project import NewProject


_SHOWN = 5
_LONGEST_TITLE = 90


class Ci(StrEnum):
    """Where the project will be rebuilt."""

    GITHUB = "github"
    GITLAB = "gitlab"
    NONE = "none"


@command
def new(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The project's folder, not there yet or empty.")
    ],
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="What you have: README.md, library.bib, …"),
    ],
    ci: Annotated[
        Ci,
        typer.Option(
            "--ci",
            metavar="github|gitlab|none",
            help="Write the workflow that rebuilds and publishes it there.",
        ),
    ] = Ci.NONE,
    no_import: Annotated[
        bool,
        typer.Option(
            "--no-import",
            help="Take over no headings, collections or keywords: draft categories from the texts.",
        ),
    ] = False,
) -> None:
    """Make a project from the papers or the list that you have; nothing is asked.

    The files are copied into DIR/papers/. Headings of a list, collections, groups or tags become
    the categories of DIR/taxonomy/taxonomy.yaml, and where each paper stood becomes a decision in
    DIR/taxonomy/reviews.csv (drawn_by imported). Where nothing was filed, five to nine categories
    are drafted from what the papers speak of.

    With --ci the workflow comes with it that rebuilds the survey on every push and every night.

    Examples: `fieldguide new my-survey README.md`; `fieldguide new bees library.bib scopus.csv`.
    """
    from datetime import date

    from classifier.commands.new.project import new_project

    with progress_bar() as progress:
        made = new_project(
            folder,
            files,
            date.today(),
            progress,
            forge=None if ci is Ci.NONE else Forge(ci),
            take_over=not no_import,
        )
    print_columns(made.corpus.files)
    print_warnings(made.corpus.faults)
    _print_made(made)
    _print_look(made, folder)


def _print_made(made: NewProject) -> None:
    papers, records = len(made.corpus.papers), made.corpus.records
    print(f"{made.folder}: {count(papers, 'paper')} from {count(records, 'record')}")
    origin = "your collections" if made.filing else "what papers speak of: a draft"
    if made.filing and made.filing.source == "keywords":
        origin = "keywords that many papers have"
    top = len(made.taxonomy.first.ids)
    parts = sum(1 for _ in made.taxonomy.first.walk()) - top
    categories = count(top, "category", "categories") + (
        f" with {count(parts, 'part')}" if parts else ""
    )
    print(f"  taxonomy/taxonomy.yaml  {categories}, from {origin}")
    if made.placements:
        placed = count(made.placements, "paper is", "papers are")
        print(f"  taxonomy/reviews.csv    {placed} filed as before")
    out = sum(verdict.is_excluded for verdict in made.screened.values())
    if made.screened:
        noted = sum(bool(verdict.note) for verdict in made.screened.values())
        notes = f", {count(noted, 'note')} kept as remarks" if noted else ""
        print(f"  screening               {len(made.screened) - out} kept, {out} left out{notes}")
    if made.filing and made.filing.folded:
        small = made.filing.folded
        print(f"  under “Other topics”    {_some(small)}: too few papers for a category")
    if made.filing and made.filing.unused:
        print(
            f"  no category             {_some(made.filing.unused)}: rarer, told by the others, or "
            "what most papers speak of"
        )
    if made.filing and made.filing.passed_over:
        over = _some(made.filing.passed_over)
        print(f"  passed over             {over}: where, when, what kind or how, not what about")
    for name in made.files:
        if name.startswith("papers/"):
            print(f"  {name}")
        elif name in WORKFLOW.values():
            print(f"  {name}  rebuilds and publishes it once you push")
            print("  requirements.txt        say there where that gets Fieldguide from")


def _print_look(made: NewProject, folder: Path) -> None:
    """Say what may want a look first, and what comes next."""
    papers = made.corpus.papers
    files = [Counter(source.file for source in paper.sources) for paper in papers]
    repeated = [
        paper for paper, names in zip(papers, files, strict=True) if max(names.values()) > 1
    ]
    shared = sum(len(names) > 1 for names in files)
    if repeated:
        stand = count(len(repeated), "paper stands", "papers stand")
        print(f"\n{stand} in one file more than once, and once in the survey:")
        for paper in repeated[:_SHOWN]:
            print(f"  {_short(paper.title_display)} ({', '.join(map(str, paper.sources))})")
        if len(repeated) > _SHOWN:
            print(f"  … and {len(repeated) - _SHOWN} more")
    if shared:
        stand = count(shared, "paper stands", "papers stand")
        print(f"\n{stand} in several of the files, and once in the survey.")
    if repeated or shared:
        print(
            f"  Why they count as one: fieldguide explain --project {folder} TITLE. Where two are "
            "not one, a row in taxonomy/identity.csv parts them."
        )
    bare = [paper.title_display for paper in papers if paper.abstract_kind == "none"]
    if bare:
        print(
            f"\n{len(bare)} of {count(len(papers), 'paper')} without abstract: read by title "
            "alone, and marked so."
        )
        if len(bare) < len(papers):
            print(f"  {_some([_short(title) for title in bare], _SHOWN - 2)}")
    if unread := len(made.corpus.quarantined):
        records = count(unread, "record")
        print(f"\n{records} could not be read: fieldguide check --project {folder} says why.")
    steps = [
        (f"build --project {folder}", f"then open {folder / 'out' / 'index.html'}"),
        (f"review serve --open --project {folder}", "ten answers show where labels mislead"),
        (f"check --deep --project {folder}", "what to do about the taxonomy"),
    ]
    if bare:
        steps.append((f"fetch metadata --project {folder}", "finds what records lack"))
    width = max(len(step) for step, _ in steps)
    print("\nNext:")
    for step, why in steps:
        print(f"  fieldguide {step:{width}}   {why}")


def _some(names: Sequence[str], most: int = _SHOWN) -> str:
    return listed([f"“{name}”" for name in names], most)


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1].rstrip()}…"


@command
def recipe(
    forge: Annotated[
        Forge,
        typer.Argument(
            metavar="FORGE", help="Where the project's repository is: github or gitlab."
        ),
    ],
    write: Annotated[
        bool,
        typer.Option(
            "--write",
            help="Write the workflow and requirements.txt; nothing that is there is overwritten.",
        ),
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Print the CI workflow of a project, or write it: checks, comparisons, nights, the site.

    A pull request is checked, built and compared with its target branch. The default branch is
    published, and rebuilt every night; a night that loses papers, or after which labels flip, keeps
    the old site.

    Examples: `fieldguide recipe github | less`; `fieldguide recipe github --write`;
    `fieldguide recipe gitlab --write --project bees`.
    """
    where = open_project(project)
    if write:
        for file in write_recipe(where, forge):
            print(f"{file}: written; it is yours to change.")
    else:
        print(workflow_of(where, forge)[1], end="")
