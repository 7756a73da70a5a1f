"""One query, from the network into one file of papers."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from classifier.errors import Fault, FetchError, InputError, OutputError, UsageError
from classifier.extras.fetch.pages import Pages
from classifier.extras.fetch.papers_file import Joined, join_papers, read_rows, rows_bytes
from classifier.extras.fetch.source import Page, Query, Source
from classifier.files.atomic import make_folder, write_file
from classifier.files.built_folder import digest
from classifier.files.json_text import json_bytes
from classifier.files.lock import sole_writer
from classifier.papers.fields import read_fields
from classifier.papers.paper import Paper
from classifier.papers.paper import Source as Place
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy

MOST_NAME = 60


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of a query."""

    file: Path
    received: int
    """Papers that the service gave, none counted twice."""
    new: int
    updated: int
    pages: int
    asked: int
    """Pages that came over the network; the others were kept."""
    total: int | None
    """How many papers the service says that there are."""
    missing: tuple[str, ...]
    """What was asked for by name and is not there."""
    unread: tuple[Fault, ...]
    """Records that are no papers, such as those without a title."""


@dataclass(slots=True)
class _Received:
    papers: dict[str, Paper] = field(default_factory=dict)
    unread: list[Fault] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    pages: int = 0
    total: int | None = None


def fetch_papers(
    source: Source,
    query: Query,
    target: Path,
    pages: Pages,
    *,
    now: datetime | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """Ask for every page of `query` and join its papers into the JSON Lines file `target`.

    Nothing is written before the last page came, but each page is kept; where no paper came, no
    file is begun, since an empty one is a fault of the survey. now: the moment for the
    record of where papers came from; by default the clock's. Raises FetchError where the network
    fails, UsageError for a query that asks for nothing, InputError where `target` holds lines that
    cannot be kept, OutputError where it cannot be written, or another process is writing it.
    """
    first = source.first(query)
    read_rows(target, str(target))  # its faults are told before the network is asked
    asked = pages.asked
    with sole_writer(target), pages.run(source.service.name, first, str(query.told())) as resumed:
        received = _receive(source, query, first, pages, progress)
        rows = read_rows(target, str(target))  # again: somebody may have corrected one meanwhile
        joined = join_papers(rows, received.papers.values())
        fetched = _fetched(target, received, joined, pages.asked - asked)
        if fetched.new or fetched.updated:
            write_file(target, rows_bytes(joined.rows))
        if fetched.asked or fetched.new or fetched.updated or resumed:
            moment = (now or datetime.now(UTC)).replace(microsecond=0).isoformat()
            note_run(target, _run(source, query, first, moment, fetched))
    return fetched


def target_file(project: Project | None, output: Path | None, name: str) -> Path:
    """Return the file to write: `output`, or one in the project's papers/, which is made.

    Raises UsageError where there is neither, or where no build would read `output`; OutputError
    where its folder is missing.
    """
    if output is not None:
        if not output.parent.is_dir():
            raise OutputError(f"{output}: cannot be written (the folder does not exist).")
        if project and project.taxonomy_file.parent.resolve() in output.resolve().parents:
            cure = "name another file with -o"
            raise UsageError(f"{output}: no build reads papers from taxonomy/; {cure}.")
        return output
    if project is None:
        raise UsageError(
            "No project here: fetch writes into the folder papers/ of a project. Go to one, name "
            "one with --project DIR, or name a file with -o FILE.jsonl."
        )
    make_folder(project.root / "papers")
    return project.root / "papers" / f"{name}.jsonl"


def file_name(service: str, text: str) -> str:
    """Return the name of a query's file, without its ending: the same query, the same file.

    >>> file_name("arxiv", "cat:cs.AI AND abs:agent")
    'arxiv-cat-cs-ai-and-abs-agent'
    """
    words = "-".join(re.findall(r"\w+", text.lower()))
    if len(words) > MOST_NAME:
        words = f"{words[: MOST_NAME - 7].rstrip('-')}-{digest(text.encode())[:6]}"
    return f"{service}-{words}" if words else service


def is_read(project: Project, file: Path) -> bool:
    """Return whether the survey's sources hold a file."""
    try:
        patterns = load_taxonomy(project.taxonomy_file).taxonomy.survey.sources
    except InputError:
        return True  # another command tells the faults of the taxonomy
    try:
        return file.resolve() in {path.resolve() for path in project.paper_files(patterns)}
    except InputError:
        return False  # a pattern that matches nothing, so not this file either


def _receive(
    source: Source, query: Query, first: str, pages: Pages, progress: Progress | None
) -> _Received:
    received = _Received()
    begun = time.monotonic()
    for page in _following(source, query, first, pages):
        received.pages += 1
        received.missing += page.missing
        received.total = page.total if page.total is not None else received.total
        _take(source, page, received)
        rate = len(received.papers) / max(time.monotonic() - begun, 0.001)
        wanted = min(filter(None, (query.limit, received.total)), default=0)
        stage = f"{source.service.label}, {rate:,.0f}/s"
        report(progress, stage, len(received.papers), max(wanted, len(received.papers)))
        if query.limit and len(received.papers) >= query.limit:
            break
    if query.limit:
        received.papers = dict(list(received.papers.items())[: query.limit])
    return received


def _following(source: Source, query: Query, url: str, pages: Pages) -> Iterator[Page]:
    """Yield page after page; raises FetchError where the service leads in a circle."""
    seen: set[str] = set()
    while url:
        if url in seen:
            raise FetchError(f"{source.service.label}: its pages lead in a circle.")
        seen.add(url)
        page = pages.ask(source.service, url, source.reading(url, query))
        yield page
        url = page.following


def _take(source: Source, page: Page, received: _Received) -> None:
    """Add the papers of a page; one that comes twice counts once."""
    for paper_or_fault in papers_of(page.records, source.service.name):
        if isinstance(paper_or_fault, Paper):
            paper = paper_or_fault
            title = f"{paper.title} by {'; '.join(paper.authors)}"
            received.papers.setdefault(paper.arxiv_id or paper.doi or title, paper)
        else:
            received.unread.append(paper_or_fault)


def papers_of(records: Sequence[dict[str, object]], format_: str) -> Iterator[Paper | Fault]:
    """Yield the papers that records make, and those that make none."""
    for fields in records:
        for record in read_fields(fields, Place(format_, format_, 0)):
            if isinstance(record, Paper) or (isinstance(record, Fault) and record.record):
                yield record


def _fetched(target: Path, received: _Received, joined: Joined, asked: int) -> Fetched:
    return Fetched(
        target,
        len(received.papers),
        joined.new,
        joined.updated,
        received.pages,
        asked,
        received.total,
        tuple(received.missing),
        tuple(received.unread),
    )


def _run(source: Source, query: Query, first: str, moment: str, fetched: Fetched) -> Run:
    return Run(
        source.service.name,
        query.told(),
        first,
        source.service.api,
        source.service.terms,
        moment,
        fetched.pages,
        fetched.received,
        fetched.new,
        fetched.updated,
        fetched.total,
    )


FOLDER = ".fetched"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a query."""

    source: str
    query: Mapping[str, object]
    """What was asked for, as it was typed."""
    url: str
    """The first page, without keys."""
    api: str
    terms: str
    at: str
    """The end of the run, UTC."""
    pages: int
    received: int
    new: int
    updated: int
    total: int | None
    """How many papers the service said that there are."""


def provenance_file(papers: Path) -> Path:
    """Return where the runs that made a file of papers are noted."""
    return papers.parent / FOLDER / f"{papers.stem}.json"


def note_run(papers: Path, run: Run) -> None:
    """Add a run to those of a file; earlier ones of the same query that changed nothing go."""
    path = provenance_file(papers)
    told = asdict(run)
    kept = [
        earlier
        for earlier in _runs(path)
        if earlier.get("query") != told["query"] or earlier.get("new") or earlier.get("updated")
    ]
    make_folder(path.parent)
    write_file(path, json_bytes({"file": papers.name, "runs": [*kept, told]}))


def _runs(path: Path) -> list[Mapping[str, object]]:
    """Return what is noted; a file that is foreign or damaged holds nothing."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["runs"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return [run for run in found if isinstance(run, dict)] if isinstance(found, list) else []
