"""A file of fetched papers: JSON Lines by id, in which nothing that was there is lost."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import Fault, InputError
from classifier.files.json_text import json_line
from classifier.files.reading import read_text
from classifier.papers.fields import FIELDS
from classifier.papers.formats.jsonl import paper_to_json
from classifier.papers.identity import own_ids
from classifier.papers.names import split_name
from classifier.papers.paper import Paper, clean_arxiv_id, clean_doi, mint_id
from classifier.text.normalise import title_id

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
            cure = "Correct or delete the line, or name another file with -o."
            found = "a line that is no JSON object"
            faults.append(Fault("error", shown, number, found, "one object a line", cure))
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
