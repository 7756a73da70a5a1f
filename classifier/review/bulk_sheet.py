"""The rows of a sheet for many papers at once: the cells of `sheet_rows`, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from classifier.labelling.bulk_labels import NONE, BulkFacetLabels, BulkLabels
from classifier.labelling.labels import PaperLabels
from classifier.papers.paper import Paper
from classifier.review.seal import label_columns, seals, with_seal
from classifier.review.sheet import JOINER, columns, human_columns, reasons_cell, sheet_rows
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
    cells = {
        "id": [paper.id for paper in papers],
        "title": [paper.title for paper in papers],
        "year": [paper.published.year for paper in papers],
        "url": [paper.link for paper in papers],
        "status": ["confident" if sure else "provisional" for sure in first.confident.tolist()],
        "confidence": [f"{round(p, 4):.2f}" for p in first.confidence.tolist()],
        "primary": first.primary,
        "topics": joined(first.categories()),
        "why": _why(first),
    }
    for facet_id, facet in labels.facets.items():
        if facet is not first:
            cells[facet_id] = joined(facet.categories())
    sealed = {name: cells[name] for name in label_columns(taxonomy)}
    marks = seals(cells["id"], sealed, taxonomy.digest)
    cells["why"] = [with_seal(why, mark) for why, mark in zip(cells["why"], marks, strict=True)]
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
        candidates = [] if sure else [ids[column] for column in places if column != NONE]
        cells.append(reasons_cell(reasons, primary, candidates))
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
