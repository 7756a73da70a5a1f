"""out/labels.csv, the sheet: one row a paper, machine columns first, human cells behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from classifier.files.table import frame_csv, text_frame
from classifier.labelling.decide import COVERAGE
from classifier.labelling.labels import FacetLabels, PaperLabels, Reason
from classifier.papers.paper import Paper
from classifier.review.editorial import Act
from classifier.review.seal import label_columns, seal, with_seal
from classifier.taxonomy.model import Taxonomy

if TYPE_CHECKING:
    import pandas as pd

JOINER = "; "
# The columns by which a sheet is told from other tables.
MARKS = ("id", "title", "status", "primary")
MACHINE_COLUMNS = ("id", "title", "year", "url", "status", "confidence", "why")
"""The columns that the machine fills; those of the labels come from the taxonomy."""
DRAWN_BY = "drawn_by"
"""The last column of a sheet that was drawn: how its papers were chosen."""


def columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns of the sheet; the first facet gives `primary` and `topics`."""
    further = [facet_id for facet_id in taxonomy.facets if facet_id != taxonomy.first.id]
    return (
        *("id", "title", "year", "url", "status", "confidence", "primary", "topics"),
        *further,
        *("why", "verdict", "review_primary", "review_topics"),
        *(f"review_{facet_id}" for facet_id in further),
        *("exclude", "remark", "reviewer", "note"),
    )


def human_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns that people fill; the machine always writes them empty."""
    names = columns(taxonomy)
    return names[names.index("verdict") :]


def sheet_bytes(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    excluded: Mapping[str, Act] = MappingProxyType({}),
) -> bytes:
    """Return the sheet as CSV, in the order of `papers`."""
    return frame_csv(sheet_frame(taxonomy, papers, labels, excluded))


def sheet_frame(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    excluded: Mapping[str, Act] = MappingProxyType({}),
) -> pd.DataFrame:
    """Return the sheet as a data frame of strings, one row a paper, the human columns empty."""
    return text_frame(columns(taxonomy), sheet_rows(taxonomy, papers, labels, excluded))


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
        first = label.facets[taxonomy.first.id]
        row = {
            "id": paper.id,
            "title": paper.title,
            "year": paper.published.year,
            "url": paper.link,
            "status": first.status,
            # Rounded as in papers.json first, with which a sheet is compared.
            "confidence": f"{round(first.confidence, 4):.2f}",
            "primary": first.primary,
            "topics": JOINER.join(first.categories),
            "why": why_cell(first),
        }
        for facet_id, facet_labels in label.facets.items():
            if facet_id != taxonomy.first.id:
                row[facet_id] = JOINER.join(facet_labels.categories)
        if act := excluded.get(paper.id):
            by = f" by {act.by}" if act.by else ""
            reason = " ".join(act.text.split())
            row["why"] = f"excluded{by}: {reason}{JOINER}{row['why']}"
        row["why"] = with_seal(row["why"], seal(row, label_columns(taxonomy), taxonomy.digest))
        yield row


def why_cell(labels: FacetLabels, most: int = 5) -> str:
    """Return the strongest reasons for the primary in one cell, cues of one place together.

    Of a provisional paper also the categories of which one is right in nine of ten papers.
    """
    candidates = labels.candidates if labels.status == "provisional" else ()
    return reasons_cell(labels.why, labels.primary, candidates, most)


def reasons_cell(
    why: Sequence[Reason], primary: str, candidates: Sequence[str], most: int = 5
) -> str:
    """Return `why_cell` of its parts; candidates: of a provisional paper, else none."""
    places: dict[tuple[str, str], list[Reason]] = {}
    for reason in why:
        if reason.category == primary:
            places.setdefault((reason.place or reason.text, reason.kind), []).append(reason)
    gathered = [_together(place, reasons) for (place, _), reasons in places.items()]
    gathered.sort(key=lambda reason: (not reason.is_ruling, -abs(reason.weight)))
    chosen = [str(reason) for reason in gathered[:most]]
    if len(candidates) > 1:
        chosen.append(f"one of: {', '.join(candidates)} ({100 * COVERAGE:.0f} %)")
    return JOINER.join(chosen) or "no cue or known term"


def _together(place: str, reasons: Sequence[Reason]) -> Reason:
    """Return `‘benchmark~’, ‘bench’ in the title +4.6` for two cues of one place."""
    if len(reasons) == 1:
        return reasons[0]
    cues = ", ".join(reason.text.removesuffix(f" {place}") for reason in reasons)
    weight = sum(reason.weight for reason in reasons)
    return replace(reasons[0], text=f"{cues} {place}", weight=weight)
