"""`fieldguide fetch`: papers and metadata from the network."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from classifier.cli.options import (
    ProjectOption,
    add_refused_command,
    check_day,
    command_group,
    output_option,
)
from classifier.cli.printing import MAX_WARNINGS, command, count, say
from classifier.cli.progress_bar import progress_bar
from classifier.errors import FetchError, UsageError, listed
from classifier.files.targets import check_ending
from classifier.papers.paper import Paper
from classifier.project import Project, find_project, open_project

SinceOption = Annotated[
    str, typer.Option("--since", metavar="DATE", help="First day, such as 2026-01-01.")
]
UntilOption = Annotated[str, typer.Option("--until", metavar="DATE", help="Last day.")]
LimitOption = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Maximum number of papers.")
]
OutputOption = Annotated[
    Path | None,
    output_option(
        "FILE.jsonl", "The file to write. Default: papers/SERVICE-QUERY.jsonl in the project."
    ),
]
MailtoOption = Annotated[
    str,
    typer.Option(
        "--mailto",
        metavar="ADDRESS",
        envvar="FIELDGUIDE_MAILTO",
        show_envvar=False,
        help="Your mail address, so that the service can contact you. Default: the environment "
        "variable FIELDGUIDE_MAILTO.",
    ),
]


def _check_days(since: str, until: str) -> None:
    check_day("--since", since)
    check_day("--until", until)
    if since and until and until < since:
        raise UsageError(f"--until {until} is before --since {since}.")


def _fetch(
    service: str, name: str, output: Path | None, mailto: str, folder: Path | None, **query: Any
) -> None:
    """Search a service, write its papers to `output` or a file named after the query."""
    from classifier.extras.fetch import check_installed

    _check_days(query.get("since", ""), query.get("until", ""))
    if output is not None:
        check_ending(output, (".jsonl",))
    check_installed()
    from classifier.extras.fetch.client import Client
    from classifier.extras.fetch.papers_file import fetch_papers, file_name, target_file
    from classifier.extras.fetch.services import Query

    project = open_project(folder) if folder is not None else find_project(Path.cwd())
    target = target_file(project, output, file_name(service, name))
    with progress_bar() as progress:
        fetched = fetch_papers(service, Query(**query), target, Client(mailto), progress)
    file = project.shown(target) if project else target
    n_papers = count(len(fetched.papers), "paper")
    if not target.exists():
        print(f"{n_papers} received: no file was written.")
    else:
        print(f"{n_papers} received: {fetched.new} new, {fetched.updated} updated in {file}.")
    if fetched.unread:
        say(f"{count(len(fetched.unread), 'record')} skipped: {fetched.unread[0].actual}.")
    if fetched.missing:
        say(f"Not found: {listed(fetched.missing)}.")
    if project is not None and target.exists():
        _say_if_not_read(project, target)


def _say_if_not_read(project: Project, file: Path) -> None:
    from classifier.extras.fetch.papers_file import is_read

    if not is_read(project, file):
        path = project.shown(file)
        say(f"Builds do not read {path}: add '{path}' to survey.sources in taxonomy.yaml.")


@command
def arxiv(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="arXiv query with cat:, ti:, abs:, au:, AND.")
    ],
    since: SinceOption = "",
    until: UntilOption = "",
    limit: LimitOption = None,
    output: OutputOption = None,
    mailto: MailtoOption = "",
    project: ProjectOption = None,
) -> None:
    """Fetch papers from arXiv that match a query; dates are those of the first version.

    With --limit, the newest papers are fetched. The file name depends only on the query, so that
    you can run the same query every week with a later --since.

    Example: `fieldguide fetch arxiv "cat:cs.AI AND abs:agent" --since 2026-01-01`.
    """
    query_ = {"text": query, "since": since, "until": until, "limit": limit}
    _fetch("arxiv", query, output, mailto, project, **query_)


@command
def hf_daily(
    since: SinceOption = "",
    until: UntilOption = "",
    output: OutputOption = None,
    mailto: MailtoOption = "",
    project: ProjectOption = None,
) -> None:
    """Fetch the Daily Papers of Hugging Face.

    --until defaults to yesterday, the last complete day. --since defaults to the same day.

    Example: `fieldguide fetch hf-daily --since 2026-01-01 --until 2026-01-31`.
    """
    _check_days(since, until)
    last = until or (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    query_ = {"since": since or last, "until": last}
    _fetch("hf-daily", "", output, mailto, project, **query_)


@command
def openalex(
    query: Annotated[
        str,
        typer.Argument(
            metavar="WORDS", help="Words to search for in titles, abstracts and full texts."
        ),
    ] = "",
    filter_: Annotated[
        str,
        typer.Option(
            "--filter", metavar="FILTER", help="OpenAlex filter, such as type:article,language:en."
        ),
    ] = "",
    since: SinceOption = "",
    until: UntilOption = "",
    limit: LimitOption = None,
    output: OutputOption = None,
    mailto: MailtoOption = "",
    project: ProjectOption = None,
) -> None:
    """Fetch papers from OpenAlex that match words, a filter, or both.

    If you have a key, set the environment variable OPENALEX_API_KEY.

    Examples: `fieldguide fetch openalex "agent benchmarks" --since 2025-06-01`;
    `fieldguide fetch openalex --filter "title.search:agent,type:preprint" --limit 500`.
    """
    query_ = {"text": query, "since": since, "until": until, "limit": limit, "filter": filter_}
    _fetch("openalex", f"{query} {filter_}", output, mailto, project, **query_)


@command
def crossref(
    dois: Annotated[
        list[str],
        typer.Argument(
            metavar="DOI|FILE", help="DOIs, or text files with DOIs (- is standard input)."
        ),
    ],
    output: OutputOption = None,
    mailto: MailtoOption = "",
    project: ProjectOption = None,
) -> None:
    """Fetch papers from Crossref by DOI.

    All DOIs in the files are used, whatever the format. DOIs unknown to Crossref are listed.

    Examples: `fieldguide fetch crossref 10.1162/coli_a_00123`;
    `fieldguide fetch crossref dois.txt -o papers/journal.jsonl --mailto ada@example.org`.
    """

    from classifier.extras.fetch import check_installed

    check_installed()
    from classifier.extras.fetch.papers_file import read_dois

    _fetch("crossref", "", output, mailto, project, dois=read_dois(dois))


@command
def metadata(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE", help="Files of papers to complete. Default: the project's papers."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the counts; write nothing.")
    ] = False,
    service: Annotated[
        list[str] | None,
        typer.Option(
            "--service",
            metavar="NAME",
            help="Use only openalex, arxiv or crossref; may be repeated. Default: all three, in "
            "this order.",
        ),
    ] = None,
    limit: LimitOption = None,
    mailto: MailtoOption = "",
    project: ProjectOption = None,
) -> None:
    """Fetch missing ids, authors, dates and abstracts, and mark retracted papers.

    Papers are looked up by arXiv id or DOI, else by title. Reliable matches are written to
    papers/metadata.jsonl. To decide about an uncertain match, add a row to taxonomy/identity.csv:
    with `arxiv:…,p-…,same` the next run uses the match, with `different` it rejects it. Crossref
    and OpenAlex say which papers are retracted.

    Example: `fieldguide fetch metadata --mailto ada@example.org`.
    """
    from classifier.extras.fetch import check_installed

    check_installed()
    from classifier.extras.fetch.client import Client
    from classifier.extras.fetch.metadata import complete_metadata, papers_file

    where = open_project(project)
    with progress_bar() as progress:
        done = complete_metadata(
            where, files or (), Client(mailto), services=service or (), limit=limit,
            dry_run=dry_run, progress=progress,
        )  # fmt: skip
    for name, reason in done.failures.items():
        say(f"{name} was skipped: {reason}")
    found = len(done.taken) + len(done.doubtful)
    if done.failures and not found and not done.retracted:
        raise FetchError("Nothing was found; the skipped services may have more.")
    beyond = ""
    if done.n_looked_up < done.n_lacking:
        beyond = f" ({done.n_lacking - done.n_looked_up} beyond --limit)"
    print(
        f"{count(done.n_lacking, 'paper lacks', 'papers lack')} metadata{beyond}: "
        f"{len(done.taken)} with a reliable match, {len(done.doubtful)} with an uncertain match, "
        f"{done.n_looked_up - found} without a match."
    )
    for old, (paper, match) in list(done.doubtful.items())[:MAX_WARNINGS]:
        known = match.found.arxiv_id or match.found.doi
        print(
            f"  {old} “{paper.title_display}”: {known} “{match.found.title_display}” "
            f"({match.reason})"
        )
    for paper in done.retracted.values():
        print(f"  retracted ({paper.retracted}): {paper.id} “{paper.title_display}”")
    file = papers_file(where)
    print(
        f"{done.new} new and {done.updated} updated in {where.shown(file)}, "
        f"{count(done.n_aliases, 'former id')} in taxonomy/identity.csv"
        f"{' (nothing was written)' if dry_run else ''}."
    )
    if file.exists():
        _say_if_not_read(where, file)


@command
def zotero(
    collection: Annotated[
        str,
        typer.Argument(metavar="COLLECTION", help="Name of the collection. Default: all papers."),
    ] = "",
    library: Annotated[
        str,
        typer.Option(
            "--library",
            metavar="LIBRARY",
            help="user:NUMBER or group:NUMBER on zotero.org, or local: Zotero on this computer.",
        ),
    ] = "local",
    output: OutputOption = None,
    project: ProjectOption = None,
) -> None:
    """Fetch papers from Zotero; the names of collections become imported labels.

    An unreviewed paper gets the category that has the name of its collection. For a private library
    on zotero.org, set the environment variable ZOTERO_API_KEY to your key. For --library local,
    start Zotero and allow other applications to read it (Settings, Advanced). To bring categories
    back to Zotero as tags, import the file of `fieldguide export ris`.

    Examples: `fieldguide fetch zotero "Bees"`; `fieldguide fetch zotero --library group:1234`.
    """
    from classifier.extras.fetch import check_installed

    check_installed()
    from classifier.commands.apply import place_by_headings
    from classifier.extras.fetch.client import Client
    from classifier.extras.fetch.papers_file import file_name, target_file
    from classifier.extras.fetch.rows import add_papers
    from classifier.extras.fetch.zotero import zotero_papers
    from classifier.papers.identity import own_ids
    from classifier.text.normalise import title_id

    where = open_project(project)
    target = target_file(where, output, file_name("zotero", collection))
    records = zotero_papers(Client(), library, collection)
    papers = [record for record in records if isinstance(record, Paper)]
    joined = add_papers(target, papers)
    n_skipped = len(records) - len(papers)
    print(
        f"{count(len(papers), 'paper')}: {joined.new} new, {joined.updated} updated in "
        f"{where.shown(target)}."
    )
    if n_skipped:
        say(f"{count(n_skipped, 'item')} skipped: no title.")
    if not papers:
        return
    _say_if_not_read(where, target)
    headings: dict[str, tuple[str, ...]] = {}
    for paper in papers:
        for name in (*own_ids(paper), title_id(paper.title)):
            headings[name] = tuple(part for path in paper.collections for part in path.split(" / "))
    placed, unknown = place_by_headings(where, headings)
    print(f"{count(len(placed), 'paper')} filed by collection (status: imported).")
    if unknown:
        say(f"No category matches {listed(sorted(unknown))}. These papers wait for review.")


fetch_app = command_group(
    "fetch",
    "Add papers and metadata from the network. Only these commands use the network; a build "
    "never does.\n\n"
    "Each query has one JSON Lines file in papers/. A later run adds new papers to it and updates "
    "known ones. papers/.fetched/ records the sources.\n\n"
    'Example: `fieldguide fetch arxiv "cat:cs.AI AND abs:agent" --limit 50`.',
)
for each in (arxiv, openalex, crossref, zotero, metadata):
    fetch_app.command()(each)
fetch_app.command("hf-daily")(hf_daily)

_REMOVED = {
    "semanticscholar": "Use `fieldguide fetch openalex`, or add a JSON export to papers/.",
    "entries": "Add the list to papers/ and run `fieldguide fetch metadata`, then `build`.",
    "links": "Use a link checker, such as lychee, on out/.",
}
for _name, _hint in _REMOVED.items():
    _removed = UsageError(f"`fieldguide fetch {_name}` was removed. {_hint}")
    add_refused_command(fetch_app, _name, _removed)
