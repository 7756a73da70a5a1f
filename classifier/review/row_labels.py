"""The labels in a row of a sheet, and whether Fieldguide wrote them for the paper of the row.

The checksum in the row's `why` proves it. The checksum does not cover titles, reasons and
abstracts: a spreadsheet may save them in another encoding, which does not change a label.
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

Layout = tuple[str, tuple[str, ...]]
"""(taxonomy digest, label columns) for which Fieldguide wrote the row of a sheet."""


@dataclass(frozen=True, slots=True)
class RowLabels:
    """The labels that a row shows."""

    categories: Mapping[str, tuple[str, ...]]
    """Category ids by facet id, in the order of the row; () if the row shows none."""
    primary: str
    """The primary category of the first facet."""
    is_trusted: bool
    """Whether the checksum proves that Fieldguide wrote these labels for this paper."""
    digest: str
    """Digest of the taxonomy under which they were written; "" if unknown."""
    changes: tuple[Fault, ...] = ()
    """Faults of overwritten labels."""
    is_blind: bool = False
    """Whether the row was written without labels, so that they do not influence the reviewer."""


@dataclass(frozen=True)
class LabelReader:
    """Reads the labels in the rows of one sheet."""

    sheet: SheetFile
    taxonomy: Taxonomy
    digests: Sequence[str]
    """Digests of the taxonomies under which the sheet may have been written, likeliest first."""
    versions: Versions = Versions()  # noqa: RUF009 - frozen

    def read(self, cells: Mapping[str, str], paper_id: str) -> RowLabels:
        """Return the labels in a row about the paper `paper_id`."""
        layout = self.layout_of(cells, paper_id)
        if layout:
            return self._labels(cells, layout)
        unproven = self._labels(cells, ("", self._columns))
        if self.is_blind(cells):
            return replace(unproven, is_blind=True)
        return replace(unproven, changes=tuple(self._change_faults(cells)))

    def layout_of(self, cells: Mapping[str, str], paper_id: str = "") -> Layout | None:
        """Return the layout for which the checksum of a row is right, or None.

        paper_id: tried in place of the row's id, which a spreadsheet may have changed.
        """
        found = checksum_in(cells.get("why", ""))
        rows = (cells, {**cells, "id": paper_id}) if paper_id else (cells,)
        return next(
            (
                (digest, columns)
                for row in (rows if found else ())
                for digest, columns in self._layouts
                if checksum(row, columns, digest) == found
            ),
            None,
        )

    def is_blind(self, cells: Mapping[str, str]) -> bool:
        """Return whether a row was written without labels, and so without a checksum."""
        has_labels = any(cells.get(each, "").strip() for each in (*self._columns, "why"))
        return not has_labels and bool(cells.get(DRAWN_BY, "").strip())

    @cached_property
    def has_valid_checksum(self) -> bool:
        """Whether the checksum of any row is right.

        If not, the taxonomy of the sheet is unknown, and a wrong checksum proves no change.
        """
        return any(self.layout_of(row.cells) for row in self.sheet.rows)

    def _change_faults(self, cells: Mapping[str, str]) -> Iterator[Fault]:
        """Yield faults if labels of the row were certainly changed, or typed into a blind row."""
        is_complete = {*self._columns, "why"} <= set(self.sheet.columns)
        if checksum_in(cells.get("why", "")) and is_complete and self.has_valid_checksum:
            hint = "Restore the cells, and write corrections into the review_ columns."
            place = f"{self._columns[0]} to {self._columns[-1]}"
            yield cell_fault(place, "changed labels", "the labels that the build wrote", hint)
        if is_complete and cells.get(DRAWN_BY, "").strip() and not cells["why"].strip():
            for name in self._columns:
                if cell := cells[name].strip():
                    expected = "an empty cell, since the sheet hides labels"
                    yield cell_fault(name, f"'{cell}'", expected, f"Move it to review_{name}.")

    def _labels(self, cells: Mapping[str, str], layout: Layout) -> RowLabels:
        digest, columns = layout
        first, categories = self.taxonomy.first.id, {}
        for facet_id in self.taxonomy.facets:
            column = "topics" if facet_id == first else facet_id
            categories[facet_id] = _split_ids(cells.get(column, "")) if column in columns else ()
        return RowLabels(categories, cells.get("primary", "").strip(), bool(digest), digest)

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        return label_columns(self.taxonomy)

    @cached_property
    def _layouts(self) -> tuple[Layout, ...]:
        """The layouts of the taxonomies under which the sheet may have been written."""
        found: dict[Layout, None] = {}
        for digest in self.digests:
            facets = {facet for known, facet in self.versions.known if known == digest}
            if digest == self.taxonomy.digest or not facets:
                found[digest, self._columns] = None
                continue
            # It may have had other facets; the order of columns in the sheet may have changed.
            for names in ((*self._columns, *self.sheet.columns), self.sheet.columns):
                further = (name for name in dict.fromkeys(names) if name in facets)
                found[digest, ("primary", "topics", *further)] = None
        return tuple(found)


def _split_ids(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in cell.split(";") if part.strip()))
