"""Reads the sentences and numbers that a reader marked, and joins them to the abstracts.

The files hold no text, only offsets into `Paper.abstract_display`; tests/text/gold/README.md says
how they were made. A file that does not fit its texts raises InputError with every fault at once.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

from classifier.errors import Fault, InputError
from classifier.papers.load import read_file
from classifier.text.normalise import format_for_display

GOLD = Path(__file__).parent / "gold"
ROOT = Path(__file__).resolve().parents[2]
DIGESTS = "papers/agentic-ai.jsonl"
"""The one file that lies in the checkout, and not below the folder `shared`."""
ROLES = ("problem", "contribution", "method", "result", "limit", "release")
MAINS = ("yes", "also", "")
BY_POSITION = 50
"""So many abstracts at the head of test_sentences.csv were chosen by position; those behind them
are surveys, chosen for the role `limit`, and would bend any other figure."""
Row = tuple[int, dict[str, str]]
"""1-based line in the file, and the cells by column."""
Slip = tuple[int, str, str]
"""Line, what was found, what was expected."""


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """One sentence and what it does."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last character."""
    role: str
    """One of ROLES."""
    main: str
    """`yes` on the sentence that best says what the paper does, `also` on one that serves too."""


@dataclass(frozen=True, slots=True)
class GoldNumber:
    """One number that states an outcome which the paper measured."""

    start: int
    """Offset of its first digit."""
    end: int
    """Offset behind its unit, or behind its last digit where the unit does not follow."""
    value: str
    """As written, without unit: `23.5`, `10.7-15.3`."""
    unit: str
    """`%`, `points`, `x`, or "" for a bare score."""
    benchmark: str
    """As named in the same sentence, or ""."""


@dataclass(frozen=True, slots=True)
class GoldAbstract:
    """One abstract with what was marked in it."""

    file: str
    """Below the folder `shared`."""
    title: str
    """As read."""
    text: str
    """`Paper.abstract_display`: what the offsets count in."""
    sentences: tuple[GoldSentence, ...] = ()
    """In order; together they hold every character but blanks."""
    numbers: tuple[GoldNumber, ...] = ()
    """In order; empty where the abstract states no outcome in numbers."""


def read_sentences(path: Path, shared: Path) -> tuple[GoldAbstract, ...]:
    """Read a file of sentences: columns file, paper, start, end, role, main.

    Returns the abstracts in file order. Raises InputError with every fault.
    """
    return _read(path, shared, _sentences, _sentence_slips)


def read_some_sentences(path: Path, shared: Path) -> tuple[GoldAbstract, ...]:
    """Read a file of sentences of which not all are marked: the same columns as `read_sentences`.

    Returns the abstracts and digests in file order. Raises InputError with every fault.
    """
    return _read(path, shared, _sentences, _role_slips)


def read_results(path: Path, shared: Path) -> tuple[GoldAbstract, ...]:
    """Read a file of numbers: columns file, paper, start, end, value, unit, benchmark.

    A paper with one row without a span states none. Returns the abstracts in file order. Raises
    InputError with every fault.
    """
    return _read(path, shared, _numbers, _number_slips)


def _read(
    path: Path,
    shared: Path,
    build: Callable[[str, str, str, Sequence[Row]], GoldAbstract],
    slips_of: Callable[[str, Sequence[Row]], list[Slip]],
) -> tuple[GoldAbstract, ...]:
    slips: list[Slip] = []
    abstracts: list[GoldAbstract] = []
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(enumerate(csv.DictReader(file), start=2))
    for (name, title), group in groupby(rows, key=lambda row: (row[1]["file"], row[1]["paper"])):
        of_paper = list(group)
        folder = ROOT if name == DIGESTS else shared
        text = format_for_display(abstracts_of(folder / name).get(title, ""))
        spanned = [row for row in of_paper if row[1]["start"]]
        found = slips_of(text, of_paper) if text else [(of_paper[0][0], f"{title!r}", f"in {name}")]
        found = found or _span_slips(text, spanned)
        slips += found
        if not found:
            abstracts.append(build(name, title, text, spanned))
    if slips:
        raise InputError([Fault("error", path.name, *slip) for slip in slips])
    return tuple(abstracts)


@cache
def abstracts_of(path: Path) -> Mapping[str, str]:
    """Title -> abstract, both as read, of one file below `shared`; of two records the longer."""
    if path.suffix != ".gz":
        return {
            paper.title: paper.abstract
            for file in read_file(path, path.name)
            for paper in sorted(file.papers, key=lambda paper: len(paper.abstract))
        }
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {record["title"]: record["abstract"] for record in map(json.loads, lines)}


def _sentences(name: str, title: str, text: str, rows: Sequence[Row]) -> GoldAbstract:
    cells = [row for _, row in rows]
    sentences = tuple(GoldSentence(*_span(row), row["role"], row["main"]) for row in cells)
    return GoldAbstract(name, title, text, sentences=sentences)


def _numbers(name: str, title: str, text: str, rows: Sequence[Row]) -> GoldAbstract:
    cells = [row for _, row in rows]
    numbers = tuple(
        GoldNumber(*_span(row), row["value"], row["unit"], row["benchmark"]) for row in cells
    )
    return GoldAbstract(name, title, text, numbers=numbers)


def _span(row: Mapping[str, str]) -> tuple[int, int]:
    return int(row["start"]), int(row["end"])


def _span_slips(text: str, rows: Sequence[Row]) -> list[Slip]:
    slips: list[Slip] = []
    for line, row in rows:
        start, end = _span(row)
        piece = text[start:end]
        if not 0 <= start < end <= len(text) or piece != piece.strip():
            slips.append((line, f"span {start} to {end}", f"words of a text of {len(text)}"))
    for (_, before), (line, after) in pairwise(rows):
        if _span(after)[0] < _span(before)[1]:
            slips.append((line, f"start {after['start']}", f"{before['end']} or more"))
    return slips


def _role_slips(_: str, rows: Sequence[Row]) -> list[Slip]:
    slips: list[Slip] = []
    for line, row in rows:
        if row["role"] not in ROLES:
            slips.append((line, f"role {row['role']!r}", f"one of {', '.join(ROLES)}"))
        if row["main"] not in MAINS:
            slips.append((line, f"main {row['main']!r}", "yes, also or nothing"))
    return slips


def _sentence_slips(text: str, rows: Sequence[Row]) -> list[Slip]:
    slips = _role_slips(text, rows)
    mains = sum(row["main"] == "yes" for _, row in rows)
    if mains != 1:
        slips.append((rows[0][0], f"{mains} main sentences of a paper", "one"))
    kept = "".join("".join(text[slice(*_span(row))].split()) for _, row in rows)
    if kept != "".join(text.split()):
        slips.append((rows[0][0], "words in no sentence, or in two", "each in one"))
    return slips


def _number_slips(text: str, rows: Sequence[Row]) -> list[Slip]:
    stated = [(line, row) for line, row in rows if row["start"]]
    slips = [
        (line, f"{row['value']!r} at {row['start']}", "the value as the text writes it")
        for line, row in stated
        if not row["value"] or not text.startswith(row["value"], int(row["start"]))
    ]
    slips += [
        (line, f"benchmark {row['benchmark']!r}", "as the text writes it")
        for line, row in stated
        if row["benchmark"] not in text
    ]
    if len(stated) != len(rows) and len(rows) > 1:
        slips.append((rows[0][0], "a row without a span beside others", "one alone, or none"))
    return slips
