"""What changed between two editions: papers that came and went, labels that moved."""

from __future__ import annotations

import json
from pathlib import Path

from classifier.errors import Fault, InputError
from classifier.files.table import read_text
from classifier.survey.edition import Edition

Baseline = dict[str, dict[str, object]]
"""Paper id -> `title`, `primary`, `categories`, `status` as an earlier build published them."""


def read_baseline(folder: Path, first_facet: str) -> Baseline:
    """Read papers.json of an earlier build, of whose labels those of the first facet count.

    Raises InputError where `folder` holds none that Fieldguide wrote.
    """
    path = folder / "papers.json"
    try:
        papers = json.loads(read_text(path))
        if not isinstance(papers, list):
            raise TypeError
        return {
            paper["id"]: {
                "title": paper["title"],
                **_published(paper["labels"][first_facet]),
            }
            for paper in papers
        }
    except (ValueError, KeyError, TypeError) as error:
        wanted = "the papers.json of an earlier build"
        raise InputError([Fault("error", str(path), None, "another file", wanted)]) from error


def _published(labels: dict[str, object]) -> dict[str, object]:
    return {key: labels[key] for key in ("primary", "categories", "status")}


def changes_between(before: Baseline | None, edition: Edition) -> dict[str, object]:
    """Return the content of changes.json; without a baseline it says that there is none."""
    if before is None:
        return {"baseline": None, "added": [], "dropped": [], "relabelled": []}
    now: Baseline = {
        entry.paper.id: {
            "title": entry.paper.title,
            "primary": entry.first.primary,
            "categories": list(entry.first.categories),
            "status": entry.first.status,
        }
        for entry in edition.entries
    }
    both = sorted(now.keys() & before.keys())
    return {
        "baseline": {"papers": len(before)},
        "added": [{"id": key, **now[key]} for key in sorted(now.keys() - before.keys())],
        "dropped": [{"id": key, **before[key]} for key in sorted(before.keys() - now.keys())],
        "relabelled": [
            {"id": key, "before": before[key], "now": now[key]}
            for key in both
            if _labels(before[key]) != _labels(now[key])
        ],
    }


def _labels(paper: dict[str, object]) -> tuple[object, object]:
    return paper["primary"], paper["categories"]
