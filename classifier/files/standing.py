"""The files of the last build that still lie in its folder as it wrote them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from classifier.files.manifest import MANIFEST_NAME, FileRecord, digest, recorded_files
from classifier.files.stamps import STAMPS, Stamp, read_stamps, stamps_of


class Standing:
    """The files of the last build that still lie in its folder as it wrote them.

    A file with the size and time that it was written with is believed to hold what the manifest
    says; of any other the bytes decide.
    """

    def __init__(self, folder: Path) -> None:
        """folder: an output folder; it may not be there, then nothing stands."""
        self.folder = folder

    def record(self, name: str) -> FileRecord | None:
        """Return size and digest of a file that stands; None where it is gone or was changed."""
        recorded = self._recorded.get(name)
        present = self._present.get(name)
        if recorded is None or present is None or present[0] != recorded.size:
            return None
        if present == self._written.get(name) or self._digest(name) == recorded.blake2b:
            return recorded
        return None

    def stamp(self, name: str) -> Stamp | None:
        """Return size and time of a file as they were when it was first asked for any."""
        return self._present.get(name)

    def path(self, name: str) -> Path:
        """Return where a file of the last build lies."""
        return self.folder / name

    def _digest(self, name: str) -> str:
        try:
            return digest(self.path(name).read_bytes())
        except OSError:
            return ""

    @cached_property
    def _recorded(self) -> dict[str, FileRecord]:
        return recorded_files(self.folder / MANIFEST_NAME)

    @cached_property
    def _present(self) -> dict[str, Stamp]:
        return stamps_of(self.folder)

    @cached_property
    def _written(self) -> dict[str, Stamp]:
        return read_stamps(self.folder / STAMPS)
