"""The rows of a sheet for many papers at once: the cells of `sheet_rows`, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from classifier.labelling.bulk_labels import NONE, BulkFacetLabels, BulkLabels
from classifier.labelling.labels import FacetLabels, PaperLabels, Status
from classifier.papers.paper import Paper
from classifier.review.sheet import (
    checksum,
    columns,
    human_columns,
    label_columns,
    sheet_rows,
    why_cell,
    with_checksum,
)
from classifier.taxonomy.columns import JOINER, MACHINE
from classifier.taxonomy.model import Taxonomy

NOBODY: Mapping[str, PaperLabels] = MappingProxyType({})


def sheet_columns(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: BulkLabels,
    decided: Mapping[str, PaperLabels] = NOBODY,
) -> dict[str, list[str]]:
    """Return column name -> (n,) cells, in the order of `columns`, those of people empty.

    labels: of `papers`, the primary of the first facet explained; decided: paper id -> labels that
    stand in their place, of papers on which people decided.
    """
    first = labels.facets[taxonomy.first.id]
    nothing = FacetLabels((), "", 0.0, "provisional", {})
    cells = {c.name: [c.cell(p, nothing) for p in papers] for c in MACHINE if c.kind == "paper"}
    cells |= {
        "status": ["confident" if sure else "provisional" for sure in first.confident.tolist()],
        "confidence": [f"{round(p, 4):.2f}" for p in first.confidence.tolist()],
        "primary": first.primary,
        "topics": joined(first.categories()),
        "why": _why(first),
    }
    for facet_id, facet in labels.facets.items():
        if facet is not first:
            cells[facet_id] = joined(facet.categories())
    names = ("id", *label_columns(taxonomy))
    for place, why in enumerate(cells["why"]):
        row = {name: cells[name][place] for name in names}
        mark = checksum(row, names[1:], taxonomy.digest)
        cells["why"][place] = with_checksum(why, mark)
    cells |= {name: [""] * len(papers) for name in human_columns(taxonomy)}
    table = {name: cells[name] for name in columns(taxonomy)}
    _put_decided(table, taxonomy, papers, decided)
    return table


def joined(lists: Sequence[tuple[str, ...]]) -> list[str]:
    """Return lists of categories as cells."""
    texts = {names: JOINER.join(names) for names in set(lists)}
    return [texts[names] for names in lists]


def _why(labels: BulkFacetLabels) -> list[str]:
    """Return `why_cell` of each paper, without a seal."""
    ids, cells = labels.facet.ids, []
    told = zip(
        labels.why,
        labels.primary,
        labels.confident.tolist(),
        labels.candidates.tolist(),
        strict=True,
    )
    for reasons, primary, sure, places in told:
        candidates = () if sure else tuple(ids[column] for column in places if column != NONE)
        status: Status = "confident" if sure else "provisional"
        of = FacetLabels((), primary, 0.0, status, {}, why=tuple(reasons), candidates=candidates)
        cells.append(why_cell(of))
    return cells


def _put_decided(
    table: Mapping[str, list[str]],
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    decided: Mapping[str, PaperLabels],
) -> None:
    """Put the rows of decided papers in the place of those that the machine would write."""
    rows = [row for row, paper in enumerate(papers) if paper.id in decided]
    theirs = [papers[row] for row in rows]
    found = sheet_rows(taxonomy, theirs, [decided[paper.id] for paper in theirs])
    for row, cells in zip(rows, found, strict=True):
        for name, column in table.items():
            column[row] = cells.get(name, "")
