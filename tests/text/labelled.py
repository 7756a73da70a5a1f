"""Sentences whose role a person decided: spans in a CSV, joined to texts that are not in here."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from classifier.corpus.load import load_papers
from classifier.text.normalise import display

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
GOLD = Path(__file__).with_name("gold")
DIGESTS = "papers/agentic-ai.jsonl"
"""A file of the project itself; every other one lies below ../shared."""


@dataclass(frozen=True, slots=True)
class LabelledText:
    """One abstract or digest with what a person read in it."""

    file: str
    paper: str
    """The exact title."""
    text: str
    """As `Paper.abstract_display`; the offsets count its characters."""
    roles: dict[tuple[int, int], str]
    """(start, end) of a sentence -> its role; not every sentence need be labelled."""
    main: tuple[tuple[int, int], ...]
    """Spans of the sentence that best says what the paper does, and of one that serves as well."""


def read_labelled(name: str) -> list[LabelledText]:
    """Return the texts of a file below `gold/`, by file and title."""
    rows: dict[tuple[str, str], list[dict[str, str]]] = {}
    with (GOLD / name).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            rows.setdefault((row["file"], row["paper"]), []).append(row)
    texts: dict[str, dict[str, str]] = {}
    labelled = []
    for (file, paper), labels in sorted(rows.items()):
        if file not in texts:
            texts[file] = dict(_texts(file))
        spans = [(int(row["start"]), int(row["end"])) for row in labels]
        roles = {span: row["role"] for span, row in zip(spans, labels, strict=True)}
        main = tuple(s for s, row in zip(spans, labels, strict=True) if row["main"])
        labelled.append(LabelledText(file, paper, texts[file][paper], roles, main))
    return labelled


def _texts(file: str) -> Iterator[tuple[str, str]]:
    """Yield (title, text) of every paper of a file."""
    if file.endswith(".jsonl.gz"):
        with gzip.open(SHARED / file, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                yield record["title"], display(record["abstract"])
    else:
        root = ROOT if file == DIGESTS else SHARED
        for paper in load_papers([root / file], root).papers:
            yield paper.title, paper.abstract_display
