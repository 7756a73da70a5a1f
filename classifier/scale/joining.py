"""Join labelled parts in input order: select the rows to write, and collect warnings."""

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
from classifier.papers.load import MAX_ALIKE, InputFile
from classifier.papers.paper import Paper
from classifier.papers.reader import Reader, display_value, no_paper_fault
from classifier.text.normalise import title_key

_MAX_QUARANTINED = 20


class PieceNotes(NamedTuple):
    """Findings in one piece of a file, except labels."""

    file: str
    papers: int
    lines: int
    """Number of lines of the piece; 0 if its faults have line numbers of the file."""
    faults: tuple[Fault, ...]
    columns: tuple[tuple[str, str], ...] = ()
    """(field, column) as `ColumnsRead` has them."""
    refusal: tuple[Fault, ...] = ()
    """Faults with which the reader rejected the whole piece."""


class RecordNote(NamedTuple):
    """The keys and display fields of a record that joining needs."""

    keys: Sequence[int]
    """Hashes of the keys that identify the record; the hash of the title comes first."""
    is_provisional: bool
    """Whether its first label is neither reviewed nor confident."""
    id: str
    title: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Part:
    """The n labelled records of a chunk, before duplicates are removed."""

    rows: Sequence[Any]
    """(n,) in the form of the output: a line of text, or the cells of a row."""
    records: Sequence[RecordNote]
    """(n,)"""
    pieces: Sequence[PieceNotes]


def record_keys(paper: Paper) -> list[str]:
    """Return the distinct keys that identify a record: its title, then its ids."""
    return list(dict.fromkeys((title_key(paper.title), *own_ids(paper))))


def key_hash(key: str) -> int:
    """Return the 64-bit BLAKE2b hash of a key."""
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class FirstSeen:
    """The hashes of the keys of all earlier records, eight bytes each.

    A record is skipped if an earlier record (skipped or not) has one of its keys. Thus the result
    depends only on the order of the records, and not on the size of chunks.
    """

    def __init__(self) -> None:
        # Sorted arrays, each at most half as long as the previous one, so that a look-up needs
        # only a few binary searches.
        self._runs: list[NDArray[np.uint64]] = []

    def find_known(self, records: Sequence[Sequence[int]]) -> list[list[bool]]:
        """Return for each key of each record whether an earlier record has it; add all keys."""
        keys = np.unique(np.array([key for record in records for key in record], dtype=np.uint64))
        is_old = np.zeros(len(keys), dtype=bool)
        for run in self._runs:
            is_old |= run[np.minimum(np.searchsorted(run, keys), len(run) - 1)] == keys
        known = set(keys[is_old].tolist())
        is_known = []
        for record in records:
            is_known.append([key in known for key in record])
            known.update(record)
        self._add(keys[~is_old])
        return is_known

    def _add(self, run: NDArray[np.uint64]) -> None:
        """Add a sorted run of hashes."""
        if not len(run):
            return
        while self._runs and len(self._runs[-1]) < 2 * len(run):
            run = np.union1d(self._runs.pop(), run)
        self._runs.append(run)


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run: counts, readers and warnings."""

    papers: int
    """Number of rows written."""
    provisional: int
    """Number of rows whose label is neither reviewed nor confident."""
    skipped: int
    """Number of records that were skipped because an earlier one has their id or title."""
    files: tuple[InputFile, ...]
    """In input order."""
    warnings: tuple[Fault, ...]
    """Sorted by file and line; only the first ones of each kind. `label_to` puts the warnings of
    the project before them, but not its notices."""
    quarantined: tuple[Fault, ...]
    """The first records that could not be read."""
    unread: int
    """Total number of records that could not be read."""


class Join:
    """The state of joining; parts are added in input order."""

    def __init__(self) -> None:
        self.papers = self.provisional = self.skipped = 0
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
        """Add the next part; return for each of its n rows whether to write it."""
        lines = Counter(self._lines)
        for piece in part.pieces:
            self._add_notes(piece)
        is_kept = []
        known = self._seen.find_known([record.keys for record in part.records])
        for record, is_known in zip(part.records, known, strict=True):
            is_new = not any(is_known)
            is_kept.append(is_new)
            if is_new:
                self.papers += 1
                self.provisional += record.is_provisional
            elif not is_known[0]:  # the id of a record with another title
                found = f"id {record.id} again, for {display_value(record.title)}"
                place = record.file, record.line + lines[record.file]
                hint = "Only the first record was labelled."
                self._warnings.add(Fault("warning", *place, found, "one id per paper", hint))
        self.skipped += is_kept.count(False)
        return is_kept

    def run(self, readers: Mapping[str, Reader]) -> Run:
        """Return the result of the run.

        readers: reader of each file, by file name. Raises InputError if a reader rejected a whole
        file.
        """
        empty = [name for name in readers if not self._papers[name]]
        refusals = [fault for name in empty for fault in self._refused.get(name, ())]
        if refusals:
            raise InputError(sort_faults(refusals))
        without_papers = []
        for name in empty:
            first = [fault for fault in self._quarantined if fault.file == name]
            n_unread = self._unread[name]
            without_papers.append(no_paper_fault(name, first, readers[name].description, n_unread))
        warnings = [*self._warnings.shortened_warnings(), *without_papers]
        files = (
            InputFile(name, reader.name, self._papers[name], "", self._columns.get(name, ()))
            for name, reader in readers.items()
        )
        return Run(
            self.papers,
            self.provisional,
            self.skipped,
            tuple(files),
            tuple(sort_faults(warnings)),
            tuple(self._quarantined),
            self._unread.total(),
        )

    def _add_notes(self, piece: PieceNotes) -> None:
        """Add the notes about a piece."""
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
            if len(self._quarantined) < _MAX_QUARANTINED:
                self._quarantined.append(fault)
        if piece.columns:
            self._columns.setdefault(piece.file, piece.columns)
        if piece.refusal:
            self._refused.setdefault(piece.file, piece.refusal)


class _Warnings:
    """Warnings by kind: the first ones of each kind, and their number."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, ...], tuple[list[Fault], int]] = {}
        self._listed: set[tuple[str, str, str]] = set()

    def add(self, fault: Fault) -> None:
        """Add a warning, unless an identical warning was added before."""
        words = fault.file, fault.actual, fault.expected
        if words in self._listed:
            return
        kind = (fault.severity, fault.file, fault.expected, fault.hint)
        kept, count = self._kinds.get(kind, ([], 0))
        if count < MAX_ALIKE:
            kept.append(fault)
            self._listed.add(words)
        self._kinds[kind] = kept, count + 1

    def shortened_warnings(self) -> Iterator[Fault]:
        """Yield the warnings; the last warning of each kind says how many more there are."""
        for kept, count in self._kinds.values():
            yield from kept[:-1]
            more = f", and {count - len(kept):,} more like this" if count > len(kept) else ""
            yield replace(kept[-1], actual=kept[-1].actual + more)
