"""Where the papers of a fetched file came from: `.fetched/NAME.json` beside it.

A folder of its own, since a reader of papers must not take it for papers; hidden, since nobody
writes there; in git, since it is the answer to “where is this from, and how old?”.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from classifier.files.atomic import make_folder, write_file
from classifier.files.json_text import json_bytes

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
