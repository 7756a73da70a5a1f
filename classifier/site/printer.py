"""Prints the files of a site; what an earlier build printed of the same stays as it stands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from classifier.files.json_text import compact_items, compact_json
from classifier.files.manifest import FileRecord
from classifier.files.memo import Memos, memo_key
from classifier.files.volume import Volume
from classifier.site.check import is_checked
from classifier.site.outline import Outline, outline_of
from classifier.site.plate import Blank, Bundle, File, Plate, digest_of

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


@dataclass(frozen=True, slots=True)
class Bundled:
    """A bundle as its files were printed."""

    made_of: str
    digest: str
    """Of the paths, sizes and digests of its files, as `_digest` gives it."""
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prints:
    """What a build printed."""

    files: dict[str, Printed] = field(default_factory=dict)
    """Path -> what was printed, or stands."""
    bundles: dict[str, Bundled] = field(default_factory=dict)
    """By name."""

    @property
    def outlines(self) -> dict[str, Outline]:
        """Path of each page and style sheet -> its outline."""
        return {path: printed.outline for path, printed in self.files.items() if printed.outline}


class Printer:
    """Prints the files of a site into a volume."""

    def __init__(self, volume: Volume, last: Prints | None = None) -> None:
        """last: what the last build printed, of files that may stand."""
        self.volume = volume
        self.prints = Prints()
        self._last = last or Prints()

    def take_all(self, files: Iterable[File]) -> None:
        """Take in files one after the other: what makes a file may ask which are there by now."""
        for file in files:
            self.take(file)

    def take(self, file: File) -> None:
        """Take in a file, printed anew only where it is made of something else than before."""
        match file:
            case Bundle():
                if not self._bundle_stands(file):
                    self._take_bundle(file)
            case Blank():
                if not self._stands(file.path, file.made_of):
                    self._take_plate(file.plate(), (file.made_of,))
            case Plate():
                self._take_plate(file, ())
            case path, bytes(content):
                self.volume.put(path, content)
            case path, str(text):
                self.volume.put(path, text.encode("utf-8"))

    def _take_bundle(self, bundle: Bundle) -> None:
        before = len(self.volume)
        self.take_all(bundle.files())
        paths = tuple(islice(self.volume.records, before, None))
        digest = _digest(paths, self.volume.records)
        self.prints.bundles[bundle.name] = Bundled(bundle.made_of, digest, paths)

    def _take_plate(self, plate: Plate, blank: tuple[str, ...]) -> None:
        made_of = (plate.made_of, *blank)
        if self._stands(plate.path, plate.made_of):
            last = self.prints.files[plate.path]
            self.prints.files[plate.path] = replace(last, made_of=made_of)
            return
        content = plate.text().encode("utf-8")
        outline = outline_of(plate.path, content) if is_checked(plate.path) else None
        record = self.volume.put(plate.path, content)
        self.prints.files[plate.path] = Printed(made_of, record, outline)

    def _stands(self, path: str, made_of: str) -> bool:
        """Return whether a file was made of this before, and if so, take it as it stands."""
        last = self._last.files.get(path)
        if last is None or made_of not in last.made_of or not self.volume.keep(path, last.record):
            return False
        self.prints.files[path] = last
        return True

    def _bundle_stands(self, bundle: Bundle) -> bool:
        """Return whether a bundle was made of this before, and if so, take all of it as it stands.

        Where one of its files is gone or was changed, each is looked at.
        """
        last = self._last.bundles.get(bundle.name)
        if last is None or last.made_of != bundle.made_of:
            return False
        standing = self.volume.standing(last.paths)
        if standing is None or _digest(last.paths, standing) != last.digest:
            return False
        self.volume.records.update(standing)
        known = self._last.files
        self.prints.files.update((path, known[path]) for path in last.paths if path in known)
        self.prints.bundles[bundle.name] = last
        return True


def _digest(paths: Sequence[str], records: Mapping[str, FileRecord]) -> str:
    return digest_of([(path, *records[path]) for path in paths])


def recall_prints(memos: Memos) -> Prints:
    """Return what the last build printed; nothing where that is not known."""
    content = memos.recall(MEMO, memo_key([], *_LIBRARIES))
    if content is None:
        return Prints()
    kept = json.loads(content)
    files = {path: _printed(row, kept["wants"]) for path, row in kept["files"].items()}
    bundles = {
        name: Bundled(made_of, digest, tuple(paths))
        for name, (made_of, digest, paths) in kept["bundles"].items()
    }
    return Prints(files, bundles)


def keep_prints(memos: Memos, prints: Prints) -> None:
    """Keep what was printed; where many pages lead to is written once."""
    numbers: dict[str, int] = {}
    files = compact_items(
        (path, _row(prints.files[path], numbers)) for path in sorted(prints.files)
    )
    bundles = {
        name: [bundle.made_of, bundle.digest, bundle.paths]
        for name, bundle in prints.bundles.items()
    }
    others = compact_json({"bundles": bundles, "wants": list(numbers)})
    content = b'{"files":' + files + b"," + others[1:]
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
