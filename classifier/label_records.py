"""One object a paper, as `label -o labels.jsonl` writes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from classifier.corpus.paper import Paper
from classifier.labelling.bulk_labels import BulkFacetLabels, BulkLabels
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.review.bulk_sheet import NOBODY
from classifier.taxonomy.model import Facet, Taxonomy


def label_record(taxonomy: Taxonomy, paper: Paper, labels: PaperLabels) -> dict[str, object]:
    """Return the object of one paper."""
    first = taxonomy.first
    topic = labels.facets[first.id]
    return {
        "id": paper.id,
        "title": paper.title,
        "primary": topic.primary,
        "topics": list(topic.categories),
        **{
            facet_id: _value(facet, labels.facets.get(facet_id))
            for facet_id, facet in taxonomy.facets.items()
            if facet is not first
        },
        "confidence": round(topic.confidence, 4),
        "status": topic.status,
        "scores": {
            facet_id: {key: round(p, 4) for key, p in labels.probabilities.items()}
            for facet_id, labels in labels.facets.items()
        },
    }


def bulk_records(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: BulkLabels,
    decided: Mapping[str, PaperLabels] = NOBODY,
) -> Iterator[dict[str, object]]:
    """Yield the object of each of `papers`.

    decided: paper id -> labels that stand in the place of `labels`, of papers on which people
    decided.
    """
    first = labels.facets[taxonomy.first.id]
    further = {name: _values(facet) for name, facet in labels.facets.items() if facet is not first}
    scores = {name: _scores(facet) for name, facet in labels.facets.items()}
    topics, primary = first.categories(), first.primary
    confidence, confident = first.confidence.tolist(), first.confident.tolist()
    for row, paper in enumerate(papers):
        if paper.id in decided:
            yield label_record(taxonomy, paper, decided[paper.id])
            continue
        yield {
            "id": paper.id,
            "title": paper.title,
            "primary": primary[row],
            "topics": list(topics[row]),
            **{name: values[row] for name, values in further.items()},
            "confidence": round(confidence[row], 4),
            "status": "confident" if confident[row] else "provisional",
            "scores": {name: facet[row] for name, facet in scores.items() if row in facet},
        }


def _value(facet: Facet, labels: FacetLabels | None) -> object:
    """Return the labels, "" or [] where nothing is stated or the facet is not asked."""
    if facet.kind == "single":
        return labels.primary if labels else ""
    return list(labels.categories) if labels else []


def _values(labels: BulkFacetLabels) -> Sequence[object]:
    """Return `_value` of each paper."""
    if labels.facet.kind == "single":
        return labels.primary
    return [list(categories) for categories in labels.categories()]


def _scores(labels: BulkFacetLabels) -> dict[int, dict[str, float]]:
    """Return row -> category -> probability, of the papers that are asked."""
    ids, asked = labels.facet.ids, labels.asked.nonzero()[0].tolist()
    return {
        row: {name: round(p, 4) for name, p in zip(ids, probabilities, strict=True)}
        for row, probabilities in zip(asked, labels.probabilities[asked].tolist(), strict=True)
    }
