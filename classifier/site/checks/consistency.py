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
            yield _fault(f"the id '{identifier}' a second time", "ids that differ")
        seen.add(identifier)
        if source not in _SOURCES.get(kind, ()):
            wanted = " or ".join(sorted(_SOURCES.get(kind, ("a known kind",))))
            found = f"sentence '{identifier}' of kind {kind} with the source '{sentence['source']}'"
            yield _fault(found, wanted)


def _fault(found: str, wanted: str) -> Fault:
    return Fault("error", "sentences.jsonl", None, found, wanted)


_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_LINK = re.compile(r"\]\(#([^()\s]+)\)")
_REFERENCES = '<a id="reference-list"></a>'


def citation_faults(survey: str, edition: Survey) -> Iterator[Fault]:
    """Yield links that lead nowhere, references that are missing, twice there or not cited."""
    anchors = Counter(_ANCHOR.findall(survey))
    yield from (
        _citations_fault(f"the anchor '{name}' a second time", "anchors that differ")
        for name, times in sorted(anchors.items())
        if times > 1
    )
    links = set(_LINK.findall(survey))
    yield from (
        _citations_fault(f"a link to '#{name}'", "a heading, a table, a figure or a reference")
        for name in sorted(links - anchors.keys())
    )
    cited = set(_LINK.findall(survey.partition(_REFERENCES)[0]))
    for reference in edition.document.references:
        name = f"ref-{reference.number}"
        if name not in anchors:
            yield _citations_fault(
                f"no reference {reference.number}", f"one for the paper {reference.paper_id}"
            )
        elif name not in cited:
            found = f"the reference {reference.number} ({reference.paper_id}), cited nowhere"
            yield _citations_fault(found, "a table row, a list or a sentence that cites it")


def _citations_fault(found: str, wanted: str) -> Fault:
    return Fault("error", "survey.md", None, found, wanted)


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
        shown = [row.cells["id"] for row in parse_table(_text(files["labels.csv"]), "labels.csv")]
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
        for paper in _named_in(row)
    )
    for entry in edition.entries:
        times = rows[f"#ref-{entry.number}"] or rows[f"p/{entry.slug}.html"]
        if times > 1:
            found = f"{entry.paper.id} in {times} rows of the sections' tables"
            yield Fault("error", "survey.md", None, found, "one row a paper")


def _named_in(row: tuple[str, ...]) -> set[str]:
    """Return the references and pages that a row links to."""
    return set(_LINKED.findall(" ".join(row)))


def _export_faults(name: str, found: Sequence[str], wanted: Mapping[str, str]) -> Iterator[Fault]:
    """Yield what stands in an export twice, not at all, or beside the papers of the survey."""
    counts = Counter(found)
    for key, paper_id in wanted.items():
        if counts[key] != 1:
            times = "twice or more" if counts[key] else "not at all"
            yield Fault("error", name, None, f"{paper_id} {times}", "every paper once")
    for key in sorted(counts.keys() - wanted.keys()):
        yield Fault("error", name, None, f"'{key}'", "papers of the survey and nothing else")


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig")


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
        paper = papers.get(sentence["source"].partition(": ")[2])
        if paper is None:
            wanted = "the id of a paper of papers.json"
            yield _quotes_fault(sentence, f"the source '{sentence['source']}'", wanted)
            continue
        span = sentence.get("span")
        text = clean_abstract(paper["abstract"])
        words = text[slice(*span)] if span else ""
        is_digest = paper["abstract_kind"] == "digest"
        if not words:
            yield _quotes_fault(sentence, "no span", f"where the text of {paper['id']} says it")
        elif is_digest != (sentence["kind"] == "P"):
            wanted = "P for a digest, Q for an abstract"
            yield _quotes_fault(sentence, f"kind {sentence['kind']}", wanted)
        elif not (_is_told(sentence["text"], words) if is_digest else _is_quoted(sentence, words)):
            yield _quotes_fault(
                sentence, f"“{sentence['text']}”", f"what {paper['id']} says, “{words}”"
            )


def _is_told(text: str, words: str) -> bool:
    return says(text, words)


def _is_quoted(sentence: Mapping[str, Any], words: str) -> bool:
    """Say whether what stands in quotation marks is, letter by letter, what the paper says.

    But for a quotation mark without its fellow.
    """
    return f"“{' '.join(balanced(words).split())}”" in unmarked(sentence["text"])


def _quotes_fault(sentence: Mapping[str, Any], found: str, wanted: str) -> Fault:
    return Fault("error", "survey.md", None, f"sentence '{sentence['id']}': {found}", wanted)
