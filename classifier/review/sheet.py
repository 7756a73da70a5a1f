"""out/labels.csv, the sheet: one row a paper, machine columns first, human cells behind them.

A sheet comes back days later, sorted, cut, re-saved, from a build that is gone. At the end of a
row's `why` stands a short checksum of its labels: as long as it fits, `ok` is known to approve what
the machine wrote for this paper under that taxonomy.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from classifier.errors import Fault
from classifier.labelling.decide import COVERAGE
from classifier.labelling.labels import NO_LABELS, FacetLabels, PaperLabels, Reason
from classifier.papers.paper import Paper
from classifier.review.columns import (
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

if TYPE_CHECKING:
    from classifier.review.acts import Act


# The columns by which a sheet is told from other tables.
MARKS = ("id", "title", "status", "primary")
_DIGITS = 6
_CHECKSUM = re.compile(rf"\s*\[([0-9a-f]{{{_DIGITS}}})\]\s*$")


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
    return {c.name: c.cell(paper, NO_LABELS) for c in MACHINE if c.kind == "paper"}


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


def refused(column: str, found: str, expected: str, hint: str = "") -> Fault:
    """Return what is wrong in a cell; `in_sheet` says where."""
    return Fault("error", "", None, found, expected, hint, column=column)
