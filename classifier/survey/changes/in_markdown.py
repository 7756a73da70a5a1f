"""What changed, as Markdown for a pull request: the short of it first, tables folded below."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.changes.compare import Changes
from classifier.survey.changes.in_sections import Section, change_sections, paper_count, summary
from classifier.text.markdown_escape import escaped

LONGEST = 60_000
"""Most bytes of the whole text: GitHub refuses a comment of more than 65,536 characters."""
HEADING = "## What changed in the survey"


def changes_markdown(changes: Changes, longest: int = LONGEST) -> str:
    """Return a summary and a folded table for each sort of change.

    At most `longest` bytes as UTF-8 (the headings always stand): rows that find no room are
    counted. Nothing in a title is taken for Markdown, HTML, a mention or a reference.
    """
    if not changes:
        return f"{HEADING}\n\nNothing changed: {paper_count(changes.papers[1])}.\n"
    sections = change_sections(changes)
    head = f"{HEADING}\n\n**{summary(changes)}.**\n"
    # Room for the frame of every section, as if each were cut.
    room = longest - _size(head) - sum(_size(_section(s, (), len(s.rows))) for s in sections)
    parts = [head]
    for section in sections:
        rows: list[str] = []
        for row in section.rows:
            line = _row(row)
            if _size(line) > room:
                break
            room -= _size(line)
            rows.append(line)
        parts.append(_section(section, rows, len(section.rows) - len(rows)))
    return "".join(parts)


def _section(section: Section, rows: Sequence[str], more: int) -> str:
    number = f" – {len(section.rows)}" if len(section.rows) > 1 else ""
    rule = "|---" * len(section.columns) + "|\n"
    rest = f"\n… and {more} more\n" if more else ""
    return (
        f"\n<details><summary>{escaped(section.heading)}{number}</summary>\n\n"
        f"{_row(section.columns)}{rule}{''.join(rows)}{rest}\n</details>\n"
    )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |\n"


def _size(text: str) -> int:
    return len(text.encode())
