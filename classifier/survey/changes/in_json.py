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
    kept: dict[str, object] = {"held": list(map(_move, held)), "held_reasons": reason_counts(held)}
    if changes is None:
        return {"baseline": None, "added": [], "dropped": [], "relabelled": [], **kept}
    moved = Counter((move.before, move.now) for move in changes.statuses)

    def papers(found: Sequence[PublishedPaper]) -> list[dict[str, object]]:
        first = changes.first
        return [{"id": each.id, **_labelled(each.title, each.labels.get(first))} for each in found]

    return {
        "baseline": {"papers": changes.papers[0], "kind": changes.kind},
        "papers": changes.papers[1],
        "added": papers(changes.added),
        "dropped": papers(changes.dropped),
        "merged": list(map(asdict, changes.merged)),
        "relabelled": list(map(_move, changes.relabelled)),
        "reasons": reason_counts(changes.relabelled),
        "status": [
            {"before": before, "now": now, "papers": number}
            for (before, now), number in sorted(moved.items())
        ],
        "status_moved": list(map(asdict, changes.statuses)),
        "confidence": {
            "moved": len(changes.confidences),
            "largest": list(map(asdict, changes.confidences[:LARGEST])),
        },
        "quality": list(map(asdict, changes.quality)),
        "marks": list(map(asdict, changes.marks)),
        "categories": list(map(asdict, changes.categories)),
        "facets": {"added": list(changes.facets[0]), "dropped": list(changes.facets[1])},
        **kept,
    }


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
