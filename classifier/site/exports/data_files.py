"""Data files of a site: papers.json, results, and the list of all files to download."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping
from dataclasses import asdict

from classifier.files.json_text import json_bytes, json_line, json_rows
from classifier.files.table import csv_bytes, write_table
from classifier.labelling.labels import FacetLabels
from classifier.site.exports.labelled import typed_values
from classifier.site.exports.uncounted import Span, Uncounted
from classifier.site.markup import remove_active_content
from classifier.site.paths import paper_page_path
from classifier.survey.changes.report import changes_json
from classifier.survey.document import Sentence, Table, sentences_of_block
from classifier.survey.entry import SurveyPaper
from classifier.survey.sections.method import agreement
from classifier.survey.survey import Survey
from classifier.taxonomy.dump import published_taxonomy
from classifier.text.result import headline
from classifier.text.result_words import (
    result_kind,
    result_measure,
    saved_resource,
    stated_text,
    unit_of,
)


def data_files(survey: Survey) -> dict[str, bytes]:
    """Return the data files, except papers.json and the results."""
    facts = {
        key: {"value": fact.value, "query": fact.query, "meaning": fact.meaning}
        for key, fact in survey.facts.by_id.items()
    }
    unread = (
        {"file": q.file, "line": str(q.line), "record": q.record, "reason": q.actual}
        for q in survey.corpus.quarantined
    )
    excluded = (
        {
            "id": item.paper.id,
            "title": item.paper.title,
            "reason": item.act.text,
            "reviewer": item.act.by,
            "reviewed_on": item.act.on,
        }
        for item in sorted(survey.left_out, key=lambda item: item.paper.id)
    )
    return {
        "facts.json": json_rows(facts),
        "sentences.jsonl": b"".join(_sentence_lines(survey)),
        "metrics.json": json_bytes(survey.metrics.to_json()),
        "taxonomy.json": json_bytes(published_taxonomy(survey.taxonomy)),
        "changes.json": json_bytes(changes_json(survey.changes, survey.moves_without_lock)),
        "quarantine.csv": write_table(("file", "line", "record", "reason"), unread),
        "excluded.csv": write_table(("id", "title", "reason", "reviewer", "reviewed_on"), excluded),
    }


def _sentence_lines(survey: Survey) -> Iterator[bytes]:
    """Yield the lines of sentences.jsonl, in the order of survey.md.

    A quoted sentence also has its span; a computed sentence has the numbers in it that are not
    counts; and a sentence in a table has the mark `in`.
    """
    uncounted = Uncounted(survey.taxonomy)
    for section in survey.document.sections:
        for block in section.blocks:
            is_table = isinstance(block, Table)
            for sentence in sentences_of_block(block):
                record: dict[str, object] = {
                    "id": sentence.id,
                    "text": remove_active_content(sentence.text),
                    "kind": sentence.kind,
                    "source": sentence.source,
                }
                if sentence.span is not None:
                    record["span"] = sentence.span
                elif spans := _uncounted_numbers(sentence, uncounted):
                    record["apart"] = spans
                yield json_line(record | ({"in": "table"} if is_table else {}))


def _uncounted_numbers(sentence: Sentence, finder: Uncounted) -> list[Span]:
    """Return the spans of numbers in a sentence that are not counts."""
    is_computed = sentence.source.startswith(("facts: ", "metrics: "))
    return finder.spans(remove_active_content(sentence.text)) if is_computed else []


COLUMNS = (
    "paper", "title", "published", "value", "bound", "unit", "direction", "kind", "whose", "on",
    "split", "system", "headline", "quote", "page", "metric",
    "saves",
)  # fmt: skip


def results_files(survey: Survey) -> Iterator[tuple[str, bytes]]:
    """Yield results.json and results.csv; the values are printed as in the texts."""
    rows = []
    for entry in survey.entries:
        for record in result_records(entry):
            row: dict[str, object] = {
                "paper": entry.paper.id,
                "title": entry.paper.title_marked,
                "published": entry.paper.published.date,
                **record,
                "headline": "yes" if record["headline"] else "no",
                "page": paper_page_path(entry),
            }
            rows.append({column: row[column] for column in COLUMNS})
    yield "results.json", json_rows(rows)
    yield "results.csv", csv_bytes(COLUMNS, (list(map(str, row.values())) for row in rows))


def papers_json(survey: Survey, keys: Mapping[str, str]) -> bytes:
    """Return papers.json: one object per paper, in the order of the reference list."""
    facets = survey.taxonomy.facets
    records = []
    for entry, terms in zip(survey.entries, survey.facts.terms_by_row(), strict=True):
        record = paper_record(entry, keys[entry.paper.id], facets)
        listed: dict[str, list[str]] = {}
        for key, value in sorted(terms):
            if key not in _FROM_OTHER_FIELDS and key not in facets:
                listed.setdefault(key, []).append(value)
        if vote := agreement(survey, entry):
            listed["agreed"] = [vote]
        records.append(record | {"terms": listed})
    return json_rows(records)


_FROM_OTHER_FIELDS = frozenset(
    {"filed", "status", "key", "text", "year", "quarter", "month", "several"}
)
"""Keys of queries whose values follow from other fields of papers.json; see docs/proof.md."""


def paper_record(entry: SurveyPaper, key: str, facets: Container[str]) -> dict[str, object]:
    """Return a paper as an object of plain values; all keys are always present.

    key: the cite key. facets: ids of the facets that are not hidden.
    """
    paper, remark = entry.paper, entry.remark
    return {
        "id": paper.id,
        "title": paper.title,
        "title_display": paper.title_display,
        "abstract": paper.abstract_display,
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
        "retracted": paper.retracted,
        "aliases": list(entry.aliases),
        "text_digest": paper.text_digest,
        "cue_digest": entry.labels.cue_digest,
        "results": result_records(entry),
        "labels": {
            facet: _labels_json(labels)
            for facet, labels in sorted(entry.labels.facets.items())
            if facet in facets
        },
        "columns": typed_values(entry),
        "key": entry.key is not None,
        "remark": {"text": remark.text, "by": remark.by, "on": remark.on} if remark else None,
        **asdict(entry.history),
        "page": paper_page_path(entry),
        "cite_key": key,
        "sources": [str(source) for source in paper.sources],
    }


def result_records(entry: SurveyPaper) -> list[dict[str, object]]:
    """Return the numbers that state an outcome; offsets refer to the published abstract."""
    headlines = headline(entry.results)
    return [
        {
            "value": result.value,
            "bound": result.bound,
            "unit": unit_of(result),
            "direction": result.direction,
            "kind": result_kind(result),
            "whose": result.whose,
            "on": result.benchmark,
            "split": result.split,
            "system": result.system,
            "quote": result.clause.text,
            "start": result.clause.start,
            "end": result.clause.end,
            "number": [result.span.start, result.span.end],
            "short": stated_text(result),
            "headline": result in headlines,
            "metric": result_measure(result),
            "saves": saved_resource(result),
        }
        for result in entry.results
    ]


def _labels_json(labels: FacetLabels) -> dict[str, object]:
    """Return labels as a JSON object."""
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


_FILES: tuple[tuple[str, str, str], ...] = (
    ("survey.md", "The survey", "as Markdown"),
    ("survey.html", "The survey", "on one page, to save or print"),
    ("survey.pdf", "The survey", "as PDF"),
    ("llms.txt", "The survey", "its chapters as Markdown, listed for programs that read text"),
    ("labels.csv", "Labels", "every label and its reason; correct labels in the empty columns"),
    ("papers.json", "Labels", "papers with labels and probabilities"),
    ("results.csv", "Results", "numbers in papers with their clause, as a table"),
    ("results.json", "Results", "the same as JSON"),
    ("taxonomy.json", "Labels", "the taxonomy under which the labels were given"),
    ("excluded.csv", "Labels", "papers that the editors left out, with reasons"),
    ("quarantine.csv", "Labels", "records that could not be read"),
    ("references.bib", "References", "BibTeX"),
    ("references.ris", "References", "RIS"),
    ("references.json", "References", "CSL-JSON"),
    ("CITATION.cff", "References", "how to cite this survey"),
    ("cite.bib", "References", "this survey itself as BibTeX"),
    ("facts.json", "Evidence", "every number of the survey with its query"),
    ("sentences.jsonl", "Evidence", "every sentence with its kind and source"),
    (
        "verify.py",
        "Evidence",
        "checks all files: run python3 verify.py in their folder",
    ),
    ("metrics.json", "Evidence", "the quality of the labels"),
    ("changes.json", "Evidence", "changes since the baseline"),
    ("feed.atom", "Feeds", "the newest papers, Atom"),
)


def download_groups(
    sizes: Mapping[str, int], figures: Mapping[str, str]
) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return the files for download by group, each as (path, description, rounded size).

    sizes: sizes in bytes of all files of the site, by path. figures: titles of figures by the path
    of their numbers.
    """
    numbers = [
        (path, "Figures", f"the numbers of “{title}”") for path, title in sorted(figures.items())
    ]
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for path, group, description in (*_FILES, *numbers):
        if path in sizes:
            listed = (path, description, rounded_size(sizes[path]))
            groups.setdefault(group, []).append(listed)
    return list(groups.items())


def rounded_size(size: int) -> str:
    """Return a file size with two digits, so that small edits rarely change it.

    >>> rounded_size(80), rounded_size(45_300), rounded_size(238_000), rounded_size(1_130_000)
    ('1 kB', '45 kB', '240 kB', '1.1 MB')
    """
    if size < 10_000:
        return f"{max(1, round(size / 1_000))} kB"
    rounded = round(size, 1 - math.floor(math.log10(size)))
    if rounded < 1_000_000:
        return f"{rounded // 1_000} kB"
    megabytes = rounded / 1_000_000
    return f"{megabytes:.1f} MB" if megabytes < 10 else f"{megabytes:.0f} MB"
