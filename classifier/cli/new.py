"""`fieldguide new` and `fieldguide recipe`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import (
    command,
    count,
    print_columns,
    print_merged,
    print_warnings,
)
from classifier.cli.progress_bar import progress_bar
from classifier.commands.new.recipe import WORKFLOW, Forge, workflow_of, write_recipe
from classifier.errors import listed
from classifier.project import open_project

if TYPE_CHECKING:
    from classifier.commands.new.filing import Filing
    from classifier.commands.new.project import NewProject


class Ci(StrEnum):
    """The CI service of the project."""

    GITHUB = "github"
    GITLAB = "gitlab"
    NONE = "none"


@command
def new(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of the new project; missing or empty.")
    ],
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Files of papers: README.md, library.bib, scopus.csv, …"
        ),
    ],
    ci: Annotated[
        Ci,
        typer.Option(
            "--ci",
            metavar="github|gitlab|none",
            help="Also write a CI workflow that rebuilds and publishes the survey.",
        ),
    ] = Ci.NONE,
    no_import: Annotated[
        bool,
        typer.Option(
            "--no-import",
            help="Ignore headings, collections and keywords; draft categories from the texts.",
        ),
    ] = False,
) -> None:
    """Create a project from a list, a bibliography or other files of papers. Never prompts.

    The files are copied to DIR/papers/. Headings of a list, collections, groups or tags become the
    categories of DIR/taxonomy/taxonomy.yaml, and the papers under them get decisions in
    DIR/taxonomy/reviews.csv (drawn_by: imported). If your files have no categories, five to nine
    are drafted from the texts for you to edit.

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
            use_filing=not no_import,
        )
    print_columns(made.corpus.files)
    print_warnings(made.corpus.faults)
    _print_made(made)
    _print_next_steps(made, folder)


def _print_made(made: NewProject) -> None:
    papers, records = len(made.corpus.papers), made.corpus.records
    print(f"{made.folder}: {count(papers, 'paper')} from {count(records, 'record')}")
    top = len(made.taxonomy.first.ids)
    parts = sum(1 for _ in made.taxonomy.first.walk()) - top
    categories = count(top, "category", "categories")
    if parts:
        categories += f" with {count(parts, 'part')}"
    print(f"  taxonomy/taxonomy.yaml  {categories}, {_origin(made)}")
    if made.placements:
        placed = count(made.placements, "paper keeps its category", "papers keep their categories")
        print(f"  taxonomy/reviews.csv    {placed}, as decisions")
    if made.screened:
        excluded = sum(verdict.is_excluded for verdict in made.screened.values())
        noted = sum(bool(verdict.note) for verdict in made.screened.values())
        notes = f", {count(noted, 'note')} kept as remarks" if noted else ""
        included = len(made.screened) - excluded
        print(f"  screening               {included} included, {excluded} excluded{notes}")
    if made.filing:
        _print_unused(made.filing)
    for name in made.files:
        if name.startswith("papers/"):
            print(f"  {name}")
        elif name in WORKFLOW.values():
            print(f"  {name}  rebuilds and publishes the survey after each push")
            print("  requirements.txt        source from which CI installs Fieldguide; edit it")


def _origin(made: NewProject) -> str:
    if not made.filing:
        return "a draft from the texts, for you to edit"
    if made.filing.source == "keywords":
        return "from the commonest keywords"
    return "from your headings or collections"


def _print_unused(filing: Filing) -> None:
    for names, reason in (
        (filing.merged, "too few papers; now in “Other topics”"),
        (filing.unused, "keywords that are rarer, or covered by the categories"),
    ):
        if names:
            print(f"  no category             {listed([f'“{name}”' for name in names])}: {reason}")


def _print_next_steps(made: NewProject, folder: Path) -> None:
    papers, unread = made.corpus.papers, len(made.corpus.quarantined)
    n_bare = sum(paper.abstract_kind == "none" for paper in papers)
    if made.corpus.merged or n_bare or unread:
        print()
    print_merged(made.corpus.merged)
    if n_bare:
        print(
            f"Without abstract: {n_bare} of {count(len(papers), 'paper')}. They are labelled "
            "by their titles alone, and marked."
        )
    if unread:
        records = count(unread, "record")
        print(f"Could not read {records}. To see why: fieldguide check --project {folder}")
    steps = [
        (f"build --project {folder}", f"makes the survey; open {folder / 'out' / 'index.html'}"),
        (f"review page --project {folder}", "writes a page to correct labels in a browser"),
        (f"check --deep --project {folder}", "suggests improvements of the taxonomy"),
    ]
    if n_bare:
        steps.append((f"fetch metadata --project {folder}", "looks up missing abstracts and dates"))
    width = max(len(step) for step, _ in steps)
    print("\nNext:")
    for step, effect in steps:
        print(f"  fieldguide {step:{width}}   {effect}")


@command
def recipe(
    forge: Annotated[
        Forge,
        typer.Argument(
            metavar="FORGE", help="Service of the project's repository: github or gitlab."
        ),
    ],
    write: Annotated[
        bool,
        typer.Option(
            "--write",
            help="Write the workflow and requirements.txt. Never overwrites a file.",
        ),
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Print or write the CI workflow of a project.

    The workflow checks and builds each pull request and compares it with its target branch. It
    publishes the default branch and rebuilds it every night. If a nightly build loses papers,
    the published site stays as it is.

    Examples: `fieldguide recipe github | less`; `fieldguide recipe github --write`;
    `fieldguide recipe gitlab --write --project bees`.
    """
    where = open_project(project)
    if write:
        for file in write_recipe(where, forge):
            print(f"{file}: written. You can edit it.")
    else:
        print(workflow_of(where, forge)[1], end="")
