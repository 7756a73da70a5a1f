"""Prints the files of a site; what an earlier build printed of the same stays as it stands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from classifier.files.manifest import FileRecord
from classifier.files.memo import Memos, compact_json, memo_key
from classifier.files.volume import Volume
from classifier.site.check import is_checked
from classifier.site.outline import Outline, outline_of
from classifier.site.plate import File, Plate

MEMO = "site.json"
"""The name of the memo."""
_LIBRARIES = ("jinja2", "lxml", "markdown", "markupsafe", "nh3")


@dataclass(frozen=True, slots=True)
class Printed:
    """A file as it was printed."""

    made_of: tuple[str, ...]
    """Digests of what it was printed from: of its plate, and of its blank where it had one."""
    record: FileRecord
    outline: Outline | None
    """Of a page and of a style sheet."""


class Printer:
    """Prints the files of a site into a volume."""

    def __init__(self, volume: Volume, last: Mapping[str, Printed] | None = None) -> None:
        """last: path -> what the last build printed, for files that may stand."""
        self.volume = volume
        self.printed: dict[str, Printed] = {}
        """Path -> what was printed, or stands."""
        self._last = last or {}

    def take_all(self, files: Iterable[File]) -> None:
        """Take in files one after the other: what makes a file may ask which are there by now."""
        for file in files:
            self.take(file)

    def take(self, file: File) -> None:
        """Take in a file, printed anew only where it is made of something else than before."""
        if isinstance(file, tuple):
            path, text = file
            self.volume.put(path, text.encode("utf-8"))
        elif isinstance(file, Plate):
            self._take_plate(file, ())
        elif not self._stands(file.path, file.made_of):
            self._take_plate(file.plate(), (file.made_of,))

    def _take_plate(self, plate: Plate, blank: tuple[str, ...]) -> None:
        made_of = (plate.made_of, *blank)
        if self._stands(plate.path, plate.made_of):
            last = self.printed[plate.path]
            self.printed[plate.path] = Printed(made_of, last.record, last.outline)
            return
        content = plate.text().encode("utf-8")
        outline = outline_of(plate.path, content) if is_checked(plate.path) else None
        record = self.volume.put(plate.path, content)
        self.printed[plate.path] = Printed(made_of, record, outline)

    def _stands(self, path: str, made_of: str) -> bool:
        """Return whether a file was made of this before, and if so, take it as it stands."""
        last = self._last.get(path)
        if last is None or made_of not in last.made_of or not self.volume.keep(path, last.record):
            return False
        self.printed[path] = last
        return True

    @property
    def outlines(self) -> dict[str, Outline]:
        """Path of each page and style sheet -> its outline."""
        return {path: printed.outline for path, printed in self.printed.items() if printed.outline}


def recall_printed(memos: Memos) -> dict[str, Printed]:
    """Return what the last build printed; nothing where that is not known."""
    content = memos.recall(MEMO, memo_key([], *_LIBRARIES))
    if content is None:
        return {}
    kept = json.loads(content)
    return {path: _printed(row, kept["wants"]) for path, row in kept["files"].items()}


def keep_printed(memos: Memos, printed: Mapping[str, Printed]) -> None:
    """Keep what was printed; where many pages lead to is written once."""
    numbers: dict[str, int] = {}
    files = {path: _row(printed[path], numbers) for path in sorted(printed)}
    content = compact_json({"files": files, "wants": list(numbers)})
    memos.keep(MEMO, memo_key([], *_LIBRARIES), content)


def _row(printed: Printed, numbers: dict[str, int]) -> list[Any]:
    outline = printed.outline
    row: list[Any] = [printed.made_of, *printed.record]
    if outline is not None:
        wants = [numbers.setdefault(want, len(numbers)) for want in outline.wants]
        row += [outline.ids, wants, outline.is_sound]
    return row


def _printed(row: list[Any], wants: list[str]) -> Printed:
    made_of, size, blake2b, *rest = row
    return Printed(tuple(made_of), FileRecord(size, blake2b), _outline(rest, wants))


def _outline(row: list[Any], wants: list[str]) -> Outline | None:
    if not row:
        return None
    ids, numbers, is_sound = row
    return Outline(tuple(ids), tuple([wants[number] for number in numbers]), is_sound)
