"""`fieldguide fetch crossref`."""

from __future__ import annotations

from typing import Annotated

import typer

from classifier.cli.fetch.asking import fetch_and_tell
from classifier.cli.fetch.options import AnewOption, MailtoOption, OutputOption
from classifier.cli.options import ProjectOption
from classifier.cli.printing import command


@command
def crossref(
    dois: Annotated[
        list[str],
        typer.Argument(metavar="DOI|FILE", help="DOIs, or text files that hold some (- is one)."),
    ],
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch what Crossref knows of some DOIs.

    A file may be any text; every DOI in it counts. DOIs that Crossref does not have are named at
    the end; those of arXiv (10.48550/arXiv.…) and data sets are kept by DataCite.

    Examples: `fieldguide fetch crossref 10.1162/coli_a_00123`;
    `fieldguide fetch crossref dois.txt -o papers/journal.jsonl --mailto ada@example.org`.
    """
    from classifier.extras.fetch.dois import read_dois
    from classifier.extras.fetch.source import Query
    from classifier.extras.fetch.sources.crossref import SOURCE

    fetch_and_tell(
        SOURCE,
        Query(dois=read_dois(dois)),
        name=SOURCE.service.name,
        project=project,
        output=output,
        mailto=mailto,
        anew=anew,
    )
