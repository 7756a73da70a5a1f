"""What Fieldguide wrote into a sheet, what of it somebody changed, and what people typed beside it.

A label is known to be the machine's by the checksum at the end of the row's `why`, or by what the
last build published. A sheet that was merely opened and saved again holds no edit: other quotes,
another delimiter or encoding, `0.7` for `0.70`, rows sorted, hidden or gone.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from rapidfuzz import process

from classifier.errors import Fault, InputError
from classifier.files.reading import read_text
from classifier.files.table import Row
from classifier.labelling.labels import DECIDED, FacetLabels
from classifier.papers.paper import Paper, Published
from classifier.review.columns import DRAWN_BY, MACHINE
from classifier.review.sheet import (
    checksum,
    checksum_in,
    human_columns,
    label_columns,
    machine_cells,
    machine_columns,
    refused,
)
from classifier.review.sheet_file import SheetFile, in_sheet, read_sheet
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
        return {paper.id: machine_cells(first, paper, labels) for paper, labels in found}
    except (InputError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _paper(record: Mapping[str, Any]) -> Paper:
    """Return the paper of one object of papers.json, as far as a sheet shows it."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in record.items()
        if name in _PLAIN
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
            return replace(self._of(cells, False, "", self._columns), blank=True)
        changed = tuple(self._changed(cells, paper_id, published))
        return self._of(cells, False, "", self._columns, changed)

    def fits(
        self, cells: Mapping[str, str], paper_id: str = ""
    ) -> tuple[str, tuple[str, ...]] | None:
        """Return digest and columns under which the checksum of a row fits, or None."""
        mark = _mark(cells)
        if not mark:
            return None
        for row in (cells, {**cells, "id": paper_id}) if paper_id else (cells,):
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
        written = (self.built() or {}).get(row.cells.get("id", "").strip())
        if written is None:
            # Where no row is whole, the sheet is of another taxonomy, and a mark need not fit.
            fits = self.fits if self._has_whole_rows else _mark
            return () if fits(row.cells) or self._drawn_blank(row.cells) else self._columns
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
        if row.cells.get("why", "").strip() and not _mark(row.cells):
            differing.add("why")
        return [name for name in (*self._compared, "why") if name in differing]

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
        return any(self._drawn_blank(row.cells) or self.fits(row.cells) for row in self.sheet.rows)

    def _drawn_blank(self, cells: Mapping[str, str]) -> bool:
        """Say whether a row was drawn to show no label, and so has no checksum either."""
        shows = any(cells.get(each, "").strip() for each in (*self._columns, "why"))
        return not shows and bool(cells.get(DRAWN_BY, "").strip())

    def _changed(
        self, cells: Mapping[str, str], paper_id: str, published: Mapping[str, str]
    ) -> Iterator[Fault]:
        """Yield the label cells that are surely not as they were written."""
        if not _mark(cells) or self._missing:
            return
        if published and self.fits({**cells, **published}, paper_id):
            for column in self._differing(cells, published):
                expected = f"'{published[column]}', which Fieldguide wrote"
                hint = f"{_RESTORE}review_{column}."
                yield refused(column, f"'{cells[column].strip()}'", expected, hint)
        elif self.knows_sheet:
            found = "labels that do not fit the mark at the end of the row's `why`"
            hint = f"{_RESTORE}the review_ columns, or build a new sheet."
            yield refused(", ".join(self._columns), found, "what Fieldguide wrote", hint)

    def _of(
        self,
        cells: Mapping[str, str],
        trusted: bool,
        digest: str,
        columns: tuple[str, ...],
        changed: tuple[Fault, ...] = (),
    ) -> ShownLabels:
        first, categories = self.taxonomy.first.id, {}
        for facet_id in self.taxonomy.facets:
            column = "topics" if facet_id == first else facet_id
            categories[facet_id] = _ids(cells.get(column, "")) if column in columns else ()
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
    def _missing(self) -> bool:
        return not set(self._columns) <= set(self.sheet.columns)

    @cached_property
    def _seals(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(digest, label columns) of every taxonomy that may have been in force."""
        seals = []
        for digest in self.digests:
            columns = self._columns
            facets = {facet for known, facet in self.versions.known if known == digest}
            if digest != self.taxonomy.digest and facets:  # an earlier one may have had others
                order = dict.fromkeys((*columns, *self.sheet.columns))
                columns = ("primary", "topics", *(name for name in order if name in facets))
            seals.append((digest, columns))
        return tuple(seals)


def _mark(cells: Mapping[str, str]) -> str:
    return checksum_in(cells.get("why", ""))


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


def pending_edits(
    path: Path, taxonomy: Taxonomy, built: Built | None = None, digests: Iterable[str] = ()
) -> list[Row]:
    """Return the rows of a sheet that hold anything that a person typed.

    That is a filled human cell (a reviewer's name alone decides nothing), a filled cell of a column
    that is not ours or of none, and a machine cell that is not as it was written: told by `built`,
    and where nothing is known of a build by the checksums, which guard the labels alone. Labels
    that were applied since bear one under today's taxonomy, or under one of `digests`.

    Raises InputError where the sheet cannot be read: what a person did to it is not ours to
    throw away.
    """
    if not path.exists():
        return []
    sheet = read_sheet(path)
    check = SheetCheck(sheet, taxonomy, (taxonomy.digest, *digests), lambda: built)
    typed = [column for column in sheet.columns if column not in check.machine | {"reviewer"}]
    return [
        row
        for row in sheet.rows
        if row.extra or any(row.cells[column].strip() for column in typed) or check.changed(row)
    ]


_LEAST_LIKENESS = 84
_FACET = "review_"
_COPY = "or keep a copy and build with --ignore-sheet."


def meant_column(column: str, taxonomy: Taxonomy) -> str:
    """Return the reviewer's column that `column` is a misspelling of; "" where it is none."""
    if column in {*human_columns(taxonomy), *machine_columns(taxonomy)}:
        return ""
    front = _FACET if column.startswith(_FACET) else ""  # what all have in common says nothing
    alike = [name for name in human_columns(taxonomy) if name.startswith(_FACET) == bool(front)]
    names = {name.removeprefix(front): name for name in alike}
    typed = column.removeprefix(front)
    found = process.extractOne(typed, list(names), score_cutoff=_LEAST_LIKENESS)
    return names[found[0]] if found else ""


def misspelt_columns(sheet: SheetFile, taxonomy: Taxonomy) -> dict[str, Fault]:
    """Return the misspelt columns that hold anything, each with its refusal."""
    found: dict[str, Fault] = {}
    for column in sheet.columns:
        meant = meant_column(column, taxonomy)
        if meant and _filled(sheet, column):
            hint = f"Did you mean '{meant}'? Rename it; until then its rows are left as they are."
            found[column] = _of_column(sheet, column, hint)
    return found


def misplaced_cells(
    sheet: SheetFile,
    taxonomy: Taxonomy,
    built: Built | None,
    digests: Iterable[str],
    told: Set[int | None],
) -> Iterator[Fault]:
    """Yield what holds a build up and is no answer: columns of one's own, cells typed over.

    told: numbers of the rows that were taken up or refused: of their labels all is said.
    """
    check = SheetCheck(sheet, taxonomy, (taxonomy.digest, *digests), lambda: built)
    for column in _own_columns(sheet, taxonomy, check.machine):
        hint = "They stay in this file, but a new sheet would drop them: move them to note,"
        yield _of_column(sheet, column, f"{hint} {_COPY}")
    labels = label_columns(taxonomy)
    for row in sheet.rows:
        place = row.row or row.line
        if row.extra:
            found = ", ".join(f"'{cell}'" for cell in row.extra)
            hint = f"The row may be torn, or a cell has no header. Empty it, {_COPY}"
            yield in_sheet(refused("behind the last column", found, "no cell", hint), sheet, place)
        written = (built or {}).get(row.cells.get("id", "").strip(), {})
        for column in check.changed(row):
            if column not in labels or row.row not in told:
                wrote = f"'{written[column]}', which" if column in written else "what"
                found, hint = f"'{row.cells.get(column, '').strip()}'", f"Put it back, {_COPY}"
                fault = refused(column, found, f"{wrote} Fieldguide wrote", hint)
                yield in_sheet(fault, sheet, place)


def renamed_columns(sheet: SheetFile, taxonomy: Taxonomy) -> Iterator[Fault]:
    """Yield columns of one's own where a column to fill is missing: it may be that one, renamed."""
    missing = [column for column in human_columns(taxonomy) if column not in sheet.columns]
    for column in _own_columns(sheet, taxonomy, machine_columns(taxonomy)) if missing else ():
        hint = f"They are not taken up. If they are answers, rename it: {', '.join(missing)}."
        yield _of_column(sheet, column, hint)


def _own_columns(sheet: SheetFile, taxonomy: Taxonomy, machine: Set[str]) -> Iterator[str]:
    """Yield the columns of one's own that hold anything."""
    ours = {*human_columns(taxonomy), *machine}
    for column in sheet.columns:
        is_own = column not in ours and not column.startswith(_FACET)
        if is_own and not meant_column(column, taxonomy) and _filled(sheet, column):
            yield column


def _filled(sheet: SheetFile, column: str) -> int:
    """Return how many cells of a column hold anything."""
    return sum(bool(row.cells[column].strip()) for row in sheet.rows)


def _of_column(sheet: SheetFile, column: str, hint: str) -> Fault:
    number = _filled(sheet, column)
    found = "1 cell that is no answer" if number == 1 else f"{number} cells that are no answer"
    fault = refused(f"column '{column}'", found, "a column of the sheet", hint)
    return in_sheet(fault, sheet, None)
