"""`fieldguide fetch …`: papers from the network."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from classifier.cli.options import ProjectOption, command_group, output_option
from classifier.cli.printing import command, count, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import UsageError, listed
from classifier.files.writing import check_ending
from classifier.progress import Progress
from classifier.project import Project, find_project, open_project

if TYPE_CHECKING:
    from classifier.extras.fetch.pages import Pages
    from classifier.extras.fetch.papers_file import Fetched


SinceOption = Annotated[
    str, typer.Option("--since", metavar="DATE", help="Papers of this day or later: 2026-01-01.")
]
UntilOption = Annotated[
    str, typer.Option("--until", metavar="DATE", help="Papers of this day or earlier.")
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="At most so many papers.")
]
OutputOption = Annotated[
    Path | None,
    output_option(
        "FILE.jsonl", "Default: a file in the project's papers/, named after service and query."
    ),
]
MailtoOption = Annotated[
    str,
    typer.Option(
        "--mailto",
        metavar="ADDRESS",
        envvar="FIELDGUIDE_MAILTO",
        show_envvar=False,
        help="Your mail address, for the service. Default: the environment variable "
        "FIELDGUIDE_MAILTO.",
    ),
]
AnewOption = Annotated[
    bool, typer.Option("--anew", help="Ask again for what was fetched within the last day, too.")
]


def _check_days(since: str, until: str) -> None:
    """Raise UsageError where a day is none, or the last comes before the first."""
    for option, text in (("--since", since), ("--until", until)):
        try:
            valid = not text or date.fromisoformat(text).isoformat() == text
        except ValueError:
            valid = False
        if not valid:
            raise UsageError(f"{option} {text!r}: is no day; expected one such as 2026-01-31.")
    if since and until and until < since:
        raise UsageError(f"--until {until}: lies before --since {since}.")


def _fetch(
    service: str,
    named: str,
    output: Path | None,
    mailto: str,
    anew: bool,
    folder: Path | None,
    **asked: Any,
) -> None:
    """Fetch what is asked for into its file, named after `named`, or `output`; print what came."""
    from classifier.extras.fetch.papers_file import fetch_papers, file_name, target_file
    from classifier.extras.fetch.source import Query
    from classifier.extras.fetch.sources import SOURCES

    _check_days(asked.get("since", ""), asked.get("until", ""))
    if output is not None:
        check_ending(output, (".jsonl",))
    source = SOURCES[service]
    project = open_project(folder) if folder is not None else find_project(Path.cwd())
    target = target_file(project, output, file_name(service, named))
    begun = time.monotonic()
    with asking(mailto, anew) as (pages, progress):
        fetched = fetch_papers(source, Query(**asked), target, pages, progress=progress)
    _tell(fetched, project, time.monotonic() - begun)


@contextmanager
def asking(mailto: str, anew: bool) -> Iterator[tuple[Pages, Progress | None]]:
    """Give what asks for pages, and a progress bar; pauses are told on standard error."""
    from classifier.extras.fetch import check_installed
    from classifier.files.cache import Cache, user_cache_folder

    check_installed()
    from classifier.extras.fetch.pages import Pages

    pages = Pages(mailto, Cache(user_cache_folder() / "fetch"), anew=anew, notice=say)
    with progress_bar() as progress:
        yield pages, progress


def tell_unread(project: Project, file: Path) -> None:
    """Say where no build would read a file that was written."""
    from classifier.extras.fetch.papers_file import is_read

    if not is_read(project, file):
        shown = project.shown(file)
        say(f"No build reads {shown} yet: add '{shown}' to survey.sources in taxonomy.yaml.")


def _tell(fetched: Fetched, project: Project | None, seconds: float) -> None:
    rate = f", {fetched.received / seconds:,.0f} a second" if fetched.asked and seconds > 1 else ""
    kept = fetched.pages - fetched.asked
    pages = f"{count(fetched.pages, 'page')}" + (f", {kept} of them kept" if kept else "")
    file = project.shown(fetched.file) if project else fetched.file
    is_there = fetched.file.exists()
    came = f"{fetched.new} new, {fetched.updated} updated in {file}"
    print(
        f"{count(fetched.received, 'paper')} received ({pages}{rate}): "
        f"{came if is_there else 'no file was begun'}."
    )
    if fetched.unread:
        reason = fetched.unread[0].actual
        say(f"{count(len(fetched.unread), 'record')} left out: {reason}.")
    if fetched.missing:
        say(f"Not there: {listed(fetched.missing)}.")
    if project is not None and is_there:
        tell_unread(project, fetched.file)


@command
def arxiv(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="In arXiv's language: cat:, ti:, abs:, au:, AND.")
    ],
    since: SinceOption = "",
    until: UntilOption = "",
    limit: LimitOption = None,
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch what arXiv finds, by the day of its first version.

    With --limit the newest come. The same query writes the same file, whatever its days: so --since
    may move on week by week.

    Examples: `fieldguide fetch arxiv "cat:cs.AI AND abs:agent" --since 2026-01-01`;
    `fieldguide fetch arxiv "ti:benchmark AND cat:cs.SE" --limit 50 -o papers/benchmarks.jsonl`.
    """
    asked = {"text": query, "since": since, "until": until, "limit": limit}
    _fetch("arxiv", query, output, mailto, anew, project, **asked)


