"""Output formats of `fieldguide label`: convert a chunk to rows, and add rows to a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, Any

from classifier.errors import UsageError
from classifier.files.arrow import import_pyarrow
from classifier.files.json_text import json_line
from classifier.files.table import csv_bytes, csv_text
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.sheet import sheet_columns, sheet_rows
from classifier.review.sheet_file import sheet_file_bytes
from classifier.survey.typed_columns import paper_values
from classifier.taxonomy.model import Facet, Taxonomy

ROWS_PER_GROUP = 16_384
"""Number of rows per row group of a Parquet file; it does not depend on the chunk size."""
MAX_WORKBOOK_ROWS = 1_048_575
"""Maximum number of rows of a worksheet below its header."""
_DIGITS = 4
"""Number of decimals in JSON Lines."""


class LabelFile:
    """Base class of the formats; it collects the rows of the review sheet."""

    def __init__(self, taxonomy: Taxonomy, stream: IO[bytes]) -> None:
        self.taxonomy, self.stream = taxonomy, stream
        self.pending: list[Any] = []

    @staticmethod
    def rows(
        taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> list[Any]:
        """Return one row of cells per paper."""
        names, values = sheet_columns(taxonomy), paper_values(taxonomy, papers, labels)
        rows = sheet_rows(taxonomy, papers, labels, values=values)
        return [[row.get(name, "") for name in names] for row in rows]

    def add(self, rows: Sequence[Any]) -> None:
        """Add rows, which are results of `rows`."""
        self.pending += rows

    def close(self) -> None:
        """Write the remaining rows."""

    def discard(self) -> None:
        """Release resources of an unfinished file."""


class Csv(LabelFile):
    """The review sheet as CSV."""

    def __init__(self, taxonomy: Taxonomy, stream: IO[bytes]) -> None:
        super().__init__(taxonomy, stream)
        stream.write(csv_bytes(sheet_columns(taxonomy), ()))

    def add(self, rows: Sequence[Any]) -> None:
        """Write the rows."""
        self.stream.write(csv_text(len(sheet_columns(self.taxonomy)), rows).encode())


class JsonLines(LabelFile):
    """One JSON object per line and paper."""

    @staticmethod
    def rows(
        taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> list[Any]:
        """Return one object per paper."""
        first, rows = taxonomy.first, []
        for paper, label in zip(papers, labels, strict=True):
            topic = label.facets[first.id]
            scores = {
                facet_id: {key: round(p, _DIGITS) for key, p in of_facet.probabilities.items()}
                for facet_id, of_facet in label.facets.items()
            }
            row: dict[str, object] = {
                "id": paper.id,
                "title": paper.title,
                "primary": topic.primary,
                "topics": list(topic.categories),
            }
            for facet_id, facet in taxonomy.facets.items():
                if facet is not first:
                    row[facet_id] = _json_labels(facet, label.facets.get(facet_id))
            confidence = round(topic.confidence, _DIGITS)
            rows.append(row | {"confidence": confidence, "status": topic.status, "scores": scores})
        return rows

    def add(self, rows: Sequence[Any]) -> None:
        """Write the lines."""
        self.stream.writelines(map(json_line, rows))


class Workbook(LabelFile):
    """The review sheet as an Excel workbook, which can only be written as a whole."""

    def add(self, rows: Sequence[Any]) -> None:
        """Collect the rows; raise UsageError if there are too many for a worksheet."""
        super().add(rows)
        if len(self.pending) > MAX_WORKBOOK_ROWS:
            raise UsageError(
                f"found more than {MAX_WORKBOOK_ROWS:,} papers, the maximum number of rows of a "
                "worksheet. Write labels.csv or labels.parquet."
            )

    def close(self) -> None:
        """Write the workbook."""
        names = sheet_columns(self.taxonomy)
        rows = (dict(zip(names, row, strict=True)) for row in self.pending)
        self.stream.write(sheet_file_bytes(self.taxonomy, rows, "xlsx"))


class Parquet(LabelFile):
    """The review sheet as Parquet: text columns, in row groups of equal size."""

    def __init__(self, taxonomy: Taxonomy, stream: IO[bytes]) -> None:
        super().__init__(taxonomy, stream)
        pa = import_pyarrow()
        self._schema = pa.schema([(name, pa.string()) for name in sheet_columns(taxonomy)])
        self._writer = pa.parquet.ParquetWriter(stream, self._schema)

    def add(self, rows: Sequence[Any]) -> None:
        """Write all complete row groups."""
        super().add(rows)
        while len(self.pending) >= ROWS_PER_GROUP:
            self._write_group()

    def close(self) -> None:
        """Write the last row group."""
        if self.pending:
            self._write_group()
        self._writer.close()

    def discard(self) -> None:
        """Close the writer now; otherwise it would write to a closed stream when it is deleted."""
        self._writer.close()

    def _write_group(self) -> None:
        """Write one row group."""
        group, self.pending = self.pending[:ROWS_PER_GROUP], self.pending[ROWS_PER_GROUP:]
        arrays = [list(column) for column in zip(*group, strict=True)]
        table = import_pyarrow().table(arrays, schema=self._schema)
        self._writer.write_table(table, row_group_size=ROWS_PER_GROUP)


FORMATS: Mapping[str, type[LabelFile]] = {
    ".csv": Csv,
    ".xlsx": Workbook,
    ".jsonl": JsonLines,
    ".parquet": Parquet,
}
"""File ending -> format."""


def _json_labels(facet: Facet, labels: FacetLabels | None) -> object:
    """Return the labels as JSON; "" or [] if there are none or the facet does not apply."""
    if facet.kind == "single":
        return labels.primary if labels else ""
    return list(labels.categories) if labels else []
