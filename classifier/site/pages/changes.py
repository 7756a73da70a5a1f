"""What changed since the baseline, or how to name one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifier.evaluation.report import Table
from classifier.survey.changes.compare import Changes
from classifier.survey.changes.in_sections import change_sections, move_sections, summary
from classifier.survey.changes.move import Move

_MAX_ROWS = 100
_AGAINST: Mapping[str, str] = {"build": "an earlier build", "lock": "the labels that are locked"}


@dataclass(frozen=True, slots=True)
class ChangeTable:
    """Changes of one sort."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, str], ...], ...]
    """Cells as (text, path of the paper's page or "")."""
    more: int
    """Rows that only changes.json holds."""


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """What the page of changes shows."""

    against: str
    """What it is compared with, or "" where nothing was named."""
    summary: str
    tables: tuple[ChangeTable, ...]
    held: tuple[ChangeTable, ...]
    """Labels that the lock keeps from moving."""


def changes_page(
    changes: Changes | None, held: Sequence[Move], pages: Mapping[str, str]
) -> ChangesPage:
    """Return the page; `pages` maps the id of a paper to the path of its page."""
    return ChangesPage(
        against=_AGAINST.get(changes.kind, changes.kind) if changes else "",
        summary=f"{summary(changes)}." if changes else "",
        tables=_tables(change_sections(changes) if changes else [], pages),
        held=_tables(move_sections(held), pages),
    )


def _tables(sections: Sequence[Table], pages: Mapping[str, str]) -> tuple[ChangeTable, ...]:
    return tuple(
        ChangeTable(
            section.heading,
            section.columns,
            tuple(
                tuple((cell, pages.get(cell, "")) for cell in row)
                for row in section.rows[:_MAX_ROWS]
            ),
            max(0, len(section.rows) - _MAX_ROWS),
        )
        for section in sections
    )
