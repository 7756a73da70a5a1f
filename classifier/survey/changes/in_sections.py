"""What changed, in words: a line that says it all, and tables for the terminal and Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from classifier.evaluation.report import Report, Table, paper_count
from classifier.labelling.labels import DECIDED
from classifier.survey.changes.compare import Changes, Mark, QualityChange, reason_counts
from classifier.survey.changes.in_json import LARGEST
from classifier.survey.changes.move import REASONS, Move
from classifier.survey.changes.published import PublishedLabels, PublishedPaper

_NOISE = {True: "within noise", False: "more than noise", None: ""}


HEADING = "What changed in the survey"
_MOST_ROWS = 20
"""How many rows of a table a terminal is given."""
_WIDEST = 56


def changes_report(changes: Changes) -> Report:
    """Return a summary and a table for each sort of change."""
    if not changes:
        return Report((f"Nothing changed: {paper_count(changes.papers[1])}.",), title=HEADING)
    tables = tuple([table] for table in change_sections(changes))
    return Report((f"{summary(changes)}.",), tables, HEADING)


def _table(heading: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    return Table(columns, tuple(rows), heading, "l", "  ", _MOST_ROWS, _WIDEST)


def summary(changes: Changes) -> str:
    """Return everything in one line, without a full stop.

    `364 → 366 papers; 3 added, 1 dropped, 12 labels moved (8 human, 4 model)`.
    """
    before, now = changes.papers
    parts = [
        f"{len(changes.added)} added" if changes.added else "",
        f"{len(changes.dropped)} dropped" if changes.dropped else "",
        f"{len(changes.merged)} merged" if changes.merged else "",
        moves_in_short(changes.relabelled) if changes.relabelled else "no label moved",
        categories_in_short(changes),
    ]
    papers = f"{before} → {paper_count(now)}" if before != now else paper_count(now)
    return f"{papers}; {', '.join(part for part in parts if part)}"


def categories_in_short(changes: Changes) -> str:
    """Return how many categories changed: `2 categories changed`; "" where none did."""
    number = len({(change.facet, change.category) for change in changes.categories})
    return f"{number} categor{'y' if number == 1 else 'ies'} changed" if number else ""


def moves_in_short(moves: Sequence[Move]) -> str:
    """Return how many labels moved, and why: `12 labels moved (8 human, 4 model)`."""
    return f"{len(moves)} label{'' if len(moves) == 1 else 's'} moved ({reasons_in_short(moves)})"


def reasons_in_short(moves: Sequence[Move]) -> str:
    """Return how often each reason holds: `8 human, 4 model`."""
    return ", ".join(f"{number} {reason}" for reason, number in reason_counts(moves).items())


def change_sections(changes: Changes) -> list[Table]:
    """Return a section for each sort of change that there is."""
    statuses = Counter((move.before, move.now) for move in changes.statuses)
    sections = [
        *move_sections(changes.relabelled),
        _papers("Papers added", changes.added, changes.first),
        _papers("Papers dropped", changes.dropped, changes.first),
        _table(
            "Papers merged into another",
            ("paper", "into", "title"),
            ((merged.id, merged.into, merged.title) for merged in changes.merged),
        ),
        _table(
            "Status moved",
            ("before", "now", "papers"),
            ((before, now, str(papers)) for (before, now), papers in sorted(statuses.items())),
        ),
        _confidences(changes),
        _table("Quality", ("figure", "before", "now", ""), map(_quality, changes.quality)),
        _table("Editors", ("act", "paper", "title"), map(_mark, changes.marks)),
        _table(
            "Facets",
            ("facet", ""),
            (
                (name, f"{what}; its labels are not compared")
                for what, names in zip(("new", "gone"), changes.facets, strict=True)
                for name in names
            ),
        ),
        _table(
            "Categories",
            ("facet", "category", "change"),
            ((each.facet, each.category, each.change) for each in changes.categories),
        ),
    ]
    return [section for section in sections if section.rows]


def move_sections(moves: Sequence[Move]) -> list[Table]:
    """Return a section for each reason, with the labels that moved by it."""
    return [
        _table(
            f"Labels moved: {meaning} ({reason})",
            ("paper", "facet", "change", "title", *(["why"] if reason in _DETAILED else [])),
            map(_move, found),
        )
        for reason, meaning in REASONS.items()
        if (found := [move for move in moves if move.reason == reason])
    ]


_DETAILED = ("human", "taxonomy")
"""Reasons that one more word tells apart."""


NOTHING = "none"
"""What stands for the labels of a facet that was asked and of which nothing is stated."""


def _move(move: Move) -> tuple[str, ...]:
    change = label_change(move.before, move.now)
    cells = (move.paper_id, move.facet or "topics", change, move.title)
    return (*cells, move.detail) if move.reason in _DETAILED else cells


def label_change(before: PublishedLabels | None, now: PublishedLabels | None) -> str:
    """Return what became of a label: `a → b, a stays, +c −d (0.76)`; no label is `nothing`.

    Before the brackets: where the paper is filed, if that moved, then what came and went beside it.
    """
    if before is None or now is None:
        return f"{_labels(before)} → {_labels(now)}"
    told = []
    if before.primary != now.primary:
        told.append(f"{before.primary or NOTHING} → {now.primary or NOTHING}")
        if before.primary in now.categories:
            told.append(f"{before.primary} stays")
    filed = {before.primary, now.primary} if told else set()
    beside = [f"+{name}" for name in now.categories if name not in {*before.categories, *filed}]
    beside += [f"−{name}" for name in before.categories if name not in {*now.categories, *filed}]
    return f"{', '.join([*told, *([' '.join(beside)] if beside else [])])}{_confidence(now)}"


def _labels(labels: PublishedLabels | None) -> str:
    """Return categories, the primary first; a confidence where it is one of the machine's."""
    return (
        f"{'; '.join(labels.categories) or NOTHING}{_confidence(labels)}" if labels else "nothing"
    )


def _confidence(labels: PublishedLabels) -> str:
    sure = labels.confidence
    return f" ({sure:.2f})" if sure is not None and labels.status not in DECIDED else ""


def _papers(heading: str, papers: Sequence[PublishedPaper], first: str) -> Table:
    rows = ((paper.id, _labels(paper.labels.get(first)), paper.title) for paper in papers)
    return _table(heading, ("paper", "labels", "title"), rows)


def _confidences(changes: Changes) -> Table:
    total = len(changes.confidences)
    heading = f"Confidence moved by 0.05 or more: {paper_count(total)}"
    rows = (
        (move.id, move.primary, f"{move.before:.2f}", f"{move.now:.2f}", move.title)
        for move in changes.confidences[:LARGEST]
    )
    rest = f", the largest {LARGEST}" if total > LARGEST else ""
    return _table(heading + rest, ("paper", "primary", "before", "now", "title"), rows)


def _quality(change: QualityChange) -> tuple[str, ...]:
    name = f"{change.facet}: {change.figure.replace('_', ' ')}"
    return name, _figure(change.before), _figure(change.now), _NOISE[change.within_noise]


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _mark(mark: Mark) -> tuple[str, ...]:
    acts = {
        ("exclude", True): f"left out: {mark.reason}",
        ("exclude", False): "taken in again",
        ("key", True): "key paper",
        ("key", False): "no key paper any more",
    }
    return acts[mark.act, mark.is_new], mark.id, mark.title
