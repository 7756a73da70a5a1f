"""`fieldguide check`."""

from __future__ import annotations

import typer

from classifier.cli.options import ProjectOption, StrictOption
from classifier.cli.printing import command, count, print_faults
from classifier.errors import sort_faults


@command
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
    print_faults(sort_faults(doubtful))
    categories = sum(len(facet.ids) for facet in inputs.taxonomy.facets.values())
    print(
        f"{count(len(inputs.taxonomy.facets), 'facet')} with "
        f"{count(categories, 'category', 'categories')}, "
        f"{count(len(inputs.corpus.papers), 'paper')} from "
        f"{count(inputs.corpus.records, 'record')}, {len(inputs.decisions)} of them reviewed: "
        f"no error, {count(len(doubtful), 'warning')}."
    )
    if strict and doubtful:
        raise typer.Exit(1)
