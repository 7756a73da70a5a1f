"""Labels as JSON Lines, one object a paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy

_DIGITS = 4


def label_objects(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
) -> Iterable[dict[str, object]]:
    """Yield one object a paper, as `label -o labels.jsonl` writes it."""
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
            "confidence": round(topic.confidence, _DIGITS),
            "status": topic.status,
            "scores": {
                facet_id: {key: round(p, _DIGITS) for key, p in labels.probabilities.items()}
                for facet_id, labels in label.facets.items()
            },
        }


def _value(facet: Facet, labels: FacetLabels | None) -> object:
    """Return the labels, "" or [] where nothing is stated or the facet is not asked."""
    if facet.kind == "single":
        return labels.primary if labels else ""
    return list(labels.categories) if labels else []
