"""The labelled papers as data: JSON Lines, CSV and Parquet, which our own readers take back."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from classifier.errors import UsageError
from classifier.files.json_text import json_line
from classifier.files.table import write_table
from classifier.labelling.labels import FacetLabels
from classifier.papers.fields import DETAILS
from classifier.papers.formats.jsonl import paper_to_json
from classifier.review.sheet import data_columns, sheet_rows
from classifier.site.exports.selection import Selection
from classifier.survey.entry import Entry
from classifier.taxonomy.columns import JOINER

if TYPE_CHECKING:
    import pyarrow

_TEXTS = (
    "organisation", "venue", "arxiv_id", "doi", "abstract", "abstract_kind",
)  # fmt: skip
_LISTS = ("authors", "code_urls", "keywords", "collections")
METADATA = (
    "cite_key", "authors", "author_count", "organisation", "published", "venue", "arxiv_id", "doi",
    "code_urls", "keywords", "collections", *DETAILS, "abstract", "abstract_kind",
)  # fmt: skip
"""The columns of a table behind those of the labels."""


def labelled_jsonl(selection: Selection) -> bytes:
    """Return one object a paper: our own format, with `labels` and `cite_key` behind its fields."""
    return b"".join(
        json_line(labelled_record(entry, selection.keys[entry.paper.id]))
        for entry in selection.entries
    )


def labelled_record(entry: Entry, key: str) -> dict[str, object]:
    """Return a paper as `paper_to_json` does, with its labels in every facet that it is asked."""
    labels = {facet: _labels(of) for facet, of in sorted(entry.labels.facets.items())}
    return {**paper_to_json(entry.paper), "cite_key": key, "labels": labels}


def labelled_csv(selection: Selection) -> bytes:
    """Return the machine's columns of labels.csv with `METADATA` behind them; lists by `; `."""
    return write_table(table_columns(selection), _cells(selection))


def table_columns(selection: Selection) -> tuple[str, ...]:
    """Return the columns of the table: labels first, as in the sheet, then metadata."""
    shown = data_columns(selection.edition.taxonomy)
    return *shown, *(name for name in METADATA if name not in shown)


def labelled_parquet(selection: Selection) -> bytes:
    """Return the table of `labelled_csv` with typed columns: lists, numbers, null for nothing.

    Raises UsageError where pyarrow is not installed.
    """
    try:
        import pyarrow.parquet  # late: an extra, and slow
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'fieldguide[scale]'.") from error
    schema = _schema(selection)
    rows = [{name: row.get(name) for name in schema.names} for row in table_values(selection)]
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), buffer)
    return buffer.getvalue()


def _labels(labels: FacetLabels) -> dict[str, object]:
    return {
        "primary": labels.primary,
        "categories": list(labels.categories),
        "status": labels.status,
        "confidence": round(labels.confidence, 4),
    }


def _cells(selection: Selection) -> Iterator[dict[str, str]]:
    for row in table_values(selection):
        yield {name: _cell(value) for name, value in row.items() if value is not None}


def _cell(value: object) -> str:
    if isinstance(value, list):
        return JOINER.join(value)
    return str(value)


def table_values(selection: Selection) -> Iterator[dict[str, object]]:
    """Yield one row a paper, column -> a value of its type; what is not stated is left out."""
    taxonomy, entries = selection.edition.taxonomy, selection.entries
    papers, labels = [e.paper for e in entries], [e.labels for e in entries]
    for entry, row in zip(entries, sheet_rows(taxonomy, papers, labels), strict=True):
        paper = entry.paper
        stated: dict[str, object] = {name: getattr(paper, name) for name in _TEXTS}
        stated |= {name: list(getattr(paper, name)) for name in _LISTS}
        stated |= {name: text for name, text in paper.reference if name in DETAILS}
        stated |= {"published": paper.published.date, "author_count": paper.author_count}
        stated |= {"cite_key": selection.keys[paper.id]}
        typed: Mapping[str, object] = {
            "confidence": round(entry.first.confidence, 4),
            "topics": list(entry.first.categories),
            **{facet: list(of.categories) for facet, of in _further(selection, entry)},
        }
        cells = {name: row[name] for name in data_columns(taxonomy) if name in row}
        known = {**stated, **cells, **typed}  # a facet may have the name of a column
        yield {name: value for name, value in known.items() if value not in ("", [], None)}


def _further(selection: Selection, entry: Entry) -> Iterator[tuple[str, FacetLabels]]:
    first = selection.edition.taxonomy.first.id
    return ((facet, of) for facet, of in entry.labels.facets.items() if facet != first)


def _schema(selection: Selection) -> pyarrow.Schema:
    import pyarrow

    facets = set(selection.edition.taxonomy.facets) - {selection.edition.taxonomy.first.id}
    lists = {"topics", *_LISTS, *facets}
    numbers = {"confidence": pyarrow.float64(), "author_count": pyarrow.int32()}

    def kind(name: str) -> pyarrow.DataType:
        if name in lists:
            return pyarrow.list_(pyarrow.string())
        return numbers.get(name, pyarrow.string())

    return pyarrow.schema([(name, kind(name)) for name in table_columns(selection)])
