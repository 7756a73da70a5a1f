"""Files cut into chunks of records, in input order, in constant memory.

If each line of a file is a record, its lines are cut unparsed and the worker parses them. Other
files are parsed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from pathlib import Path
from typing import IO

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.content import STANDARD_INPUT, Content, contents, reading, text_content
from classifier.files.reading import shown_name
from classifier.papers.load import known_reader
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead, Reader, Record
from classifier.papers.readers import reader_named
from classifier.scale.joining import PieceNotes

_MOST_KEPT = 16
"""Inputs up to which a file is not opened again after it was looked at."""
_START_LINES = 2
"""Filled lines by which a reader of lines tells how a file is framed."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some records of a file, parsed, or some of its lines, unparsed."""

    file: str
    records: Sequence[Record] = ()
    text: str = ""
    lines: int = 0
    """How many lines the text has."""
    reader: str = ""
    """The name of the reader of the text."""
    start: str = ""
    """The first lines of the file, by which its framing is told."""

    def read(self) -> tuple[list[Paper], PieceNotes]:
        """Return the papers in it, and the notes on other records."""
        found: list[Record] = list(self.records)
        refusal: tuple[Fault, ...] = ()
        if self.reader:
            content = replace(text_content(self.file, self.text), start=self.start)
            try:
                found.extend(reader_named(self.reader).read(content))
            except InputError as error:
                refusal = error.faults
        papers = [record for record in found if isinstance(record, Paper)]
        faults = tuple(record for record in found if isinstance(record, Fault))
        columns = [record.pairs for record in found if isinstance(record, ColumnsRead)]
        first = columns[0] if columns else ()
        return papers, PieceNotes(self.file, len(papers), self.lines, faults, first, refusal)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive records of the input, perhaps of several files."""

    number: int
    """From 0 on."""
    pieces: tuple[Piece, ...]
    position: int
    """How many bytes of the input, as it lies on the disk, were read up to here."""


@dataclass(frozen=True, slots=True)
class InputText:
    """One file that is labelled, or one in an archive."""

    content: Content
    reader: Reader

    def piece(self, records: Iterator[str | Record], size: int) -> Piece | None:
        """Return the next `size` records, of `records` as `begun` gave them; None at the end."""
        name = self.content.name
        with reading(name):
            batch = list(islice(records, size))
        lines = [record for record in batch if isinstance(record, str)]
        if lines:
            filled = [line for line in self.content.start.split("\n") if line.strip()]
            start = "\n".join(filled[:_START_LINES]) + "\n"
            return Piece(name, (), "\n".join(lines), len(lines), self.reader.name, start)
        found = tuple(record for record in batch if not isinstance(record, str))
        return Piece(name, found) if found else None

    def begun(self) -> Iterator[str | Record]:
        """Yield the lines, where each stands for itself, or the records of the file."""
        if self.reader.is_by_line(self.content):
            return self.content.lines()
        return iter(self.reader.read(self.content))


class InputTexts:
    """The files that a user names, each known to a reader, and how far they are read."""

    def __init__(self, sources: Sequence[Path], root: Path) -> None:
        """Look at all files; names are shown relative to `root` where inside it.

        Raises InputError with the faults of all files that cannot be read.
        """
        self.readers: dict[str, Reader] = {}
        """Name of each file that was begun -> its reader, in their order."""
        self._sources, self._root = sources, root
        sizes = (path.stat().st_size if path.is_file() else 0 for path in sources)
        self._ends = [0, *accumulate(sizes)]
        self._number = 0
        self._file: IO[bytes] | None = None
        self._kept: dict[int, list[InputText]] = {}
        errors: list[Fault] = []
        for number, source in enumerate(sources):
            try:
                found = self._look_at(source)
            except InputError as error:
                errors += error.faults
                continue
            if source == STANDARD_INPUT or len(sources) <= _MOST_KEPT:
                self._kept[number] = found
        if errors:
            raise InputError(sort_faults(errors))

    def __iter__(self) -> Iterator[InputText]:
        """Yield the files in their order."""
        for number, source in enumerate(self._sources):
            self._number, self._file = number, None
            for text in self._kept.get(number) or self._look_at(source):
                self.readers[text.content.name] = text.reader
                yield text

    @property
    def total(self) -> int:
        """Bytes of all files, packed ones as they are packed."""
        return self._ends[-1]

    @property
    def position(self) -> int:
        """Bytes read of all files, those before the one that is being read as a whole."""
        if self._file is None:
            return self._ends[self._number]
        if self._file.closed:
            return self._ends[self._number + 1]
        return self._ends[self._number] + self._file.tell()

    def _open(self, path: Path) -> IO[bytes]:
        self._file = path.open("rb")
        return self._file

    def _look_at(self, source: Path) -> list[InputText]:
        """Return the files at a path; raises InputError with the faults of all of them."""
        found: list[InputText] = []
        errors: list[Fault] = []
        for content in contents(source, shown_name(source, self._root), self._open):
            try:
                found.append(InputText(content, known_reader(content)))
            except InputError as error:
                errors += error.faults
        if errors:
            raise InputError(errors)
        return found


def cut(texts: InputTexts | Iterable[InputText], size: int) -> Iterator[Chunk]:
    """Yield chunks of `size` records."""
    pieces: list[Piece] = []
    number = filled = 0
    for text in texts:
        pieces += [Piece(text.content.name, text.content.faults)] if text.content.faults else []
        records = text.begun()
        while piece := text.piece(records, size - filled):
            pieces.append(piece)
            filled += len(piece.records) or piece.lines
            if filled == size:
                yield Chunk(number, tuple(pieces), getattr(texts, "position", 0))
                pieces, filled, number = [], 0, number + 1
    if pieces:
        yield Chunk(number, tuple(pieces), getattr(texts, "position", 0))
