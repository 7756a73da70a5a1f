"""The labels in a row of a sheet, and whether Fieldguide wrote them for this paper.

The checksum in the row's `why` proves it. It does not cover titles, reasons and abstracts: a
spreadsheet that saves them in another encoding does not change a label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from classifier.errors import Fault
from classifier.review.columns import DRAWN_BY
from classifier.review.sheet import cell_fault, checksum, checksum_in, label_columns
from classifier.review.sheet_file import SheetFile
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions


@dataclass(frozen=True, slots=True)
class ShownLabels:
    """The labels that a row shows."""

    categories: Mapping[str, tuple[str, ...]]
    """Facet id -> category ids in the order shown; () if the row shows none."""
    primary: str
    """The primary category of the first facet."""
    is_trusted: bool
    """Whether the checksum proves that Fieldguide wrote these labels for this paper."""
    digest: str
    """Digest of the taxonomy under which they were written; "" if unknown."""
    changes: tuple[Fault, ...] = ()
    """Refusals of overwritten labels."""
    is_blind: bool = False
    """Whether the row was written without labels, so that they do not influence the reviewer."""


@dataclass(frozen=True)
class LabelReader:
    """Reads the labels that the rows of one sheet show."""

    sheet: SheetFile
    taxonomy: Taxonomy
    digests: Sequence[str]
    """Digests of the taxonomies under which the sheet may have been written, likeliest first."""
    versions: Versions = Versions()  # noqa: RUF009 - frozen

    def read(self, cells: Mapping[str, str], paper_id: str) -> ShownLabels:
        """Return the labels of a row of the paper `paper_id`."""
        digest, columns = self.signature(cells, paper_id) or ("", ())
        if columns:
            return self._labels(cells, columns, digest)
        unknown = self._labels(cells, self._columns, "")
        if self.is_blind(cells):
            return replace(unknown, is_blind=True)
        return replace(unknown, changes=tuple(self._changes(cells)))

    def signature(
        self, cells: Mapping[str, str], paper_id: str = ""
    ) -> tuple[str, tuple[str, ...]] | None:
        """Return the taxonomy digest and the columns for which the checksum of a row is right.

        paper_id: tried in place of the row's id, which a spreadsheet may have changed. None if
        the checksum is missing or wrong.
        """
        found = checksum_in(cells.get("why", ""))
        if not found:
            return None
        for row in (cells, {**cells, "id": paper_id}) if paper_id else (cells,):
            for digest, columns in self._signatures:
                if checksum(row, columns, digest) == found:
                    return digest, columns
        return None

    def is_blind(self, cells: Mapping[str, str]) -> bool:
        """Return whether a row was written without labels, and so without a checksum."""
        shows = any(cells.get(each, "").strip() for each in (*self._columns, "why"))
        return not shows and bool(cells.get(DRAWN_BY, "").strip())

    @cached_property
    def has_signed_rows(self) -> bool:
        """Whether the checksum of any row is right.

        If not, the taxonomy of the sheet is unknown, and a wrong checksum proves no change.
        """
        return any(self.signature(row.cells) for row in self.sheet.rows)

    def _changes(self, cells: Mapping[str, str]) -> Iterator[Fault]:
        """Yield a refusal if labels of the row were certainly changed."""
        is_complete = set(self._columns) <= set(self.sheet.columns)
        if checksum_in(cells.get("why", "")) and is_complete and self.has_signed_rows:
            hint = "Restore the cells, and write corrections into the review_ columns."
            found = "labels that do not fit the checksum in `why`"
            yield cell_fault(", ".join(self._columns), found, "the labels of the build", hint)

    def _labels(self, cells: Mapping[str, str], columns: Sequence[str], digest: str) -> ShownLabels:
        first, categories = self.taxonomy.first.id, {}
        for facet_id in self.taxonomy.facets:
            column = "topics" if facet_id == first else facet_id
            categories[facet_id] = _ids(cells.get(column, "")) if column in columns else ()
        return ShownLabels(categories, cells.get("primary", "").strip(), bool(digest), digest)

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        return label_columns(self.taxonomy)

    @cached_property
    def _signatures(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(digest, label columns) of every taxonomy that may have been used."""
        found = []
        for digest in self.digests:
            columns = self._columns
            facets = {facet for known, facet in self.versions.known if known == digest}
            if digest != self.taxonomy.digest and facets:  # an earlier one may have had others
                order = dict.fromkeys((*columns, *self.sheet.columns))
                columns = ("primary", "topics", *(name for name in order if name in facets))
            found.append((digest, columns))
        return tuple(found)


def _ids(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in cell.split(";") if part.strip()))