@command
def hf_daily(
    since: SinceOption = "",
    until: UntilOption = "",
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch the Daily Papers of Hugging Face, day by day.

    Without --until up to yesterday, the last day that is whole; without --since that day alone.

    Examples: `fieldguide fetch hf-daily`;
    `fieldguide fetch hf-daily --since 2026-01-01 --until 2026-01-31`.
    """
    _check_days(since, until)
    last = until or (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    asked = {"since": since or last, "until": last}
    _fetch("hf-daily", "", output, mailto, anew, project, **asked)


@command
def openalex(
    query: Annotated[
        str, typer.Argument(metavar="WORDS", help="Words to search in titles, abstracts and texts.")
    ] = "",
    filter_: Annotated[
        str,
        typer.Option(
            "--filter", metavar="FILTER", help="OpenAlex's filter: type:article,language:en."
        ),
    ] = "",
    since: SinceOption = "",
    until: UntilOption = "",
    limit: LimitOption = None,
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch works from OpenAlex, by words, by filter, or both.

    A key, where you have one, is read from the environment variable OPENALEX_API_KEY.

    Examples: `fieldguide fetch openalex "agent benchmarks" --since 2025-06-01`;
    `fieldguide fetch openalex --filter "title.search:agent,type:preprint" --limit 500`.
    """
    asked = {"text": query, "since": since, "until": until, "limit": limit, "filter": filter_}
    _fetch("openalex", f"{query} {filter_}", output, mailto, anew, project, **asked)


@command
def semanticscholar(
    query: Annotated[
        str,
        typer.Argument(
            metavar="WORDS", help='Words; + and, | or, - not, "a phrase" in quotation marks.'
        ),
    ],
    since: SinceOption = "",
    until: UntilOption = "",
    limit: LimitOption = None,
    output: OutputOption = None,
    mailto: MailtoOption = "",
    anew: AnewOption = False,
    project: ProjectOption = None,
) -> None:
    """Fetch papers from Semantic Scholar by bulk search in titles and abstracts.

    A key, where you have one, is read from the environment variable SEMANTIC_SCHOLAR_API_KEY;
    without one all users share a rate, and waiting is likely.

    Example: `fieldguide fetch semanticscholar "agent + benchmark" --since 2025-01-01`.
    """
    asked = {"text": query, "since": since, "until": until, "limit": limit}
    _fetch("semanticscholar", query, output, mailto, anew, project, **asked)


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

    A file may be any text; every DOI in it counts. DOIs that Crossref does not have are named.

    Examples: `fieldguide fetch crossref 10.1162/coli_a_00123`;
    `fieldguide fetch crossref dois.txt -o papers/journal.jsonl --mailto ada@example.org`.
    """
    from classifier.extras.fetch.source import read_dois

    _fetch("crossref", "", output, mailto, anew, project, dois=read_dois(dois))


fetch_app = command_group(
    "fetch",
    "Fill papers/ from the network; the only command that uses it, never part of a build.\n\n"
    "Each query has one file of JSON Lines, in which new papers are added and known ones brought "
    "up to date; .fetched/ beside it notes where they came from. What is cut off goes on where it "
    "was when the same command is run again.",
)

for each in (arxiv, openalex, semanticscholar, crossref):
    fetch_app.command()(each)
fetch_app.command("hf-daily")(hf_daily)
