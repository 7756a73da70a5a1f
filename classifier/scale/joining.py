"""Parts joined in input order: which rows are written, and what there is to say of the input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from classifier.errors import Fault, InputError, sort_faults
from classifier.papers.load import InputFile
from classifier.papers.reader import Reader, shown
from classifier.scale.first_seen import FirstSeen
from classifier.scale.part import Part, PieceNotes

_MOST_OF_A_KIND = 10
"""Warnings of one kind that are told each by itself, as in `errors.condense`."""
_MOST_QUARANTINED = 20


@dataclass(frozen=True, slots=True)
class InputSaid:
    """What was read besides labels."""

    files: tuple[InputFile, ...]
    """In their order."""
    warnings: tuple[Fault, ...]
    """Sorted by file and line; of many of a kind the first ones."""
    quarantined: tuple[Fault, ...]
    """The first records that could not be read."""
    unread: int
    """How many could not be read in all."""


class Join:
    """The state of joining: parts come in input order, whoever made them."""

    def __init__(self) -> None:
        self.papers = 0
        """Rows that are written."""
        self.provisional = 0
        """How many of them nobody stands by."""
        self.passed_over = 0
        """Records of which an earlier one has the id or the title."""
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
                cure = "The first record is labelled."
                self._warnings.add([Fault("warning", *place, found, "one id a paper", cure)])
        self.passed_over += kept.count(False)
        return kept

    def said(self, readers: Mapping[str, Reader]) -> InputSaid:
        """Return what there is to say of the files, which are named with their readers.

        Raises InputError where a reader found nothing but what is no paper.
        """
        empty = [name for name in readers if not self._papers[name]]
        refusals = [fault for name in empty for fault in self._refused.get(name, ())]
        if refusals:
            raise InputError(sort_faults(refusals))
        warnings = [*self._warnings.told(), *(self._empty(name, readers[name]) for name in empty)]
        files = (
            InputFile(name, reader.name, self._papers[name], "", self._columns.get(name, ()))
            for name, reader in readers.items()
        )
        unread = self._unread.total()
        return InputSaid(
            tuple(files), tuple(sort_faults(warnings)), tuple(self._quarantined), unread
        )

    def _note(self, piece: PieceNotes) -> None:
        self._papers[piece.file] += piece.papers
        before = self._lines[piece.file]
        self._lines[piece.file] += piece.lines
        for fault in piece.faults:
            if fault.line is not None:
                fault = replace(fault, line=fault.line + before)
            if not fault.record:
                self._warnings.add([fault])
                continue
            self._unread[piece.file] += 1
            if len(self._quarantined) < _MOST_QUARANTINED:
                self._quarantined.append(fault)
        if piece.columns:
            self._columns.setdefault(piece.file, piece.columns)
        if piece.refusal:
            self._refused.setdefault(piece.file, piece.refusal)

    def _empty(self, name: str, reader: Reader) -> Fault:
        unread = self._unread[name]
        records = "1 record" if unread == 1 else f"{unread:,} records"
        found = f"no paper ({records} that cannot be read)"
        return Fault("warning", name, None, found, reader.wants)


class _Warnings:
    """Warnings, of each kind the first ones and how many there are."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, ...], tuple[list[Fault], int]] = {}
        self._said: set[tuple[str, str, str]] = set()

    def add(self, faults: Iterable[Fault]) -> None:
        """Take those of one piece; what an earlier one said in the same words is no news."""
        news = [f for f in faults if (f.file, f.found, f.wanted) not in self._said]
        for fault in news:
            kind = (fault.severity, fault.file, fault.wanted, fault.cure)
            told, count = self._kinds.get(kind, ([], 0))
            if count < _MOST_OF_A_KIND:
                told.append(fault)
                self._said.add((fault.file, fault.found, fault.wanted))
            self._kinds[kind] = told, count + 1

    def told(self) -> Iterator[Fault]:
        """Yield the warnings; the last of too many says how many more there are."""
        for told, count in self._kinds.values():
            yield from told[:-1]
            more = f", and {count - len(told):,} more like this" if count > len(told) else ""
            yield replace(told[-1], found=told[-1].found + more)
