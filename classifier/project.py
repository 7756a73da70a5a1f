"""A project folder: how to find it, and the paths of its files."""

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
from classifier.files.reading import display_path

_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a taxonomy, papers and, optionally, templates."""

    root: Path

    @property
    def taxonomy_file(self) -> Path:
        """The taxonomy, which people write."""
        return self.root / "taxonomy" / "taxonomy.yaml"

    @property
    def claims_file(self) -> Path:
        """The editors' theses and claims, with the cited papers; the file may not exist."""
        return self.root / "taxonomy" / "claims.yaml"

    @property
    def ledger_file(self) -> Path:
        """The ledger of decisions; the file may not exist."""
        return self.root / "taxonomy" / "reviews.csv"

    @property
    def identity_file(self) -> Path:
        """Human decisions on which records are the same paper; the file may not exist."""
        return self.root / "taxonomy" / "identity.csv"

    @property
    def prior_file(self) -> Path:
        """The prior (weights learned from labelled abstracts); the file may not exist."""
        return self.root / "taxonomy" / "prior.npz"

    @property
    def lock_file(self) -> Path:
        """The labels as last published; the file may not exist."""
        return self.root / "taxonomy" / "labels.lock.csv"

    @property
    def versions_file(self) -> Path:
        """The categories in earlier versions of the taxonomy; the file may not exist."""
        return self.root / "taxonomy" / "versions.csv"

    @property
    def out(self) -> Path:
        """The folder that builds write."""
        return self.root / "out"

    @property
    def cache_folder(self) -> Path | None:
        """The cache of builds; None for a project inside the package, which is never written."""
        return None if self.root.is_relative_to(_PACKAGE) else self.root / ".fieldguide"

    @property
    def authored_folders(self) -> tuple[Path, ...]:
        """The folders of hand-written files; no command generates files there."""
        return self.root / "taxonomy", self.root / "papers"

    @property
    def editions(self) -> Path:
        """The folder with editions of the survey."""
        return self.root / "editions"

    @property
    def kept_sheets(self) -> Path:
        """The folder with copies of edited sheets that a command replaced."""
        return self.root / "sheets"

    @property
    def template_folders(self) -> tuple[Path, ...]:
        """The folders with templates: the project's own, then the shipped ones."""
        return self.root / "templates", shipped_folder("templates")

    def shown(self, path: Path) -> str:
        """Return `path` for messages: relative to the project, with forward slashes."""
        return display_path(path, self.root)

    def paper_files(self, patterns: Sequence[str]) -> list[Path]:
        """Return the files that match the patterns of `survey.sources`, sorted.

        Hidden files, taxonomy/ and folders that a build wrote are omitted. Raises InputError if a
        pattern matches nothing, leads out of the project, or leads into an unreadable folder.
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
        """Return a warning for each match of `survey.sources` that is not an ordinary file.

        These are folders in which no file is read, broken links, pipes and devices. There is also a
        warning for a link to a file outside the project, although that file is read.
        """
        read = set(self.paper_files(patterns))
        matches = {path for pattern in patterns for path in self._matches(pattern)}
        faults = [self._skipped_fault(path, read) for path in sorted(matches - read)]
        faults += [self._link_fault(path) for path in sorted(read)]
        return [fault for fault in faults if fault]

    def _link_fault(self, path: Path) -> Fault | None:
        """Return a warning if `path` leads out of the project, since its papers are published."""
        target = path.resolve()
        if target.is_relative_to(self.root.resolve()):
            return None
        name, actual = path.relative_to(self.root).as_posix(), f"a link that leads out to {target}"
        hint = (
            "The file is read, and its papers are published. If you want this, copy the "
            "file into the project."
        )
        return Fault("warning", name, None, actual, "a file of the project", hint)

    def _skipped_fault(self, path: Path, read: Set[Path]) -> Fault | None:
        """Return a warning about a match that is not read; None if nothing is wrong with it."""
        name = path.relative_to(self.root).as_posix()
        if path.is_dir():
            return self._folder_fault(path, name, read)
        if path.is_symlink():
            hint = "Delete the link, or restore its target."
            actual = "a link to something that is not a file" if path.exists() else "a broken link"
            return Fault("warning", name, None, actual, "a file", hint)
        if path.exists():
            actual = "a pipe, a socket or a device"
            return Fault("warning", name, None, actual, "a file", "It is not read.")
        return None

    def _folder_fault(self, path: Path, name: str, read: Set[Path]) -> Fault | None:
        """Return a warning if a folder is unreadable, or if none of its files is read."""
        try:
            os.listdir(path)
            inside = {file for file in self._visible(path.rglob("*")) if file.is_file()}
        except OSError as error:
            return _unreadable(name, error, "warning")
        if not inside or inside & read:
            return None
        actual = "a folder in which survey.sources matches no file"
        hint = f"Add '{name}/*' to survey.sources, or move its files up."
        return Fault("warning", f"{name}/", None, actual, "files", hint)

    def _matches(self, pattern: str) -> set[Path]:
        """Return the paths that match a pattern; raise OSError if its folder is unreadable."""
        try:
            if self._start(pattern).is_dir():
                os.listdir(self._start(pattern))  # a glob ignores folders without permission
            return self._visible(self.root.glob(pattern))
        except (ValueError, IndexError, AttributeError):  # pathlib raises these for "**x" and "."
            return set()

    def _start(self, pattern: str) -> Path:
        """Return the folder of a pattern before its first wildcard."""
        parts = takewhile(lambda part: not set(part) & set("*?["), Path(pattern).parts[:-1])
        return self.root.joinpath(*parts)

    def _visible(self, paths: Iterable[Path]) -> set[Path]:
        """Return the paths that are not hidden, not in taxonomy/, and not written by a build.

        Otherwise `**/*.bib` would read the references.bib of an earlier build.
        """

        @cache
        def is_built(folder: Path) -> bool:
            """Return whether a build wrote a folder."""
            return bool(recorded_files(folder / MANIFEST_NAME))

        visible: set[Path] = set()
        for path in paths:
            inside = path.relative_to(self.root)
            is_hidden = any(part.startswith(".") or _LITTER.match(part) for part in inside.parts)
            if is_hidden or inside.parts[:1] == ("taxonomy",):
                continue
            folders = (self.root / each for each in (inside, *inside.parents[:-1]))
            if not any(map(is_built, folders)):
                visible.add(path)
        return visible

    def _source_fault(self, pattern: str, expected: str, hint: str = "") -> Fault:
        """Return the fault of a pattern in survey.sources."""
        file = self.shown(self.taxonomy_file)
        return Fault("error", file, None, f"survey.sources '{pattern}'", expected, hint)


# Files that operating systems and programs leave in folders; they are never read.
_LITTER = re.compile(
    r"(?:Thumbs\.db|desktop\.ini|ehthumbs\.db|Icon\r|~\$.*|.*~|.*\.(?:tmp|swp|part|crdownload))$",
    re.IGNORECASE,
)


def shipped_folder(name: str) -> Path:
    """Return a data folder of Fieldguide, in the installed package or in the checkout."""
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def embedded_project() -> Project:
    """Return the project that ships with Fieldguide: agentic AI, 364 papers."""
    return Project(shipped_folder("taxonomy").parent)


def find_project(start: Path) -> Project | None:
    """Return the project in the folder `start` or in its nearest parent, or None.

    Raises InputError if a folder `taxonomy` on the way is unreadable.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        if _has_taxonomy(folder):
            return Project(folder)
    return None


