"""Files cut into chunks of records, in input order, in constant memory.

Where each line of a file stands for itself its lines are cut unread, so that whoever labels them
reads them, too; where workers can open the file themselves not even that, they are told which bytes
are theirs. Other files are read where they are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from pathlib import Path

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.content import (
    STANDARD_INPUT,
    Content,
    contents,
    reading,
    remote_contents,
)
from classifier.files.meter import Meter
from classifier.files.reading import shown_name
from classifier.papers.formats.parquet import PARQUET, row_groups
from classifier.papers.load import known_reader
from classifier.papers.reader import Reader
from classifier.scale.part import ByteRange, Lines, Piece, Records, RowGroups

Source = Path | str
"""Where a file lies: a path, or an address of a file system that is not this machine's."""

_MOST_KEPT = 16
"""Inputs up to which a file is not opened again after it was looked at."""
_START_LINES = 2
"""Filled lines by which a reader of lines tells how a file is framed."""
_BYTES_A_RECORD = 1_600
"""A record of JSON Lines: a title, an abstract and little more."""
_MOST_GROUP_ROWS = 2**16
"""Rows of a row group that is labelled at a time; of longer ones the rows are sent."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some records of the input, one behind another, perhaps of several files."""

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
    source: Source = STANDARD_INPUT
    is_shared: bool = False
    """Whether workers can open it themselves."""
    pass_over: Callable[[int], None] = lambda end: None
    """Called with the byte up to which the file is left to workers."""

    @property
    def name(self) -> str:
        """As the user would type it."""
        return self.content.name

    def pieces(self, first: int, size: int) -> Iterator[Piece]:
        """Yield the file in pieces of `size` records, of which the first one has only `first`."""
        if self.is_shared and not self.content.is_packed:
            if self._is_lines and self.content.encoding in ("utf-8", "utf-8-sig"):
                return self._byte_ranges(size)
            groups = row_groups(self.content) if self.reader is PARQUET else []
            if 0 < max(groups, default=0) < _MOST_GROUP_ROWS:
                return self._row_groups(groups, size)
        sizes = chain([first], repeat(size))
        return self._lines(sizes) if self._is_lines else self._records(sizes)

    @property
    def _is_lines(self) -> bool:
        return self.reader.is_by_line(self.content)

    def _lines(self, sizes: Iterator[int]) -> Iterator[Piece]:
        start, lines = self._start, self.content.lines()
        with reading(self.name):
            while batch := list(islice(lines, next(sizes))):
                yield Lines(self.name, self.reader.name, start, "\n".join(batch), len(batch))

    def _records(self, sizes: Iterator[int]) -> Iterator[Piece]:
        records = iter(self.reader.read(self.content))
        with reading(self.name):
            while found := tuple(islice(records, next(sizes))):
                yield Records(self.name, found)

    def _byte_ranges(self, size: int) -> Iterator[Piece]:
        with self.content.open() as file:
            total = file.seek(0, 2)
        step, start, name = size * _BYTES_A_RECORD, self._start, self.reader.name
        for first in range(0, total, step):
            end = min(first + step, total)
            self.pass_over(end)
            yield ByteRange(self.name, self.source, name, start, first, end, size)

    def _row_groups(self, rows: Sequence[int], size: int) -> Iterator[Piece]:
        first = filled = 0
        for number, count in enumerate(rows):
            filled += count
            if filled >= size or number == len(rows) - 1:
                yield RowGroups(self.name, self.source, range(first, number + 1), size)
                first, filled = number + 1, 0

    @property
    def _start(self) -> str:
        filled = [line for line in self.content.start.split("\n") if line.strip()]
        return "\n".join(filled[:_START_LINES]) + "\n"


class InputTexts:
    """The files that a user names, each known to a reader."""

    def __init__(
        self,
        sources: Sequence[Source],
        root: Path,
        is_shared: Callable[[Source], bool] = lambda source: False,
    ) -> None:
        """Look at all files; names are shown relative to `root` where inside it.

        is_shared: whether workers can open a file themselves.
        Raises InputError with the faults of all files that cannot be read.
        """
        self.meter = Meter(sources)
        self.readers: dict[str, Reader] = {}
        """Name of each file that was begun -> its reader, in their order."""
        self._sources, self._root, self._is_shared = sources, root, is_shared
        self._kept: dict[int, list[InputText]] = {}
        errors: list[Fault] = []
        for number, source in enumerate(sources):
            try:
                found = self._open(source)
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
            self.meter.begin(number)
            for text in self._kept.get(number) or self._open(source):
                self.readers[text.name] = text.reader
                yield text

    def _open(self, source: Source) -> list[InputText]:
        """Return the files at a path; raises InputError with the faults of all of them."""
        found: list[InputText] = []
        errors: list[Fault] = []
        is_shared = source != STANDARD_INPUT and self._is_shared(source)
        place = source.resolve() if is_shared and isinstance(source, Path) else source
        for content in self._contents(source):
            try:
                reader = known_reader(content)
            except InputError as error:
                errors += error.faults
                continue
            found.append(InputText(content, reader, place, is_shared, self.meter.pass_over))
        if errors:
            raise InputError(errors)
        return found

    def _contents(self, source: Source) -> Iterator[Content]:
        if isinstance(source, str):
            return remote_contents(lambda: self.meter.open(source), source)
        return contents(source, shown_name(source, self._root), self.meter.open)


def cut(texts: Iterable[InputText], size: int, position: Callable[[], int]) -> Iterator[Chunk]:
    """Yield chunks of `size` records; position: how far the input is read, in bytes."""
    pieces: list[Piece] = []
    number = filled = 0
    for text in texts:
        pieces += (Records(text.name, text.content.faults),) if text.content.faults else ()
        for piece in text.pieces(size - filled, size):
            pieces.append(piece)
            filled += piece.records
            if filled >= size:
                yield Chunk(number, tuple(pieces), position())
                pieces, filled, number = [], 0, number + 1
    if pieces:
        yield Chunk(number, tuple(pieces), position())
