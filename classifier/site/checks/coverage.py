"""Whether every paper stands once in the section tables and in each export."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from classifier.errors import Fault
from classifier.files.table import parse_table
from classifier.survey.document import Table
from classifier.survey.survey import Survey

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
