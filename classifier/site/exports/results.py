"""results.csv and results.json: every number that was recognised as an outcome, with its clause."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.files.json_text import json_rows
from classifier.files.table import csv_bytes
from classifier.site.exports.papers_json import result_records
from classifier.site.paths import paper_page
from classifier.survey.survey import Survey

COLUMNS = (
    "paper", "title", "published", "value", "unit", "direction", "kind", "whose", "on", "headline",
    "quote", "page",
)  # fmt: skip


def results_files(edition: Survey) -> Iterator[tuple[str, bytes]]:
    """Yield both files; a value stands there as its text prints it."""
    rows = [*_rows(edition)]
    yield "results.json", json_rows(rows)
    cells = ([str(row[column]) for column in COLUMNS] for row in rows)
    yield "results.csv", csv_bytes(COLUMNS, cells)


def _rows(edition: Survey) -> Iterator[dict[str, object]]:
    for entry in edition.entries:
        for record in result_records(entry):
            told: dict[str, object] = {
                "paper": entry.paper.id,
                "title": entry.paper.title_display,
                "published": entry.paper.published.date,
                **record,
                "headline": "yes" if record["headline"] else "no",
                "page": paper_page(entry),
            }
            yield {column: told[column] for column in COLUMNS}
