"""`fieldguide prior`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command, count


@command
def prior(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="The labelled papers, in any format that is read."),
    ],
    gold: Annotated[
        list[Path] | None,
        typer.Option(
            "--gold",
            metavar="FILE.csv",
            help="Their labels: title, primary, topics, contribution. May be repeated; the first "
            "that knows a paper counts. Default: the ledger.",
        ),
    ] = None,
    background: Annotated[
        list[Path] | None,
        typer.Option(
            "--background",
            metavar="FILE",
            help="Papers of the wider field, without labels: how rare a term is, and which terms "
            "go together. May be repeated.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Default: taxonomy/prior.npz of the project."
        ),
    ] = None,
    project: ProjectOption = None,
) -> None:
    """Learn term weights from labelled abstracts, to start from in every build.

    A prior is worth making where hundreds of papers have labels under the same taxonomy, for
    instance from other lists. It holds terms and plain arrays of numbers, no text. Commit it:
    `build` and `label` use taxonomy/prior.npz where it is. A category whose definition changes
    loses only its own weights.

    Examples: `fieldguide prior lists.jsonl --gold lists.csv`;
    `fieldguide prior pages/*.txt lists.jsonl --gold mine.csv --gold lists.csv
    --background archive.jsonl`.
    """
    from classifier.commands.prior import check_output, make_prior
    from classifier.labelling.prior import write_prior
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    target = output or where.prior_file
    check_output(target, where, [*files, *(gold or ()), *(background or ())])
    with progress_bar() as progress:
        made = make_prior(
            where, files, gold=gold or (), background=background or (), progress=progress
        )
    write_prior(target, made)
    weights = sum(
        model.weights.size for facet in made.facets.values() for model in facet.models.values()
    )
    print(f"{weights:,} weights, learned from {count(len(made.papers), 'paper')}: {target}")
