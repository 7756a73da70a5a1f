"""papers.json: everything that the site says of each paper, for programs."""

from __future__ import annotations

from collections.abc import Mapping

from classifier.files.json_text import json_rows
from classifier.labelling.labels import FacetLabels
from classifier.review.acts import Act
from classifier.site.paths import paper_page
from classifier.survey.entry import Entry
from classifier.survey.survey import Survey
from classifier.text.results import headline


def papers_json(edition: Survey, keys: Mapping[str, str]) -> bytes:
    """Return a list with one object a paper, in the order of the reference list."""
    return json_rows(paper_record(entry, keys[entry.paper.id]) for entry in edition.entries)


def paper_record(entry: Entry, key: str) -> dict[str, object]:
    """Return one paper as an object of plain values; every key is always there."""
    paper = entry.paper
    return {
        "id": paper.id,
        "title": paper.title,
        "title_display": paper.title_display,
        "abstract": paper.abstract,
        "abstract_kind": paper.abstract_kind,
        "authors": list(paper.authors),
        "author_count": paper.author_count,
        "organisation": paper.organisation,
        "published": paper.published.date,
        "venue": paper.venue,
        "arxiv_id": paper.arxiv_id,
        "doi": paper.doi,
        "url": paper.link,
        "code_urls": list(paper.code_urls),
        "keywords": list(paper.keywords),
        "collections": list(paper.collections),
        "reference": dict(paper.reference),
        "aliases": list(entry.aliases),
        "text_digest": paper.text_digest,
        "cue_digest": entry.labels.cue_digest,
        "results": result_records(entry),
        "labels": {facet: _labels(labels) for facet, labels in sorted(entry.labels.facets.items())},
        "key": entry.key is not None,
        "remark": _remark(entry.remark),
        "page": paper_page(entry),
        "cite_key": key,
        "sources": [str(source) for source in paper.sources],
    }


def _remark(remark: Act | None) -> dict[str, str] | None:
    return {"text": remark.text, "by": remark.by, "on": remark.on} if remark else None


def result_records(entry: Entry) -> list[dict[str, object]]:
    """Return the numbers that state an outcome; offsets count in the cleaned abstract."""
    shown = headline(entry.results)
    return [
        {
            "value": result.value,
            "unit": result.unit,
            "direction": result.direction,
            "kind": result.kind,
            "whose": result.whose,
            "on": result.benchmark,
            "quote": result.clause.text,
            "start": result.clause.start,
            "end": result.clause.end,
            "headline": result in shown,
        }
        for result in entry.results
    ]


def _labels(labels: FacetLabels) -> dict[str, object]:
    return {
        "categories": list(labels.categories),
        "primary": labels.primary,
        "confidence": round(labels.confidence, 4),
        "status": labels.status,
        "probabilities": {
            category: round(probability, 4)
            for category, probability in sorted(labels.probabilities.items())
        },
    }
