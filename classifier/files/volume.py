"""The files of a folder that is being made: new ones, and those of the last one that stay."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from classifier.files.manifest import FileRecord, record_of
from classifier.files.spool import Spool
from classifier.files.stamps import Stamp
from classifier.files.standing import Standing

_MOST_HELD = 2**27
"""Bytes of new files that are held in memory before further ones are laid down."""


class Volume(Mapping[str, bytes]):
    """The files of a folder that is being made: relative POSIX path -> bytes, sorted by path.

    A file that the last folder holds already stays where it is, and is read when it is asked for;
    so is one that was laid down, for want of memory.
    """

    def __init__(
        self,
        standing: Standing | None = None,
        spool: Spool | None = None,
        typed: Collection[str] = (),
    ) -> None:
        """Start without files.

        standing: the last folder; spool: where to lay files down that are too many to hold; typed:
        files into which people type at any time, so that what stood may stand no more.
        """
        self._standing, self._spool, self._typed = standing, spool, typed
        self._new: dict[str, bytes] = {}
        self._held = 0
        self.records: dict[str, FileRecord] = {}
        """Path -> size and digest, in the order in which the files came."""

    def put(self, name: str, data: bytes) -> FileRecord:
        """Take a file in; one that the last folder holds with these bytes stays that file."""
        record = record_of(data)
        stands = self._standing is not None and self._standing.record(name) == record
        if not stands or name in self._typed:
            self._lay(name, data)
        self.records[name] = record
        return record

    def keep(self, name: str, record: FileRecord) -> bool:
        """Take a file of the last folder as it stands; False where it does not hold this."""
        if self._standing is None or self._standing.record(name) != record:
            return False
        self.records[name] = record
        return True

    def standing(self, names: Sequence[str]) -> dict[str, FileRecord] | None:
        """Return the records of files of the last folder; None where one of them does not stand."""
        if self._standing is None:
            return None
        records: dict[str, FileRecord] = {}
        for name in names:
            record = self._standing.record(name)
            if record is None:
                return None
            records[name] = record
        return records

    def stands(self, name: str) -> bool:
        """Return whether a file is that of the last folder."""
        return name not in self._new and not (self._spool and name in self._spool)

    def stamp(self, name: str) -> Stamp | None:
        """Return size and time of a file of the last folder, as they were when it was judged."""
        return self._standing.stamp(name) if self._standing else None

    def new(self) -> Iterator[tuple[str, bytes | Path]]:
        """Yield the files that the last folder does not hold: their bytes, or where they lie."""
        for name in sorted(self.records):
            if name in self._new:
                yield name, self._new[name]
            elif self._spool and name in self._spool:
                yield name, self._spool.path(name)

    def settle(self) -> None:
        """Have files that were laid down read from the folder, of which they are part by now."""
        self._spool = None

    def __contains__(self, name: object) -> bool:
        return name in self.records

    def __getitem__(self, name: str) -> bytes:
        if name in self._new:
            return self._new[name]
        if name not in self.records:
            raise KeyError(name)
        if self._spool and name in self._spool:
            return self._spool.path(name).read_bytes()
        assert self._standing is not None
        return self._standing.path(name).read_bytes()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.records))

    def __len__(self) -> int:
        return len(self.records)

    def _lay(self, name: str, data: bytes) -> None:
        if self._spool is None or self._held + len(data) <= _MOST_HELD:
            self._new[name] = data
            self._held += len(data)
        else:
            self._spool.lay(name, data)


class Sizes(Mapping[str, int]):
    """The sizes in bytes of the files of a volume, as far as it is filled by now."""

    def __init__(self, records: Mapping[str, FileRecord]) -> None:
        self._records = records

    def __getitem__(self, name: str) -> int:
        return self._records[name].size

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __contains__(self, name: object) -> bool:
        return name in self._records
