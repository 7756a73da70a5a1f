"""A project folder: where it is found, and the path of everything in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

from classifier.errors import Fault, InputError, Severity, UsageError
from classifier.files.built_folder import MANIFEST_NAME, recorded_files
from classifier.files.reading import shown_name

_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Project:
    """A folder that holds a taxonomy, papers and, if its owner wants, templates."""

    root: Path

    @property
    def taxonomy_file(self) -> Path:
        """The hand-authored taxonomy."""
        return self.root / "taxonomy" / "taxonomy.yaml"

    @property
    def claims_file(self) -> Path:
        """The editors' theses and claims that cite papers; it may not exist."""
        return self.root / "taxonomy" / "claims.yaml"

    @property
    def ledger_file(self) -> Path:
        """The ledger of human decisions; it may not exist yet."""
        return self.root / "taxonomy" / "reviews.csv"

    @property
    def identity_file(self) -> Path:
        """Human overrides of which records are one paper; it may not exist."""
        return self.root / "taxonomy" / "identity.csv"

    @property
    def prior_file(self) -> Path:
        """Term weights learned from labelled abstracts; it may not exist."""
        return self.root / "taxonomy" / "prior.npz"

    @property
    def lock_file(self) -> Path:
        """The labels as last published; it may not exist."""
        return self.root / "taxonomy" / "labels.lock.csv"

    @property
    def versions_file(self) -> Path:
        """Which categories earlier versions of the taxonomy had; it may not exist."""
        return self.root / "taxonomy" / "versions.csv"

    @property
    def out(self) -> Path:
        """The generated folder."""
        return self.root / "out"

    @property
    def cache_folder(self) -> Path | None:
        """What builds keep so that the next one is faster; None for what lies in the package."""
        return None if self.root.is_relative_to(_PACKAGE) else self.root / ".fieldguide"

    @property
    def authored_folders(self) -> tuple[Path, ...]:
        """What people write and hand in: nothing generated belongs there."""
        return self.root / "taxonomy", self.root / "papers"

    @property
    def editions(self) -> Path:
        """Where the editions of the survey are kept."""
        return self.root / "editions"

    @property
    def kept_sheets(self) -> Path:
        """Where changed sheets are copied before a command replaces them."""
        return self.root / "sheets"

    @property
    def template_folders(self) -> tuple[Path, ...]:
        """Where templates are looked up by name: the project's own first, then the shipped ones."""
        return self.root / "templates", shipped_folder("templates")

    def shown(self, path: Path) -> str:
        """Return `path` as messages and sources name it: relative to the project, POSIX style."""
        return shown_name(path, self.root)

    def paper_files(self, patterns: Sequence[str]) -> list[Path]:
        """Return the files that `survey.sources` names, sorted and without hidden ones.

        Nothing in taxonomy/, and nothing in a folder that a build wrote.
        Raises InputError if a pattern matches nothing, leaves the project, or leads into a
        folder that cannot be read.
        """
        faults: list[Fault] = []
        found: set[Path] = set()
        for pattern in patterns:
            if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
                faults.append(self._source_fault(pattern, "a pattern inside the project folder"))
                continue
            try:
                matches = {path for path in self._matches(pattern) if path.is_file()}
            except OSError as error:
                faults.append(_unreadable(self.shown(self._start(pattern)), error))
                continue
            if not matches:
                hint = "Put the papers there, or change survey.sources."
                faults.append(self._source_fault(pattern, "at least one file", hint))
            found |= matches
        if faults:
            raise InputError(list(dict.fromkeys(faults)))
        return sorted(found)

    def skipped_sources(self, patterns: Sequence[str]) -> list[Fault]:
        """Return a warning for each match of `survey.sources` that is not simply a file to read.

        That is a folder of which no file is read, a link that leads nowhere, what is no file (a
        pipe, a device); and, though it is read, a file to which a link leads out of the project.
        """
        read = set(self.paper_files(patterns))
        matches = {path for pattern in patterns for path in self._matches(pattern)}
        skipped = (self._skipped(path, read) for path in sorted(matches - read))
        return [fault for fault in (*skipped, *map(self._linked, sorted(read))) if fault]

    def _linked(self, path: Path) -> Fault | None:
        """Warn of a file that is read through a link, and published though it lies elsewhere."""
        target = path.resolve()
        if target.is_relative_to(self.root.resolve()):
            return None
        shown, found = path.relative_to(self.root).as_posix(), f"a link that leads out to {target}"
        hint = "It is read, and its papers are published: copy it if that is meant."
        return Fault("warning", shown, None, found, "a file of the project", hint)

    def _skipped(self, path: Path, read: Set[Path]) -> Fault | None:
        shown = path.relative_to(self.root).as_posix()
        if path.is_dir():
            try:
                os.listdir(path)
                inside = {file for file in self._visible(path.rglob("*")) if file.is_file()}
            except OSError as error:
                return _unreadable(shown, error, "warning")
            if inside and not inside & read:
                found = "a folder, of which survey.sources reads no file"
                hint = f"Add '{shown}/*' to survey.sources, or move its files up."
                return Fault("warning", f"{shown}/", None, found, "files", hint)
        elif path.is_symlink():
            hint = "Delete the link, or restore what it leads to."
            found = "a link to no file" if path.exists() else "a link that leads nowhere"
            return Fault("warning", shown, None, found, "a file", hint)
        elif path.exists():
            found = "what is no file but a pipe, a socket or a device"
            return Fault("warning", shown, None, found, "a file", "It is not read.")
        return None

    def _matches(self, pattern: str) -> set[Path]:
        """Return what a pattern matches; raises OSError if its folder cannot be read."""
        try:
            if self._start(pattern).is_dir():
                os.listdir(self._start(pattern))  # where this is denied, a glob matches nothing
            return self._visible(self.root.glob(pattern))
        except (ValueError, IndexError, AttributeError):  # pathlib's answers to "**x" and "."
            return set()

    def _start(self, pattern: str) -> Path:
        """Return the folder that a pattern names before its first wildcard."""
        parts = takewhile(lambda part: not set(part) & set("*?["), Path(pattern).parts[:-1])
        return self.root.joinpath(*parts)

    def _visible(self, paths: Iterable[Path]) -> set[Path]:
        """Return what may hold papers: nothing hidden, nor what people decided or a build wrote.

        Else `**/*.bib` would read its own references.bib, and the second build differ from the
        first.
        """

        @cache
        def is_built(folder: Path) -> bool:
            return bool(recorded_files(folder / MANIFEST_NAME))

        found: set[Path] = set()
        for path in paths:
            inside = path.relative_to(self.root)
            hidden = any(part.startswith(".") or _LITTER.match(part) for part in inside.parts)
            folders = (self.root / each for each in (inside, *inside.parents[:-1]))
            if not (hidden or inside.parts[:1] == ("taxonomy",) or any(map(is_built, folders))):
                found.add(path)
        return found

    def _source_fault(self, pattern: str, expected: str, hint: str = "") -> Fault:
        file = self.shown(self.taxonomy_file)
        return Fault("error", file, None, f"survey.sources '{pattern}'", expected, hint)


