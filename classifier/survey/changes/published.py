"""Reading what was published: an out/ of this version or an older one, or a lock."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from classifier.errors import Fault, InputError
from classifier.files.reading import read_text
from classifier.files.table import read_table
from classifier.review.pins import read_lock
from classifier.survey.changes.publication import (
    Publication,
    PublishedLabels,
    PublishedPaper,
    published_lock,
)
from classifier.taxonomy.published import taxonomy_as_published
from classifier.taxonomy.versions import Versions, read_versions, with_current


def read_publication(path: Path) -> Publication:
    """Read an out/ folder, or a file that is a lock (with the versions.csv beside it).

    What an older version did not write is unknown. The first facet of a lock is not known from the
    file: its labels stand under "". Raises InputError where `path` is neither.
    """
    if path.is_file() and path.suffix == ".csv":
        return published_lock(read_lock(path, ""), read_versions(path.parent / "versions.csv"))
    return read_build(path)


def read_build(folder: Path) -> Publication:
    """Read the out/ of a build; raises InputError where there is none that Fieldguide wrote."""
    if not (folder / "papers.json").exists():
        found = "no papers.json in it" if folder.is_dir() else "no such folder"
        cure = "Name the folder that an earlier build wrote, such as a copy of out/."
        raise InputError([Fault("error", str(folder), None, found, "an earlier out/", cure)])
    taxonomy = taxonomy_as_published(_json_of(folder / "taxonomy.json"))
    digest = taxonomy.digest if taxonomy else ""
    metrics = _json_of(folder / "metrics.json")
    return Publication(
        "build",
        _papers(folder / "papers.json", digest),
        taxonomy.first.id if taxonomy else "",
        taxonomy,
        with_current(Versions(), taxonomy) if taxonomy else Versions(),
        metrics if isinstance(metrics, dict) else None,
        _excluded(folder / "excluded.csv"),
        _unread(folder / "quarantine.csv"),
    )


def _papers(path: Path, digest: str) -> dict[str, PublishedPaper]:
    try:
        papers = json.loads(read_text(path))
        if not isinstance(papers, list):
            raise TypeError
        return {paper["id"]: _paper(paper, digest) for paper in papers}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        wanted = "the papers.json of an earlier build"
        raise InputError([Fault("error", str(path), None, "another file", wanted)]) from error


def _paper(record: Mapping[str, Any], digest: str) -> PublishedPaper:
    return PublishedPaper(
        record["id"],
        record["title"],
        {
            facet_id: PublishedLabels(
                tuple(labels["categories"]),
                labels["primary"],
                labels["status"],
                labels.get("confidence"),
            )
            for facet_id, labels in record["labels"].items()
        },
        record.get("text_digest", ""),
        record.get("cue_digest", ""),
        digest,
        tuple(record.get("aliases", ())),
        bool(record.get("key")),
        tuple(sorted({place.rpartition(":")[0] for place in record.get("sources", ())})),
    )


def _json_of(path: Path) -> object:
    """Return what a JSON file holds; None where there is no such file, or it is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    except (OSError, ValueError):
        return None


def _unread(path: Path) -> dict[str, int] | None:
    if not path.is_file():
        return None
    return dict(Counter(row.cells.get("file", "") for row in read_table(path)))


def _excluded(path: Path) -> dict[str, str] | None:
    if not path.is_file():
        return None
    return {row.cells.get("id", ""): row.cells.get("reason", "") for row in read_table(path)}