def open_project(folder: str | Path | None = None) -> Project:
    """Return the project in `folder`; by default, in the current folder or its nearest parent.

    Raises UsageError if there is no project, and InputError if its folder `taxonomy` is unreadable.
    """
    if folder is not None:
        folder = Path(folder)
        if not _has_taxonomy(folder):
            if os.path.isfile(folder):
                expected = "--project expects the folder that contains taxonomy/taxonomy.yaml"
                raise UsageError(f"{folder}: is a file; {expected}.")
            raise UsageError(f"{folder}: no project here (no taxonomy/taxonomy.yaml).")
        return Project(folder)
    project = find_project(Path.cwd())
    if project is None:
        raise UsageError(
            "No project here: neither this folder nor its parents contain taxonomy/taxonomy.yaml.\n"
            "Go to the folder of a project, or choose one with --project DIR. Create one from your "
            "papers with\n`fieldguide new my-survey FILE`, or build the shipped example into "
            "./out with `fieldguide build --demo`."
        )
    return project


def _has_taxonomy(folder: Path) -> bool:
    """Return whether a folder contains a taxonomy."""
    try:
        return (folder / "taxonomy" / "taxonomy.yaml").is_file()
    except OSError as error:
        raise InputError([_unreadable("taxonomy", error)]) from error


def _unreadable(folder: str, error: OSError, severity: Severity = "error") -> Fault:
    """Return the fault of a folder that cannot be read."""
    found = (error.strerror or str(error)).lower()
    return Fault(severity, f"{folder}/", None, found, "a readable folder")
