"""The forms in which labels are written: rows of a chunk as bytes, and rows joined to a file."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from classifier.errors import UsageError
from classifier.files.json_text import json_line
from classifier.files.table import csv_bytes, csv_lines
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.sheet import columns, sheet_rows
from classifier.review.sheet_file import sheet_file_bytes
from classifier.scale.first_seen import Positions
from classifier.scale.part import Part
from classifier.taxonomy.model import Facet, Taxonomy

NO_PYARROW = "Parquet needs pyarrow: pip install 'fieldguide[scale]'."
ROWS_A_GROUP = 16_384
"""Rows of a row group, whatever the chunks."""
MOST_WORKBOOK_ROWS = 1_048_575
"""What a sheet of a workbook holds below its header."""
_DIGITS = 4
"""Of the numbers in JSON Lines."""

Kept = NDArray[np.bool_]


class Output(Protocol):
    """A file as it grows."""

    def add(self, part: Part, kept: Kept) -> None:
        """Write the rows of the next part that are kept; kept: (n,)."""

    def close(self) -> None:
        """Write what is still to be written."""

    def discard(self) -> None:
        """Let go of a file that is not going to be finished."""


class Format(Protocol):
    """One form of labels."""

    def rows(
        self, taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> tuple[bytes, Positions]:
        """Return the rows of n papers as a payload, and the (n,) ends of text rows in it."""

    def output(self, taxonomy: Taxonomy, stream: IO[bytes]) -> Output:
        """Return what writes such rows to a stream."""


@dataclass(slots=True)
class TextOutput:
    """Rows of text, one behind another."""

    stream: IO[bytes]
    header: bytes = b""

    def __post_init__(self) -> None:
        self.stream.write(self.header)

    def add(self, part: Part, kept: Kept) -> None:
        """Write the rows that are kept."""
        self.stream.write(part.row_bytes(kept))

    def close(self) -> None:
        """Do nothing: all is written."""

    def discard(self) -> None:
        """Do nothing."""


class JsonLines:
    """One object a paper on a line of its own."""

    def rows(
        self, taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> tuple[bytes, Positions]:
        """Return the lines."""
        return _text([json_line(row) for row in label_objects(taxonomy, papers, labels)])

    def output(self, taxonomy: Taxonomy, stream: IO[bytes]) -> Output:
        """Return what writes lines."""
        return TextOutput(stream)


class Csv:
    """The review sheet as CSV."""

    def rows(
        self, taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> tuple[bytes, Positions]:
        """Return the lines below the header."""
        table = _sheet(taxonomy, papers, labels)
        lines = csv_lines(len(table), zip(*table.values(), strict=True))
        return _text([line.encode() for line in lines])

    def output(self, taxonomy: Taxonomy, stream: IO[bytes]) -> Output:
        """Return what writes the header, then lines."""
        return TextOutput(stream, csv_bytes(columns(taxonomy), ()))


class Workbook:
    """The review sheet as a workbook, which is written as a whole."""

    def rows(
        self, taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> tuple[bytes, Positions]:
        """Return lines of JSON: the cells of a row."""
        rows = zip(*_sheet(taxonomy, papers, labels).values(), strict=True)
        return _text([json_line(row) for row in rows])

    def output(self, taxonomy: Taxonomy, stream: IO[bytes]) -> Output:
        """Return what gathers rows."""
        return _WorkbookOutput(taxonomy, stream)


@dataclass(slots=True)
class _WorkbookOutput:
    taxonomy: Taxonomy
    stream: IO[bytes]
    rows: list[list[str]] = field(default_factory=list)

    def add(self, part: Part, kept: Kept) -> None:
        self.rows += (json.loads(line) for line in part.row_bytes(kept).splitlines())
        if len(self.rows) > MOST_WORKBOOK_ROWS:
            raise UsageError(
                f"found more than {MOST_WORKBOOK_ROWS:,} papers; a workbook holds no more rows. "
                "Write labels.csv or labels.parquet."
            )

    def close(self) -> None:
        names = columns(self.taxonomy)
        rows: Iterable[Mapping[str, str]] = (
            dict(zip(names, row, strict=True)) for row in self.rows
        )
        self.stream.write(sheet_file_bytes(self.taxonomy, rows, "xlsx"))

    def discard(self) -> None:
        self.rows.clear()


class Parquet:
    """The review sheet as Parquet, every column text."""

    def rows(
        self, taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> tuple[bytes, Positions]:
        """Return the rows as a stream of Arrow's IPC format."""
        pa = pyarrow()
        schema, table = _schema(taxonomy), _sheet(taxonomy, papers, labels)
        arrays = [pa.array(column, pa.string()) for column in table.values()]
        stream = io.BytesIO()
        with pa.ipc.new_stream(stream, schema) as writer:
            writer.write_batch(pa.record_batch(arrays, schema=schema))
        return stream.getvalue(), np.zeros(0, dtype=np.int64)

    def output(self, taxonomy: Taxonomy, stream: IO[bytes]) -> Output:
        """Return what writes row groups."""
        schema = _schema(taxonomy)  # which tells where pyarrow is missing
        import pyarrow.parquet

        return _ParquetOutput(schema, pyarrow.parquet.ParquetWriter(stream, schema))


