"""What Fieldguide wrote into the rows of a sheet, and what of it somebody changed.

A label is known to be the machine's by the checksum at the end of the row's `why`, or by what the
last build published. A sheet that was merely opened and saved again holds no edit: other quotes,
another delimiter or encoding, `0.7` for `0.70`, rows sorted, hidden or gone.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from classifier.errors import Fault, InputError
from classifier.files.reading import read_text
from classifier.files.table import Row
from classifier.labelling.labels import DECIDED, FacetLabels
from classifier.papers.paper import Paper, Published
from classifier.review.sheet import (
    checksum,
    checksum_in,
    label_columns,
    machine_cells,
    machine_columns,
    refused,
)
from classifier.review.sheet_file import SheetFile
from classifier.taxonomy.columns import DRAWN_BY, MACHINE
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions

Built: TypeAlias = Mapping[str, Mapping[str, str]]
"""Paper id -> machine column -> the cell that the last build wrote; not of `why`."""
_PLAIN = {field.name for field in fields(Paper)} - {"published", "sources", "reference"}
_RESTORE = "Put back what stood there; a correction goes into "


def built_cells(papers: Path, taxonomy: Taxonomy) -> Built | None:
    """Return what the last build wrote into its sheet, by its papers.json; None: cannot be told.

    taxonomy: of today; the facets are those of the build.
    """
    first = taxonomy.first.id
    try:
        found = [(_paper(record), _labels(record)) for record in json.loads(read_text(papers))]
    except (InputError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if not all(first in labels for _, labels in found):
        return None
    return {
        paper.id: {name: cell for name, cell in cells.items() if name != "id"}
        for paper, labels in found
        for cells in (machine_cells(first, paper, labels),)
    }


def _paper(record: Mapping[str, Any]) -> Paper:
    """Return the paper of one object of papers.json, as far as a sheet shows it."""
    given = {name: value for name, value in record.items() if name in _PLAIN}
    values: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in given.items()
    }
    return Paper(**values, published=Published(record["published"]))


def _labels(record: Mapping[str, Any]) -> dict[str, FacetLabels]:
    return {
        str(facet_id): FacetLabels(
            tuple(of["categories"]), of["primary"], float(of["confidence"]), of["status"], {}
        )
        for facet_id, of in record["labels"].items()
    }


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
class SheetCheck:
    """Knows what Fieldguide wrote into the rows of one sheet."""

    sheet: SheetFile
    taxonomy: Taxonomy
    digests: Sequence[str]
    """Of the taxonomies under which the sheet may have been written; the likeliest first."""
    built: Callable[[], Built | None]
    """Reads what the last build wrote into its sheet; only asked where a checksum does not fit."""
    versions: Versions = Versions()  # noqa: RUF009 - frozen

    @cached_property
    def knows_sheet(self) -> bool:
        """Whether the checksum of any row fits.

        If not, the sheet is of a taxonomy that nothing records, and a checksum that does not fit is
        no sign of a change.
        """
        return any(self.fits(row.cells) for row in self.sheet.rows)

    def shown(self, cells: Mapping[str, str], paper_id: str) -> ShownLabels:
        """Return what a row shows; `paper_id` is the paper that the row was found to mean."""
        under = self.fits(cells, paper_id)
        if under:
            return self._of(cells, True, *under)
        published = self._as_published(paper_id)
        if published and not self._differing(cells, published):
            return self._of(cells, True, "", self._columns)
        if not self._missing and self._drawn_blank(cells):
            return ShownLabels(
                dict.fromkeys(self.taxonomy.facets, ()), "", False, "", self._columns, (), True
            )
        changed = tuple(self._changed(cells, paper_id, published))
        return self._of(cells, False, "", self._columns, changed)

    def fits(
        self, cells: Mapping[str, str], paper_id: str = ""
    ) -> tuple[str, tuple[str, ...]] | None:
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

    def changed(self, row: Row) -> Sequence[str]:
        """Return the machine columns of a row that are not as they were written.

        Told by what the last build wrote; where that is not known, as of papers that are left out
        of the survey, by the checksum, which guards the labels alone. An emptied cell is no edit,
        unless it held labels. What is decided since is none either.
        """
        built = self.built()
        written = (built or {}).get(row.cells.get("id", "").strip())
        if written is None:
            # Where no row is whole, the sheet is of another taxonomy: only a row without checksum
            # tells.
            by_whole_rows = self._has_whole_rows
            changed = self._is_broken(row.cells) if by_whole_rows else not self._has_mark(row.cells)
            return self._columns if changed else ()
        differing = {
            name
            for name in self._compared
            if row.cells[name].strip() or name in self._labels
            if not _is_same(row.cells[name], written.get(name, ""), name, self.sheet.encoding)
        }
        if differing and self.fits(row.cells):
            differing -= self._labels
            confidence = row.cells.get("confidence", "1")  # somebody may have deleted the column
            if row.cells.get("status") in DECIDED and _number(confidence) == 1:
                differing -= {"status", "confidence"}
        # Whatever Fieldguide wrote there ends with a checksum.
        why = row.cells.get("why", "").strip()
        typed_over = ["why"] if why and not checksum_in(why) else []
        return [*(name for name in self._compared if name in differing), *typed_over]

    @cached_property
    def machine(self) -> frozenset[str]:
        """The columns that people do not fill, those of facets that are gone included."""
        return machine_columns(self.taxonomy).union(*(self.built() or {}).values())

    @cached_property
    def _compared(self) -> list[str]:
        told = self.machine - {"id", "why", DRAWN_BY}
        return [name for name in self.sheet.columns if name in told]

    @cached_property
    def _labels(self) -> frozenset[str]:
        others = {column.name for column in MACHINE if column.kind != "label"}
        return self.machine - {*others, "id", "why", DRAWN_BY}

    @cached_property
    def _has_whole_rows(self) -> bool:
        return not all(self._is_broken(row.cells) for row in self.sheet.rows)

    def _is_broken(self, cells: Mapping[str, str]) -> bool:
        whole = self._has_mark(cells) and not checksum_in(cells.get("why", ""))
        return not whole and not self.fits(cells)

    def _has_mark(self, cells: Mapping[str, str]) -> bool:
        """Say whether a row has a checksum, or was drawn to show no label and so has none."""
        return bool(checksum_in(cells.get("why", ""))) or self._drawn_blank(cells)

    def _drawn_blank(self, cells: Mapping[str, str]) -> bool:
        shows = any(cells.get(each, "").strip() for each in (*self._columns, "why"))
        return not shows and bool(cells.get(DRAWN_BY, "").strip())

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
        return not set(self._columns) <= set(self.sheet.columns)

    @cached_property
    def _seals(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(digest, columns) of every taxonomy that may have been in force."""
        return tuple((digest, self._columns_under(digest)) for digest in self.digests)

    def _columns_under(self, digest: str) -> tuple[str, ...]:
        """Return the label columns of an earlier taxonomy: it may have had other facets."""
        if digest == self.taxonomy.digest or not self.versions.records(digest):
            return self._columns
        facets = {facet for known, facet in self.versions.known if known == digest}
        order = dict.fromkeys((*self._columns, *self.sheet.columns))
        return ("primary", "topics", *(name for name in order if name in facets))


def _ids(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in cell.split(";") if part.strip()))


def _is_same(found: str, written: str, column: str, encoding: str) -> bool:
    """Say whether a cell is what was written, blanks and what a spreadsheet does to it aside."""
    if found == written:
        return True
    one, other = (" ".join(unicodedata.normalize("NFC", t).split()) for t in (found, written))
    if one == other:
        return True
    if column == "confidence":
        return _number(one) == _number(other)
    return encoding == "cp1252" and len(one) == len(other) and all(map(_is_as_saved, one, other))


def _number(text: str) -> float | str:
    """Return a number with a point or a comma in it; other text as it is."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text


def _is_as_saved(found: str, written: str) -> bool:
    """Say whether a character may come of another that Windows-1252 does not know."""
    return found == written or written.encode("cp1252", "ignore") == b""
