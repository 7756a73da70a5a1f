"""The files of out/ that machines read, and that are no part of the site."""

from __future__ import annotations

from collections.abc import Mapping

from classifier.files.json_text import json_bytes, json_line, json_rows
from classifier.files.table import write_table
from classifier.survey.document import Sentence
from classifier.survey.inputs import Inputs
from classifier.survey.survey import Survey
from classifier.taxonomy.published import published_taxonomy


def data_files(
    inputs: Inputs,
    edition: Survey,
    metrics: Mapping[str, object],
) -> dict[str, bytes]:
    """Return the files that machines read."""
    return {
        "facts.json": json_rows(
            {key: {"value": f.value, "query": f.query} for key, f in edition.facts.by_id.items()}
        ),
        "sentences.jsonl": b"".join(
            json_line(_sentence_record(sentence)) for sentence in edition.document.sentences
        ),
        "metrics.json": json_bytes(metrics),
        "taxonomy.json": json_bytes(published_taxonomy(inputs.taxonomy)),
        "quarantine.csv": write_table(
            ("file", "line", "record", "reason"),
            (
                {"file": q.file, "line": str(q.line), "record": q.record, "reason": q.found}
                for q in inputs.corpus.quarantined
            ),
        ),
    }


def _sentence_record(sentence: Sentence) -> dict[str, object]:
    """Return a line of sentences.jsonl; what a paper says has its span, too."""
    record: dict[str, object] = {
        "id": sentence.id,
        "text": sentence.text,
        "kind": sentence.kind,
        "source": sentence.source,
    }
    return record if sentence.span is None else {**record, "span": list(sentence.span)}


def excluded_table(edition: Survey) -> bytes:
    """Return excluded.csv: the papers left out, sorted by id."""
    return write_table(
        ("id", "title", "reason", "reviewer", "reviewed_on"),
        (
            {
                "id": item.paper.id,
                "title": item.paper.title,
                "reason": item.act.text,
                "reviewer": item.act.by,
                "reviewed_on": item.act.on,
            }
            for item in sorted(edition.left_out, key=lambda item: item.paper.id)
        ),
    )
