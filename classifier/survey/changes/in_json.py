"""What changed, as plain values: changes.json and `fieldguide diff --json`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from classifier.survey.changes.compare import Changes, reason_counts
from classifier.survey.changes.move import Move
from classifier.survey.changes.published import PublishedLabels, PublishedPaper

LARGEST = 10
"""How many of the confidences that moved are named."""


def changes_json(changes: Changes | None, held: Sequence[Move] = ()) -> dict[str, object]:
    """Return the content of changes.json.

    None: nothing was named to compare with. held: labels that the lock keeps from moving.
    """
    if changes is None:
        compared: dict[str, object] = {
            "baseline": None, "added": [], "dropped": [], "relabelled": []
        }  # fmt: skip
    else:
        compared = _compared(changes)
    return {**compared, "held": [_move(move) for move in held], "held_reasons": reason_counts(held)}


def _compared(changes: Changes) -> dict[str, object]:
    moved = Counter((move.before, move.now) for move in changes.statuses)
    first = changes.first
    return {
        "baseline": {"papers": changes.papers[0], "kind": changes.kind},
        "papers": changes.papers[1],
        "added": [_paper(paper, first) for paper in changes.added],
        "dropped": [_paper(paper, first) for paper in changes.dropped],
        "merged": [asdict(merged) for merged in changes.merged],
        "relabelled": [_move(move) for move in changes.relabelled],
        "reasons": reason_counts(changes.relabelled),
        "status": [
            {"before": before, "now": now, "papers": papers}
            for (before, now), papers in sorted(moved.items())
        ],
        "status_moved": [asdict(move) for move in changes.statuses],
        "confidence": {
            "moved": len(changes.confidences),
            "largest": [asdict(move) for move in changes.confidences[:LARGEST]],
        },
        "quality": [asdict(change) for change in changes.quality],
        "marks": [asdict(mark) for mark in changes.marks],
        "categories": [asdict(change) for change in changes.categories],
        "facets": {"added": list(changes.facets[0]), "dropped": list(changes.facets[1])},
    }


def _paper(paper: PublishedPaper, first: str) -> dict[str, object]:
    return {"id": paper.id, **_labelled(paper.title, paper.labels.get(first))}


def _move(move: Move) -> dict[str, object]:
    return {
        "id": move.paper_id,
        "facet": move.facet,
        "reason": move.reason,
        "detail": move.detail,
        "before": _labelled(move.title, move.before),
        "now": _labelled(move.title, move.now),
    }


def _labelled(title: str, labels: PublishedLabels | None) -> dict[str, object]:
    return {
        "title": title,
        "primary": labels.primary if labels else None,
        "categories": list(labels.categories) if labels else [],
        "status": labels.status or None if labels else None,
        "confidence": labels.confidence if labels else None,
    }
