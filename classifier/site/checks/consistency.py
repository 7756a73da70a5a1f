"""The proof of a finished survey, from its files as they will be written."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from classifier.errors import Fault
from classifier.files.json_text import listed_rows
from classifier.files.table import parse_table
from classifier.site.checks.numbers import NumberReader, number_faults
from classifier.site.checks.prose import prose_faults
from classifier.survey.document import Table
from classifier.survey.quotation import balanced, says, unmarked
from classifier.survey.survey import Survey
from classifier.text.clean import clean_abstract

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
            yield _fault(
                "sentences.jsonl", f"the id '{identifier}' a second time", "ids that differ"
            )
        seen.add(identifier)
        if source not in _SOURCES.get(kind, ()):
            wanted = " or ".join(sorted(_SOURCES.get(kind, ("a known kind",))))
            found = f"sentence '{identifier}' of kind {kind} with the source '{sentence['source']}'"
            yield _fault("sentences.jsonl", found, wanted)


_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_LINK = re.compile(r"\]\(#([^()\s]+)\)")
_REFERENCES = '<a id="reference-list"></a>'


def citation_faults(survey: str, edition: Survey) -> Iterator[Fault]:
    """Yield links that lead nowhere, references that are missing, twice there or not cited."""
    anchors = Counter(_ANCHOR.findall(survey))
    yield from (
        _fault("survey.md", f"the anchor '{name}' a second time", "anchors that differ")
        for name, times in sorted(anchors.items())
        if times > 1
    )
    links = set(_LINK.findall(survey))
    yield from (
        _fault("survey.md", f"a link to '#{name}'", "a heading, a table, a figure or a reference")
        for name in sorted(links - anchors.keys())
    )
    cited = set(_LINK.findall(survey.partition(_REFERENCES)[0]))
    for reference in edition.document.references:
        name = f"ref-{reference.number}"
        if name not in anchors:
            yield _fault(
                "survey.md",
                f"no reference {reference.number}",
                f"one for the paper {reference.paper_id}",
            )
        elif name not in cited:
            found = f"the reference {reference.number} ({reference.paper_id}), cited nowhere"
            yield _fault("survey.md", found, "a table row, a list or a sentence that cites it")


_BIBTEX_KEY = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)
_LINKED = re.compile(r"\]\((#ref-\d+|p/[^()\s]+\.html)\)")
_RIS_KEY = re.compile(r"^ID  - (\S+)$", re.MULTILINE)


def coverage_faults(
    files: Mapping[str, bytes], papers: Sequence[Mapping[str, Any]], edition: Survey
) -> Iterator[Fault]:
    """Yield papers that a table of a section, or an export, holds twice or not at all.

    papers: the content of papers.json.
    """
    yield from _table_faults(edition)
    keys = {paper["cite_key"]: paper["id"] for paper in papers}
    ids = {entry.paper.id: entry.paper.id for entry in edition.entries}
    yield from _export_faults("papers.json", [paper["id"] for paper in papers], ids)
    readers: dict[str, Callable[[str], list[str]]] = {
        "references.bib": _BIBTEX_KEY.findall,
        "references.ris": _RIS_KEY.findall,
        "references.json": lambda text: [item["id"] for item in json.loads(text)],
    }
    for name, read in readers.items():
        yield from _export_faults(name, read(files[name].decode("utf-8")), keys)
    if "labels.csv" in files:
        shown = [
            row.cells["id"]
            for row in parse_table(files["labels.csv"].decode("utf-8-sig"), "labels.csv")
        ]
        left_out = {item.paper.id for item in edition.left_out}
        yield from _export_faults("labels.csv", [i for i in shown if i not in left_out], ids)


def _table_faults(edition: Survey) -> Iterator[Fault]:
    """Yield papers that stand in two rows of the sections' tables."""
    rows = Counter(
        paper
        for section in edition.document.sections
        for table in section.blocks
        if isinstance(table, Table) and table.id.startswith("papers-")
        for row in table.rows
        for paper in set(_LINKED.findall(" ".join(row)))  # its reference and its page
    )
    for entry in edition.entries:
        times = rows[f"#ref-{entry.number}"] or rows[f"p/{entry.slug}.html"]
        if times > 1:
            found = f"{entry.paper.id} in {times} rows of the sections' tables"
            yield _fault("survey.md", found, "one row a paper")


def _export_faults(name: str, found: Sequence[str], wanted: Mapping[str, str]) -> Iterator[Fault]:
    """Yield what stands in an export twice, not at all, or beside the papers of the survey."""
    counts = Counter(found)
    for key, paper_id in wanted.items():
        if counts[key] != 1:
            times = "twice or more" if counts[key] else "not at all"
            yield _fault(name, f"{paper_id} {times}", "every paper once")
    for key in sorted(counts.keys() - wanted.keys()):
        yield _fault(name, f"'{key}'", "papers of the survey and nothing else")


def quote_faults(
    sentences: Sequence[Mapping[str, Any]], papers: Mapping[str, Mapping[str, Any]]
) -> Iterator[Fault]:
    """Yield quotes and paraphrases that are not what stands at their span of the paper's text.

    The text is the abstract or digest of papers.json as `clean_abstract` gives it; what else may
    differ is listed in `classifier.survey.quotation`.
    """
    for sentence in sentences:
        if sentence["kind"] not in "QP":
            continue
        paper, problem = papers.get(sentence["source"].partition(": ")[2]), None
        span, text = sentence.get("span"), clean_abstract(paper["abstract"]) if paper else ""
        words = text[slice(*span)] if span else ""
        if paper is None:
            problem = f"the source '{sentence['source']}'", "the id of a paper of papers.json"
        elif not words:
            problem = "no span", f"where the text of {paper['id']} says it"
        elif (paper["abstract_kind"] == "digest") != (sentence["kind"] == "P"):
            problem = f"kind {sentence['kind']}", "P for a digest, Q for an abstract"
        elif not _is_said(sentence, words):
            problem = f"“{sentence['text']}”", f"what {paper['id']} says, “{words}”"
        if problem:
            yield _fault("survey.md", f"sentence '{sentence['id']}': {problem[0]}", problem[1])


def _is_said(sentence: Record, words: str) -> bool:
    """Say whether a sentence tells what the paper says; quotation marks hold it letter by letter.

    But for a quotation mark without its fellow.
    """
    if sentence["kind"] == "P":
        return says(sentence["text"], words)
    return f"“{' '.join(balanced(words).split())}”" in unmarked(sentence["text"])


def _fault(file: str, found: str, wanted: str) -> Fault:
    return Fault("error", file, None, found, wanted)
