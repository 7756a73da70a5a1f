"""Report changes as a summary line, as tables, or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from classifier.evaluation.report import Report, Table, paper_count
from classifier.labelling.labels import DECIDED
from classifier.survey.changes.compare import REASONS, Changes, Move, Reason
from classifier.survey.changes.published import PublishedLabels, PublishedPaper

HEADING = "What changed in the survey"
_MAX_ROWS = 20
"""Maximum number of rows of a table in a terminal."""
_MAX_WIDTH = 56
_DETAILED = ("human", "taxonomy")
"""Reasons whose detail is printed."""
NOTHING = "none"
"""Printed for a facet that applies to a paper and has no label."""


def changes_report(changes: Changes) -> Report:
    """Return a report with the summary, and one table per kind of change."""
    if not changes:
        return Report((f"Nothing changed: {paper_count(changes.papers[1])}.",), title=HEADING)
    tables = tuple([table] for table in change_tables(changes))
    return Report((f"{changes_summary(changes)}.",), tables, HEADING)


def changes_summary(changes: Changes) -> str:
    """Return a summary on one line, without a full stop.

    `364 → 366 papers; 3 added, 1 dropped, 12 labels moved (8 human, 4 model)`.
    """
    before, now = changes.papers
    moves = changes.relabelled
    found = (changes.added, "added"), (changes.dropped, "dropped"), (changes.merged, "merged")
    parts = [f"{len(papers)} {action}" for papers, action in found if papers]
    if moves:
        plural = "" if len(moves) == 1 else "s"
        parts.append(f"{len(moves)} label{plural} moved ({reasons_in_short(moves)})")
    else:
        parts.append("no label moved")
    papers = f"{before} → {paper_count(now)}" if before != now else paper_count(now)
    return f"{papers}; {', '.join(parts)}"


def reason_counts(moves: Sequence[Move]) -> dict[Reason, int]:
    """Return the number of changes per reason, in the order of REASONS, without zeros."""
    counts = Counter(move.reason for move in moves)
    return {reason: counts[reason] for reason in REASONS if counts[reason]}


def reasons_in_short(moves: Sequence[Move]) -> str:
    """Return the number of changes per reason as text: `8 human, 4 model`."""
    return ", ".join(f"{number} {reason}" for reason, number in reason_counts(moves).items())


def change_tables(changes: Changes) -> list[Table]:
    """Return one table per kind of change; empty tables are omitted."""
    tables = [
        *move_tables(changes.relabelled),
        _papers_table("Papers added", changes.added, changes.first),
        _papers_table("Papers dropped", changes.dropped, changes.first),
        _changes_table(
            "Papers merged into another",
            ("paper", "into", "title"),
            ((paper.id, into, paper.title) for paper, into in changes.merged),
        ),
    ]
    return [table for table in tables if table.rows]


def move_tables(moves: Sequence[Move]) -> list[Table]:
    """Return one table of changed labels per reason; empty tables are omitted."""
    tables = []
    for reason, meaning in REASONS.items():
        columns = ["paper", "facet", "change", "title"]
        if reason in _DETAILED:
            columns.append("why")
        rows = [_move_cells(move) for move in moves if move.reason == reason]
        if rows:
            heading = f"Labels moved: {meaning} ({reason})"
            tables.append(_changes_table(heading, tuple(columns), rows))
    return tables


def label_change(old_labels: PublishedLabels | None, new_labels: PublishedLabels | None) -> str:
    """Return the change of a label on one line: `a → b, a stays, +c −d (0.76)`.

    The new primary comes first, then added and removed categories, then the confidence. If the
    facet does not apply, `nothing` is printed.
    """
    if old_labels is None or new_labels is None:
        return f"{_labels_text(old_labels)} → {_labels_text(new_labels)}"
    parts = []
    if old_labels.primary != new_labels.primary:
        parts.append(f"{old_labels.primary or NOTHING} → {new_labels.primary or NOTHING}")
        if old_labels.primary in new_labels.categories:
            parts.append(f"{old_labels.primary} stays")
    filed = {old_labels.primary, new_labels.primary} if parts else set()
    others = [
        f"+{name}" for name in new_labels.categories if name not in {*old_labels.categories, *filed}
    ]
    others += [
        f"−{name}" for name in old_labels.categories if name not in {*new_labels.categories, *filed}
    ]
    if others:
        parts.append(" ".join(others))
    return f"{', '.join(parts)}{_confidence_text(new_labels)}"


def changes_json(changes: Changes | None, held_moves: Sequence[Move] = ()) -> dict[str, object]:
    """Return the content of changes.json, which `fieldguide diff --json` also prints.

    changes: None if there is no earlier publication. held_moves: the labels that the lock keeps.
    """
    lock: dict[str, object] = {
        "held": list(map(_move_json, held_moves)),
        "held_reasons": reason_counts(held_moves),
    }
    if changes is None:
        return {"baseline": None, "added": [], "dropped": [], "relabelled": [], **lock}

    def papers(selected: Sequence[PublishedPaper]) -> list[dict[str, object]]:
        """Return papers as JSON objects."""
        return [{"id": p.id, **_json_label(p.title, p.labels.get(changes.first))} for p in selected]

    return {
        "baseline": {"papers": changes.papers[0], "kind": changes.kind},
        "papers": changes.papers[1],
        "added": papers(changes.added),
        "dropped": papers(changes.dropped),
        "left_out": sorted(changes.left_out),
        "merged": [{"id": p.id, "title": p.title, "into": into} for p, into in changes.merged],
        "relabelled": list(map(_move_json, changes.relabelled)),
        "reasons": reason_counts(changes.relabelled),
        **lock,
    }


def _changes_table(
    heading: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]
) -> Table:
    """Return a table of changes."""
    return Table(columns, tuple(rows), heading, "l", "  ", _MAX_ROWS, _MAX_WIDTH)


def _move_cells(move: Move) -> tuple[str, ...]:
    """Return the table cells of a changed label."""
    change = label_change(move.before, move.now)
    cells = (move.paper_id, move.facet or "topics", change, move.title)
    return (*cells, move.detail) if move.reason in _DETAILED else cells


def _labels_text(labels: PublishedLabels | None) -> str:
    """Return the categories of a label with its confidence, the primary first."""
    if labels is None:
        return "nothing"
    return f"{'; '.join(labels.categories) or NOTHING}{_confidence_text(labels)}"


def _confidence_text(labels: PublishedLabels) -> str:
    """Return the confidence of a classifier's label in parentheses; "" for decisions."""
    if labels.confidence is None or labels.status in DECIDED:
        return ""
    return f" ({labels.confidence:.2f})"


def _papers_table(heading: str, papers: Sequence[PublishedPaper], first_facet: str) -> Table:
    """Return a table of papers."""
    rows = (
        (paper.id, _labels_text(paper.labels.get(first_facet)), paper.title) for paper in papers
    )
    return _changes_table(heading, ("paper", "labels", "title"), rows)


def _move_json(move: Move) -> dict[str, object]:
    """Return a changed label as a JSON object."""
    return {
        "id": move.paper_id,
        "facet": move.facet,
        "reason": move.reason,
        "detail": move.detail,
        "before": _json_label(move.title, move.before),
        "now": _json_label(move.title, move.now),
    }


def _json_label(title: str, labels: PublishedLabels | None) -> dict[str, object]:
    """Return a label as a JSON object."""
    return {
        "title": title,
        "primary": labels.primary if labels else None,
        "categories": list(labels.categories) if labels else [],
        "status": labels.status or None if labels else None,
        "confidence": labels.confidence if labels else None,
    }
