"""Parts joined in input order: which rows are written, and what there is to say of the input."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.errors import Fault, InputError, sort_faults
from classifier.papers.identity import own_ids
from classifier.papers.load import InputFile
from classifier.papers.paper import Paper
from classifier.papers.reader import Reader, no_paper, shown
from classifier.text.normalise import title_key

_MOST_OF_A_KIND = 10
"""Warnings of one kind that are told each by itself, as in `errors.condense`."""
_MOST_QUARANTINED = 20


class PieceNotes(NamedTuple):
    """What was found in one piece of a file beside the labels."""

    file: str
    papers: int
    lines: int
    """How many lines the piece is long; 0 where its faults count from the start of the file."""
    faults: tuple[Fault, ...]
    columns: tuple[tuple[str, str], ...] = ()
    """(field, column) as `ColumnsRead` has them."""
    refusal: tuple[Fault, ...] = ()
    """Why nothing in the piece was a paper, where its reader refused it."""


class RecordNote(NamedTuple):
    """What joining takes of a record: whether it is passed over, and how a person knows it."""

    names: Sequence[int]
    """Hashes of the names by which it is known again, that of its title first."""
    is_provisional: bool
    """Whether nobody, neither a person nor the classifier, stands by its first label."""
    id: str
    title: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Part:
    """The labelled records of a chunk, n rows; which of them are written is not known yet."""

    rows: Sequence[Any]
    """(n,) in the form of the output: a line of text, or the cells of a row."""
    records: Sequence[RecordNote]
    """(n,)"""
    pieces: Sequence[PieceNotes]


def record_names(paper: Paper) -> list[str]:
    """Return by what a record is known again, each once: its title, then its ids."""
    return list(dict.fromkeys((title_key(paper.title), *own_ids(paper))))


def name_hash(name: str) -> int:
    """Return 64 bits of BLAKE2b of a name."""
    found = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(found.digest(), "little")


class FirstSeen:
    """The names that were seen so far, eight bytes each.

    A record is passed over where an earlier one, kept or not, has one of its names. So who is kept
    depends on the order of the records alone, not on how the stream is cut.
    """

    def __init__(self) -> None:
        # Sorted, each at most half as long as the one before it: a look-up is a few searches.
        self._runs: list[NDArray[np.uint64]] = []

    def known_names(self, named: Sequence[Sequence[int]]) -> list[list[bool]]:
        """Return which names of each record an earlier record has; they are known from then on."""
        names = np.unique(np.array([name for each in named for name in each], dtype=np.uint64))
        held = np.zeros(len(names), dtype=bool)
        for run in self._runs:
            held |= run[np.minimum(np.searchsorted(run, names), len(run) - 1)] == names
        known = set(names[held].tolist())
        found = []
        for each in named:
            found.append([name in known for name in each])
            known.update(each)
        self._note(names[~held])
        return found

    def _note(self, run: NDArray[np.uint64]) -> None:
        if not len(run):
            return
        while self._runs and len(self._runs[-1]) < 2 * len(run):
            run = np.union1d(self._runs.pop(), run)
        self._runs.append(run)


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did, and what it read besides labels."""

    papers: int
    """Rows that are written."""
    provisional: int
    """How many of them nobody stands by, neither a person nor the classifier."""
    passed_over: int
    """Records that were left out, since an earlier one has their id or title."""
    files: tuple[InputFile, ...]
    """In their order."""
    warnings: tuple[Fault, ...]
    """Sorted by file and line; of many of a kind the first ones. `label_to` puts those of the
    project before them, but its notices, which `check` lists."""
    quarantined: tuple[Fault, ...]
    """The first records that could not be read."""
    unread: int
    """How many could not be read in all."""


class Join:
    """The state of joining: parts come in input order, whoever made them."""

    def __init__(self) -> None:
        self.papers = self.provisional = self.passed_over = 0
        """As in `Run`."""
        self._seen = FirstSeen()
        self._lines: Counter[str] = Counter()
        self._papers: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()
        self._columns: dict[str, tuple[tuple[str, str], ...]] = {}
        self._refused: dict[str, tuple[Fault, ...]] = {}
        self._warnings = _Warnings()
        self._quarantined: list[Fault] = []

    def add(self, part: Part) -> list[bool]:
        """Take the next part; return (n,) which of its rows are written."""
        lines = Counter(self._lines)
        for piece in part.pieces:
            self._note(piece)
        kept = []
        known = self._seen.known_names([record.names for record in part.records])
        for record, are_known in zip(part.records, known, strict=True):
            kept.append(not any(are_known))
            self.papers += kept[-1]
            self.provisional += kept[-1] and record.is_provisional
            if any(are_known) and not are_known[0]:  # the id of another title
                found = f"id {record.id} again, for {shown(record.title)}"
                place = record.file, record.line + lines[record.file]
                hint = "The first record is labelled."
                self._warnings.add(Fault("warning", *place, found, "one id a paper", hint))
        self.passed_over += kept.count(False)
        return kept

    def run(self, readers: Mapping[str, Reader]) -> Run:
        """Return what was done with the files, which are named with their readers.

        Raises InputError where a reader found nothing but what is no paper.
        """
        empty = [name for name in readers if not self._papers[name]]
        refusals = [fault for name in empty for fault in self._refused.get(name, ())]
        if refusals:
            raise InputError(sort_faults(refusals))
        nothing = (no_paper(name, self._unread[name], readers[name].description) for name in empty)
        warnings = [*self._warnings.told(), *nothing]
        files = (
            InputFile(name, reader.name, self._papers[name], "", self._columns.get(name, ()))
            for name, reader in readers.items()
        )
        return Run(
            self.papers,
            self.provisional,
            self.passed_over,
            tuple(files),
            tuple(sort_faults(warnings)),
            tuple(self._quarantined),
            self._unread.total(),
        )

    def _note(self, piece: PieceNotes) -> None:
        self._papers[piece.file] += piece.papers
        before = self._lines[piece.file]
        self._lines[piece.file] += piece.lines
        for fault in piece.faults:
            if fault.line is not None:
                fault = replace(fault, line=fault.line + before)
            if not fault.record:
                self._warnings.add(fault)
                continue
            self._unread[piece.file] += 1
            if len(self._quarantined) < _MOST_QUARANTINED:
                self._quarantined.append(fault)
        if piece.columns:
            self._columns.setdefault(piece.file, piece.columns)
        if piece.refusal:
            self._refused.setdefault(piece.file, piece.refusal)


class _Warnings:
    """Warnings, of each kind the first ones and how many there are."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, ...], tuple[list[Fault], int]] = {}
        self._said: set[tuple[str, str, str]] = set()

    def add(self, fault: Fault) -> None:
        """Take the next; what an earlier one said in the same words is no news."""
        words = fault.file, fault.actual, fault.expected
        if words in self._said:
            return
        kind = (fault.severity, fault.file, fault.expected, fault.hint)
        told, count = self._kinds.get(kind, ([], 0))
        if count < _MOST_OF_A_KIND:
            told.append(fault)
            self._said.add(words)
        self._kinds[kind] = told, count + 1

    def told(self) -> Iterator[Fault]:
        """Yield the warnings; the last of too many says how many more there are."""
        for told, count in self._kinds.values():
            yield from told[:-1]
            more = f", and {count - len(told):,} more like this" if count > len(told) else ""
            yield replace(told[-1], actual=told[-1].actual + more)
