"""`fieldguide explain`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption, project_or_embedded
from classifier.cli.printing import command, print_report


@command
def explain(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="An id, arXiv id, DOI, address, or words of the title."
        ),
    ],
    category: Annotated[
        str | None,
        typer.Option(
            "--category",
            metavar="ID",
            help="Account for this category, or child, alone, given or not, with all that counted.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as one JSON object.")
    ] = False,
    project: ProjectOption = None,
) -> None:
    """Say why a paper has its labels, and where each of its fields came from.

    For every label: the cues and words that spoke for and against it, as a sum that ends in its
    probability; who decided, and what the classifier would say without; which categories came
    near and what they lacked; and a short list that holds the right primary in nine of ten
    papers. Words in “…” are terms that the model learned, cues in ‘…’ are
    the taxonomy's.

    Examples: `fieldguide explain arxiv:2401.10230`; `fieldguide explain "reflexion"`;
    `fieldguide explain 2401.10230 --category safety` (why not safety?);
    `fieldguide explain 2401.10230 --json | jq .facets.topic.near_misses`.
    """
    from classifier.commands.explain import explain_paper
    from classifier.explanation.report import explanation_json, explanation_report
    from classifier.files.json_text import json_bytes
    from classifier.progress import progress_bar

    where = project_or_embedded(project)
    with progress_bar() as progress:
        explanation = explain_paper(where, paper, category=category, progress=progress)
    if as_json:
        sys.stdout.buffer.write(json_bytes(explanation_json(explanation)))
    else:
        print_report(explanation_report(explanation))
