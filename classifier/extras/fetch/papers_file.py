"""A file of fetched papers: filled by a query, joined by id, so that nothing in it is lost."""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from classifier.errors import Fault, FetchError, InputError, OutputError, UsageError
from classifier.extras.fetch.source import Query, Source
from classifier.files.built_folder import digest
from classifier.files.json_text import json_bytes, json_line
from classifier.files.reading import read_text
from classifier.files.writing import make_folder, sole_writer, write_file
from classifier.papers.fields import FIELDS, read_fields
from classifier.papers.identity import own_ids
from classifier.papers.names import split_name
from classifier.papers.paper import Paper, clean_arxiv_id, clean_doi, mint_id
from classifier.papers.paper import Source as Place
from classifier.papers.readers.json_file import paper_to_json
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy
from classifier.text.normalise import title_id

if TYPE_CHECKING:
    from classifier.extras.fetch.pages import Pages

_MAX_NAME = 60


@dataclass(slots=True)
class Fetched:
    """What became of a query."""

    file: Path
    papers: dict[str, Paper] = field(default_factory=dict)
    """What the service gave, none twice."""
    unread: list[Fault] = field(default_factory=list)
    """Records that are no papers, such as those without a title."""
    missing: list[str] = field(default_factory=list)
    """What was asked for by name and is not there."""
    pages: int = 0
    asked: int = 0
    """Pages that came over the network; the others were kept."""
    total: int | None = None
    """How many papers the service says that there are."""
    new: int = 0
    updated: int = 0

    @property
    def received(self) -> int:
        """How many papers came."""
        return len(self.papers)


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
    with sole_writer(target):
        fetched = _receive(source, query, target, pages, progress)
        rows = read_rows(target, str(target))  # again: somebody may have corrected one meanwhile
        joined = join_papers(rows, fetched.papers.values())
        fetched.asked = pages.asked - asked
        fetched.new, fetched.updated = joined.new, joined.updated
        if joined.new or joined.updated:
            write_file(target, rows_bytes(joined.rows))
        run = {
            "source": source.service.name,
            "query": query.told(),
            "url": first,
            "api": source.service.api,
            "terms": source.service.terms,
            "at": (now or datetime.now(UTC)).replace(microsecond=0).isoformat(),
            "pages": fetched.pages,
            "received": fetched.received,
            "new": joined.new,
            "updated": joined.updated,
            "total": fetched.total,
        }
        note_run(target, run, is_news=bool(fetched.asked or joined.new or joined.updated))
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
            hint = "name another file with -o"
            raise UsageError(f"{output}: no build reads papers from taxonomy/; {hint}.")
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
    if len(words) > _MAX_NAME:
        words = f"{words[: _MAX_NAME - 7].rstrip('-')}-{digest(text.encode())[:6]}"
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
    source: Source, query: Query, target: Path, pages: Pages, progress: Progress | None
) -> Fetched:
    """Return what the pages hold; raises FetchError where the service leads in a circle."""
    fetched, begun = Fetched(target), time.monotonic()
    url, seen = source.first(query), set[str]()
    while url:
        if url in seen:
            raise FetchError(f"{source.service.label}: its pages lead in a circle.")
        seen.add(url)
        page = pages.ask(source.service, url, source.reading(url, query))
        url = page.following
        fetched.pages += 1
        fetched.missing += page.missing
        fetched.total = page.total if page.total is not None else fetched.total
        for paper in papers_of(page.records, source.service.name):
            if isinstance(paper, Fault):
                fetched.unread.append(paper)
            else:
                title = f"{paper.title} by {'; '.join(paper.authors)}"
                fetched.papers.setdefault(paper.arxiv_id or paper.doi or title, paper)
        rate = fetched.received / max(time.monotonic() - begun, 0.001)
        expected = min(filter(None, (query.limit, fetched.total)), default=0)
        stage = f"{source.service.label}, {rate:,.0f}/s"
        report(progress, stage, fetched.received, max(expected, fetched.received))
        if query.limit and fetched.received >= query.limit:
            break
    fetched.papers = dict(list(fetched.papers.items())[: query.limit])
    return fetched


def papers_of(records: Sequence[dict[str, object]], format_: str) -> Iterator[Paper | Fault]:
    """Yield the papers that records make, and those that make none."""
    for fields in records:
        for record in read_fields(fields, Place(format_, format_, 0)):
            if isinstance(record, Paper) or (isinstance(record, Fault) and record.record):
                yield record


def provenance_file(papers: Path) -> Path:
    """Return where the runs that made a file of papers are noted."""
    return papers.parent / ".fetched" / f"{papers.stem}.json"


