"""out/labels.csv, the sheet: one row a paper, machine columns first, human cells behind them.

A sheet comes back days later, sorted, cut, re-saved, from a build that is gone. At the end of a
row's `why` stands a short checksum of its labels: as long as it fits, `ok` is known to approve what
the machine wrote for this paper under that taxonomy.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from classifier.errors import Fault
from classifier.labelling.decide import COVERAGE
from classifier.labelling.labels import FacetLabels, PaperLabels, Reason
from classifier.papers.paper import Paper
from classifier.taxonomy.columns import (
    BEHIND,
    DRAWN_BY,
    FRONT,
    HUMAN,
    HUMAN_END,
    JOINER,
    MACHINE,
    WHY,
)
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions

if TYPE_CHECKING:
    from classifier.review.acts import Act


# The columns by which a sheet is told from other tables.
MARKS = ("id", "title", "status", "primary")
_DIGITS = 6
_CHECKSUM = re.compile(rf"\s*\[([0-9a-f]{{{_DIGITS}}})\]\s*$")


Built: TypeAlias = Mapping[str, Mapping[str, str]]
"""Paper id -> machine column -> the cell that the last build wrote; not of `why`."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A paper to review, and why."""

    paper_id: str
    why: str
    """In words, for the reviewer."""


def columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns of the sheet; the first facet gives `primary` and `topics`."""
    behind = (column.name for column in BEHIND)
    return *data_columns(taxonomy), *human_columns(taxonomy), *behind


def data_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns in front of the human ones: those that exports have, too."""
    return *(column.name for column in FRONT), *_further(taxonomy), WHY


def human_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns that people fill; the machine always writes them empty."""
    return *HUMAN, *(f"review_{facet_id}" for facet_id in _further(taxonomy)), *HUMAN_END


def machine_columns(taxonomy: Taxonomy) -> frozenset[str]:
    """Return every column that people do not fill, also that of a sheet that was drawn."""
    return frozenset((*data_columns(taxonomy), *(column.name for column in BEHIND), DRAWN_BY))


def label_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns under the checksum: `primary`, `topics`, and each further facet's own."""
    return *(column.name for column in FRONT if column.kind == "label"), *_further(taxonomy)


def _further(taxonomy: Taxonomy) -> list[str]:
    return [facet_id for facet_id in taxonomy.facets if facet_id != taxonomy.first.id]


def sheet_rows(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    excluded: Mapping[str, Act] = MappingProxyType({}),
) -> Iterable[dict[str, str]]:
    """Yield one row a paper, column name -> cell; the human columns are left out.

    excluded: paper id -> the act that leaves it out of the survey; `why` says so.
    """
    for paper, label in zip(papers, labels, strict=True):
        row = machine_cells(taxonomy.first.id, paper, label.facets)
        row[WHY] = why_cell(label.facets[taxonomy.first.id])
        if act := excluded.get(paper.id):
            by = f" by {act.by}" if act.by else ""
            reason = " ".join(act.text.split())
            row[WHY] = f"excluded{by}: {reason}{JOINER}{row[WHY]}"
        row[WHY] = with_checksum(row[WHY], checksum(row, label_columns(taxonomy), taxonomy.digest))
        yield row


def machine_cells(first: str, paper: Paper, facets: Mapping[str, FacetLabels]) -> dict[str, str]:
    """Return the cells of a paper that the machine makes, but for `why`; first: the first facet."""
    further = {name: JOINER.join(of.categories) for name, of in facets.items() if name != first}
    return {column.name: column.cell(paper, facets[first]) for column in MACHINE} | further


def blank_cells(paper: Paper) -> dict[str, str]:
    """Return what a row shows where its reviewer is not to be led by labels."""
    nothing = FacetLabels((), "", 0.0, "provisional", {})
    return {c.name: c.cell(paper, nothing) for c in MACHINE if c.kind == "paper"}


def why_cell(labels: FacetLabels, most: int = 5) -> str:
    """Return the strongest reasons for the primary in one cell, cues of one place together.

    Of a provisional paper also the categories of which one is right in nine of ten papers.
    """
    places: dict[tuple[str, str], list[Reason]] = {}
    for reason in labels.why:
        if reason.category == labels.primary:
            places.setdefault((reason.place or reason.text, reason.kind), []).append(reason)
    gathered = [_together(place, reasons) for (place, _), reasons in places.items()]
    gathered.sort(key=lambda reason: (not reason.is_ruling, -abs(reason.weight)))
    chosen = [str(reason) for reason in gathered[:most]]
    if labels.status == "provisional" and len(labels.candidates) > 1:
        chosen.append(f"one of: {', '.join(labels.candidates)} ({100 * COVERAGE:.0f} %)")
    return JOINER.join(chosen) or "no cue or known term"


def _together(place: str, reasons: Sequence[Reason]) -> Reason:
    """Return `‘benchmark~’, ‘bench’ in the title +4.6` for two cues of one place."""
    if len(reasons) == 1:
        return reasons[0]
    cues = ", ".join(reason.text.removesuffix(f" {place}") for reason in reasons)
    weight = sum(reason.weight for reason in reasons)
    return replace(reasons[0], text=f"{cues} {place}", weight=weight)


def checksum(cells: Mapping[str, str], columns: Sequence[str], taxonomy_digest: str) -> str:
    """Return the checksum of a row: six hex digits over id, labels and the digest of the taxonomy.

    columns: of the labels. Blanks around a cell do not count, since spreadsheets trim.
    """
    parts = [taxonomy_digest, cells.get("id", "").strip()]
    parts += [f"{column}={cells.get(column, '').strip()}" for column in columns]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=_DIGITS // 2).hexdigest()


def with_checksum(why: str, mark: str) -> str:
    """Return the cell `why` with the checksum behind it."""
    return f"{why} [{mark}]"


def checksum_in(why: str) -> str:
    """Return the checksum that a cell `why` ends with, or "" where it has none."""
    found = _CHECKSUM.search(why)
    return found[1] if found else ""


def without_checksum(why: str) -> str:
    """Return a cell `why` without its checksum."""
    return _CHECKSUM.sub("", why)


def digest_of_checksum(
    cells: Mapping[str, str], columns: Sequence[str], digests: Iterable[str]
) -> str | None:
    """Return the digest of the taxonomy under which a row's labels were shown.

    digests: those that may be meant. None where the row has no checksum, or its labels are not as
    they were written.
    """
    mark = checksum_in(cells.get("why", ""))
    return next((d for d in digests if mark and checksum(cells, columns, d) == mark), None)


def refused(column: str, found: str, wanted: str, cure: str = "") -> Fault:
    """Return what is wrong in a cell; `in_sheet` says where."""
    return Fault("error", "", None, found, wanted, cure, column=column)


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
