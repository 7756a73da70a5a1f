"""A JSON Lines file of fetched papers: new papers are added, known ones updated, none is lost."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from classifier.errors import Fault, FetchError, InputError, UsageError
from classifier.extras.fetch.client import Client, Service
from classifier.extras.fetch.services import SEARCHES, Fields, Query
from classifier.files.built_folder import digest
from classifier.files.content import STANDARD_INPUT, contents
from classifier.files.json_text import json_bytes, json_line
from classifier.files.lock import sole_writer
from classifier.files.reading import read_text
from classifier.files.targets import check_target
from classifier.files.writing import make_folder, write_file
from classifier.papers.fields import FIELDS, read_fields
from classifier.papers.identity import own_ids
from classifier.papers.names import split_name
from classifier.papers.paper import Paper, Source, clean_arxiv_id, clean_doi, mint_id
from classifier.papers.readers.json_file import paper_to_json
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy
from classifier.text.normalise import title_id

Row = Mapping[str, object]
_MAX_NAME = 60
_ORDER = {name: place for place, name in enumerate(FIELDS)}


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

    Papers that arrived before a failure are written, too. Raises FetchError if the service fails,
    UsageError for an empty query, InputError if `target` has a line that is not an object,
    OutputError if it cannot be written.
    """
    fetched = Fetched()
    failure: FetchError | None = None
    with sole_writer(target):
        read_rows(target, str(target))  # Report its faults before the network is used.
        try:
            _receive(service, query, fetched, client, progress)
        except FetchError as error:
            failure = error
        joined = add_papers(target, fetched.papers.values())
        fetched.new, fetched.updated = joined.new, joined.updated
        if joined.new or joined.updated:
            _record_run(target, service, query, len(fetched.papers))
    if failure and fetched.papers:
        raise FetchError(f"{failure} The {len(fetched.papers)} papers before are in {target}.")
    if failure:
        raise failure
    return fetched


def _receive(
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
    """Yield a paper for each record, or a fault if it is not one."""
    for fields in records:
        for record in read_fields(fields, Source(service.name, service.name, 0)):
            if isinstance(record, Paper) or (isinstance(record, Fault) and record.record):
                yield record


def _record_run(target: Path, service: str, query: Query, n_papers: int) -> None:
    """Write service, query and time of the last search to papers/.fetched/."""
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


# --- The command line


def target_file(project: Project | None, output: Path | None, name: str) -> Path:
    """Return the file to write: `output`, or `name`.jsonl in the project's papers/.

    Raises UsageError if there is neither project nor `output`, or if `output` is in taxonomy/;
    OutputError if its folder does not exist.
    """
    if output is None:
        if project is None:
            raise UsageError(
                "This folder is not in a project. Go to a project, name one with --project DIR, or "
                "name a file with -o FILE.jsonl."
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


def read_dois(words: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct DOIs in words of the command line and in the files that they name.

    Raises UsageError for a word that is neither, InputError for a file without a DOI.
    """
    found: list[str] = []
    for word in words:
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
            raise UsageError(f"{word}: is not a file or a DOI. Write a DOI such as 10.1000/182.")
    return tuple(dict.fromkeys(found))


# --- The rows of a file


@dataclass(frozen=True, slots=True)
class Joined:
    """The rows of a file together with new papers."""

    rows: tuple[Row, ...]
    """Sorted by id."""
    new: int
    updated: int
    """Number of rows with a changed field."""


def add_papers(target: Path, papers: Iterable[Paper]) -> Joined:
    """Merge papers into the JSON Lines file `target`; the errors are those of `fetch_papers`."""
    with sole_writer(target):
        joined = join_papers(read_rows(target, str(target)), papers)
        if joined.new or joined.updated:
            write_file(target, rows_bytes(joined.rows))
    return joined


def read_rows(path: Path, label: str) -> list[Row]:
    """Return the objects of a JSON Lines file; none if the file does not exist.

    Raises InputError for lines that are not objects, since a rewritten file would lose them.
    """
    if not path.exists() or path.stat().st_size == 0:
        return []
    rows: list[Row] = []
    faults: list[Fault] = []
    hint = "Correct or delete the line, or name another file with -o."
    for number, line in enumerate(read_text(path, label).split("\n"), 1):
        try:
            row = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            found = "a line that is not JSON"
            faults.append(Fault("error", label, number, found, "one object", hint))
        elif row:
            rows.append(row)
    if faults:
        raise InputError(faults)
    return rows


def rows_bytes(rows: Iterable[Row]) -> bytes:
    """Return rows as JSON Lines."""
    return b"".join(map(json_line, rows))


def join_papers(rows: Sequence[Row], papers: Iterable[Paper]) -> Joined:
    """Return `rows` with new papers added and the fields of known papers updated.

    A known paper keeps its id, and each field that the new record does not state.
    """
    joined = list(rows)
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(joined):
        for known in _ids(row):
            places[known].append(place)
    for paper in papers:
        stated = paper_to_json(paper)
        candidates = [place for known in own_ids(paper) for place in places.get(known, ())]
        match = next((place for place in candidates if _may_be(joined[place], paper)), None)
        if match is None:
            # The second paper of a title gets its id when all papers are read.
            minted = mint_id(paper)
            match = len(joined)
            joined.append(stated if minted in places else {"id": minted, **stated})
        else:
            joined[match] = _updated(joined[match], stated)
        for known in _ids(joined[match]):
            places[known].append(match)
    n_updated = sum(row != joined[place] for place, row in enumerate(rows))
    ordered = sorted(joined, key=lambda row: (_ids(row)[0], json.dumps(row, sort_keys=True)))
    return Joined(tuple(ordered), len(joined) - len(rows), n_updated)


def _ids(row: Row) -> list[str]:
    """Return the ids of a row, its own first; without any, the id of its title."""
    arxiv_id, doi = clean_arxiv_id(_text(row, "arxiv_id")), clean_doi(_text(row, "doi"))
    ids = [_text(row, "id"), f"arxiv:{arxiv_id}" if arxiv_id else "", f"doi:{doi}" if doi else ""]
    return [known for known in dict.fromkeys(ids) if known] or [title_id(_text(row, "title"))]


def _may_be(row: Row, paper: Paper) -> bool:
    """Return whether a row that shares an id with a paper may describe it.

    Different arXiv ids mean different papers. Papers with a common title, such as "Editorial", and
    without any id need an author in common.
    """
    arxiv_id, authors = clean_arxiv_id(_text(row, "arxiv_id")), row.get("authors")
    if arxiv_id and paper.arxiv_id:
        return arxiv_id == paper.arxiv_id
    if paper.arxiv_id or paper.doi or not paper.authors or not isinstance(authors, list):
        return True
    names = {split_name(name).family for name in authors if isinstance(name, str)}
    return not names or any(split_name(name).family in names for name in paper.authors)


def _updated(old: Row, new: Row) -> Row:
    """Return the fields of `new`, and those of `old` that `new` does not state."""
    stated = {**old, **new}
    if "abstract" in new and "abstract_kind" not in new:
        stated.pop("abstract_kind", None)
    if "authors" in new and "author_count" not in new:
        stated.pop("author_count", None)
    stated.pop("id", None)
    if "id" in old:
        stated["id"] = old["id"]
    former, current = old.get("reference"), new.get("reference")
    if isinstance(former, dict) and isinstance(current, dict):
        stated["reference"] = {**former, **current}
    return dict(sorted(stated.items(), key=lambda item: _ORDER.get(item[0], len(_ORDER))))


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""