def note_run(papers: Path, run: Mapping[str, object], *, is_news: bool = True) -> None:
    """Add a run to those of a file; earlier ones of the same query that changed nothing go.

    Without news nothing is written where as much was noted before: else that run was cut off. What
    is noted in a file that is foreign or damaged is nothing.
    """
    path = provenance_file(papers)
    try:
        noted = json.loads(path.read_text(encoding="utf-8"))["runs"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        noted = []
    runs = [each for each in noted if isinstance(each, dict)] if isinstance(noted, list) else []
    as_much = ("query", "received")
    if is_news or not any(all(r.get(name) == run[name] for name in as_much) for r in runs):
        kept = [
            each
            for each in runs
            if each.get("query") != run["query"] or each.get("new") or each.get("updated")
        ]
        make_folder(path.parent)
        write_file(path, json_bytes({"file": papers.name, "runs": [*kept, run]}))


Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Joined:
    """The rows of a file with what came."""

    rows: tuple[Row, ...]
    """Sorted by id."""
    new: int
    updated: int
    """Rows of which a field is another now."""


def read_rows(path: Path, shown: str) -> list[Row]:
    """Return the objects of a JSON Lines file; none where there is no file.

    Raises InputError with every line that is no object: a file that would lose it is not written.
    """
    if not path.exists() or path.stat().st_size == 0:
        return []
    rows: list[Row] = []
    faults: list[Fault] = []
    for number, line in enumerate(read_text(path, shown).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            hint = "Correct or delete the line, or name another file with -o."
            found = "a line that is no JSON object"
            faults.append(Fault("error", shown, number, found, "one object a line", hint))
        else:
            rows.append(row)
    if faults:
        raise InputError(faults)
    return rows


def join_papers(rows: Sequence[Row], papers: Iterable[Paper]) -> Joined:
    """Return `rows` with `papers`: new ones added, fields of known ones brought up to date.

    A known paper keeps its id, and each field that the new record does not state.
    """
    joined: list[dict[str, object]] = [dict(row) for row in rows]
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(joined):
        for known in _ids(row):
            places[known].append(place)
    new: set[int] = set()
    for paper in papers:
        stated = paper_to_json(paper)
        known_at = [place for known in own_ids(paper) for place in places.get(known, ())]
        place = next((p for p in known_at if _may_be(joined[p], paper)), len(joined))
        if place == len(joined):
            new.add(place)
            minted = mint_id(paper)
            # A second paper of one title gets its id where all papers are known: in the corpus.
            joined.append(stated if minted in places else {"id": minted, **stated})
        else:
            joined[place] = _updated(joined[place], stated)
        for known in _ids(joined[place]):
            if place not in places[known]:
                places[known].append(place)
    updated = sum(dict(row) != joined[place] for place, row in enumerate(rows))
    ordered = sorted(joined, key=lambda row: (_ids(row)[0], json.dumps(row, sort_keys=True)))
    return Joined(tuple(ordered), len(new), updated)


def rows_bytes(rows: Iterable[Row]) -> bytes:
    """Return JSON Lines."""
    return b"".join(map(json_line, rows))


def _ids(row: Row) -> list[str]:
    """Return the ids that a row is known by, its own first."""
    arxiv_id, doi = clean_arxiv_id(_text(row, "arxiv_id")), clean_doi(_text(row, "doi"))
    better = [f"arxiv:{arxiv_id}" if arxiv_id else "", f"doi:{doi}" if doi else ""]
    ids = [_text(row, "id"), *better]
    found = [known for known in dict.fromkeys(ids) if known]
    return found or [title_id(_text(row, "title"))]


def _may_be(row: Row, paper: Paper) -> bool:
    """Return whether a row that shares an id with a paper may be it.

    Two arXiv ids are two papers, whatever DOI they share; so are other authors of a title such as
    "Editorial", where nothing else is known.
    """
    arxiv_id, authors = clean_arxiv_id(_text(row, "arxiv_id")), row.get("authors")
    if arxiv_id and paper.arxiv_id:
        return arxiv_id == paper.arxiv_id
    if paper.arxiv_id or paper.doi or not paper.authors or not isinstance(authors, list):
        return True
    names = {split_name(name).family for name in authors if isinstance(name, str)}
    return not names or any(split_name(name).family in names for name in paper.authors)


def _updated(old: Row, new: Row) -> dict[str, object]:
    """Return the fields of `old` where `new` does not state them."""
    kept = dict(old)
    if "abstract" in new:
        kept.pop("abstract_kind", None)
    if "authors" in new:
        kept.pop("author_count", None)
    stated = {**kept, **{name: value for name, value in new.items() if name != "id"}}
    references = (old.get("reference"), new.get("reference"))
    if all(isinstance(reference, dict) for reference in references):
        stated["reference"] = {**references[0], **references[1]}  # type: ignore[dict-item]
    order = {name: place for place, name in enumerate(FIELDS)}
    return dict(sorted(stated.items(), key=lambda item: order.get(item[0], len(order))))


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""
