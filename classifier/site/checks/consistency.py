"""The proof of a finished survey, from its files as they will be written."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from classifier.errors import Fault
from classifier.files.json_text import listed_rows
from classifier.site.checks.citations import citation_faults
from classifier.site.checks.coverage import coverage_faults
from classifier.site.checks.numbers import NumberReader, number_faults
from classifier.site.checks.prose import prose_faults
from classifier.site.checks.quotes import quote_faults
from classifier.survey.survey import Survey

Record = Mapping[str, Any]

_KEYS = ("id", "cite_key")
_QUOTED = (*_KEYS, "abstract", "abstract_kind")

# What a sentence of each kind may rest on.
_SOURCES = {
    "Q": {"paper"},
    "P": {"paper"},
    "C": {"facts", "metrics"},
    "T": {"facts", "reviews.csv"},
    "H": {"taxonomy", "reviews.csv", "fieldguide"},
    "D": {"taxonomy"},
}


def prove(files: Mapping[str, bytes], edition: Survey) -> list[Fault]:
    """Return what is not proven of a survey: path from the top of out/ -> bytes.

    - Every paragraph of survey.md is made of sentences of sentences.jsonl, and the reverse.
    - Every sentence has a kind and a source of that kind which exists.
    - Every quote and paraphrase stands in its paper, where its span says.
    - Every number of a computed sentence is a value of its source (or the difference of two, or how
      many are not zero).
    - Every citation leads to a reference, and every reference stands there and is cited.
    - Every paper stands at most once in the tables of the sections, and once in each export.
    """
    sentences = [json.loads(line) for line in files["sentences.jsonl"].splitlines()]
    facts = json.loads(files["facts.json"])
    metrics = json.loads(files["metrics.json"])
    told = {sentence["source"].partition(": ")[2] for sentence in sentences}
    papers = [_paper(row, told) for row in listed_rows(files["papers.json"])]
    reader = NumberReader(edition.taxonomy)
    survey = files["survey.md"].decode("utf-8")
    return [
        *prose_faults(survey, sentences, edition.document),
        *_kind_faults(sentences),
        *quote_faults(sentences, {paper["id"]: paper for paper in papers}),
        *number_faults(sentences, facts, metrics, reader),
        *citation_faults(survey, edition),
        *coverage_faults(files, papers, edition),
    ]


def _paper(row: Record, told: Collection[str]) -> Record:
    """Return what is looked at of a row of papers.json; told: ids of papers that are quoted."""
    return {name: row[name] for name in (_QUOTED if row["id"] in told else _KEYS)}


def _kind_faults(sentences: list[Record]) -> Iterator[Fault]:
    seen: set[str] = set()
    for sentence in sentences:
        identifier, kind = sentence["id"], sentence["kind"]
        source = sentence["source"].partition(": ")[0]
        if identifier in seen:
            yield _fault(f"the id '{identifier}' a second time", "ids that differ")
        seen.add(identifier)
        if source not in _SOURCES.get(kind, ()):
            wanted = " or ".join(sorted(_SOURCES.get(kind, ("a known kind",))))
            found = f"sentence '{identifier}' of kind {kind} with the source '{sentence['source']}'"
            yield _fault(found, wanted)


def _fault(found: str, wanted: str) -> Fault:
    return Fault("error", "sentences.jsonl", None, found, wanted)
