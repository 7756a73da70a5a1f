"""Which labels a row of a sheet shows, and whether Fieldguide wrote them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from classifier.errors import Fault
from classifier.review.edits import Built
from classifier.review.sheet import checksum, checksum_in, label_columns
from classifier.review.sheet_file import refused
from classifier.taxonomy.columns import DRAWN_BY
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions

_RESTORE = "Put back what stood there; a correction goes into "


@dataclass(frozen=True, slots=True)
class ShownLabels:
    """The labels that a row shows."""

    categories: Mapping[str, tuple[str, ...]]
    """Facet id -> ids as shown; () where nothing is, or nothing that stands under the checksum."""
    primary: str
    """As shown, of the first facet."""
    trusted: bool
    """Whether these are known to be the labels that Fieldguide wrote for this paper."""
    digest: str
    """Digest of the taxonomy under which they were shown; "" where nothing says so."""
    columns: tuple[str, ...]
    """The columns under the checksum of the row."""
    changed: tuple[Fault, ...] = ()
    """The label cells that somebody overwrote."""
    blank: bool = False
    """Whether the row was drawn without labels, so as not to lead the reviewer."""


@dataclass(frozen=True)
class RowCheck:
    """Knows what Fieldguide wrote into the rows of one sheet."""

    taxonomy: Taxonomy
    versions: Versions
    digests: Sequence[str]
    """Of the taxonomies under which the sheet may have been written; the likeliest first."""
    built: Callable[[], Built | None]
    """Reads what the last build wrote into its sheet; only asked where a checksum does not fit."""
    sheet_columns: Sequence[str]
    knows_sheet: bool = True
    """Whether the checksum of any row of the sheet fits. If not, the sheet is of a taxonomy that
    nothing records, and a checksum that does not fit is no sign of a change."""

    def shown(self, cells: Mapping[str, str], paper_id: str) -> ShownLabels:
        """Return what a row shows; `paper_id` is the paper that the row was found to mean."""
        under = self.fits(cells, paper_id)
        if under:
            return self._of(cells, True, *under)
        published = self._as_published(paper_id)
        if published and not self._differing(cells, published):
            return self._of(cells, True, "", self._columns)
        if self._is_blank(cells):
            return ShownLabels(
                dict.fromkeys(self.taxonomy.facets, ()), "", False, "", self._columns, (), True
            )
        changed = tuple(self._changed(cells, paper_id, published))
        return self._of(cells, False, "", self._columns, changed)

    def fits(self, cells: Mapping[str, str], paper_id: str) -> tuple[str, tuple[str, ...]] | None:
        """Return digest and columns under which the checksum of a row fits, or None."""
        mark = checksum_in(cells.get("why", ""))
        if not mark:
            return None
        named = {"id": paper_id} if paper_id else {}
        for row in (cells, {**cells, **named}):
            for digest, columns in self._seals:
                if checksum(row, columns, digest) == mark:
                    return digest, columns
        return None

    def _is_blank(self, cells: Mapping[str, str]) -> bool:
        """Say whether a row was drawn without labels; not where they or their columns are gone."""
        shows = any(cells.get(each, "").strip() for each in (*self._columns, "why"))
        return not shows and not self._missing and bool(cells.get(DRAWN_BY, "").strip())

    def _changed(
        self, cells: Mapping[str, str], paper_id: str, published: Mapping[str, str]
    ) -> Iterator[Fault]:
        """Yield the label cells that are surely not as they were written."""
        if not checksum_in(cells.get("why", "")) or self._missing:
            return
        if published and self.fits({**cells, **published}, paper_id):
            for column in self._differing(cells, published):
                wanted = f"'{published[column]}', which Fieldguide wrote"
                cure = f"{_RESTORE}review_{column}."
                yield refused(column, f"'{cells[column].strip()}'", wanted, cure)
        elif self.knows_sheet:
            found = "labels that do not fit the mark at the end of the row's `why`"
            cure = f"{_RESTORE}the review_ columns, or build a new sheet."
            yield refused(", ".join(self._columns), found, "what Fieldguide wrote", cure)

    def _of(
        self,
        cells: Mapping[str, str],
        trusted: bool,
        digest: str,
        columns: tuple[str, ...],
        changed: tuple[Fault, ...] = (),
    ) -> ShownLabels:
        categories = {
            facet_id: _ids(cells.get(column, "")) if column in columns else ()
            for facet_id, column in self._facet_columns
        }
        primary = cells.get("primary", "").strip()
        return ShownLabels(categories, primary, trusted, digest, columns, changed)

    def _as_published(self, paper_id: str) -> dict[str, str]:
        """Return the label cells of a paper as the last build wrote them; none where it did not."""
        cells = (self.built() or {}).get(paper_id)
        return {column: cells.get(column, "") for column in self._columns} if cells else {}

    def _differing(self, cells: Mapping[str, str], written: Mapping[str, str]) -> list[str]:
        return [each for each in self._columns if cells.get(each, "").strip() != written[each]]

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        return label_columns(self.taxonomy)

    @cached_property
    def _facet_columns(self) -> tuple[tuple[str, str], ...]:
        """(facet id, column that shows its labels)."""
        first = self.taxonomy.first.id
        return tuple((name, "topics" if name == first else name) for name in self.taxonomy.facets)

    @cached_property
    def _missing(self) -> bool:
        return not set(self._columns) <= set(self.sheet_columns)

    @cached_property
    def _seals(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(digest, columns) of every taxonomy that may have been in force."""
        return tuple((digest, self._columns_under(digest)) for digest in self.digests)

    def _columns_under(self, digest: str) -> tuple[str, ...]:
        """Return the label columns of an earlier taxonomy: it may have had other facets."""
        if digest == self.taxonomy.digest or not self.versions.records(digest):
            return self._columns
        facets = {facet for known, facet in self.versions.known if known == digest}
        order = dict.fromkeys((*self._columns, *self.sheet_columns))
        return ("primary", "topics", *(name for name in order if name in facets))


def _ids(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in cell.split(";") if part.strip()))
