"""What changed, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.changes.compare import Changes
from classifier.survey.changes.in_sections import Section, change_sections, paper_count, summary

MOST_ROWS = 20
"""How many rows of a table a terminal is given."""
_WIDEST = 56


def changes_lines(changes: Changes) -> list[str]:
    """Return a summary and a table for each sort of change, long ones cut and counted."""
    if not changes:
        return [f"Nothing changed: {paper_count(changes.papers[1])}."]
    return [f"{summary(changes)}.", *section_lines(change_sections(changes))]


def section_lines(sections: Sequence[Section]) -> list[str]:
    """Return the sections as aligned tables, an empty line before each."""
    return [line for section in sections for line in ("", *_table(section))]


def _table(section: Section) -> list[str]:
    shown = [tuple(map(_cut, row)) for row in section.rows[:MOST_ROWS]]
    rows = [section.columns, *shown]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    more = len(section.rows) - len(shown)
    return [
        section.heading,
        *("  " + _aligned(row, widths) for row in rows),
        *([f"  … and {more} more"] if more else []),
    ]


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cut(cell: str) -> str:
    text = " ".join(cell.split())
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1].rstrip()}…"
