"""Merge papers into the rows of a JSON Lines file; no row is lost."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import Fault, InputError
from classifier.files.json_text import json_line
from classifier.files.lock import sole_writer
from classifier.files.reading import read_text
from classifier.files.writing import write_file
from classifier.papers.fields import FIELDS
from classifier.papers.identity import own_ids
from classifier.papers.names import split_name
from classifier.papers.paper import Paper, clean_arxiv_id, clean_doi, mint_id
from classifier.papers.readers.json_file import paper_to_json
from classifier.text.normalise import title_id

Row = Mapping[str, object]
_ORDER = {name: place for place, name in enumerate(FIELDS)}


@dataclass(frozen=True, slots=True)
class Joined:
    """The rows of a file, merged with new papers."""

    rows: tuple[Row, ...]
    """Sorted by id."""
    new: int
    updated: int
    """Number of rows with a changed field."""


def add_papers(target: Path, papers: Iterable[Paper]) -> Joined:
    """Merge papers into the JSON Lines file `target`; raises the errors of `fetch_papers`."""
    with sole_writer(target):
        joined = join_papers(read_rows(target, str(target)), papers)
        if joined.new or joined.updated:
            write_file(target, rows_bytes(joined.rows))
    return joined


def read_rows(path: Path, label: str) -> list[Row]:
    """Return the objects in a JSON Lines file; [] if the file does not exist.

    Raises InputError for lines that are not objects, because they would be lost when the file is
    rewritten.
    """
    if not path.exists() or path.stat().st_size == 0:
        return []
    rows: list[Row] = []
    faults: list[Fault] = []
    hint = "Correct or delete the line, or choose another file with -o."
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
    """Add new papers to `rows`, and update the fields of known papers.

    A known paper keeps its id, and all fields that the new record does not have.
    """
    joined = list(rows)
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(joined):
        for known in _ids(row):
            places[known].append(place)
    for paper in papers:
        stated = paper_to_json(paper)
        candidates = [place for known in own_ids(paper) for place in places.get(known, ())]
        match = next((place for place in candidates if _may_be_same(joined[place], paper)), None)
        if match is None:
            # The second paper of a title gets its id when all papers are read.
            minted = mint_id(paper)
            match = len(joined)
            joined.append(stated if minted in places else {"id": minted, **stated})
        else:
            joined[match] = _merge_rows(joined[match], stated)
        for known in _ids(joined[match]):
            places[known].append(match)
    n_updated = sum(row != joined[place] for place, row in enumerate(rows))
    ordered = sorted(joined, key=lambda row: (_ids(row)[0], json.dumps(row, sort_keys=True)))
    return Joined(tuple(ordered), len(joined) - len(rows), n_updated)


def _ids(row: Row) -> list[str]:
    """Return the ids of a row, its own id first; if there are none, the id made from its title."""
    arxiv_id, doi = clean_arxiv_id(_text(row, "arxiv_id")), clean_doi(_text(row, "doi"))
    ids = [_text(row, "id"), f"arxiv:{arxiv_id}" if arxiv_id else "", f"doi:{doi}" if doi else ""]
    return [known for known in dict.fromkeys(ids) if known] or [title_id(_text(row, "title"))]


def _may_be_same(row: Row, paper: Paper) -> bool:
    """Return whether a row that shares an id with a paper may describe the same paper.

    Different arXiv ids mean different papers. Papers that have a common title (such as "Editorial")
    and no other id must have an author in common.
    """
    arxiv_id, authors = clean_arxiv_id(_text(row, "arxiv_id")), row.get("authors")
    if arxiv_id and paper.arxiv_id:
        return arxiv_id == paper.arxiv_id
    if paper.arxiv_id or paper.doi or not paper.authors or not isinstance(authors, list):
        return True
    names = {split_name(name).family for name in authors if isinstance(name, str)}
    return not names or any(split_name(name).family in names for name in paper.authors)


def _merge_rows(old_row: Row, new_row: Row) -> Row:
    """Return the fields of `new_row`, and those of `old_row` that `new_row` does not have."""
    stated = {**old_row, **new_row}
    if "abstract" in new_row and "abstract_kind" not in new_row:
        stated.pop("abstract_kind", None)
    if "authors" in new_row and "author_count" not in new_row:
        stated.pop("author_count", None)
    stated.pop("id", None)
    if "id" in old_row:
        stated["id"] = old_row["id"]
    former, current = old_row.get("reference"), new_row.get("reference")
    if isinstance(former, dict) and isinstance(current, dict):
        stated["reference"] = {**former, **current}
    return dict(sorted(stated.items(), key=lambda item: _ORDER.get(item[0], len(_ORDER))))


def _text(row: Row, name: str) -> str:
    """Return a field of a row as text."""
    value = row.get(name)
    return value if isinstance(value, str) else ""
