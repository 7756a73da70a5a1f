"""Search a service and write its papers into a JSON Lines file of the project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from classifier.errors import Fault, FetchError, InputError, UsageError
from classifier.extras.fetch.client import Client, Service
from classifier.extras.fetch.rows import add_papers, read_rows
from classifier.extras.fetch.services import SEARCHES, Fields, Query
from classifier.files.built_folder import digest
from classifier.files.content import STANDARD_INPUT, contents
from classifier.files.json_text import json_bytes
from classifier.files.lock import sole_writer
from classifier.files.targets import check_target
from classifier.files.writing import make_folder, write_file
from classifier.papers.fields import read_fields
from classifier.papers.paper import Paper, Source, clean_doi
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy

_MAX_NAME = 60


@dataclass(slots=True)
class Fetched:
    """The result of a search."""

    papers: dict[str, Paper] = field(default_factory=dict)
    """Id or title -> paper."""
    unread: list[Fault] = field(default_factory=list)
    """Records that are not papers, such as those without a title."""
    missing: list[str] = field(default_factory=list)
    """DOIs that the service does not have."""
    new: int = 0
    updated: int = 0


def fetch_papers(
    service: str, query: Query, target: Path, client: Client, progress: Progress | None = None
) -> Fetched:
    """Search a service and merge the papers into the JSON Lines file `target`.

    Papers that were fetched before an error are also written. Raises FetchError if the service
    fails, UsageError for an empty query, InputError if `target` has a line that is not an object,
    and OutputError if it cannot be written.
    """
    fetched = Fetched()
    failure: FetchError | None = None
    with sole_writer(target):
        read_rows(target, str(target))  # Report its faults before the network is used.
        try:
            _fetch_pages(service, query, fetched, client, progress)
        except FetchError as error:
            failure = error
        joined = add_papers(target, fetched.papers.values())
        fetched.new, fetched.updated = joined.new, joined.updated
        if joined.new or joined.updated:
            _record_run(target, service, query, len(fetched.papers))
    if failure and fetched.papers:
        raise FetchError(
            f"{failure} The {len(fetched.papers)} papers fetched before the "
            f"error were saved to {target}."
        )
    if failure:
        raise failure
    return fetched


def _fetch_pages(
    service_name: str, query: Query, fetched: Fetched, client: Client, progress: Progress | None
) -> None:
    """Add the papers of all pages to `fetched`, up to the limit."""
    service, search = SEARCHES[service_name]
    for records, total in search(client, query):
        for record in read_records(records, service):
            if isinstance(record, Fault):
                fetched.unread.append(record)
            elif query.limit is None or len(fetched.papers) < query.limit:
                title = f"{record.title} by {'; '.join(record.authors)}"
                fetched.papers.setdefault(record.arxiv_id or record.doi or title, record)
        n_papers = len(fetched.papers)
        report(progress, service.label, n_papers, max(total, n_papers))
        if query.limit and n_papers >= query.limit:
            break
    found = {paper.doi for paper in fetched.papers.values()}
    fetched.missing += [doi for doi in query.dois if doi not in found]


def read_records(records: Iterable[Fields], service: Service) -> Iterator[Paper | Fault]:
    """Yield a paper for each record, or a fault if the record is not a paper."""
    for fields in records:
        for record in read_fields(fields, Source(service.name, service.name, 0)):
            if isinstance(record, Paper) or (isinstance(record, Fault) and record.record):
                yield record


def _record_run(target: Path, service: str, query: Query, n_papers: int) -> None:
    """Record service, query and time of the last search in papers/.fetched/."""
    stated = {name: getattr(query, name) for name in ("text", "filter", "since", "until", "limit")}
    run = {
        "source": service,
        "query": {name: value for name, value in stated.items() if value},
        "at": datetime.now(UTC).replace(microsecond=0).isoformat(),
        "received": n_papers,
    }
    path = target.parent / ".fetched" / f"{target.stem}.json"
    make_folder(path.parent)
    write_file(path, json_bytes({"file": target.name, "runs": [run]}))


def target_file(project: Project | None, output: Path | None, name: str) -> Path:
    """Return the file to write: `output`, or `name`.jsonl in the project's papers/.

    Raises UsageError if there is neither a project nor `output`, or if `output` is in taxonomy/;
    OutputError if its folder does not exist.
    """
    if output is None:
        if project is None:
            raise UsageError(
                "This folder is not in a project. Go to a project, choose one with --project "
                "DIR, or choose a file with -o FILE.jsonl."
            )
        make_folder(project.root / "papers")
        return project.root / "papers" / f"{name}.jsonl"
    folders = (project.taxonomy_file.parent,) if project else ()
    check_target(output, "-o", is_ours=lambda _: True, folders=folders)
    return output


def file_name(service: str, text: str) -> str:
    """Return the name of a query's file, without its ending.

    >>> file_name("arxiv", "cat:cs.AI AND abs:agent")
    'arxiv-cat-cs-ai-and-abs-agent'
    """
    words = "-".join(re.findall(r"\w+", text.lower()))
    if len(words) > _MAX_NAME:
        words = f"{words[: _MAX_NAME - 7].rstrip('-')}-{digest(text.encode())[:6]}"
    return f"{service}-{words}" if words else service


def is_read(project: Project, file: Path) -> bool:
    """Return whether a build of the project reads `file`."""
    try:
        patterns = load_taxonomy(project.taxonomy_file).taxonomy.survey.sources
    except InputError:
        return True  # `check` reports the faults of the taxonomy.
    try:
        return file.resolve() in {path.resolve() for path in project.paper_files(patterns)}
    except InputError:
        return False  # A pattern matches no file, so it does not match this one.


def read_dois(arguments: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct DOIs in the arguments of the command and in files that they name.

    Raises UsageError for an argument that is neither a DOI nor a file, and InputError for a file
    without DOIs.
    """
    found: list[str] = []
    for word in arguments:
        path = Path(word)
        if path == STANDARD_INPUT or path.is_file():
            for content in contents(path, str(path)):
                parts = re.split(r"[\s,;|]+", " ".join(content.lines()))
                dois = [doi for part in parts if (doi := clean_doi(part))]
                if not dois:
                    raise InputError([Fault("error", content.name, None, "no DOI", "DOIs")])
                found += dois
        elif doi := clean_doi(word):
            found.append(doi)
        else:
            raise UsageError(
                f"{word} is neither a file nor a DOI. Write a DOI such as 10.1000/182."
            )
    return tuple(dict.fromkeys(found))
