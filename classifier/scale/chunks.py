"""Files cut into chunks of records, in input order, in constant memory.

Where each line of a file stands for itself its lines are cut unread, so that whoever labels them
reads them, too; other files are read where they are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from pathlib import Path

from classifier.corpus.load import known_reader, shown_name
from classifier.corpus.paper import Paper
from classifier.corpus.readers import ColumnsRead, Quarantined, Reader, Record
from classifier.corpus.readers.registry import reader_named
from classifier.errors import Fault, InputError, sort_faults
from classifier.files.content import STANDARD_INPUT, Content, contents, text_content
from classifier.files.meter import Meter

Notice = Fault | Quarantined | ColumnsRead
"""What a reader says beside the papers."""

_MOST_KEPT = 16
"""Inputs up to which a file is not opened again after it was looked at."""
_START_LINES = 2
"""Filled lines by which a reader of lines tells how a file is framed."""


@dataclass(frozen=True, slots=True)
class PieceRead:
    """What a piece of a file holds."""

    file: str
    papers: tuple[Paper, ...]
    notices: tuple[Notice, ...]
    """Lines in them count from the piece's start."""
    lines: int
    """How many lines the piece is long; 0 where its notices count from the start of the file."""
    refusal: InputError | None = None
    """Why nothing in it was a paper, where its reader refused it."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a text that nobody has read yet."""

    file: str
    reader: str
    """The name of the reader."""
    start: str
    """The first lines of the file."""
    text: str
    lines: int

    def read(self) -> PieceRead:
        """Return the papers of these lines."""
        content = replace(text_content(self.file, self.text), start=self.start)
        records, refusal = _all_of(reader_named(self.reader).read(content))
        return _piece(self.file, records, self.lines, refusal)


@dataclass(frozen=True, slots=True)
class Records:
    """Records of a file that are read already."""

    file: str
    records: tuple[Record, ...]

    def read(self) -> PieceRead:
        """Return the papers among them."""
        return _piece(self.file, self.records, 0, None)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some records of the input, one behind another, perhaps of several files."""

    number: int
    """From 0 on."""
    pieces: tuple[Lines | Records, ...]
    position: int
    """How many bytes of the input, as it lies on the disk, were read up to here."""


@dataclass(frozen=True, slots=True)
class InputText:
    """One file that is labelled, or one in an archive."""

    content: Content
    reader: Reader

    @property
    def name(self) -> str:
        """As the user would type it."""
        return self.content.name

    def pieces(self, first: int, size: int) -> Iterator[Lines | Records]:
        """Yield the file in pieces of `size` records, of which the first one has only `first`."""
        name, reader = self.content.name, self.reader
        sizes = chain([first], repeat(size))
        if reader.is_by_line(self.content):
            start = _first_lines(self.content.start)
            lines = self.content.lines()
            while batch := list(islice(lines, next(sizes))):
                yield Lines(name, reader.name, start, "\n".join(batch), len(batch))
            return
        records = iter(reader.read(self.content))
        while found := tuple(islice(records, next(sizes))):
            yield Records(name, found)


class InputTexts:
    """The files that a user names, each known to a reader."""

    def __init__(self, paths: Sequence[Path], root: Path) -> None:
        """Look at all files; names are shown relative to `root` where inside it.

        Raises InputError with the faults of all files that cannot be read.
        """
        self.meter = Meter(paths)
        self.readers: dict[str, Reader] = {}
        """Name of each file that was begun -> its reader, in their order."""
        self._paths, self._root = paths, root
        self._kept: dict[int, list[InputText]] = {}
        errors: list[Fault] = []
        for number, path in enumerate(paths):
            try:
                found = self._open(path)
            except InputError as error:
                errors += error.faults
                continue
            if path == STANDARD_INPUT or len(paths) <= _MOST_KEPT:
                self._kept[number] = found
        if errors:
            raise InputError(sort_faults(errors))

    def __iter__(self) -> Iterator[InputText]:
        """Yield the files in their order."""
        for number, path in enumerate(self._paths):
            self.meter.begin(number)
            for text in self._kept.get(number) or self._open(path):
                self.readers[text.name] = text.reader
                yield text

    def _open(self, path: Path) -> list[InputText]:
        """Return the files at a path; raises InputError with the faults of all of them."""
        found: list[InputText] = []
        errors: list[Fault] = []
        for content in contents(path, shown_name(path, self._root), self.meter.open):
            try:
                found.append(InputText(content, known_reader(content)))
            except InputError as error:
                errors += error.faults
        if errors:
            raise InputError(errors)
        return found


def cut(texts: Iterable[InputText], size: int, position: Callable[[], int]) -> Iterator[Chunk]:
    """Yield chunks of `size` records; position: how far the input is read, in bytes."""
    pieces: list[Lines | Records] = []
    number = filled = 0
    for text in texts:
        pieces += (Records(text.name, text.content.faults),) if text.content.faults else ()
        for piece in text.pieces(size - filled, size):
            pieces.append(piece)
            filled += piece.lines if isinstance(piece, Lines) else len(piece.records)
            if filled >= size:
                yield Chunk(number, tuple(pieces), position())
                pieces, filled, number = [], 0, number + 1
    if pieces:
        yield Chunk(number, tuple(pieces), position())


def _all_of(records: Iterable[Record]) -> tuple[list[Record], InputError | None]:
    found: list[Record] = []
    try:
        found.extend(records)
    except InputError as error:
        return found, error
    return found, None


def _piece(
    file: str, records: Sequence[Record], lines: int, refusal: InputError | None
) -> PieceRead:
    papers = tuple(record for record in records if isinstance(record, Paper))
    notices = tuple(record for record in records if not isinstance(record, Paper))
    return PieceRead(file, papers, notices, lines, refusal)


def _first_lines(start: str) -> str:
    filled = [line for line in start.split("\n") if line.strip()]
    return "\n".join(filled[:_START_LINES]) + "\n"
