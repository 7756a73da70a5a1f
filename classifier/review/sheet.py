"""The sheet, out/labels.csv: one row per paper, machine columns before the reviewer's columns.

A reviewer may return a sheet days later, sorted, shortened and saved by another program. A row's
`why` ends with a short checksum of its labels: if it is right, `ok` approves the labels that
Fieldguide wrote for this paper under that taxonomy.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from classifier.errors import Fault
from classifier.labelling.decide import COVERAGE
from classifier.labelling.labels import NO_LABELS, FacetLabels, PaperLabels, Reason
from classifier.papers.paper import Paper
from classifier.review.columns import (
    BACK,
    DRAWN_BY,
    FRONT,
    HUMAN,
    HUMAN_END,
    JOINER,
    MACHINE,
    WHY,
)
from classifier.taxonomy.columns import TYPED, Values, cell_text
from classifier.taxonomy.model import Taxonomy

SHEET_COLUMNS = ("id", "title", "status", "primary")
"""Columns that every sheet has and other tables do not."""
_DIGITS = 6
_CHECKSUM = re.compile(rf"\s*\[([0-9a-f]{{{_DIGITS}}})\]\s*$")


@dataclass(frozen=True, slots=True)
class QueuedPaper:
    """A paper of the review queue."""

    paper_id: str
    reason: str
    """The reason to review the paper, in words for the reviewer."""


def sheet_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns of the sheet; `primary` and `topics` are those of the first facet."""
    last = (column.name for column in BACK)
    typed = typed_columns(taxonomy)
    human = (name for name in human_columns(taxonomy) if name not in typed)
    pairs = (name for pair in zip(taxonomy.columns, typed, strict=True) for name in pair)
    return *data_columns(taxonomy), *human, *pairs, *last


def data_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns before those that people fill; exports have them, too."""
    return *(column.name for column in FRONT), *_further_columns(taxonomy), WHY


def human_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns that people fill; Fieldguide writes them empty."""
    further = (f"review_{facet_id}" for facet_id in _further_columns(taxonomy))
    return *HUMAN, *further, *HUMAN_END, *typed_columns(taxonomy)


def typed_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns in which people type values: `col_` and the id of each typed column."""
    return tuple(f"{TYPED}{name}" for name in taxonomy.columns)


def machine_columns(taxonomy: Taxonomy) -> frozenset[str]:
    """Return the columns that Fieldguide fills, with `drawn_by` of sheets of selected papers."""
    last = (column.name for column in BACK)
    return frozenset((*data_columns(taxonomy), *taxonomy.columns, *last, DRAWN_BY))


def label_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns that the checksum covers: `primary`, `topics` and the further facets."""
    return *(column.name for column in FRONT if column.kind == "label"), *_further_columns(taxonomy)


def _further_columns(taxonomy: Taxonomy) -> list[str]:
    return [facet_id for facet_id in taxonomy.facets if facet_id != taxonomy.first.id]


def sheet_rows(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    excluded: Mapping[str, str] = MappingProxyType({}),
    values: Mapping[str, Values] = MappingProxyType({}),
) -> Iterable[dict[str, str]]:
    """Yield one row per paper (column name -> cell) without the columns that people fill.

    excluded: paper id -> a note for `why` with the reason and the reviewer. values: paper id -> the
    values of its typed columns.
    """
    for paper, label in zip(papers, labels, strict=True):
        row = machine_cells(taxonomy.first.id, paper, label.facets)
        row |= {name: cell_text(of) for name, of in values.get(paper.id, {}).items()}
        row[WHY] = why_cell(label.facets[taxonomy.first.id])
        if note := excluded.get(paper.id):
            row[WHY] = f"{note}{JOINER}{row[WHY]}"
        row[WHY] = with_checksum(row[WHY], checksum(row, label_columns(taxonomy), taxonomy.digest))
        yield row


def machine_cells(first: str, paper: Paper, facets: Mapping[str, FacetLabels]) -> dict[str, str]:
    """Return the machine cells of a paper except `why`; first: id of the first facet."""
    further = {name: JOINER.join(of.categories) for name, of in facets.items() if name != first}
    return {column.name: column.cell(paper, facets[first]) for column in MACHINE} | further


def blank_cells(paper: Paper) -> dict[str, str]:
    """Return the machine cells of a blind row: no labels, which would bias the reviewer."""
    return {c.name: c.cell(paper, NO_LABELS) for c in MACHINE if c.kind == "paper"}


def why_cell(labels: FacetLabels, max_reasons: int = 5) -> str:
    """Return the strongest reasons for the primary, with the cues of one place merged.

    For a provisional paper, add the categories of which one is right in nine of ten papers.
    """
    places: dict[tuple[str, str], list[Reason]] = {}
    for reason in labels.why:
        if reason.category == labels.primary:
            places.setdefault((reason.place or reason.text, reason.kind), []).append(reason)
    merged = [_merge_reasons(place, reasons) for (place, _), reasons in places.items()]
    merged.sort(key=lambda reason: (not reason.is_ruling, -abs(reason.weight)))
    texts = [str(reason) for reason in merged[:max_reasons]]
    if labels.status == "provisional" and len(labels.candidates) > 1:
        texts.append(f"one of: {', '.join(labels.candidates)} ({100 * COVERAGE:.0f} %)")
    return JOINER.join(texts) or "no cue or known term"


def _merge_reasons(place: str, reasons: Sequence[Reason]) -> Reason:
    """Return one reason for the cues of a place: `‘benchmark~’, ‘bench’ in the title +4.6`."""
    if len(reasons) == 1:
        return reasons[0]
    cues = ", ".join(reason.text.removesuffix(f" {place}") for reason in reasons)
    weight = sum(reason.weight for reason in reasons)
    return replace(reasons[0], text=f"{cues} {place}", weight=weight)


def checksum(cells: Mapping[str, str], columns: Sequence[str], taxonomy_digest: str) -> str:
    """Return the checksum of a row: six hex digits over id, labels and the taxonomy's digest.

    columns: the label columns. Blanks around a cell are ignored, since spreadsheets remove them.
    """
    parts = [taxonomy_digest, cells.get("id", "").strip()]
    parts += [f"{column}={cells.get(column, '').strip()}" for column in columns]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=_DIGITS // 2).hexdigest()


def with_checksum(why: str, digits: str) -> str:
    """Return the cell `why` followed by the checksum `digits`."""
    return f"{why} [{digits}]"


def checksum_in(why: str) -> str:
    """Return the checksum at the end of a cell `why`, or "" if it has none."""
    found = _CHECKSUM.search(why)
    return found[1] if found else ""


def cell_fault(column: str, found: str, expected: str, hint: str = "") -> Fault:
    """Return the fault of a cell; `add_place_in_sheet` adds file and row."""
    return Fault("error", "", None, found, expected, hint, column=column)