@dataclass(slots=True)
class _ParquetOutput:
    schema: Any
    writer: Any
    waiting: list[Any] = field(default_factory=list)
    """Batches that are not written yet."""
    rows: int = 0
    """How many rows wait."""

    def add(self, part: Part, kept: Kept) -> None:
        pa = pyarrow()
        with pa.ipc.open_stream(part.payload) as stream:
            for batch in stream:
                self.waiting.append(batch if kept.all() else batch.filter(pa.array(kept)))
        self.rows += int(kept.sum())
        while self.rows >= ROWS_A_GROUP:
            self._write(ROWS_A_GROUP)

    def close(self) -> None:
        if self.rows:
            self._write(self.rows)
        self.writer.close()

    def discard(self) -> None:
        self.writer.close()  # or it does so by itself when the stream is gone

    def _write(self, rows: int) -> None:
        """Write the first rows as one group; pages depend on where an array ends, so on none."""
        table = pyarrow().Table.from_batches(self.waiting, self.schema)
        self.writer.write_table(table.slice(0, rows).combine_chunks(), row_group_size=rows)
        self.waiting, self.rows = table.slice(rows).to_batches(), self.rows - rows


FORMATS: Mapping[str, Format] = {
    ".csv": Csv(),
    ".xlsx": Workbook(),
    ".jsonl": JsonLines(),
    ".parquet": Parquet(),
}
"""Ending of a file -> its form."""


def pyarrow() -> Any:
    """Return pyarrow; raises UsageError with the cure where it is not installed."""
    try:
        import pyarrow  # late: an extra, and slow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError as error:
        raise UsageError(NO_PYARROW) from error
    return pyarrow


def _schema(taxonomy: Taxonomy) -> Any:
    pa = pyarrow()
    return pa.schema([(name, pa.string()) for name in columns(taxonomy)])


def _sheet(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
) -> dict[str, list[str]]:
    """Return column name -> cells."""
    rows = list(sheet_rows(taxonomy, papers, labels))
    return {name: [row.get(name, "") for row in rows] for name in columns(taxonomy)}


def _text(lines: Sequence[bytes]) -> tuple[bytes, Positions]:
    return b"".join(lines), np.cumsum([len(line) for line in lines], dtype=np.int64)


def label_objects(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
) -> Iterable[dict[str, object]]:
    """Yield one object a paper, as `label -o labels.jsonl` writes it."""
    first = taxonomy.first
    for paper, label in zip(papers, labels, strict=True):
        topic = label.facets[first.id]
        yield {
            "id": paper.id,
            "title": paper.title,
            "primary": topic.primary,
            "topics": list(topic.categories),
            **{
                facet_id: _labels_of(facet, label.facets.get(facet_id))
                for facet_id, facet in taxonomy.facets.items()
                if facet is not first
            },
            "confidence": round(topic.confidence, _DIGITS),
            "status": topic.status,
            "scores": {
                facet_id: {key: round(p, _DIGITS) for key, p in labels.probabilities.items()}
                for facet_id, labels in label.facets.items()
            },
        }


def _labels_of(facet: Facet, labels: FacetLabels | None) -> object:
    """Return the labels, "" or [] where nothing is stated or the facet is not asked."""
    if facet.kind == "single":
        return labels.primary if labels else ""
    return list(labels.categories) if labels else []