# What systems and programs leave in folders: never an input.
_LITTER = re.compile(
    r"(?:Thumbs\.db|desktop\.ini|ehthumbs\.db|Icon\r|~\$.*|.*~|.*\.(?:tmp|swp|part|crdownload))$",
    re.IGNORECASE,
)


def shipped_folder(name: str) -> Path:
    """Return a data folder that comes with Fieldguide: in the wheel, else in the checkout."""
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def embedded_project() -> Project:
    """Return the project that ships with Fieldguide: agentic AI, 364 papers."""
    return Project(shipped_folder("taxonomy").parent)


def find_project(start: Path) -> Project | None:
    """Return the project that `start` lies in, looking upwards, or None.

    Raises InputError if a folder `taxonomy` on the way cannot be read.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        if _holds_taxonomy(folder):
            return Project(folder)
    return None


def open_project(folder: str | Path | None = None) -> Project:
    """Return the project at `folder`, or the nearest one upwards where `folder` is None.

    Raises UsageError if there is none, with what to do; InputError where its folder `taxonomy`
    cannot be read.
    """
    if folder is not None:
        folder = Path(folder)
        if not _holds_taxonomy(folder):
            if os.path.isfile(folder):
                expected = "--project wants the folder that holds taxonomy/taxonomy.yaml"
                raise UsageError(f"{folder}: is a file; {expected}.")
            raise UsageError(f"{folder}: no project here (no taxonomy/taxonomy.yaml).")
        return Project(folder)
    project = find_project(Path.cwd())
    if project is None:
        raise UsageError(
            "No project here: neither this folder nor one above it holds taxonomy/taxonomy.yaml.\n"
            "Go to a project's folder or name one with --project DIR; make one from papers that "
            "you have with\n`fieldguide new my-survey FILE`; or build the shipped example into "
            "./out with `fieldguide build --demo`."
        )
    return project


def _holds_taxonomy(folder: Path) -> bool:
    try:
        return (folder / "taxonomy" / "taxonomy.yaml").is_file()
    except OSError as error:
        raise InputError([_unreadable("taxonomy", error)]) from error


def _unreadable(folder: str, error: OSError, severity: Severity = "error") -> Fault:
    found = (error.strerror or str(error)).lower()
    return Fault(severity, f"{folder}/", None, found, "a readable folder")
