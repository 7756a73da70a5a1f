"""Labels as rows: the cells of the review sheet, and the objects of JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from classifier.corpus.paper import Paper
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.review.sheet import columns, human_columns, sheet_rows
from classifier.scale.label_model import ModelLabels
from classifier.taxonomy.model import Facet, Taxonomy


def sheet_cells(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: ModelLabels
) -> list[tuple[str, ...]]:
    """Return the cells of each paper's row in the machine's columns, as `sheet_rows` has them."""
    names = columns(taxonomy)[: -len(human_columns(taxonomy))]
    rows = sheet_rows(taxonomy, papers, labels.paper_labels())
    return [tuple(row.get(name, "") for name in names) for row in rows]


def label_records(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: ModelLabels
) -> Iterable[dict[str, object]]:
    """Yield one object a paper, as `label -o labels.jsonl` writes it."""
    return label_objects(taxonomy, papers, labels.paper_labels())


def label_objects(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
) -> Iterable[dict[str, object]]:
    """Yield one object a paper; the definition of what `label_records` gives."""
    first = taxonomy.first
    for paper, label in zip(papers, labels, strict=True):
        topic = label.facets[first.id]
        yield {
            "id": paper.id,
            "title": paper.title,
            "primary": topic.primary,
            "topics": list(topic.categories),
            **{
                facet_id: _value(facet, label.facets.get(facet_id))
                for facet_id, facet in taxonomy.facets.items()
                if facet is not first
            },
            "confidence": round(topic.confidence, 4),
            "status": topic.status,
            "scores": {
                facet_id: {key: round(p, 4) for key, p in labels.probabilities.items()}
                for facet_id, labels in label.facets.items()
            },
        }


def _value(facet: Facet, labels: FacetLabels | None) -> object:
    """Return the labels, "" or [] where nothing is stated or the facet is not asked."""
    if facet.kind == "single":
        return labels.primary if labels else ""
    return list(labels.categories) if labels else []
