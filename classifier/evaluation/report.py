"""Reports of lines and tables, as text for a terminal, as Markdown and as JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from classifier.text.links import escape_markdown

if TYPE_CHECKING:
    from classifier.evaluation.metrics import Estimate

MAX_BYTES = 60_000
"""Maximum size of a Markdown text: GitHub refuses a comment of more than 65,536 characters."""
UNDEFINED = "–"
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below a heading; a table without columns is a list, with one cell per row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    heading: str = ""
    align: str = "lr"
    """`l` or `r` per column; the last letter also applies to all columns after it."""
    indent: str = ""
    max_rows: int | None = None
    """Maximum number of rows in a terminal; None: all."""
    max_width: int | None = None
    """Maximum number of characters of a cell in a terminal; longer cells are cut."""


Part = str | Table


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a command, for people to read."""

    lead: tuple[Part, ...]
    """Summary lines."""
    sections: tuple[Sequence[Part], ...] = ()
    """Details, each after an empty line; empty sections are left out."""
    title: str = ""
    """The heading, if the report is part of another document."""


def format_number(value: float, digits: int = 2) -> str:
    """Return `value` with `digits` decimals, or a dash if it is undefined."""
    return UNDEFINED if math.isnan(value) else f"{value:.{digits}f}"


def format_interval(estimate: Estimate, digits: int = 2) -> str:
    """Return `low–high`; "" if the interval is undefined."""
    if math.isnan(estimate.low):
        return ""
    return f"{format_number(estimate.low, digits)}–{format_number(estimate.high, digits)}"


def paper_count(n: int) -> str:
    """Return a number of papers with its noun: `1 paper`, `12 papers`."""
    return f"{n} paper{'' if n == 1 else 's'}"


def text_lines(report: Report) -> list[str]:
    """Return a report as lines for a terminal; rows beyond `max_rows` are only counted."""
    lines: list[str] = []
    for parts in (report.lead, *report.sections):
        blocks = ([part] if isinstance(part, str) else table_lines(part) for part in parts)
        block = [line for lines_of_part in blocks for line in lines_of_part]
        lines += ["", *block] if lines and block else block
    return lines


def table_lines(table: Table) -> list[str]:
    """Return a table as lines: its heading, then its rows with aligned columns.

    >>> table_lines(Table(("", "F1"), (("soil", "0.8"),)))
    ['       F1', 'soil  0.8']
    """
    body = [
        tuple(_cut_cell(cell, table.max_width) for cell in row)
        for row in table.rows[: table.max_rows]
    ]
    rows = [table.columns, *body] if table.columns else body
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    align = table.align.ljust(len(widths), table.align[-1])
    lines = [
        "  ".join(
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, align, strict=False)
        )
        for row in rows
    ]
    if more := len(table.rows) - len(body):
        lines.append(f"… and {more} more")
    head = [table.heading] if table.heading else []
    return [*head, *(f"{table.indent}{line}".rstrip() for line in lines)]


def _cut_cell(cell: str, max_width: int | None) -> str:
    if max_width is None:
        return cell
    text = " ".join(cell.split())
    if len(text) <= max_width:
        return text
    return f"{text[: max_width - 1].rstrip()}…"


def markdown_report(report: Report, max_bytes: int = MAX_BYTES) -> str:
    """Return a report as Markdown for a pull request; tables with a heading are folded.

    The text has at most `max_bytes` bytes in UTF-8, except that headings are always kept; rows that
    do not fit are counted. Cells are escaped, so that they contain no Markdown, HTML, mention or
    reference.
    """
    first, *others = report.lead
    head = f"## {report.title}\n\n"
    if isinstance(first, str):
        head += f"**{escape_markdown(first)}**\n"
    details = (part for parts in (others, *report.sections) for part in parts)
    tables = [part for part in details if isinstance(part, Table)]
    # Reserve room for the heading of every table, as if all its rows were left out.
    room = (
        max_bytes
        - _size_in_bytes(head)
        - sum(_size_in_bytes(_folded_table(t, (), len(t.rows))) for t in tables)
    )
    parts = [head]
    for table in tables:
        rows: list[str] = []
        for row in table.rows:
            line = _markdown_row(row) if table.columns else f"- {escape_markdown(row[0])}\n"
            if _size_in_bytes(line) > room:
                break
            room -= _size_in_bytes(line)
            rows.append(line)
        parts.append(_folded_table(table, rows, len(table.rows) - len(rows)))
    return "".join(parts)


def _folded_table(table: Table, rows: Sequence[str], n_left_out: int) -> str:
    """Return a table as Markdown.

    rows: its rows as lines. n_left_out: number of rows that are left out.
    """
    body = "".join(rows)
    if table.columns:
        body = f"{_markdown_row(table.columns)}{'|---' * len(table.columns)}|\n{body}"
    if n_left_out:
        body += f"\n… and {n_left_out} more\n"
    if not table.heading:
        return f"\n{body}"
    size = f" – {len(table.rows)}" if table.columns and len(table.rows) > 1 else ""
    heading = escape_markdown(table.heading)
    return f"\n<details><summary>{heading}{size}</summary>\n\n{body}\n</details>\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape_markdown, cells))} |\n"


def _size_in_bytes(text: str) -> int:
    return len(text.encode())


def json_values(value: Any) -> Any:
    """Return a record as JSON values: public fields, 4 digits, undefined values as None.

    >>> json_values((1.23456, float("nan"), frozenset("a")))
    [1.2346, None, ['a']]
    """
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, _DIGITS)
    if is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in fields(value) if field.repr)
        return {name: json_values(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {name: json_values(each) for name, each in value.items()}
    if isinstance(value, Set):
        return [json_values(each) for each in sorted(value)]
    if isinstance(value, list | tuple):
        return [json_values(each) for each in value]
    return value


def interval_json(estimate: Estimate) -> list[float | None]:
    """Return lower and upper end of an interval, rounded to 4 digits; None if undefined."""
    return [json_values(estimate.low), json_values(estimate.high)]
