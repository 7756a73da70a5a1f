"""Parts joined in input order: which rows are written, and what there is to say of the input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classifier.errors import Fault, InputError, sort_faults
from classifier.papers.load import InputFile
from classifier.papers.reader import ColumnsRead, Reader, shown
from classifier.scale.first_seen import FirstSeen, firsts
from classifier.scale.part import Part, PieceNotes, RecordNote, shifted

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
        self._columns: dict[str, ColumnsRead] = {}
        self._refused: dict[str, tuple[Fault, ...]] = {}
        self._warnings = _Warnings()
        self._quarantined: list[Fault] = []

    def add(self, part: Part) -> NDArray[np.bool_]:
        """Take the next part; return (n,) which of its rows are written."""
        new = self._seen.are_new(part.names, part.name_rows)
        kept = firsts(new, part.name_rows, len(part))
        before = Counter(self._lines)
        for piece in part.pieces:
            self._note(piece)
        self._warnings.add(_of_other_titles(part, new, kept, before))
        self.papers += int(kept.sum())
        self.passed_over += int((~kept).sum())
        self.provisional += int(part.provisional[kept].sum())
        return kept

    def said(self, readers: Mapping[str, Reader]) -> InputSaid:
        """Return what there is to say of the files, which are named with their readers.

        Raises InputError where a reader found nothing but what is no paper.
        """
        refusals = [f for name in readers if not self._papers[name] for f in self._refusals(name)]
        if refusals:
            raise InputError(sort_faults(refusals))
        empty = [self._empty(name, readers[name]) for name in readers if not self._papers[name]]
        return InputSaid(
            tuple(self._file(name, reader) for name, reader in readers.items()),
            tuple(sort_faults([*self._warnings.told(), *empty])),
            tuple(self._quarantined),
            self._unread.total(),
        )

    def _note(self, piece: PieceNotes) -> None:
        self._papers[piece.file] += piece.papers
        notices = shifted(piece.notices, self._lines[piece.file])
        self._lines[piece.file] += piece.lines
        faults = [notice for notice in notices if isinstance(notice, Fault)]
        self._warnings.add(fault for fault in faults if not fault.record)
        for notice in notices:
            if isinstance(notice, ColumnsRead):
                self._columns.setdefault(piece.file, notice)
            elif notice.record:
                self._unread[piece.file] += 1
                if len(self._quarantined) < _MOST_QUARANTINED:
                    self._quarantined.append(notice)
        if piece.refusal:
            self._refused.setdefault(piece.file, piece.refusal)

    def _refusals(self, name: str) -> tuple[Fault, ...]:
        return self._refused.get(name, ())

    def _empty(self, name: str, reader: Reader) -> Fault:
        unread = self._unread[name]
        records = "1 record" if unread == 1 else f"{unread:,} records"
        found = f"no paper ({records} that cannot be read)"
        return Fault("warning", name, None, found, reader.wants)

    def _file(self, name: str, reader: Reader) -> InputFile:
        columns = self._columns[name].pairs if name in self._columns else ()
        return InputFile(name, reader.name, self._papers[name], "", columns)


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


def _of_other_titles(
    part: Part, new: NDArray[np.bool_], kept: NDArray[np.bool_], lines: Mapping[str, int]
) -> Iterator[Fault]:
    """Yield a warning for each record that is passed over for its id, and has a title of its own.

    lines: how far the lines of each file are off in this part.
    """
    titles = np.searchsorted(part.name_rows, np.arange(len(part)))
    for row in np.flatnonzero(~kept & new[titles]).tolist():
        note: RecordNote = part.records[row]
        found = f"id {note.id} again, for {shown(note.title)}"
        line = note.line + lines.get(note.file, 0)
        cure = "The first record is labelled."
        yield Fault("warning", note.file, line, found, "one id a paper", cure)
