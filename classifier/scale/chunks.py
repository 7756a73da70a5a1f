"""Cut files into chunks of records, in input order and in constant memory.

If each line of a file is a record, a chunk contains unparsed lines, which the worker parses. Other
files are parsed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from pathlib import Path
from typing import IO

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.content import (
    STANDARD_INPUT,
    Content,
    contents,
    convert_read_errors,
    text_content,
)
from classifier.files.reading import display_path
from classifier.papers.load import find_reader
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead, Reader, Record
from classifier.papers.readers import reader_by_name
from classifier.scale.joining import PieceNotes

_MAX_KEPT = 16
"""Maximum number of inputs that are kept open after the first check; more are opened again."""
_START_LINES = 2
"""Number of non-empty lines from which a reader of lines recognises the form of a file."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a file: parsed records, or unparsed lines."""

    file: str
    records: Sequence[Record] = ()
    text: str = ""
    lines: int = 0
    """Number of lines of `text`."""
    reader: str = ""
    """Name of the reader of `text`; "" for parsed records."""
    start: str = ""
    """First lines of the file, from which the reader recognises its form."""

    def read(self) -> tuple[list[Paper], PieceNotes]:
        """Return the papers, and notes on records that are not papers."""
        records: list[Record] = list(self.records)
        refusal: tuple[Fault, ...] = ()
        if self.reader:
            content = replace(text_content(self.file, self.text), start=self.start)
            try:
                records.extend(reader_by_name(self.reader).read(content))
            except InputError as error:
                refusal = error.faults
        papers = [record for record in records if isinstance(record, Paper)]
        faults = tuple(record for record in records if isinstance(record, Fault))
        columns = [record.pairs for record in records if isinstance(record, ColumnsRead)]
        first = columns[0] if columns else ()
        return papers, PieceNotes(self.file, len(papers), self.lines, faults, first, refusal)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive records of the input, from one or several files."""

    number: int
    """Position in the input, from 0."""
    pieces: tuple[Piece, ...]
    position: int
    """Number of bytes of the input files that were read up to the end of the chunk."""


@dataclass(frozen=True, slots=True)
class InputText:
    """One input file, or one file in an archive."""

    content: Content
    reader: Reader

    def piece(self, records: Iterator[str | Record], size: int) -> Piece | None:
        """Return the next `size` items from `lines_or_records`; None at the end."""
        name = self.content.name
        with convert_read_errors(name):
            batch = list(islice(records, size))
        lines = [record for record in batch if isinstance(record, str)]
        if lines:
            filled_lines = [line for line in self.content.start.split("\n") if line.strip()]
            start = "\n".join(filled_lines[:_START_LINES]) + "\n"
            return Piece(name, (), "\n".join(lines), len(lines), self.reader.name, start)
        found = tuple(record for record in batch if not isinstance(record, str))
        return Piece(name, found) if found else None

    def lines_or_records(self) -> Iterator[str | Record]:
        """Yield the lines if each line is a record, else the parsed records."""
        if self.reader.is_by_line(self.content):
            return self.content.lines()
        return iter(self.reader.read(self.content))


class InputTexts:
    """All input files with their readers, and the current position."""

    def __init__(self, sources: Sequence[Path], root: Path) -> None:
        """Find the reader of each file; names in messages are relative to `root` if inside it.

        Raises InputError with the faults of all files that cannot be read.
        """
        self.readers: dict[str, Reader] = {}
        """Name of each file that reading has reached -> its reader, in input order."""
        self._sources, self._root = sources, root
        sizes = (path.stat().st_size if path.is_file() else 0 for path in sources)
        self._ends = [0, *accumulate(sizes)]
        self._number = 0
        self._file: IO[bytes] | None = None
        self._kept: dict[int, list[InputText]] = {}
        errors: list[Fault] = []
        for number, source in enumerate(sources):
            try:
                found = self._find_texts(source)
            except InputError as error:
                errors += error.faults
                continue
            if source == STANDARD_INPUT or len(sources) <= _MAX_KEPT:
                self._kept[number] = found
        if errors:
            raise InputError(sort_faults(errors))

    def __iter__(self) -> Iterator[InputText]:
        """Yield the files in input order."""
        for number, source in enumerate(self._sources):
            self._number, self._file = number, None
            for text in self._kept.get(number) or self._find_texts(source):
                self.readers[text.content.name] = text.reader
                yield text

    @property
    def total(self) -> int:
        """Number of bytes in all files; compressed files count with their compressed size."""
        return self._ends[-1]

    @property
    def position(self) -> int:
        """Number of bytes read: all of earlier files, and the read part of the current file."""
        if self._file is None:
            return self._ends[self._number]
        if self._file.closed:
            return self._ends[self._number + 1]
        return self._ends[self._number] + self._file.tell()

    def _open(self, path: Path) -> IO[bytes]:
        """Open a file, and count the bytes read from it."""
        self._file = path.open("rb")
        return self._file

    def _find_texts(self, source: Path) -> list[InputText]:
        """Return the files at a path; raise InputError with the faults of all of them."""
        found: list[InputText] = []
        errors: list[Fault] = []
        for content in contents(source, display_path(source, self._root), self._open):
            try:
                found.append(InputText(content, find_reader(content)))
            except InputError as error:
                errors += error.faults
        if errors:
            raise InputError(errors)
        return found


def cut_chunks(texts: InputTexts | Iterable[InputText], size: int) -> Iterator[Chunk]:
    """Yield chunks of `size` records; the last one may be shorter."""
    pieces: list[Piece] = []
    number = n_records = 0
    for text in texts:
        if text.content.faults:
            pieces.append(Piece(text.content.name, text.content.faults))
        records = text.lines_or_records()
        while piece := text.piece(records, size - n_records):
            pieces.append(piece)
            n_records += len(piece.records) or piece.lines
            if n_records == size:
                yield Chunk(number, tuple(pieces), getattr(texts, "position", 0))
                pieces, n_records, number = [], 0, number + 1
    if pieces:
        yield Chunk(number, tuple(pieces), getattr(texts, "position", 0))
