"""The forms in which labels are written: rows of a chunk, and a file that rows are added to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, Any

from classifier.errors import UsageError
from classifier.files.arrow import pyarrow
from classifier.files.json_text import json_line
from classifier.files.table import csv_bytes, csv_text
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.sheet import columns, sheet_rows
from classifier.review.sheet_file import sheet_file_bytes
from classifier.survey.typed_columns import paper_values
from classifier.taxonomy.model import Facet, Taxonomy

ROWS_A_GROUP = 16_384
"""Rows of a row group, whatever the chunks."""
MOST_WORKBOOK_ROWS = 1_048_575
"""Maximum number of rows of a worksheet below its header."""
_DIGITS = 4
"""Of the numbers in JSON Lines."""


class LabelFile:
    """The review sheet as it grows, its rows gathered; the forms below differ in what they do."""

    def __init__(self, taxonomy: Taxonomy, stream: IO[bytes]) -> None:
        self.taxonomy, self.stream = taxonomy, stream
        self.waiting: list[Any] = []

    @staticmethod
    def rows(
        taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> list[Any]:
        """Return a row of cells for each paper."""
        names = columns(taxonomy)
        return [
            [row.get(name, "") for name in names]
            for row in sheet_rows(
                taxonomy, papers, labels, values=paper_values(taxonomy, papers, labels)
            )
        ]

    def add(self, rows: Sequence[Any]) -> None:
        """Take the next rows, as `rows` gave them."""
        self.waiting += rows

    def close(self) -> None:
        """Write what is still to be written."""

    def discard(self) -> None:
        """Release resources of an unfinished file."""


class Csv(LabelFile):
    """The review sheet as CSV."""

    def __init__(self, taxonomy: Taxonomy, stream: IO[bytes]) -> None:
        super().__init__(taxonomy, stream)
        stream.write(csv_bytes(columns(taxonomy), ()))

    def add(self, rows: Sequence[Any]) -> None:
        """Write the rows."""
        self.stream.write(csv_text(len(columns(self.taxonomy)), rows).encode())


class JsonLines(LabelFile):
    """One JSON object per paper and line."""

    @staticmethod
    def rows(
        taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
    ) -> list[Any]:
        """Return an object for each paper."""
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
                    row[facet_id] = _labels_of(facet, label.facets.get(facet_id))
            confidence = round(topic.confidence, _DIGITS)
            rows.append(row | {"confidence": confidence, "status": topic.status, "scores": scores})
        return rows

    def add(self, rows: Sequence[Any]) -> None:
        """Write the lines."""
        self.stream.writelines(map(json_line, rows))


class Workbook(LabelFile):
    """The review sheet as a workbook, which is written as a whole."""

    def add(self, rows: Sequence[Any]) -> None:
        """Keep the rows; raises UsageError if a workbook cannot hold them."""
        super().add(rows)
        if len(self.waiting) > MOST_WORKBOOK_ROWS:
            raise UsageError(
                f"found more than {MOST_WORKBOOK_ROWS:,} papers; a workbook holds no more rows. "
                "Write labels.csv or labels.parquet."
            )

    def close(self) -> None:
        """Write the workbook."""
        names = columns(self.taxonomy)
        rows = (dict(zip(names, row, strict=True)) for row in self.waiting)
        self.stream.write(sheet_file_bytes(self.taxonomy, rows, "xlsx"))


class Parquet(LabelFile):
    """The review sheet as Parquet, every column text, in row groups of one length."""

    def __init__(self, taxonomy: Taxonomy, stream: IO[bytes]) -> None:
        super().__init__(taxonomy, stream)
        pa = pyarrow()
        self._schema = pa.schema([(name, pa.string()) for name in columns(taxonomy)])
        self._writer = pa.parquet.ParquetWriter(stream, self._schema)

    def add(self, rows: Sequence[Any]) -> None:
        """Write the row groups that are full."""
        super().add(rows)
        while len(self.waiting) >= ROWS_A_GROUP:
            self._write_group()

    def close(self) -> None:
        """Write the last row group."""
        if self.waiting:
            self._write_group()
        self._writer.close()

    def discard(self) -> None:
        """Close the writer, or it does so by itself when the stream is gone."""
        self._writer.close()

    def _write_group(self) -> None:
        group, self.waiting = self.waiting[:ROWS_A_GROUP], self.waiting[ROWS_A_GROUP:]
        arrays = [list(column) for column in zip(*group, strict=True)]
        table = pyarrow().table(arrays, schema=self._schema)
        self._writer.write_table(table, row_group_size=ROWS_A_GROUP)


FORMATS: Mapping[str, type[LabelFile]] = {
    ".csv": Csv,
    ".xlsx": Workbook,
    ".jsonl": JsonLines,
    ".parquet": Parquet,
}
"""Ending of a file -> its form."""


def _labels_of(facet: Facet, labels: FacetLabels | None) -> object:
    """Return the labels, "" or [] where nothing is stated or the facet is not asked."""
    if facet.kind == "single":
        return labels.primary if labels else ""
    return list(labels.categories) if labels else []
